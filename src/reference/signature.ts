/** X-App-Signature: HMAC-SHA256 over the raw bytes of a webhook, with the receiver's client secret, in hex. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex')

export function isSigned(body: string, secret: string, signature: string): boolean {
  const right = Buffer.from(signatureOf(body, secret))
  const given = Buffer.from(signature.toLowerCase())
  return given.length === right.length && timingSafeEqual(given, right)
}
