/** Tokens, secrets and signatures. Recorded ones are never sent again, so only their identity matters. */
import { defineClass, type ReplacementTools, replaceByMark } from '../class.ts'
import { isPlaceholder } from '../pseudonyms.ts'
import { textFromBase64, textToBase64 } from '../base64.ts'
import { splitScheme } from '../learn-redacted.ts'

const jwtPattern = /^e[yw][\w-]{6,}\.[\w-]+\.[\w~-]*$/

const isJwt = (value: string): boolean => jwtPattern.test(value)

/**
 * A JWT keeps its header unless that contains personal data; its claims are redacted like any document, its signature is
 * replaced.
 */
function redactJwt(value: string, { pseudonyms, claims }: ReplacementTools): string {
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

export const token = defineClass({
  id: 'token',
  covers: 'access, refresh and identity tokens, session ids and cookies; `~tok_` and ten letters',
  keys: ['authorization', 'session id', 'jsessionid', 'phpsessid', 'jwt', 'bearer', 'csrf'],
  nouns: ['token', 'assertion', 'cookie'],
  includesMembers: true,
  replace: (value, tools) => {
    if (value === '' || isPlaceholder(value)) return value
    const [scheme, bare] = splitScheme(value)
    if (isPlaceholder(bare)) return value
    return (
      scheme + (isJwt(bare) ? redactJwt(bare, tools) : tools.pseudonyms.mark('tok', 'token', bare))
    )
  },
})

/** The number of an invoice, which is called its `chave de acesso` and opens nothing. */
const invoiceNumber = /^\d{44}$/

/** What opens something: `accessKey`, `chave_de_api`. */
const secretKeys = (
  'access api secret private signing encryption subscription authentication authorization master merchant shared ' +
  'security session integration webhook app person partner service account system server admin licence company password jwt activation serial'
)
  .split(' ')
  .map((what) => `${what} key`)

const replaceSecret = replaceByMark('sec', 'secret')

export const secret = defineClass({
  id: 'secret',
  covers:
    'client secrets, passwords, keys, one-time and authorization codes; `~sec_` and ten letters',
  keys: [
    'authorization code',
    'authentication code',
    'code verifier',
    'security answer',
    'magic link',
  ],
  nouns: ['password', 'secret', 'credential', 'otp', 'pin', ...secretKeys],
  keysIn: { auth: ['code', 'device code', 'user code'] },
  includesMembers: true,
  replace: (value, tools) => (invoiceNumber.test(value) ? value : replaceSecret(value, tools)),
})

export const signature = defineClass({
  id: 'signature',
  covers: 'signatures of webhooks; `~sig_` and ten letters',
  keys: ['sig'],
  nouns: ['signature', 'hmac'],
  includesMembers: true,
  replace: replaceByMark('sig', 'signature'),
})
