/**
 * A signed token in three parts. Its header stays where it names nobody, its claims are redacted like any document (they carry names and
 * addresses, which taking the signature off does not cure), its signature becomes a stand-in.
 */
import type { Tools } from './class.ts'
import { isMark } from './pseudonyms.ts'
import { fromBase64, toBase64 } from './base64.ts'

const whole = /^e[yw][\w-]{6,}\.[\w-]+\.[\w~-]*$/

export const isJwt = (value: string): boolean => whole.test(value)

export function redactJwt(value: string, { pseudonyms, claims }: Tools): string {
  const [header = '', payload = '', signature = ''] = value.split('.')
  const sealed = isMark(signature) ? signature : pseudonyms.mark('sig', 'signature', value)
  const decoded = fromBase64(payload)
  // Encrypted or broken claims say nothing to anybody but their owner.
  if (decoded === undefined) return pseudonyms.mark('tok', 'token', value)
  const redacted = claims(decoded)
  // A header seldom says more than how to read the rest; where it does, that goes too.
  const said = fromBase64(header)
  const told = said === undefined ? undefined : claims(said)
  const head = told === said || told === undefined ? header : toBase64(told, 'url')
  return `${head}.${redacted === decoded ? payload : toBase64(redacted, 'url')}.${sealed}`
}
