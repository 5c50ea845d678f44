/**
 * X-App-Signature: HMAC-SHA256 over the raw bytes of the body with the receiver's client secret (fields.md, O18). It is
 * computed when a request is sent; a recorded one is never sent again.
 */
import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import type { SignatureEncoding } from '../../protocol/conduct.ts'

const hmac = (body: string, secret: string): Hmac =>
  createHmac('sha256', secret).update(body, 'utf8')

const encoders: Record<SignatureEncoding, (made: Hmac) => string> = {
  'hmac-sha256-hex': (made) => made.digest('hex'),
  'hmac-sha256-hex-upper': (made) => made.digest('hex').toUpperCase(),
  'hmac-sha256-base64': (made) => made.digest('base64'),
}

export const signBody = (body: string, secret: string, encoding: SignatureEncoding): string =>
  encoders[encoding](hmac(body, secret))

/** Whether a signature is valid, in any of the common encodings, with or without the prefix `sha256=`. */
export function isSignatureValid(body: string, secret: string, signature: string): boolean {
  const digest = hmac(body, secret).digest()
  const bare = signature.replace(/^sha256=/i, '')
  const received = /^[0-9a-f]{64}$/i.test(bare)
    ? Buffer.from(bare, 'hex')
    : Buffer.from(bare, 'base64')
  return received.length === digest.length && timingSafeEqual(received, digest)
}
