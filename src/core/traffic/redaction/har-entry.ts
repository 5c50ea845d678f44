/**
 * Redacts entries of an imported HAR archive. They hold more than an exchange: cookies and parameters a second time,
 * comments, call stacks, server addresses, vendor members. Known members are redacted by their meaning, all others as
 * documents, so that no unknown member is copied unredacted.
 */
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { memoise } from '../memoise.ts'
import { bytesFromBase64, decodeUtf8, textToBase64 } from './base64.ts'
import { redactBody } from './body.ts'
import { network } from './classes/machines.ts'
import { token } from './classes/secrets.ts'
import { freeText, binary } from './classes/texts.ts'
import { needsNoRedaction } from './fast-path.ts'
import {
  leaveToCaller,
  keepPlain,
  redactEach,
  redactMembersWith,
  redactTextWith,
  type HarPart,
  redactUnknownMember,
  type MemberRedactor,
  type DecodeHarContent,
} from './har-members.ts'
import { headerKind, redactHeader } from './headers.ts'
import { evidenceOfName } from './learn-redacted.ts'
import { isFormOfPerson, redactPairs, hasPersonalPair } from './pairs.ts'
import { formDecode, percentEncode } from './percent-encoding.ts'
import { lengthPlaceholder, isPlaceholder } from './pseudonyms.ts'
import type { Redacted, Redactor } from './redactor.ts'
import { redactUrl, topicFromUrl, redactParams } from './url.ts'
import {
  replaceByClass,
  replaceByEvidence,
  type DocumentTopic,
  type RedactionWalk,
} from './walk.ts'

const asUrl = redactTextWith(({ walk }, value, path) => redactUrl(walk, value, path))

const asComment = redactTextWith(({ walk }, value, path) =>
  replaceByClass(walk, freeText, value, path),
)

/** A note on an exchange is a sentence of an operator, as a message is. */
const asNote = redactTextWith(({ walk }, value, path) => walk.text(walk, value, path, false))

/** An address may be in brackets: `[::1]` is loopback too. */
const asAddress = redactTextWith(({ walk }, value, path) => {
  const bare = value.replaceAll(/^\[|\]$/g, '')
  const next = replaceByClass(walk, network, bare, path)
  return next === bare ? value : next
})

const textValue = (value: unknown): string =>
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

const redactRows = (
  part: HarPart,
  value: unknown,
  path: string,
  isOfPerson: (topic: DocumentTopic, text: string) => boolean,
): unknown => {
  if (!Array.isArray(value) || !value.every(isUnknownRecord))
    return redactUnknownMember(part, 'value', value, path)
  const ofPerson = isOfPerson(topicFromUrl(part.url), value.map(pairText).join('&'))
  return value.map((row) => {
    const next = 'value' in row ? redactPair(part, row, path, ofPerson) : undefined
    const rest = redactRow(part, row, path)
    return 'value' in row ? withValue(rest, next) : rest
  })
}

const asPairs: MemberRedactor = (part, value, path) =>
  redactRows(part, value, path, ({ person }, text) => person === true || hasPersonalPair(text))

const asFields: MemberRedactor = (part, value, path) =>
  redactRows(part, value, path, isFormOfPerson)

interface HeaderPlace {
  readonly isPlain: boolean
  /** In the list of redactions. */
  readonly path: string
}

/** By the path of the headers and the name as it is written. */
const placesOf = memoise(100, (headers) =>
  memoise(maxNames, (name): HeaderPlace => {
    const path = `${headers}.${name.toLowerCase()}`
    return { isPlain: headerKind(name) === 'plain', path }
  }),
)

const asHeaders: MemberRedactor = redactEach((part, value, path) => {
  if (!isUnknownRecord(value)) return redactUnknownMember(part, 'value', value, path)
  const { name, value: headerValue } = value
  const rest = redactRow(part, value, path)
  if (headerValue === undefined || headerValue === null) return rest
  // Some archives have numbers and lists where HAR requires a string.
  if (typeof name !== 'string' || typeof headerValue !== 'string')
    return withValue(rest, redactUnknownMember(part, textValue(name), headerValue, path))
  const place = placesOf(path)(name)
  if (place.isPlain && needsNoRedaction(headerValue)) return rest
  return withValue(rest, redactHeader(part.walk, name, headerValue, place.path))
})

