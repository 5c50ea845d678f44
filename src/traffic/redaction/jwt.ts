/**
 * A signed token in three parts. Its header stays, its claims are redacted like any document (they carry names and
 * addresses, which taking the signature off does not cure), its signature becomes a stand-in.
 */
import type { Tools } from './class.ts'
import { isMark } from './pseudonyms.ts'
import { fromBase64, toBase64 } from './base64.ts'

const whole = /^eyJ[\w-]{6,}\.[\w-]+\.[\w~-]*$/

export const isJwt = (value: string): boolean => whole.test(value)

export function redactJwt(value: string, { pseudonyms, claims }: Tools): string {
  const [header = '', payload = '', signature = ''] = value.split('.')
  const sealed = isMark(signature) ? signature : pseudonyms.mark('sig', 'signature', value)
  const decoded = fromBase64(payload)
  // Encrypted or broken claims say nothing to anybody but their owner.
  if (decoded === undefined) return pseudonyms.mark('tok', 'token', value)
  const redacted = claims(decoded)
  return `${header}.${redacted === decoded ? payload : toBase64(redacted, 'url')}.${sealed}`
}
