/**
 * X-App-Signature: HMAC-SHA256 over the raw bytes of a webhook, with the receiver's client secret. Nothing says how it is
 * written: we write small hexadecimal digits, and take capitals and base64 as well.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const digestOf = (body: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(body, 'utf8').digest()

export const signatureOf = (body: string, secret: string): string =>
  digestOf(body, secret).toString('hex')

export function isSigned(body: string, secret: string, signature: string): boolean {
  const encoding = /^[\da-f]{64}$/i.test(signature) ? 'hex' : 'base64'
  const right = digestOf(body, secret)
  const given = Buffer.from(signature, encoding)
  return given.length === right.length && timingSafeEqual(given, right)
}