const cookieMembers = redactMembersWith({
  name: keepPlain,
  value: leaveToCaller,
  path: keepPlain,
  domain: keepPlain,
  expires: keepPlain,
  comment: asComment,
})

const asCookies = redactEach((part, value, path) => {
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

const blankBody = ({ walk }: HarPart, value: string, path: string): string => {
  if (!isPlaceholder(value) && value !== '') walk.report(path, binary.id)
  return lengthPlaceholder(value, 'bin')
}

/** Redacts a body declared as base64; content that cannot be decoded is blanked. */
function redactBase64Body(part: HarPart, value: string, type: string, path: string): UnknownRecord {
  const bytes = bytesFromBase64(value)
  // Many archives declare base64 and write plain text.
  if (!bytes) return { text: bodyText(part, value, type, path) }
  const plain = decodeUtf8(bytes)
  if (plain !== undefined) {
    const next = isPlaceholder(plain) ? plain : bodyText(part, plain, type, path)
    return next === plain ? {} : { text: textToBase64(next, 'plain') }
  }
  const inflated = part.coding === '' ? undefined : part.decode?.(part.coding, bytes)
  const text = inflated && decodeUtf8(inflated)
  // Undecodable content may be readable elsewhere: only its length stays.
  return {
    text: textToBase64(
      text === undefined ? blankBody(part, value, path) : bodyText(part, text, type, path),
      'plain',
    ),
  }
}

const bodyText = ({ walk, url }: HarPart, value: string, type: string, path: string): string =>
  redactBody(walk, value, { type, path, root: topicFromUrl(url) })

function asBody(treatments: Readonly<Record<string, MemberRedactor>>): MemberRedactor {
  const besides = redactMembersWith({ ...treatments, text: leaveToCaller, comment: asComment })
  return (part, value, path) => {
    if (!isUnknownRecord(value)) return redactUnknownMember(part, 'value', value, path)
    const { text, mimeType, encoding } = value
    const rest = besides(part, value, path) as UnknownRecord
    if (text === undefined || text === null) return rest
    if (typeof text !== 'string')
      return { ...rest, text: redactUnknownMember(part, 'text', text, path) }
    const type = typeof mimeType === 'string' ? mimeType : ''
    const at = path.replace(/\.(?:content|postData)$/, '.body')
    if (encoding === 'base64') return { ...rest, ...redactBase64Body(part, text, type, at) }
    const next = bodyText(part, text, type, at)
    return next === text ? rest : { ...rest, text: next }
  }
}

const harmlessMembers = {
  mimeType: keepPlain,
  encoding: keepPlain,
  size: keepPlain,
  compression: keepPlain,
}

const common = {
  cookies: asCookies,
  headers: asHeaders,
  comment: asComment,
  httpVersion: keepPlain,
}

const asRequest = redactMembersWith({
  ...common,
  method: keepPlain,
  url: asUrl,
  queryString: asPairs,
  postData: asBody({ ...harmlessMembers, params: asFields }),
})

const asResponse = redactMembersWith({
  ...common,
  status: keepPlain,
  redirectURL: asUrl,
  content: asBody(harmlessMembers),
})

/** Identifiers extracted from the traffic: redacted only where the traffic itself was. */
const asIds: MemberRedactor = (part, value, path) => {
  if (typeof value === 'string') return part.walk.text(part.walk, value, path, true)
  if (Array.isArray(value)) return value.map((each: unknown) => asIds(part, each, path))
  if (!isUnknownRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, asIds(part, each, path)]),
  )
}

const hasOnlyStrings = (members: UnknownRecord): members is Readonly<Record<string, string>> =>
  Object.values(members).every((each) => typeof each === 'string')

const asParams: MemberRedactor = (part, value, path) => {
  if (!isUnknownRecord(value) || !hasOnlyStrings(value))
    return redactUnknownMember(part, 'params', value, path)
  const silent: RedactionWalk = { ...part.walk, report: () => undefined }
  return redactParams(part.walk, value, { was: part.url, is: redactUrl(silent, part.url, '') })
}

