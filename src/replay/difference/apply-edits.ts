/** Applies edits to a recorded exchange: to its request when we send it, to its reply when we answer it. */
import { compact } from '../../core/base/compact.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { editFormPairs } from '../../core/traffic/entities/edit-url.ts'
import { replayableReplyHeaders } from '../../core/traffic/replayable-headers.ts'
import type { MessageSide } from '../../core/traffic/entities/mentions.ts'
import type { ExchangeReply, ExchangeRequest, HeaderPairs } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { formDecode, percentEncode } from '../../core/traffic/redaction/percent-encoding.ts'
import {
  type AppliedEdit,
  editedPartText,
  type ExchangeEdit,
} from '../../core/traffic/recording/exchange-edit.ts'
import { compile, JSONPatch, type JSONValue } from 'json-p3'
import { escapePointerKey } from '../../core/traffic/json/json-pointer.ts'
import { parseLosslessJson } from '../../core/traffic/json/lossless-json.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'

/** A message after an edit, and what was there before. */
interface Edited<Message> {
  readonly message: Message
  readonly was?: string
}

type MessageBody = Pick<ExchangeRequest, 'body' | 'headers' | 'wire'>

const edited = <Message>(message: Message, was: string | undefined): Edited<Message> => ({
  message,
  ...compact({ was }),
})

/** Without `wire`, which describes the bytes of the recorded body. */
const withBody = <Message extends MessageBody>(
  { body: _body, wire: _wire, ...rest }: Message,
  body: string | undefined,
): Message => ({ ...rest, ...compact({ body }) }) as Message

/** A header keeps its place; repetitions of it go. */
function editHeaderPairs(
  headers: HeaderPairs,
  name: string,
  value: string | undefined,
): Result<Edited<HeaderPairs>, string> {
  const isIt = ([other]: HeaderPairs[number]): boolean => other.toLowerCase() === name.toLowerCase()
  const first = headers.findIndex(isIt)
  const was = headers
    .filter(isIt)
    .map(([, each]) => each)
    .join(', ')
  if (first < 0)
    return value === undefined
      ? err(
          `it has no header ${name}: it has ${headers.map(([each]) => each).join(', ') || 'none'}`,
        )
      : ok(edited([...headers, [name, value] as const], undefined))
  const others = headers.filter((each, place) => place === first || !isIt(each))
  return ok(
    edited(
      value === undefined
        ? others.toSpliced(first, 1)
        : others.with(first, [others[first]?.[0] ?? name, value]),
      was,
    ),
  )
}

const urlParts = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/is

function editQuery(
  url: string,
  name: string,
  value: string | undefined,
): Result<Edited<string>, string> {
  const [, host = '', path = '', query = ''] = urlParts.exec(url) ?? []
  const pairs = query.slice(1).split('&')
  const isIt = (pair: string): boolean => formDecode(pair.split('=', 1)[0] ?? '') === name
  const own = pairs.filter(isIt)
  const was = own.map((pair) => formDecode(pair.slice(pair.indexOf('=') + 1))).join(', ')
  if (own.length === 0) {
    if (value === undefined) return err(`its query has no ${name}: it is ${query || 'empty'}`)
    const added = `${percentEncode(name)}=${percentEncode(value)}`
    return ok(edited(`${host}${path}${query === '' ? '?' : `${query}&`}${added}`, undefined))
  }
  const others = pairs.filter((pair) => !isIt(pair))
  const next =
    value === undefined
      ? others.join('&')
      : editFormPairs(query.slice(1), (each) => (each === name ? value : undefined))
  return ok(edited(`${host}${path}${next === '' ? '' : `?${next}`}`, was))
}

function editPath(url: string, path: string): Edited<string> {
  const [, host = ''] = urlParts.exec(url) ?? []
  return edited(`${host}${path}`, url.slice(host.length))
}

/** Headers and body, which both sides have. */
function editContent<Message extends MessageBody>(
  message: Message,
  { part, value }: ExchangeEdit,
): Result<Edited<Message>, string> | undefined {
  switch (part.kind) {
    case 'json': {
      const body = editJsonBody(message.body, part.at, value)
      return body.ok ? ok(edited(withBody(message, body.value.body), body.value.was)) : body
    }
    case 'body':
      return value === undefined && message.body === undefined && !message.wire
        ? err('it has no body')
        : ok(edited(withBody(message, value), message.body))
    case 'header': {
      const headers = editHeaderPairs(message.headers, part.name, value)
      if (!headers.ok) return headers
      return ok(edited({ ...message, headers: headers.value.message }, headers.value.was))
    }
    default:
      return undefined
  }
}

function editRequestMessage(
  request: ExchangeRequest,
  edit: ExchangeEdit,
): Result<Edited<ExchangeRequest>, string> {
  const content = editContent(request, edit)
  if (content) return content
  const { part, value = '' } = edit
  const withUrl = ({ message: url, was }: Edited<string>) => ok(edited({ ...request, url }, was))
  switch (part.kind) {
    case 'method':
      return ok(edited({ ...request, method: value }, request.method))
    case 'path':
      return withUrl(editPath(request.url, value))
    case 'query': {
      const url = editQuery(request.url, part.name, edit.value)
      return url.ok ? withUrl(url.value) : url
    }
    default:
      return err('we send it, and the status is the answer of your service')
  }
}

