/**
 * Entries of a foreign archive hold more than an exchange: cookies and parameters a second time, comments, call stacks,
 * the server's address, whatever their maker added. Known members are redacted as what they are, all others like any
 * document, so that nothing is kept only because nobody knew its name.
 */
import { isMembers, type Members } from '../har-message.ts'
import { bytesFromBase64, textOf, toBase64 } from './base64.ts'
import { redactBody } from './body.ts'
import { network } from './classes/machines.ts'
import { personName } from './classes/persons.ts'
import { token } from './classes/secrets.ts'
import { binary, freeText } from './classes/texts.ts'
import {
  type Decode,
  kept,
  listOf,
  membersBy,
  onText,
  type Part,
  redactMember,
  type Treatment,
} from './har-members.ts'
import { isHarmless } from './harmless.ts'
import { headerKind, redactHeader } from './headers.ts'
import { decode, encode, redactPairs } from './pairs.ts'
import { blankText, isMark } from './pseudonyms.ts'
import type { Redacted, Redactor } from './redactor.ts'
import { remembering } from './remembered.ts'
import { redactUrl, rootOf } from './url.ts'
import { replaceWith, type Walk } from './walk.ts'

const asUrl = onText(({ walk, path }, value) => redactUrl(walk, value, path))
const asComment = onText(({ walk, path }, value) => replaceWith(walk, freeText, value, path))
const asToken = onText(({ walk, path }, value) => replaceWith(walk, token, value, path))

/** Loopback written in brackets or with a port is somebody's address all the same. */
const asAddress = onText(({ walk, path }, value) => {
  const bare = value.replaceAll(/^\[|\]$/g, '')
  const next = replaceWith(walk, network, bare, path)
  return next === bare ? value : next
})

const written = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

const pairText = (row: Members): string =>
  `${encode(written(row['name']))}=${encode(written(row['value']))}`