/** Trailers are redacted as headers are. */
const asWire = (side: string): MemberRedactor =>
  redactMembersWith({
    trailers: (part, value) => asHeaders(part, value, `${side}.trailers`),
  })

/** Our `_rec`: ids and times stay, values copied from the traffic are redacted as the traffic is. */
const asRecordData = redactMembersWith({
  ...Object.fromEntries(
    ['v', 'type', 'id', 'seq', 't', 'lt', 'dir', 'from', 'to', 'via', 'op', 'route'].map((key) => [
      key,
      keepPlain,
    ]),
  ),
  ...Object.fromEntries(['cause', 'attempt', 'conn', 'rep', 'red'].map((key) => [key, keepPlain])),
  wire: redactMembersWith({ q: asWire('q'), p: asWire('p') }),
  corr: asIds,
  idem: asIds,
  params: asParams,
})

/** Drops hashes of redacted bodies: they would confirm a guess at the original. */
function withoutHashes(entry: UnknownRecord, before: UnknownRecord): UnknownRecord {
  const { _rec: rec } = entry
  const wire = isUnknownRecord(rec) ? rec['wire'] : undefined
  if (!isUnknownRecord(rec) || !isUnknownRecord(wire)) return entry
  const next = Object.fromEntries(
    Object.entries(wire).map(([key, facts]) => {
      const side = key === 'q' ? 'request' : 'response'
      if (!isUnknownRecord(facts) || bodyOf(entry[side]) === bodyOf(before[side]))
        return [key, facts]
      const { sha256: _sha256, ...rest } = facts
      return [key, rest]
    }),
  )
  return { ...entry, _rec: { ...rec, wire: next } }
}

function bodyOf(message: unknown): unknown {
  const body = isUnknownRecord(message) ? (message['postData'] ?? message['content']) : undefined
  return isUnknownRecord(body) ? body['text'] : undefined
}

const codingOf = (message: unknown): string => {
  const headers = isUnknownRecord(message) ? message['headers'] : undefined
  const found: unknown = Array.isArray(headers)
    ? headers.find(
        (each) =>
          isUnknownRecord(each) && textValue(each['name']).toLowerCase() === 'content-encoding',
      )
    : undefined
  return isUnknownRecord(found) && typeof found['value'] === 'string'
    ? found['value'].toLowerCase()
    : ''
}

const onMessage =
  (treat: MemberRedactor, path: string): MemberRedactor =>
  (part, value) =>
    treat({ ...part, coding: codingOf(value) }, value, path)

const asEntry = redactMembersWith({
  request: onMessage(asRequest, 'q'),
  response: onMessage(asResponse, 'p'),
  serverIPAddress: asAddress,
  comment: asNote,
  startedDateTime: keepPlain,
  pageref: keepPlain,
  timings: keepPlain,
  time: keepPlain,
  _rec: asRecordData,
})

/**
 * Redacts an HAR entry with all members, unknown ones included. Types and the order of members stay. `decodeBody`
 * decodes compressed bodies; without it those are blanked.
 */
export const redactHarEntry = (
  entry: UnknownRecord,
  redactor: Redactor,
  decodeBody?: DecodeHarContent,
): Redacted<UnknownRecord> =>
  redactor.redactWith((walk) => {
    const request = entry['request']
    const url = isUnknownRecord(request) && typeof request['url'] === 'string' ? request['url'] : ''
    const next = asEntry(
      { walk, url, decode: decodeBody, coding: '' },
      entry,
      'har',
    ) as UnknownRecord
    return withoutHashes(next, entry)
  })

const asPage = redactMembersWith({
  startedDateTime: keepPlain,
  id: keepPlain,
  pageTimings: keepPlain,
  comment: asComment,
})
const asCreator = redactMembersWith({ comment: asComment })
const asLog = redactMembersWith({
  version: keepPlain,
  creator: asCreator,
  browser: asCreator,
  pages: redactEach(asPage),
  comment: asComment,
})

/** Redacts the members of a HAR log besides its entries: creator, browser, pages, comment. */
export const redactHarLog = (members: UnknownRecord, redactor: Redactor): Redacted<UnknownRecord> =>
  redactor.redactWith(
    (walk) =>
      asLog({ walk, url: '', decode: undefined, coding: '' }, members, 'har') as UnknownRecord,
  )
