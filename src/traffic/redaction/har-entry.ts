/**
 * Redacts entries of an imported HAR archive. They hold more than an exchange: cookies and parameters a second time,
 * comments, call stacks, server addresses, vendor members. Known members are redacted by their meaning, all others as
 * documents, so that no unknown member is copied unredacted.
 */
import { isMembers, type Members } from '../har-message.ts'
import { bytesFromBase64, textOf, toBase64 } from './base64.ts'
import { redactBody } from './body.ts'
import { network } from './classes/machines.ts'
import { token } from './classes/secrets.ts'
import { binary, freeText } from './classes/texts.ts'
import {
  byCaller,
  type Decode,
  kept,
  listOf,
  membersBy,
  onText,
  type Part,
  redactMember,
  type Treatment,
} from './har-members.ts'
import { isHarmless } from './fast-path.ts'
import { headerKind, redactHeader } from './headers.ts'
import { decode, encode, redactPairs, tellsOfPerson } from './pairs.ts'
import { blankText, isMark } from './pseudonyms.ts'
import type { Redacted, Redactor } from './redactor.ts'
import { remembering } from './redaction-cache.ts'
import { redactParams, redactUrl, rootOf } from './url.ts'
import { replaceWith, type Walk } from './walk.ts'

const asUrl = onText(({ walk, path }, value) => redactUrl(walk, value, path))
const asComment = onText(({ walk, path }, value) => replaceWith(walk, freeText, value, path))
const asToken = onText(({ walk, path }, value) => replaceWith(walk, token, value, path))

/** An address may be in brackets: `[::1]` is loopback too. */
const asAddress = onText(({ walk, path }, value) => {
  const bare = value.replaceAll(/^\[|\]$/g, '')
  const next = replaceWith(walk, network, bare, path)
  return next === bare ? value : next
})

const textValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

const pairText = (row: Members): string =>
  `${encode(textValue(row['name']))}=${encode(textValue(row['value']))}`

/**
 * Redacts a name-value pair. Archives write its value percent-encoded or plain; that is kept. `ofPerson`: the pairs
 * include an e-mail address, so a `name` is a person's.
 */
