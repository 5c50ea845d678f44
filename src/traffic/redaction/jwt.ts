/**
 * Redacts a JWT. Its header stays unless it contains personal data, its claims are redacted like any document (they
 * carry names and addresses, which removing the signature does not cure), its signature is replaced.
 */
import type { ReplacementTools } from './class.ts'
import { isPlaceholder } from './pseudonyms.ts'
import { textFromBase64, textToBase64 } from './base64.ts'

const jwtPattern = /^e[yw][\w-]{6,}\.[\w-]+\.[\w~-]*$/

export const isJwt = (value: string): boolean => jwtPattern.test(value)

export function redactJwt(value: string, { pseudonyms, claims }: ReplacementTools): string {
  const [header = '', payload = '', signature = ''] = value.split('.')
  const redactedSignature = isPlaceholder(signature)
    ? signature
    : pseudonyms.mark('sig', 'signature', value)
  const decoded = textFromBase64(payload)
  // Encrypted or invalid claims: the whole token is replaced.
  if (decoded === undefined) return pseudonyms.mark('tok', 'token', value)
  const redacted = claims(decoded)
  // The header seldom holds more than the algorithm; where it does, it is redacted.
  const headerText = textFromBase64(header)
  const redactedHeader = headerText === undefined ? undefined : claims(headerText)
  const head =
    redactedHeader === headerText || redactedHeader === undefined
      ? header
      : textToBase64(redactedHeader, 'url')
  return `${head}.${redacted === decoded ? payload : textToBase64(redacted, 'url')}.${redactedSignature}`
}