/** A value of a pair may be written in code or plain, by the habit of who wrote the archive; it stays what it was. */
function redactPair(part: Part, rows: readonly Members[], index: number): unknown {
  const row = rows[index] ?? {}
  const { value } = row
  const name = written(row['name'])
  if (typeof value !== 'string') return redactMember(part, name, value)
  // A value in code has nothing in it that would need one.
  const isCoded = /%[\da-f]{2}/i.test(value) && /^[\w.!~*'()%+-]*$/.test(value)
  const own = isCoded ? `${encode(name)}=${value.replaceAll('+', '%20')}` : pairText(row)
  // Beside an e-mail address a name is a person's, so each is read in the company of all.
  const others = rows.filter((_, place) => place !== index).map(pairText)
  const person = rootOf(part.url).person === true
  const silent: Walk = { ...part.walk, report: () => undefined }
  const alone = redactPairs(part.walk, own, part.path, person)
  const together = redactPairs(silent, [own, ...others].join('&'), part.path, person)
  const next = together.split('&')[0] ?? alone
  if (next === own) return value
  if (alone === own) part.walk.report(`${part.path}/${name}`, personName.id)
  const said = next.slice(next.indexOf('=') + 1)
  return isCoded ? said : decode(said)
}

const pairMembers = membersBy({ value: kept, name: kept, comment: asComment })

const asPairs: Treatment = (part, value) => {
  if (!Array.isArray(value)) return redactMember(part, 'value', value)
  const rows = value.filter(isMembers)
  if (rows.length !== value.length) return redactMember(part, 'value', value)
  return rows.map((row, index) => {
    const next = redactPair(part, rows, index)
    const rest = pairMembers(part, row) as Members
    return 'value' in row ? { ...rest, value: next } : rest
  })
}

const asHeaders: Treatment = listOf((part, value) => {
  if (!isMembers(value)) return redactMember(part, 'value', value)
  const { name, value: said } = value
  const rest = pairMembers(part, value) as Members
  if (typeof name !== 'string' || said === undefined || said === null) return rest
  const path = `${part.path}.${name.toLowerCase()}`
  // Some write numbers and lists where the standard asks for a text.
  if (typeof said !== 'string') return { ...rest, value: redactMember(part, name, said) }
  if (headerKind(name) === 'plain' && isHarmless(said)) return rest
  const redact = (walk: Walk) => redactHeader(walk, name, said, path)
  return { ...rest, value: part.remember(part.walk, `header ${path}`, said, redact) }
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

const blank = ({ walk, path }: Part, value: string): string => {
  if (!isMark(value) && value !== '') walk.report(path, binary.id)
  return blankText(value, 'bin')
}

/** A text that says it is base64: what it holds, or nothing that can be told from a picture. */
function redactCoded(part: Part, value: string, type: string): Members {
  const bytes = bytesFromBase64(value)
  // Many say base64 and write plain text.
  if (!bytes) return { text: bodyText(part, value, type) }
  const plain = textOf(bytes)
  if (plain !== undefined) {
    const next = isMark(plain) ? plain : bodyText(part, plain, type)
    return next === plain ? {} : { text: toBase64(next, 'plain') }
  }
  const inflated = part.coding === '' ? undefined : part.decode?.(part.coding, bytes)
  const text = inflated && textOf(inflated)
  // What nobody can read here, others may: it goes, and its length stays.
  return {
    text: toBase64(text === undefined ? blank(part, value) : bodyText(part, text, type), 'plain'),
  }
}

function bodyText({ walk, path, url, remember }: Part, value: string, type: string): string {
  const root = rootOf(url)
  const about = `body ${path} ${type} ${String(root.person)} ${root.place ?? ''}`
  return remember(walk, about, value, (each) => redactBody(each, value, { type, path, root }))
}

function asBody(treatments: Readonly<Record<string, Treatment>>): Treatment {
  const besides = membersBy({ ...treatments, text: kept, comment: asComment })
  return (part, value) => {
    if (!isMembers(value)) return redactMember(part, 'value', value)
    const { text, mimeType, encoding } = value
    const rest = besides(part, value) as Members
    if (text === undefined || text === null) return rest
    if (typeof text !== 'string') return { ...rest, text: redactMember(part, 'text', text) }
    const type = typeof mimeType === 'string' ? mimeType : ''
    const body = { ...part, path: part.path.replace(/\.(?:content|postData)$/, '.body') }
    return encoding === 'base64'
      ? { ...rest, ...redactCoded(body, text, type) }
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

/** Ours: ids and times stay, what was copied out of the traffic goes the way of the traffic. */
const asOurs = membersBy({
  ...Object.fromEntries(
    ['v', 'type', 'id', 'seq', 't', 'lt', 'dir', 'from', 'to', 'via', 'op', 'route', 'corr'].map(
      (key) => [key, kept],
    ),
  ),
  ...Object.fromEntries(
    ['cause', 'attempt', 'idem', 'conn', 'rep', 'red', 'wire'].map((key) => [key, kept]),
  ),
})

const codingOf = (message: unknown): string => {
  const headers = isMembers(message) ? message['headers'] : undefined
  const found: unknown = Array.isArray(headers)
    ? headers.find(
        (each) => isMembers(each) && String(each['name']).toLowerCase() === 'content-encoding',
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
  _rec: asOurs,
})

/**
 * An entry of an HTTP Archive with no secret and no person in any of its members, the unknown ones included. Types and
 * the order of members stay. `decode` reads compressed bodies; without it those are blanked.
 */
export const redactEntry = (
  entry: Members,
  redactor: Redactor,
  decodeBody?: Decode,
): Redacted<Members> =>
  redactor.walking((walk) => {
    const request = entry['request']
    const url = isMembers(request) && typeof request['url'] === 'string' ? request['url'] : ''
    return asEntry(
      { walk, url, path: 'har', decode: decodeBody, coding: '', remember: remembering(redactor) },
      entry,
    ) as Members
  })

const asPage = membersBy({ startedDateTime: kept, id: kept, pageTimings: kept, comment: asComment })
const asMaker = membersBy({ comment: asComment })
const asLog = membersBy({
  version: kept,
  creator: asMaker,
  browser: asMaker,
  pages: listOf(asPage),
  comment: asComment,
})

/** What an archive says beside its entries: who made it, its pages, its comment. */
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
