/**
 * Formats the lines of a recording: header, exchanges, marks, end. Pure: the caller owns the file, the order of lines
 * and the hash. Lines are concatenated by hand from cached parts, because this runs for every exchange of a busy
 * session; a test checks them against `format.ts`.
 */
import { isoOf } from '../../engine/instant.ts'
import { operation } from '../../protocol/catalogue.ts'
import type { Exchange, Party } from '../exchange.ts'
import { isAcknowledgmentCall } from '../polling.ts'
import { formatVersion, type HeaderLine, type RecordedClock } from './format.ts'
import { createLineIds, saltFromId } from './line-ids.ts'
import {
  createMessageWriter,
  type PreviousMessage,
  createPreviousMessage,
  noReplyJson,
  type MessageWriterOptions,
} from './message-writer.ts'
import { joinMembers, redactionRows } from './json-members.ts'
import { replaceKnownInLine } from './replace-known-in-line.ts'
import { createUrlWriter } from './url-writer.ts'
import type { Redactor } from '../redaction/redactor.ts'

export const redactionPolicy = 'default-1'

type HeaderRec = HeaderLine['_rec']

/** Facts about the recorded session, for the header. */
export interface RecordingInfo {
  readonly name: string
  /** `sparring/0.1.0`. */
  readonly tool: string
  readonly protocol: HeaderRec['protocol']
  readonly parties: HeaderRec['parties']
  readonly redaction: HeaderRec['redaction']
  readonly seed?: number
  /** The session's clock; absent where nothing but the wall clock is known. */
  readonly clock?: RecordedClock
}

export interface HeaderLineOptions {
  readonly info: RecordingInfo
  /** Session time in milliseconds since 1970; an integer, since the header has milliseconds. */
  readonly t0: number
  /** The wall clock then; `t0` when absent. */
  readonly createdAt?: number | undefined
  /** From `saltOf`. */
  readonly salt: string
}

export function createHeaderLine({
  info,
  t0,
  createdAt = t0,
  salt,
}: HeaderLineOptions): HeaderLine {
  const created = isoOf(createdAt)
  const id = createLineIds(salt)(createdAt, 0)
  // `_rec` begins with the members that identify a line's type.
  return { _rec: { v: formatVersion, type: 'header', id, seq: 0, created, t0: isoOf(t0), ...info } }
}

export const formatLine = (value: { readonly _rec: object }): string => `${JSON.stringify(value)}\n`

export interface EndLineOptions {
  readonly salt: string
  readonly instant: number
  /** The highest sequence number of an exchange. */
  readonly seq: number
  readonly http: number
  readonly dropped: number
  /** Hash of every byte before this line, in hexadecimal. */
  readonly sha256: string
  /** The recording continues in another file. */
  readonly goesOn?: true
}

export const formatEndLine = ({ salt, instant, seq, ...rest }: EndLineOptions): string =>
  formatLine({
    _rec: {
      v: formatVersion,
      type: 'end',
      id: createLineIds(salt)(instant, seq + 1),
      seq: seq + 1,
      counts: { http: rest.http },
      dropped: rest.dropped,
      sha256: rest.sha256,
      ...(rest.goesOn ? { goesOn: true } : {}),
    },
  })

/** Caller, callee and operation: the JSON that their lines share, and the previous messages. */
interface ExchangeRoute {
  readonly from: Party
  readonly to: Party
  readonly json: string
  readonly acknowledges: boolean
  readonly sent: PreviousMessage
  readonly got: PreviousMessage
}

const partyNames = { subject: 'sut', sparring: 'mock', partner: 'partner' } as const

/** `sut>mock`: caller and callee, in the notation of a line. */
export const directionOf = (from: Party, to: Party): string =>
  `${partyNames[from.party]}>${partyNames[to.party]}`

const partyJson = ({ role, party }: Party): string => JSON.stringify({ role, party })

function exchangeRouteOf({ from, to, operation: id }: Exchange, via: string): ExchangeRoute {
  const row = id === undefined ? undefined : operation(id)
  const json =
    `"dir":"${directionOf(from, to)}","from":${partyJson(from)},"to":${partyJson(to)},` +
    `"via":${JSON.stringify(via)},"op":${JSON.stringify(row?.id ?? null)},"route":${JSON.stringify(row?.path ?? null)}`
  return {
    from,
    to,
    json,
    acknowledges: isAcknowledgmentCall({ operation: id }),
    sent: createPreviousMessage(),
    got: createPreviousMessage(),
  }
}