function editReplyMessage(
  reply: ExchangeReply,
  edit: ExchangeEdit,
): Result<Edited<ExchangeReply>, string> {
  const { part } = edit
  if (part.kind === 'header' && replayableReplyHeaders({ headers: [[part.name, '']] }).length === 0)
    return err(`our server makes ${part.name} anew for each answer`)
  const content = editContent(reply, edit)
  if (content) return content
  if (part.kind === 'status')
    return ok(edited({ ...reply, status: Number(edit.value) }, String(reply.status)))
  return err(
    `your service sends it, and ${editedPartText(part)} is of its request; of our answer status, header.<name>, $.path and body can be changed`,
  )
}

/** An edit that cannot be made, and why. */
export interface ImpossibleEdit {
  readonly edit: ExchangeEdit
  readonly because: string
}

/** The exchange with all edits, in their order; else all those that cannot be made. */
export function applyEdits(
  recorded: RecordedExchange,
  side: MessageSide,
  edits: readonly ExchangeEdit[],
): Result<RecordedExchange, readonly ImpossibleEdit[]> {
  let { request, reply } = recorded
  const applied: AppliedEdit[] = []
  const impossible: ImpossibleEdit[] = []
  for (const edit of edits) {
    const { part, value } = edit
    const done =
      side === 'request'
        ? editRequestMessage(request, edit)
        : reply
          ? editReplyMessage(reply, edit)
          : err('it has no answer in the recording')
    if (!done.ok) {
      impossible.push({ edit, because: done.error })
      continue
    }
    const { message, was } = done.value
    if ('status' in message) reply = message
    else request = message
    applied.push({ part, ...compact({ value, was }) })
  }
  if (impossible.length > 0) return err(impossible)
  return ok({ ...recorded, request, ...compact({ reply }), edits: applied })
}

/** A body after an edit, and the JSON that was at its places before; absent when there was nothing. */
interface EditedBody {
  readonly body: string
  readonly was?: string
}

type Query = ReturnType<typeof compile>

const memberNames = (value: JSONValue | undefined): string => {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const names = Object.keys(value)
  return names.length === 0 ? 'an empty object' : names.slice(0, 12).join(', ')
}

/** The pointer of a member that is not there yet, in an object or at the end of a list. */
function newMember({ segments }: Query, root: JSONValue): Result<string, string> {
  const parent = compile(`$${segments.slice(0, -1).join('')}`).match(root)
  const [selector] = segments.at(-1)?.selectors ?? []
  if (!parent || !selector) return err(`the body has ${memberNames(root)}`)
  const { value } = parent
  const key: unknown = Reflect.get(selector, Array.isArray(value) ? 'index' : 'name')
  const isFree =
    typeof key === 'string'
      ? typeof value === 'object' && value !== null
      : Array.isArray(value) && key === value.length
  return isFree
    ? ok(`${String(parent.toPointer())}/${escapePointerKey(String(key))}`)
    : err(`there is ${memberNames(value)}`)
}

/** The places to edit, as JSON Pointers: those that are there, or one that can be added. */
function pointersOf(
  query: Query,
  root: JSONValue,
  adds: boolean,
): Result<readonly string[], string> {
  const found = query.query(root).pointers().map(String)
  if (found.length > 0) return ok(found)
  const added =
    adds && query.singularQuery()
      ? newMember(query, root)
      : err(`the body has ${memberNames(root)}`)
  return added.ok ? ok([added.value]) : added
}

/**
 * Edits a JSON body at the places of a JSONPath. All other values keep their spelling. `value` is JSON; undefined
 * deletes the places.
 */
function editJsonBody(
  body: string | undefined,
  at: string,
  value: string | undefined,
): Result<EditedBody, string> {
  if (at === '$' && value !== undefined)
    return ok({ body: value.trim(), ...(body === undefined ? {} : { was: body }) })
  if (at === '$') return err('the whole body is deleted by: delete body')
  const plain = tryParseJson(body)
  if (body === undefined || plain === undefined)
    return err(
      `there is no JSON body to find ${at} in: ${body === undefined ? 'it has none' : 'it is another text'}; body=… replaces it whole`,
    )
  try {
    const query = compile(at)
    const root = plain as JSONValue
    const pointers = pointersOf(query, root, value !== undefined)
    if (!pointers.ok) return err(`there is no ${at}: ${pointers.error}`)
    const before = query.query(root).values()
    const patched = new JSONPatch(
      // From the last to the first, so that the positions of lists stay true.
      pointers.value.toReversed().map((path) =>
        value === undefined
          ? { op: 'remove', path }
          : {
              op: before.length === 0 ? 'add' : 'replace',
              path,
              value: parseLosslessJson(value) as JSONValue,
            },
      ),
    ).apply(parseLosslessJson(body) as JSONValue)
    return ok({
      body: JSON.stringify(patched),
      ...(before.length === 0
        ? {}
        : { was: before.map((each) => JSON.stringify(each)).join(', ') }),
    })
  } catch (error) {
    return err(`${at} cannot be edited: ${error instanceof Error ? error.message : String(error)}`)
  }
}
