/**
 * X-App-Signature: HMAC-SHA256 over the raw bytes of the body with the receiver's client secret (fields.md, O18). It is
 * computed when a request is sent; a recorded one is never sent again.
 */
import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import type { SignatureEncoding } from '../../protocol/conduct.ts'

/** A text is signed as UTF-8; a body that is no text by its bytes. */
export type SignedContent = string | Uint8Array

const hmac = (body: SignedContent, secret: string): Hmac =>
  createHmac('sha256', secret).update(body)

const encoders: Record<SignatureEncoding, (made: Hmac) => string> = {
  'hmac-sha256-hex': (made) => made.digest('hex'),
  'hmac-sha256-hex-upper': (made) => made.digest('hex').toUpperCase(),
  'hmac-sha256-base64': (made) => made.digest('base64'),
}

/** How a signature is written: the encoding of its digest, behind a prefix. */
export interface SignatureForm {
  readonly prefix: string
  readonly encoding: 'hex' | 'hex-upper' | 'base64' | 'base64url'
}

/** The form of a signature by its look; undefined for one that is no HMAC-SHA256, or stands in for another. */
export function signatureFormOf(signature: string): SignatureForm | undefined {
  const [, prefix = '', digest = ''] = /^(sha256=)?(.+)$/i.exec(signature) ?? []
  if (/^[\da-f]{64}$/.test(digest)) return { prefix, encoding: 'hex' }
  if (/^[\dA-F]{64}$/.test(digest)) return { prefix, encoding: 'hex-upper' }
  if (/^[A-Za-z\d+/]{43}=$/.test(digest)) return { prefix, encoding: 'base64' }
  return /^[\w-]{43}=?$/.test(digest) ? { prefix, encoding: 'base64url' } : undefined
}

/** A body signed in the form of another signature. */
export function signInForm(body: SignedContent, secret: string, form: SignatureForm): string {
  const digest = hmac(body, secret).digest()
  const text =
    form.encoding === 'hex-upper'
      ? digest.toString('hex').toUpperCase()
      : digest.toString(form.encoding)
  return form.prefix + text
}

export const signBody = (
  body: SignedContent,
  secret: string,
  encoding: SignatureEncoding,
): string => encoders[encoding](hmac(body, secret))

/** Whether a signature is valid, in any of the common encodings, with or without the prefix `sha256=`. */
export function isSignatureValid(body: SignedContent, secret: string, signature: string): boolean {
  const digest = hmac(body, secret).digest()
  const bare = signature.replace(/^sha256=/i, '')
  const received = /^[0-9a-f]{64}$/i.test(bare)
    ? Buffer.from(bare, 'hex')
    : Buffer.from(bare, 'base64')
  return received.length === digest.length && timingSafeEqual(received, digest)
}