const isSameParty = (a: Party, b: Party): boolean => a.role === b.role && a.party === b.party

/** Caches the few combinations of caller, callee and operation. */
function createRouteCache(via: string): (exchange: Exchange) => ExchangeRoute {
  const known = new Map<Exchange['operation'], ExchangeRoute[]>()
  return (exchange) => {
    const { from, to, operation: id } = exchange
    let cachedRoutes = known.get(id)
    if (!cachedRoutes) known.set(id, (cachedRoutes = []))
    for (const exchangeRoute of cachedRoutes)
      if (isSameParty(exchangeRoute.from, from) && isSameParty(exchangeRoute.to, to))
        return exchangeRoute
    const fresh = exchangeRouteOf(exchange, via)
    cachedRoutes.push(fresh)
    return fresh
  }
}

/** Times in microseconds since t0; a missing reply has none. */
function timeJson(begin: number, { tookMs, sentMs, repliedMs, reply }: Exchange): string {
  const from = `${begin}`
  const sent = sentMs === undefined ? from : `${begin + Math.round(sentMs * 1000)}`
  const end = reply ? `${begin + Math.round(tookMs * 1000)}` : 'null'
  const replied = reply && repliedMs !== undefined ? `${begin + Math.round(repliedMs * 1000)}` : end
  return `{"q0":${from},"q1":${sent},"p0":${replied},"p1":${end}}`
}

/** Times on the wall clock, in microseconds since t0, where they are others. */
function wallJson({ wall }: Exchange, t0: number): string {
  if (!wall) return ''
  const begin = Math.round((wall.startedAt - t0) * 1000)
  const speed = wall.speed === undefined ? '' : `,"speed":${wall.speed}`
  return `,"wall":{"q0":${begin},"p1":${begin + Math.round(wall.tookMs * 1000)}${speed}}`
}

/** HAR timings in milliseconds; unknown parts count as waiting. */
function timingsJson({ tookMs, sentMs, repliedMs }: Exchange, took: string): string {
  if (sentMs === undefined && repliedMs === undefined)
    return `{"send":0,"wait":${took},"receive":0}`
  const send = roundedMs(sentMs ?? 0)
  const receive = roundedMs(tookMs - (repliedMs ?? tookMs))
  return `{"send":${send},"wait":${roundedMs(tookMs - send - receive)},"receive":${receive}}`
}

/** The identifiers of the exchange, as JSON members; `header` is the merchant header as a redacted JSON string. */
function corrJson(
  { orderId, eventIds, params }: Exchange,
  { acknowledges }: ExchangeRoute,
  header: string | undefined,
  redactor?: Redactor,
): string {
  const redactId = (id: string): string => redactor?.id(id) ?? id
  const named = params?.['merchantId']
  const merchant = header ?? (named === undefined ? undefined : JSON.stringify(redactId(named)))
  let json = orderId === undefined ? '' : `"order":${JSON.stringify(redactId(orderId))}`
  if (merchant !== undefined) json = joinMembers(json, `"merchant":${merchant}`)
  if (eventIds !== undefined)
    json = joinMembers(
      json,
      `"${acknowledges ? 'acks' : 'events'}":${JSON.stringify(eventIds.map(redactId))}`,
    )
  return json
}

const phases: readonly (readonly [phase: string, code: RegExp])[] = [
  ['dns', /^(?:ENOTFOUND|EAI_)/],
  ['connect', /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT)/],
  ['tls', /^(?:CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/],
  ['send', /^EPIPE/],
  ['receive', /^(?:UND_ERR_BODY|HPE_|NOT_HTTP)/],
]

/** The phase in which an exchange failed, by its error code; `wait` when the code does not show it. */
const phaseOf = (code: string, reply: Exchange['reply']): string =>
  reply ? 'receive' : (phases.find(([, pattern]) => pattern.test(code))?.[0] ?? 'wait')

