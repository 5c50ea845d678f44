/** POST /webhooks/delivery: a delivery event makes the service read that delivery. */
import { z } from 'zod'
import type { AccessControl } from './access-control.ts'
import { errorReply, reply, type RoutedRequest } from './routes.ts'
import { parseJson } from './send.ts'
import type { Shipping } from './shipping.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

const digestOf = (body: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(body, 'utf8').digest()

export const signatureOf = (body: string, secret: string): string =>
  digestOf(body, secret).toString('hex')

/**
 * X-App-Signature: HMAC-SHA256 over the raw bytes of a webhook with the client secret of the
 * receiver. The protocol fixes no encoding: we write lower-case hex and accept upper-case hex and
 * base64 too.
 */
export function isSigned(body: string, secret: string, signature: string): boolean {
  const encoding = /^[\da-f]{64}$/i.test(signature) ? 'hex' : 'base64'
  const expected = digestOf(body, secret)
  const received = Buffer.from(signature, encoding)
  return received.length === expected.length && timingSafeEqual(received, expected)
}

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