function redactPair(part: Part, row: Members, ofPerson: boolean): unknown {
  const { value } = row
  const name = textValue(row['name'])
  if (typeof value !== 'string') return redactMember(part, name, value)
  // An encoded value has no characters that need encoding.
  const isCoded = /%[\da-f]{2}/i.test(value) && /^[\w.!~*'()%+-]*$/.test(value)
  const own = isCoded ? `${encode(name)}=${value.replaceAll('+', '%20')}` : pairText(row)
  const next = redactPairs(part.walk, own, part.path, ofPerson)
  if (next === own) return value
  const newValue = next.slice(next.indexOf('=') + 1)
  return isCoded ? newValue : decode(newValue)
}

const pairMembers = membersBy({ value: byCaller, name: kept, comment: asComment })

const asPairs: Treatment = (part, value) => {
  if (!Array.isArray(value)) return redactMember(part, 'value', value)
  const rows = value.filter(isMembers)
  if (rows.length !== value.length) return redactMember(part, 'value', value)
  const ofPerson = rootOf(part.url).person === true || tellsOfPerson(rows.map(pairText).join('&'))
  return rows.map((row) => {
    const next = redactPair(part, row, ofPerson)
    const rest = pairMembers(part, row) as Members
    return 'value' in row ? { ...rest, value: next } : rest
  })
}

const asHeaders: Treatment = listOf((part, value) => {
  if (!isMembers(value)) return redactMember(part, 'value', value)
  const { name, value: headerValue } = value
  const rest = pairMembers(part, value) as Members
  if (headerValue === undefined || headerValue === null) return rest
  // Some archives have numbers and lists where HAR requires a string.
  if (typeof name !== 'string' || typeof headerValue !== 'string')
    return { ...rest, value: redactMember(part, textValue(name), headerValue) }
  if (headerKind(name) === 'plain' && isHarmless(headerValue)) return rest
  const path = `${part.path}.${name.toLowerCase()}`
  const redact = (walk: Walk) => redactHeader(walk, name, headerValue, path)
  return { ...rest, value: part.remember(part.walk, `header ${path}`, headerValue, redact) }
})

const asCookies = listOf(
  membersBy({
    name: kept,
    value: asToken,
    path: kept,
    domain: kept,
    expires: kept,
    comment: asComment,
  }),
)

const blankBody = ({ walk, path }: Part, value: string): string => {
  if (!isMark(value) && value !== '') walk.report(path, binary.id)
  return blankText(value, 'bin')
}

/** Redacts a body declared as base64; content that cannot be decoded is blanked. */
function redactBase64Body(part: Part, value: string, type: string): Members {
  const bytes = bytesFromBase64(value)
  // Many archives declare base64 and write plain text.
  if (!bytes) return { text: bodyText(part, value, type) }
  const plain = textOf(bytes)
  if (plain !== undefined) {
    const next = isMark(plain) ? plain : bodyText(part, plain, type)
    return next === plain ? {} : { text: toBase64(next, 'plain') }
  }
  const inflated = part.coding === '' ? undefined : part.decode?.(part.coding, bytes)
  const text = inflated && textOf(inflated)
  // Undecodable content may be readable elsewhere: only its length stays.
  return {
    text: toBase64(
      text === undefined ? blankBody(part, value) : bodyText(part, text, type),
      'plain',
    ),
  }
}

function bodyText({ walk, path, url, remember }: Part, value: string, type: string): string {
  const root = rootOf(url)
  const cacheContext = `body ${path} ${type} ${String(root.person)} ${root.place ?? ''}`
  return remember(walk, cacheContext, value, (each) =>
    redactBody(each, value, { type, path, root }),
  )
}

function asBody(treatments: Readonly<Record<string, Treatment>>): Treatment {
  const besides = membersBy({ ...treatments, text: byCaller, comment: asComment })
  return (part, value) => {
    if (!isMembers(value)) return redactMember(part, 'value', value)
    const { text, mimeType, encoding } = value
    const rest = besides(part, value) as Members
    if (text === undefined || text === null) return rest
    if (typeof text !== 'string') return { ...rest, text: redactMember(part, 'text', text) }
    const type = typeof mimeType === 'string' ? mimeType : ''
    const body = { ...part, path: part.path.replace(/\.(?:content|postData)$/, '.body') }
    return encoding === 'base64'
      ? { ...rest, ...redactBase64Body(body, text, type) }
      : { ...rest, text: bodyText(body, text, type) }
  }
}

const harmlessMembers = { mimeType: kept, encoding: kept, size: kept, compression: kept }

const common = { cookies: asCookies, headers: asHeaders, comment: asComment, httpVersion: kept }

const asRequest = membersBy({
  ...common,
  method: kept,
  url: asUrl,
  queryString: asPairs,
  postData: asBody({ ...harmlessMembers, params: asPairs }),
})

const asResponse = membersBy({
  ...common,
  status: kept,
  redirectURL: asUrl,
  content: asBody(harmlessMembers),
})

/** Identifiers extracted from the traffic: redacted only where the traffic itself was. */
const asIds: Treatment = (part, value) => {
  if (typeof value === 'string') return part.walk.text(part.walk, value, part.path, true)
  if (Array.isArray(value)) return value.map((each: unknown) => asIds(part, each))
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asIds(part, each)]))
}

const hasOnlyStrings = (members: Members): members is Readonly<Record<string, string>> =>
  Object.values(members).every((each) => typeof each === 'string')

const asParams: Treatment = (part, value) => {
  if (!isMembers(value) || !hasOnlyStrings(value)) return redactMember(part, 'params', value)
  const silent: Walk = { ...part.walk, report: () => undefined }
  return redactParams(part.walk, value, { was: part.url, is: redactUrl(silent, part.url, '') })
}

