/**
 * The message of an exchange that we play as a JSON document for a person's editor, and the edits that a changed
 * document means.
 */
import { compact } from '../../core/base/compact.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { isTransportHeader, replayableReplyHeaders } from '../../core/traffic/replayable-headers.ts'
import type { MessageSide } from '../../core/traffic/entities/mentions.ts'
import type { ExchangeRequest, HeaderPairs } from '../../core/traffic/exchange.ts'
import { isJsonContainer, parseLosslessJson } from '../../core/traffic/json/lossless-json.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { ExchangeEdit } from '../../core/traffic/recording/exchange-edit.ts'
import { checkedEdit } from './parse-edit.ts'
import type { UnknownRecord } from '../../core/protocol/unknown-record.ts'

interface MessageDocument {
  /** Method and path, or status. */
  readonly line: UnknownRecord
  /** By name; a list where it is repeated. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** A JSON body. */
  readonly body?: unknown
  /** Any other body. */
  readonly text?: string
}

/** Headers that can be edited. */
const isEditable = (name: string, side: MessageSide): boolean =>
  !isTransportHeader(name) &&
  (side === 'request' || replayableReplyHeaders({ headers: [[name, '']] }).length > 0)

function headerMembers(headers: HeaderPairs, side: MessageSide): MessageDocument['headers'] {
  const spelling = new Map<string, string>()
  const members: Record<string, string | readonly string[]> = {}
  for (const [name, value] of headers) {
    if (!isEditable(name, side)) continue
    const lower = name.toLowerCase()
    const key = spelling.get(lower) ?? name
    spelling.set(lower, key)
    const before = members[key]
    members[key] = before === undefined ? value : [before, value].flat()
  }
  return members
}

const pathOf = (url: string): string => url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '') || '/'

function bodyMembers({
  body,
}: Pick<ExchangeRequest, 'body'>): Pick<MessageDocument, 'body' | 'text'> {
  if (body === undefined) return {}
  return tryParseJson(body) === undefined ? { text: body } : { body: parseLosslessJson(body) }
}

function documentOf({ request, reply }: RecordedExchange, side: MessageSide): MessageDocument {
  const message = side === 'request' ? request : reply
  return {
    line:
      side === 'request'
        ? { method: request.method, path: pathOf(request.url) }
        : { status: reply?.status ?? 0 },
    headers: headerMembers(message?.headers ?? [], side),
    ...(message ? bodyMembers(message) : {}),
  }
}

/** The message as text. */
export function messageDocument(recorded: RecordedExchange, side: MessageSide): string {
  const { line, ...rest } = documentOf(recorded, side)
  return `${JSON.stringify({ ...line, ...rest }, null, 2)}\n`
}

function headerText(value: unknown): string | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.every((each) => typeof each === 'string') ? values.join(', ') : undefined
}

/** One value for each name, by its lower-case name. */
function headersIn(
  members: UnknownRecord,
): Result<ReadonlyMap<string, HeaderPairs[number]>, string> {
  const all = new Map<string, HeaderPairs[number]>()
  for (const [name, member] of Object.entries(members)) {
    const value = headerText(member)
    if (value === undefined) return err(`the header ${name} is no text`)
    if (all.has(name.toLowerCase()))
      return err(`the header ${name} is there twice: a list holds both`)
    all.set(name.toLowerCase(), [name, value])
  }
  return ok(all)
}

type Change = Omit<ExchangeEdit, 'seq'>

function headerChanges(
  before: UnknownRecord,
  after: UnknownRecord,
): Result<readonly Change[], string> {
  const [old, next] = [headersIn(before), headersIn(after)]
  if (!old.ok) return old
  if (!next.ok) return next
  const gone = [...old.value].flatMap(([lower, [name]]): readonly Change[] =>
    next.value.has(lower) ? [] : [{ part: { kind: 'header', name } }],
  )
  const changed = [...next.value].flatMap(([lower, [name, value]]): readonly Change[] =>
    old.value.get(lower)?.[1] === value ? [] : [{ part: { kind: 'header', name }, value }],
  )
  return ok([...gone, ...changed])
}

/** Beyond this number of places the body is set as a whole. */
const maxPlaces = 40

