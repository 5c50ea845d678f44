/**
 * Makes and verifies signatures in the forms of `protocol/signature.ts` (fields.md, O18). They are computed when a
 * request is sent; a recorded one is never sent again.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  type SignatureForm,
  signatureForms,
  type SignatureName,
  signatureNames,
} from '../../protocol/signature.ts'
import { tryParseJson } from '../../traffic/json/try-parse-json.ts'
import { canonicalJson } from '../../traffic/recording/json.ts'

/** What is signed of a request: a text as UTF-8, a body that is no text by its bytes. */
export interface SignedParts {
  readonly url: string
  readonly body: string | Uint8Array
}

/** `a=1&b=2`, sorted by name; values as they are meant, or as they are written in the URL. */
function sortedQuery(query: string, values: 'decoded' | 'written'): string {
  const pairs =
    values === 'decoded'
      ? [...new URLSearchParams(query)]
      : query.split('&').map((pair) => [pair.split('=', 1)[0] ?? '', pair] as const)
  return pairs
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([name, value]) => (values === 'decoded' ? `${name}=${value}` : value))
    .join('&')
}

/** The text of a body by RFC 8785; one that is no JSON stays, and an empty object counts as none. */
function canonicalBody(body: string | Uint8Array): string {
  const sent = Buffer.from(body).toString('utf8')
  const value = tryParseJson(sent)
  const text = value === undefined ? sent : canonicalJson(value)
  return text === '{}' || text.trim() === '' ? '' : text
}

/** The content that is signed. */
function signedContent(
  { url, body }: SignedParts,
  { over }: SignatureForm,
  values: 'decoded' | 'written' = 'decoded',
): string | Uint8Array {
  if (over === 'body') return body
  const [address = '', query = ''] = url.split('#', 1)[0]?.split(/\?(.*)/s) ?? []
  return [address, query && sortedQuery(query, values), canonicalBody(body)]
    .filter((part) => part !== '')
    .join('&')
}

const digestOf = (
  content: string | Uint8Array,
  secret: string,
  { algorithm }: SignatureForm,
): Buffer =>
  algorithm === 'md5'
    ? createHash('md5').update(content).update(secret).digest()
    : createHmac('sha256', secret).update(content).digest()

/** How a signature is written. */
export type SignatureLook = Pick<SignatureForm, 'prefix' | 'encoding'>

const looks = (hexDigits: number, base64Digits: number) =>
  [
    ['hex', new RegExp(`^[\\da-f]{${hexDigits}}$`)],
    ['hex-upper', new RegExp(`^[\\dA-F]{${hexDigits}}$`)],
    ['base64', new RegExp(`^[A-Za-z\\d+/]{${base64Digits}}={1,2}$`)],
    ['base64url', new RegExp(`^[\\w-]{${base64Digits}}={0,2}$`)],
  ] as const satisfies readonly (readonly [SignatureForm['encoding'], RegExp])[]
const looksOf = { 'hmac-sha256': looks(64, 43), md5: looks(32, 22) }

/** How a signature of this form is written; undefined for one that is no digest, or stands in for another. */
export function lookOf(
  signature: string,
  { algorithm }: Pick<SignatureForm, 'algorithm'>,
): SignatureLook | undefined {
  const [, prefix = '', digest = ''] = /^(sha256=|md5=)?(.+)$/i.exec(signature) ?? []
  const encoding = looksOf[algorithm].find(([, pattern]) => pattern.test(digest))?.[0]
  return encoding && { prefix, encoding }
}

export function sign(parts: SignedParts, secret: string, form: SignatureForm): string {
  const digest = digestOf(signedContent(parts, form), secret, form)
  const text =
    form.encoding === 'hex-upper'
      ? digest.toString('hex').toUpperCase()
      : digest.toString(form.encoding)
  return form.prefix + text
}

/** The header of a signed request; none where the form is none. */
export const signatureHeader = (
  parts: SignedParts,
  secret: string,
  form: SignatureForm | undefined,
): Readonly<Record<string, string>> =>
  form ? { [form.header.toLowerCase()]: sign(parts, secret, form) } : {}

/** Whether a signature is valid, in any of the common encodings, with or without a prefix such as `sha256=`. */
export function isSignatureValid(
  parts: SignedParts,
  secret: string,
  signature: string,
  form: SignatureForm,
): boolean {
  const bare = signature.replace(/^(?:sha256|md5)=/i, '')
  const received = Buffer.from(bare, /^(?:[\da-f]{32}|[\da-f]{64})$/i.test(bare) ? 'hex' : 'base64')
  const contents = new Set([signedContent(parts, form), signedContent(parts, form, 'written')])
  return Array.from(contents, (content) => digestOf(content, secret, form)).some(
    (digest) => received.length === digest.length && timingSafeEqual(received, digest),
  )
}

/** The form in which a request is validly signed, of all that are known. */
export const validFormOf = (
  parts: SignedParts,
  secrets: readonly string[],
  headerOf: (name: string) => string | undefined,
): SignatureName | undefined =>
  signatureNames.find((name) => {
    const form: SignatureForm | undefined = signatureForms[name]
    if (!form) return false
    const signature = headerOf(form.header.toLowerCase())
    return (
      signature !== undefined &&
      secrets.some((secret) => isSignatureValid(parts, secret, signature, form))
    )
  })
