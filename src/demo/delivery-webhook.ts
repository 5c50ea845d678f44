/** POST /webhooks/delivery: a platform tells that something is new about a delivery, and it is looked at. */
import { z } from 'zod'
import type { Access } from './access.ts'
import { type Asked, complaint, reply } from './routes.ts'
import { parsed } from './send.ts'
import type { Shipping } from './shipping.ts'
import { isSigned } from './signature.ts'

export interface DeliveryWebhookParts {
  readonly access: Access
  readonly shipping: Shipping
  readonly secret: string
  /** Of these scopes a token needs one. */
  readonly scopes: readonly string[]
}

const News = z.looseObject({ orderId: z.string().min(1) })

export const createDeliveryWebhook =
  ({ access, shipping, secret, scopes }: DeliveryWebhookParts) =>
  ({ request, text }: Asked): Response => {
    // The documents ask for a token; a signature that is there has to be right.
    const signature = request.headers.get('x-app-signature')
    if (signature !== null && !isSigned(text, secret, signature))
      return complaint(401, 'UNAUTHORIZED', 'X-App-Signature does not fit the body')
    const refused = access.refusal(request, scopes)
    if (refused) return refused
    const news = News.safeParse(parsed(text))
    if (!news.success) return complaint(400, 'INVALID_PAYLOAD', 'there is no orderId in it')
    // Reading it again is harmless, so it needs no memory of what came before.
    shipping.hear(news.data.orderId)
    return reply(204)
  }
