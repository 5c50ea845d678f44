/**
 * Formats the lines of a recording: header, exchanges, marks, states, end. Pure: the caller owns the file, the order of
 * lines and the hash. The two messages of an exchange are concatenated from cached parts, because this runs for every
 * exchange of a busy session; a test checks them against `format.ts`.
 */
import { isoOf } from '../../engine/instant.ts'
import { compact } from '../../base/compact.ts'
import { operation } from '../../protocol/catalogue.ts'
import type { Exchange, Party } from '../exchange.ts'
import { phaseOf } from '../failed-requests.ts'
import { isAcknowledgmentCall } from '../polling.ts'
import { formatVersion, type HeaderLine, type RecordedClock } from './format.ts'
import type { SessionEnd } from './session-end.ts'
import { createLineIds, saltFromId } from './line-ids.ts'
import { createMessageWriter, noReplyJson, type MessageWriterOptions } from './message-writer.ts'
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
  /** Of the exchanges: the addresses of parties are redacted alike. */
  readonly redactor?: Pick<Redactor, 'url'> | undefined
}

export function createHeaderLine({
  info,
  t0,
  createdAt = t0,
  salt,
  redactor,
}: HeaderLineOptions): HeaderLine {
  const created = isoOf(createdAt)
  const id = createLineIds(salt)(createdAt, 0)
  // `_rec` begins with the members that identify a line's type.
  const parties = info.parties.map(({ base, ...party }) => ({
    ...party,
    ...(base === undefined ? {} : { base: redactor?.url(base).value.url ?? base }),
  }))
  const head = { v: formatVersion, type: 'header', id, seq: 0, created, t0: isoOf(t0) } as const
  return { _rec: { ...head, ...info, parties } }
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

/** Where a line stands among the exchanges. */
export interface LinePosition {
  readonly salt: string
  /** The header's t0 and the time of the line, both in milliseconds since 1970. */
  readonly t0: number
  readonly instant: number
  /** Sequence number of the exchange before it. */
  readonly seq: number
  /** Number of marks and states before it. */
  readonly before: number
}

/** Ids of these lines are numbered far above those of exchanges, so that they never collide. */
const firstSeq = 2 ** 34

const positionMembers = ({ salt, t0, instant, seq, before }: LinePosition) => ({
  id: createLineIds(salt)(instant, firstSeq + before),
  seq,
  t: { q0: Math.round((instant - t0) * 1000) },
})

/** The line of a bookmark, or of a note on an exchange. */
export const formatMarkLine = (position: LinePosition, text: string, of?: number): string => {
  const { id, seq, t } = positionMembers(position)
  return formatLine({
    _rec: { v: formatVersion, type: 'mark', id, seq, t, ...compact({ of }), text },
  })
}

/** The line that says how the session's clock goes from here on. */
export const formatClockLine = (position: LinePosition, clock: RecordedClock): string => {
  const { id, seq, t } = positionMembers(position)
  return formatLine({ _rec: { v: formatVersion, type: 'state', id, seq, t, clock } })
}

/** The line that a session which ended by itself leaves behind. */
export const formatSessionEndLine = (position: LinePosition, end: SessionEnd): string => {
  const { id, seq, t } = positionMembers(position)
  return formatLine({ _rec: { v: formatVersion, type: 'state', id, seq, t, ...end } })
}

/** An exchange whose number is not known yet. */
type ExchangeData = Omit<Exchange, 'seq'>

const partyNames = { subject: 'sut', sparring: 'mock', partner: 'partner' } as const

const partyOf = ({ role, party }: Party) => ({ role, party })

/** Caller, callee and operation; `dir` is `sut>mock`. */
export function routeOf({ from, to, operation: id }: ExchangeData, via: string) {
  const row = id === undefined ? undefined : operation(id)
  return {
    dir: `${partyNames[from.party]}>${partyNames[to.party]}`,
    from: partyOf(from),
    to: partyOf(to),
    via,
    op: row?.id ?? null,
    route: row?.path ?? null,
  }
}

/** Times in microseconds since t0; a missing reply has none. */
export function timesOf(
  { startedAt, tookMs, sentMs = 0, repliedMs, reply }: ExchangeData,
  t0: number,
) {
  const q0 = Math.round((startedAt - t0) * 1000)
  const after = (ms: number): number => q0 + Math.round(ms * 1000)
  return {
    q0,
    q1: after(sentMs),
    p0: reply ? after(repliedMs ?? tookMs) : null,
    p1: reply ? after(tookMs) : null,
  }
}

/** Times on the wall clock, in microseconds since t0, where they are others. */
function writtenWallTimes({ wall }: Exchange, t0: number) {
  if (!wall) return undefined
  const q0 = Math.round((wall.startedAt - t0) * 1000)
  return { q0, p1: q0 + Math.round(wall.tookMs * 1000), speed: wall.speed }
}

/** HAR timings in milliseconds; unknown parts count as waiting. */
function timingsOf({ tookMs, sentMs, repliedMs }: Exchange) {
  const send = roundedMs(sentMs ?? 0)
  const receive = roundedMs(tookMs - (repliedMs ?? tookMs))
  return { send, wait: roundedMs(tookMs - send - receive), receive }
}

/** What the exchange is about; `header` is the redacted merchant header. */
export function subjectsOf(exchange: ExchangeData, redactor?: Redactor, header?: string) {
  const { orderId, eventIds, params } = exchange
  const redactId = (id: string): string => redactor?.id(id) ?? id
  const merchantId = params?.['merchantId']
  const ids = eventIds?.map(redactId)
  const acknowledges = isAcknowledgmentCall(exchange)
  return {
    order: orderId === undefined ? undefined : redactId(orderId),
    merchant: header ?? (merchantId === undefined ? undefined : redactId(merchantId)),
    events: acknowledges ? undefined : ids,
    acks: acknowledges ? ids : undefined,
  }
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

  return (exchange, type = 'http') => {
    const { request, reply, startedAt, wall, attempt, failure, fault } = exchange
    const seq = after + exchange.seq
    const url = urlOf(exchange)
    const sent = parts.request(request, request.url)
    const got = reply ? parts.response(reply, request.url) : noReplyJson
    const message =
      failure &&
      (redactor?.message(failure.message, 'err.message') ?? { value: failure.message, red: [] })
    const red = url.red.concat(sent.red, got.red, message?.red ?? [])
    // JSON leaves undefined members out.
    const rec = {
      v: formatVersion,
      type,
      id: idOf(wall?.startedAt ?? startedAt, seq),
      seq,
      t: timesOf(exchange, t0),
      lt: seq,
      ...routeOf(exchange, via),
      params: url.params,
      corr: subjectsOf(exchange, redactor, sent.merchant),
      attempt,
      idem: sent.requestId,
      err: failure && {
        phase: phaseOf(failure.code, reply),
        code: failure.code,
        message: message?.value,
      },
      fault,
      wall: writtenWallTimes(exchange, t0),
      wire: sent.wire || got.wire ? { q: sent.wire, p: got.wire } : undefined,
      red: red.length > 0 ? red : undefined,
    }
    const line =
      `{"_rec":${JSON.stringify(rec)},"startedDateTime":"${isoOf(Math.floor(startedAt))}","time":${roundedMs(exchange.tookMs)},` +
      `"request":{"method":${JSON.stringify(request.method)},"url":${url.json},${sent.json}},` +
      `"response":{"status":${reply?.status ?? 0},"statusText":"",${got.json}},"cache":{},` +
      `"timings":${JSON.stringify(timingsOf(exchange))}}`
    return `${redactor ? replaceKnownInLine(line, redactor).text : line}\n`
  }
}