function failureJson(
  { code, message }: NonNullable<Exchange['failure']>,
  reply: Exchange['reply'],
  redactor?: Redactor,
) {
  const redacted = redactor?.message(message, 'err.message') ?? { value: message, red: [] }
  const err = { phase: phaseOf(code, reply), code, message: redacted.value }
  return { json: `,"err":${JSON.stringify(err)}`, red: redactionRows(redacted.red) }
}

/** `isoOf` with a cache of everything but the milliseconds. */
function createStamp(): (instant: number) => string {
  let second = Number.NaN
  let prefix = ''
  return (instant) => {
    const ms = Math.floor(instant)
    if (Math.floor(ms / 1000) !== second) {
      second = Math.floor(ms / 1000)
      prefix = isoOf(second * 1000).slice(0, -4)
    }
    return `${prefix}${String(ms - second * 1000).padStart(3, '0')}Z`
  }
}

/** Facts about the bytes of both bodies. */
function wiresJson(sent: string, got: string): string {
  if (sent === '' && got === '') return ''
  return `,"wire":{${joinMembers(sent && `"q":${sent}`, got && `"p":${got}`)}}`
}

const roundedMs = (ms: number): number => Math.round(ms * 1000) / 1000

export interface ExchangeLineOptions extends MessageWriterOptions {
  readonly header: HeaderLine
  /** The header's t0, in milliseconds since 1970. */
  readonly t0: number
  /** Highest sequence number already in the file. */
  readonly after?: number
  /** How the exchanges were recorded: `mock`, `proxy`, `replay:<run>`. */
  readonly via?: string
}

/** A finished exchange, or one in flight; an `http` line replaces the `open` line of the same id. */
export type ExchangeLineType = 'http' | 'open'

/** Creates the formatter of exchange lines; each line ends with a line feed. */
export function createExchangeFormatter(
  options: ExchangeLineOptions,
): (exchange: Exchange, type?: ExchangeLineType) => string {
  const { header, t0, after = 0, redactor, via = 'mock' } = options
  const urlOf = createUrlWriter(redactor)
  const parts = createMessageWriter(options)
  const idOf = createLineIds(saltFromId(header._rec.id))
  const stamp = createStamp()
  const routeFor = createRouteCache(via)

  return (exchange, type = 'http') => {
    const { request, reply, startedAt, wall, attempt, failure, fault } = exchange
    const seq = after + exchange.seq
    const number = `${seq}`
    const took = `${roundedMs(exchange.tookMs)}`
    const exchangeRoute = routeFor(exchange)
    const url = urlOf(exchange)
    const sent = parts.request(request, url, exchangeRoute.sent)
    const got = reply ? parts.response(reply, url, exchangeRoute.got) : noReplyJson
    const failed = failure ? failureJson(failure, reply, redactor) : undefined
    const red = joinMembers(joinMembers(url.red, sent.red), joinMembers(got.red, failed?.red ?? ''))
    const line =
      `{"_rec":{"v":${formatVersion},"type":"${type}","id":"${idOf(wall?.startedAt ?? startedAt, seq)}","seq":${number},` +
      `"t":${timeJson(Math.round((startedAt - t0) * 1000), exchange)},"lt":${number},${exchangeRoute.json}` +
      (url.params === '' ? '' : `,"params":${url.params}`) +
      `,"corr":{${corrJson(exchange, exchangeRoute, sent.merchant, redactor)}}` +
      (attempt === undefined ? '' : `,"attempt":${attempt}`) +
      (sent.requestId === undefined ? '' : `,"idem":${sent.requestId}`) +
      (failed?.json ?? '') +
      (fault === undefined ? '' : `,"fault":${JSON.stringify(fault)}`) +
      wallJson(exchange, t0) +
      wiresJson(sent.wire, got.wire) +
      (red === '' ? '' : `,"red":[${red}]`) +
      `},"startedDateTime":"${stamp(startedAt)}","time":${took},` +
      `"request":{"method":${JSON.stringify(request.method)},"url":${url.json},${sent.json}},` +
      `"response":{"status":${reply?.status ?? 0},"statusText":"",${got.json}},"cache":{},` +
      `"timings":${timingsJson(exchange, took)}}`
    return `${redactor ? replaceKnownInLine(line, redactor).text : line}\n`
  }
}
