/** Redactors for the values of HAR members: URLs, comments, tokens, addresses, pairs, headers and cookies. */
import { isJsonMembers, type JsonMembers } from '../har-message.ts'
import { network } from './classes/machines.ts'
import { token } from './classes/secrets.ts'
import { freeText } from './classes/texts.ts'
import {
  leaveToCaller,
  keepPlain,
  redactEach,
  redactMembersWith,
  redactTextWith,
  type HarPart,
  redactUnknownMember,
  type MemberRedactor,
} from './har-members.ts'
import { needsNoRedaction } from './fast-path.ts'
import { headerKind, redactHeader } from './headers.ts'
import { formDecode, percentEncode, redactPairs, hasPersonalPair } from './pairs.ts'
import { redactUrl, topicFromUrl } from './url.ts'
import { replaceByClass, type RedactionWalk } from './walk.ts'

export const asUrl = redactTextWith(({ walk, path }, value) => redactUrl(walk, value, path))

export const asComment = redactTextWith(({ walk, path }, value) =>
  replaceByClass(walk, freeText, value, path),
)

const asToken = redactTextWith(({ walk, path }, value) => replaceByClass(walk, token, value, path))

/** An address may be in brackets: `[::1]` is loopback too. */
export const asAddress = redactTextWith(({ walk, path }, value) => {
  const bare = value.replaceAll(/^\[|\]$/g, '')
  const next = replaceByClass(walk, network, bare, path)
  return next === bare ? value : next
})

export const textValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

const pairText = (row: JsonMembers): string =>
  `${percentEncode(textValue(row['name']))}=${percentEncode(textValue(row['value']))}`

/**
 * Redacts a name-value pair. Archives write its value percent-encoded or plain; that is kept. `ofPerson`: the pairs
 * include an e-mail address, so a `name` is a person's.
 */
function redactPair(part: HarPart, row: JsonMembers, ofPerson: boolean): unknown {
  const { value } = row
  const name = textValue(row['name'])
  if (typeof value !== 'string') return redactUnknownMember(part, name, value)
  // An encoded value has no characters that need encoding.
  const isCoded = /%[\da-f]{2}/i.test(value) && /^[\w.!~*'()%+-]*$/.test(value)
  const own = isCoded ? `${percentEncode(name)}=${value.replaceAll('+', '%20')}` : pairText(row)
  const next = redactPairs(part.walk, own, part.path, ofPerson)
  if (next === own) return value
  const newValue = next.slice(next.indexOf('=') + 1)
  return isCoded ? newValue : formDecode(newValue)
}

const pairMembers = redactMembersWith({ value: leaveToCaller, name: keepPlain, comment: asComment })

export const asPairs: MemberRedactor = (part, value) => {
  if (!Array.isArray(value)) return redactUnknownMember(part, 'value', value)
  const rows = value.filter(isJsonMembers)
  if (rows.length !== value.length) return redactUnknownMember(part, 'value', value)
  const ofPerson =
    topicFromUrl(part.url).person === true || hasPersonalPair(rows.map(pairText).join('&'))
  return rows.map((row) => {
    const next = redactPair(part, row, ofPerson)
    const rest = pairMembers(part, row) as JsonMembers
    return 'value' in row ? { ...rest, value: next } : rest
  })
}

export const asHeaders: MemberRedactor = redactEach((part, value) => {
  if (!isJsonMembers(value)) return redactUnknownMember(part, 'value', value)
  const { name, value: headerValue } = value
  const rest = pairMembers(part, value) as JsonMembers
  if (headerValue === undefined || headerValue === null) return rest
  // Some archives have numbers and lists where HAR requires a string.
  if (typeof name !== 'string' || typeof headerValue !== 'string')
    return { ...rest, value: redactUnknownMember(part, textValue(name), headerValue) }
  if (headerKind(name) === 'plain' && needsNoRedaction(headerValue)) return rest
  const path = `${part.path}.${name.toLowerCase()}`
  const redact = (walk: RedactionWalk) => redactHeader(walk, name, headerValue, path)
  return { ...rest, value: part.cached(part.walk, `header ${path}`, headerValue, redact) }
})

export const asCookies = redactEach(
  redactMembersWith({
    name: keepPlain,
    value: asToken,
    path: keepPlain,
    domain: keepPlain,
    expires: keepPlain,
    comment: asComment,
  }),
)
