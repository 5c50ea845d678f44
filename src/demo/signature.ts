/**
 * X-App-Signature: HMAC-SHA256 over the raw bytes of a webhook with the client secret of the receiver. The protocol
 * fixes no encoding: we write lower-case hex and accept upper-case hex and base64 too.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const digestOf = (body: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(body, 'utf8').digest()

export const signatureOf = (body: string, secret: string): string =>
  digestOf(body, secret).toString('hex')

export function isSigned(body: string, secret: string, signature: string): boolean {
  const encoding = /^[\da-f]{64}$/i.test(signature) ? 'hex' : 'base64'
  const expected = digestOf(body, secret)
  const received = Buffer.from(signature, encoding)
  return received.length === expected.length && timingSafeEqual(received, expected)
}
