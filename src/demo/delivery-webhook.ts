/** POST /webhooks/delivery: a delivery event makes the service read that delivery. */
import { z } from 'zod'
import type { AccessControl } from './access-control.ts'
import { type RoutedRequest, errorReply, reply } from './routes.ts'
import { parseJson } from './send.ts'
import type { Shipping } from './shipping.ts'
import { isSigned } from './signature.ts'

export interface DeliveryWebhookParts {
  readonly access: AccessControl
  readonly shipping: Shipping
  readonly secret: string
  /** The token needs one of these scopes. */
  readonly scopes: readonly string[]
}

const News = z.looseObject({ orderId: z.string().min(1) })

export const createDeliveryWebhook =
  ({ access, shipping, secret, scopes }: DeliveryWebhookParts) =>
  ({ request, text }: RoutedRequest): Response => {
    // The protocol asks for a token; a signature is optional but must be right when present.
    const signature = request.headers.get('x-app-signature')
    if (signature !== null && !isSigned(text, secret, signature))
      return errorReply(401, 'UNAUTHORIZED', 'X-App-Signature does not fit the body')
    const refused = access.denial(request, scopes)
    if (refused) return refused
    const news = News.safeParse(parseJson(text))
    if (!news.success) return errorReply(400, 'INVALID_PAYLOAD', 'there is no orderId in it')
    // A read is idempotent, so events need no deduplication here.
    shipping.onDeliveryNews(news.data.orderId)
    return reply(204)
  }
