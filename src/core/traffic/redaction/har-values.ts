/** Redactors for the values of HAR members: URLs, comments, tokens, addresses, pairs, headers and cookies. */
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
import { evidenceOfName } from './learn-redacted.ts'
import { redactPairs, hasPersonalPair } from './pairs.ts'
import { formDecode, percentEncode } from './percent-encoding.ts'
import { redactUrl, topicFromUrl } from './url.ts'
import { replaceByClass, replaceByEvidence, type RedactionWalk } from './walk.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { memoise } from '../memoise.ts'

export const asUrl = redactTextWith(({ walk }, value, path) => redactUrl(walk, value, path))

export const asComment = redactTextWith(({ walk }, value, path) =>
  replaceByClass(walk, freeText, value, path),
)

/** An address may be in brackets: `[::1]` is loopback too. */
export const asAddress = redactTextWith(({ walk }, value, path) => {
  const bare = value.replaceAll(/^\[|\]$/g, '')
  const next = replaceByClass(walk, network, bare, path)
  return next === bare ? value : next
})

export const textValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

const pairText = (row: UnknownRecord): string =>
  `${percentEncode(textValue(row['name']))}=${percentEncode(textValue(row['value']))}`

/**
 * Redacts a name-value pair. Archives write its value percent-encoded or plain; that is kept. `ofPerson`: the pairs
 * include an e-mail address, so a `name` is a person's.
 */
function redactPair(part: HarPart, row: UnknownRecord, path: string, ofPerson: boolean): unknown {
  const { value } = row
  const name = textValue(row['name'])
  if (typeof value !== 'string') return redactUnknownMember(part, name, value, path)
  // An encoded value has no characters that need encoding.
  const isCoded = /%[\da-f]{2}/i.test(value) && /^[\w.!~*'()%+-]*$/.test(value)
  const own = isCoded ? `${percentEncode(name)}=${value.replaceAll('+', '%20')}` : pairText(row)
  const next = redactPairs(part.walk, own, path, ofPerson)
  if (next === own) return value
  const newValue = next.slice(next.indexOf('=') + 1)
  return isCoded ? newValue : formDecode(newValue)
}

const pairMembers = redactMembersWith({ value: leaveToCaller, name: keepPlain, comment: asComment })

const hasNameAndValueOnly = (row: UnknownRecord): boolean => {
  for (const key in row) if (key !== 'name' && key !== 'value') return false
  return true
}

/** Names in which nothing was found, within a bound: they recur. */
const harmlessNames = new Set<string>()
const maxNames = 1000

function isHarmlessName(part: HarPart, name: unknown, path: string): boolean {
  if (typeof name !== 'string') return false
  if (harmlessNames.has(name)) return true
  if (keepPlain(part, name, `${path}/name`) !== name) return false
  if (harmlessNames.size < maxNames) harmlessNames.add(name)
  return true
}

/** The members of a row besides its value, redacted; the row itself when nothing changed. */
const redactRow = (part: HarPart, row: UnknownRecord, path: string): UnknownRecord =>
  hasNameAndValueOnly(row) && isHarmlessName(part, row['name'], path)
    ? row
    : (pairMembers(part, row, path) as UnknownRecord)

const withValue = (row: UnknownRecord, value: unknown): UnknownRecord =>
  row['value'] === value ? row : { ...row, value }

export const asPairs: MemberRedactor = (part, value, path) => {
  if (!Array.isArray(value) || !value.every(isUnknownRecord))
    return redactUnknownMember(part, 'value', value, path)
  const ofPerson =
    topicFromUrl(part.url).person === true || hasPersonalPair(value.map(pairText).join('&'))
  return value.map((row) => {
    const next = 'value' in row ? redactPair(part, row, path, ofPerson) : undefined
    const rest = redactRow(part, row, path)
    return 'value' in row ? withValue(rest, next) : rest
  })
}

interface HeaderPlace {
  readonly isPlain: boolean
  /** In the list of redactions, and in the cache. */
  readonly path: string
  readonly cached: string
}

/** By the path of the headers and the name as it is written. */
const placesOf = memoise(100, (headers) =>
  memoise(maxNames, (name): HeaderPlace => {
    const path = `${headers}.${name.toLowerCase()}`
    return { isPlain: headerKind(name) === 'plain', path, cached: `header ${path}` }
  }),
)

export const asHeaders: MemberRedactor = redactEach((part, value, path) => {
  if (!isUnknownRecord(value)) return redactUnknownMember(part, 'value', value, path)
  const { name, value: headerValue } = value
  const rest = redactRow(part, value, path)
  if (headerValue === undefined || headerValue === null) return rest
  // Some archives have numbers and lists where HAR requires a string.
  if (typeof name !== 'string' || typeof headerValue !== 'string')
    return withValue(rest, redactUnknownMember(part, textValue(name), headerValue, path))
  const place = placesOf(path)(name)
  if (place.isPlain && needsNoRedaction(headerValue)) return rest
  const redact = (walk: RedactionWalk) => redactHeader(walk, name, headerValue, place.path)
  return withValue(rest, part.cached(part.walk, place.cached, headerValue, redact))
})

const cookieMembers = redactMembersWith({
  name: keepPlain,
  value: leaveToCaller,
  path: keepPlain,
  domain: keepPlain,
  expires: keepPlain,
  comment: asComment,
})

export const asCookies = redactEach((part, value, path) => {
  if (!isUnknownRecord(value) || !('value' in value)) return cookieMembers(part, value, path)
  const { name, value: cookie } = value
  const at = `${path}/value`
  const next =
    typeof cookie === 'string'
      ? replaceByEvidence(part.walk, token, cookie, {
          path: at,
          evidence: evidenceOfName(textValue(name)),
        })
      : redactUnknownMember(part, 'value', cookie, at)
  return withValue(cookieMembers(part, value, path) as UnknownRecord, next)
})