/** Our `_rec`: ids and times stay, values copied from the traffic are redacted as the traffic is. */
const asRecordData = membersBy({
  ...Object.fromEntries(
    ['v', 'type', 'id', 'seq', 't', 'lt', 'dir', 'from', 'to', 'via', 'op', 'route'].map((key) => [
      key,
      kept,
    ]),
  ),
  ...Object.fromEntries(
    ['cause', 'attempt', 'conn', 'rep', 'red', 'wire'].map((key) => [key, kept]),
  ),
  corr: asIds,
  idem: asIds,
  params: asParams,
})

/** Drops hashes of redacted bodies: they would confirm a guess at the original. */
function withoutHashes(entry: Members, before: Members): Members {
  const { _rec: rec } = entry
  const wire = isMembers(rec) ? rec['wire'] : undefined
  if (!isMembers(rec) || !isMembers(wire)) return entry
  const next = Object.fromEntries(
    Object.entries(wire).map(([key, facts]) => {
      const side = key === 'q' ? 'request' : 'response'
      if (!isMembers(facts) || bodyOf(entry[side]) === bodyOf(before[side])) return [key, facts]
      const { sha256: _sha256, ...rest } = facts
      return [key, rest]
    }),
  )
  return { ...entry, _rec: { ...rec, wire: next } }
}

function bodyOf(message: unknown): unknown {
  const body = isMembers(message) ? (message['postData'] ?? message['content']) : undefined
  return isMembers(body) ? body['text'] : undefined
}

const codingOf = (message: unknown): string => {
  const headers = isMembers(message) ? message['headers'] : undefined
  const found: unknown = Array.isArray(headers)
    ? headers.find(
        (each) => isMembers(each) && textValue(each['name']).toLowerCase() === 'content-encoding',
      )
    : undefined
  return isMembers(found) && typeof found['value'] === 'string' ? found['value'].toLowerCase() : ''
}

const onMessage =
  (treat: Treatment, path: string): Treatment =>
  (part, value) =>
    treat({ ...part, path, coding: codingOf(value) }, value)

const asEntry = membersBy({
  request: onMessage(asRequest, 'q'),
  response: onMessage(asResponse, 'p'),
  serverIPAddress: asAddress,
  comment: asComment,
  startedDateTime: kept,
  pageref: kept,
  timings: kept,
  time: kept,
  _rec: asRecordData,
})

/**
 * Redacts an HAR entry with all members, unknown ones included. Types and the order of members stay. `decodeBody`
 * decodes compressed bodies; without it those are blanked.
 */
export const redactEntry = (
  entry: Members,
  redactor: Redactor,
  decodeBody?: Decode,
): Redacted<Members> =>
  redactor.walking((walk) => {
    const request = entry['request']
    const url = isMembers(request) && typeof request['url'] === 'string' ? request['url'] : ''
    const next = asEntry(
      { walk, url, path: 'har', decode: decodeBody, coding: '', remember: remembering(redactor) },
      entry,
    ) as Members
    return withoutHashes(next, entry)
  })

const asPage = membersBy({ startedDateTime: kept, id: kept, pageTimings: kept, comment: asComment })
const asCreator = membersBy({ comment: asComment })
const asLog = membersBy({
  version: kept,
  creator: asCreator,
  browser: asCreator,
  pages: listOf(asPage),
  comment: asComment,
})

/** Redacts the members of a HAR log besides its entries: creator, browser, pages, comment. */
export const redactLog = (members: Members, redactor: Redactor): Redacted<Members> =>
  redactor.walking(
    (walk) =>
      asLog(
        {
          walk,
          url: '',
          path: 'har',
          decode: undefined,
          coding: '',
          remember: remembering(redactor),
        },
        members,
      ) as Members,
  )