function bodyChanges(before: MessageDocument, after: UnknownRecord): readonly Change[] {
  const { body, text } = after
  if (body === undefined && text === undefined)
    return before.body === undefined && before.text === undefined
      ? []
      : [{ part: { kind: 'body' } }]
  if (body === undefined)
    return text === before.text ? [] : [{ part: { kind: 'body' }, value: String(text) }]
  const whole: Change = { part: { kind: 'json', at: '$' }, value: JSON.stringify(body) }
  if (before.body === undefined) return [whole]
  const places = differingPlaces(before.body, body)
  return places.length > maxPlaces
    ? [whole]
    : places.map(({ at, value }) => ({ part: { kind: 'json', at }, ...compact({ value }) }))
}

function lineChanges(
  before: UnknownRecord,
  after: UnknownRecord,
): Result<readonly Change[], string> {
  const changes: Change[] = []
  for (const [name, was] of Object.entries(before)) {
    const value = after[name]
    if (typeof value !== 'string' && typeof value !== 'number')
      return err(`"${name}" is missing: it can be changed, not taken away`)
    if (value === was) continue
    const kind = name === 'status' ? 'status' : name === 'path' ? 'path' : 'method'
    changes.push({ part: { kind }, value: String(value) })
  }
  return ok(changes)
}

function membersOf(text: string, allowed: ReadonlySet<string>): Result<UnknownRecord, string> {
  let document: unknown
  try {
    document = parseLosslessJson(text)
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
  if (!isJsonContainer(document) || Array.isArray(document))
    return err('an object in braces is wanted')
  const members = document as UnknownRecord
  const foreign = Object.keys(members).find((name) => !allowed.has(name))
  if (foreign !== undefined)
    return err(`"${foreign}" is no part of it: these are ${[...allowed].join(', ')}`)
  if (members['body'] !== undefined && members['text'] !== undefined)
    return err('"body" and "text" exclude each other: one is for JSON, the other for anything else')
  if (members['text'] !== undefined && typeof members['text'] !== 'string')
    return err('"text" is no text: JSON belongs in "body"')
  const { headers = {} } = members
  if (!isJsonContainer(headers) || Array.isArray(headers))
    return err('"headers" is no object of names and values')
  return ok(members)
}

/** The edits that turn the recorded message into the one of the document; the error says what is wrong with it. */
export function editsOfDocument(
  recorded: RecordedExchange,
  side: MessageSide,
  text: string,
): Result<readonly ExchangeEdit[], string> {
  const before = documentOf(recorded, side)
  const allowed = new Set([...Object.keys(before.line), 'headers', 'body', 'text'])
  const members = membersOf(text, allowed)
  if (!members.ok) return members
  const after = members.value
  const line = lineChanges(before.line, after)
  if (!line.ok) return line
  const headers = headerChanges(before.headers, (after['headers'] ?? {}) as UnknownRecord)
  if (!headers.ok) return headers
  const edits: ExchangeEdit[] = []
  for (const change of [...line.value, ...headers.value, ...bodyChanges(before, after)]) {
    const edit = checkedEdit({ seq: recorded.seq, ...change })
    if (!edit.ok) return edit
    edits.push(edit.value)
  }
  return ok(edits)
}

interface DifferingPlace {
  readonly at: string
  /** The new value as JSON; absent when the place is gone. */
  readonly value?: string
}

/** The segment of a member name (RFC 9535): the shorthand, where it can be one. */
const memberSegment = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`

const isObject = (value: unknown): value is UnknownRecord =>
  isJsonContainer(value) && !Array.isArray(value)

/**
 * The places at which two JSON documents differ, as JSONPaths that set the one to the other. Both as
 * `parseLosslessJson` reads them.
 */
function differingPlaces(before: unknown, after: unknown, at = '$'): readonly DifferingPlace[] {
  if (isObject(before) && isObject(after)) {
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
    return [
      ...gone.map((name) => ({ at: at + memberSegment(name) })),
      ...Object.entries(after).flatMap(([name, value]) => {
        const place = at + memberSegment(name)
        return Object.hasOwn(before, name)
          ? differingPlaces(before[name], value, place)
          : [{ at: place, value: JSON.stringify(value) }]
      }),
    ]
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.flatMap((value, index) => differingPlaces(before[index], value, `${at}[${index}]`))
  const [old, next] = [JSON.stringify(before), JSON.stringify(after)]
  return old === next ? [] : [{ at, value: next }]
}
