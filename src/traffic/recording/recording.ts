/**
 * Writing a recording: an exchange becomes one line. Pure text in, text out; whoever holds the file keeps the order of
 * lines and adds up the hash. Lines are put together from finished parts by hand, because this runs for every exchange
 * of a busy session; `recording-format.ts` says what must come out, and a test holds the two together.
 */
import { isoOf } from '../../engine/instant.ts'
import { operation } from '../../protocol/catalogue.ts'
import type { Exchange, Party } from '../exchange.ts'
import { isAcknowledgment } from '../polling.ts'
import { formatVersion, type HeaderLine } from './format.ts'
import { createLineIds, saltIn } from './id.ts'
import { createParts, type LastMessage, noMessage, noReply, type PartsOptions } from './parts.ts'
import { joined, redRows } from './rows.ts'
import { createUrls } from './urls.ts'
import type { Redactor } from '../redaction/redactor.ts'

export const redactionPolicy = 'default-1'

type HeaderRec = HeaderLine['_rec']

/** What a recording says of the session that it comes from. */
export interface RecordingInfo {
  readonly name: string
  /** `sparring/0.1.0`. */
  readonly tool: string
  readonly protocol: HeaderRec['protocol']
  readonly parties: HeaderRec['parties']
  readonly redaction: HeaderRec['redaction']
  readonly seed?: number
}

export interface HeaderOptions {
  readonly info: RecordingInfo
  /** Milliseconds since 1970; whole, since the header says it in milliseconds. */
  readonly t0: number
  /** From `saltOf`. */
  readonly salt: string
}

export function headerOf({ info, t0, salt }: HeaderOptions): HeaderLine {
  const created = isoOf(t0)
  const id = createLineIds(salt)(t0, 0)
  // `_rec` begins with what tells a line's type.
  return { _rec: { v: formatVersion, type: 'header', id, seq: 0, created, t0: created, ...info } }
}

export const lineOf = (value: { readonly _rec: object }): string => `${JSON.stringify(value)}\n`

export interface EndOptions {
  readonly salt: string
  readonly instant: number
  /** The last number given to an exchange. */
  readonly seq: number
  readonly http: number
  readonly dropped: number
  /** Of every byte before this line, in hexadecimal. */
  readonly sha256: string
  /** The recording goes on in another file. */
  readonly goesOn?: true
}

export const endLine = ({ salt, instant, seq, ...rest }: EndOptions): string =>
  lineOf({
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

export interface MarkOptions {
  readonly salt: string
  /** The header's t0, and when it was set, both in milliseconds since 1970. */
  readonly t0: number
  readonly instant: number
  /** The exchange behind which it stands. */
  readonly seq: number
  /** How many came before it. */
  readonly before: number
  readonly text: string
}

/** Ids of marks are numbered far above those of exchanges, so that the two never meet. */
const marksFrom = 2 ** 34

/** A place in the recording that somebody wants to find again. */
export const markLine = ({ salt, t0, instant, seq, before, text }: MarkOptions): string =>
  lineOf({
    _rec: {
      v: formatVersion,
      type: 'mark',
      id: createLineIds(salt)(instant, marksFrom + before),
      seq,
      t: { q0: Math.round((instant - t0) * 1000) },
      text,
    },
  })

/** Who calls whom with what: what lines of one kind share, and what the last of them was made of. */
interface Place {
  readonly from: Party
  readonly to: Party
  readonly json: string
  readonly acknowledges: boolean
  readonly sent: LastMessage
  readonly got: LastMessage
}

const sides = { subject: 'sut', sparring: 'mock', partner: 'partner' } as const

/** `sut>mock`: who calls whom, as a line says it. */
export const directionOf = (from: Party, to: Party): string =>
  `${sides[from.party]}>${sides[to.party]}`

const partyJson = ({ role, party }: Party): string => JSON.stringify({ role, party })

function placeOf({ from, to, operation: id }: Exchange, via: string): Place {
  const row = id === undefined ? undefined : operation(id)
  const json =
    `"dir":"${directionOf(from, to)}","from":${partyJson(from)},"to":${partyJson(to)},` +
    `"via":${JSON.stringify(via)},"op":${JSON.stringify(row?.id ?? null)},"route":${JSON.stringify(row?.path ?? null)}`
  return {
    from,
    to,
    json,
    acknowledges: isAcknowledgment({ operation: id }),
    sent: noMessage(),
    got: noMessage(),
  }
}

const isSame = (a: Party, b: Party): boolean => a.role === b.role && a.party === b.party

/** There are few places, and a session's calls come from the same few again and again. */
function createPlaces(via: string): (exchange: Exchange) => Place {
  const known = new Map<Exchange['operation'], Place[]>()
  return (exchange) => {
    const { from, to, operation: id } = exchange
    let places = known.get(id)
    if (!places) known.set(id, (places = []))
    for (const place of places) if (isSame(place.from, from) && isSame(place.to, to)) return place
    const fresh = placeOf(exchange, via)
    places.push(fresh)
    return fresh
  }
}

/** When it happened. Of a request without a reply nobody saw a response. */
function timeJson(begin: number, { tookMs, sentMs, repliedMs, reply }: Exchange): string {
  const from = `${begin}`
  const sent = sentMs === undefined ? from : `${begin + Math.round(sentMs * 1000)}`
  const end = reply ? `${begin + Math.round(tookMs * 1000)}` : 'null'
  const replied = reply && repliedMs !== undefined ? `${begin + Math.round(repliedMs * 1000)}` : end
  return `{"q0":${from},"q1":${sent},"p0":${replied},"p1":${end}}`
}

/** The three parts of the time that it took, as HAR has them; what nobody saw is waiting. */
function timingsJson({ tookMs, sentMs, repliedMs }: Exchange, took: string): string {
  if (sentMs === undefined && repliedMs === undefined)
    return `{"send":0,"wait":${took},"receive":0}`
  const send = roundedMs(sentMs ?? 0)
  const receive = roundedMs(tookMs - (repliedMs ?? tookMs))
  return `{"send":${send},"wait":${roundedMs(tookMs - send - receive)},"receive":${receive}}`
}

/** What it is about, as members of an object; the merchant's header says it as a JSON string already, and redacted. */
function corrJson(
  { orderId, eventIds, params }: Exchange,
  { acknowledges }: Place,
  header: string | undefined,
  redactor?: Redactor,
): string {
  const clean = (id: string): string => redactor?.id(id) ?? id
  const named = params?.['merchantId']
  const merchant = header ?? (named === undefined ? undefined : JSON.stringify(clean(named)))
  let json = orderId === undefined ? '' : `"order":${JSON.stringify(clean(orderId))}`
  if (merchant !== undefined) json = joined(json, `"merchant":${merchant}`)
  if (eventIds !== undefined)
    json = joined(
      json,
      `"${acknowledges ? 'acks' : 'events'}":${JSON.stringify(eventIds.map(clean))}`,
    )
  return json
}

const phases: readonly (readonly [phase: string, code: RegExp])[] = [
  ['dns', /^(?:ENOTFOUND|EAI_)/],
  ['connect', /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT)/],
  ['tls', /^(?:CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/],
  ['send', /^EPIPE/],
  ['receive', /^(?:UND_ERR_BODY|ERR_STREAM_PREMATURE_CLOSE|HPE_)/],
]

/** How far an exchange got that failed with this code; `wait` when the code does not tell. */
const phaseOf = (code: string): string =>
  phases.find(([, pattern]) => pattern.test(code))?.[0] ?? 'wait'

function failureJson({ code, message }: NonNullable<Exchange['failure']>, redactor?: Redactor) {
  const redacted = redactor?.message(message, 'err.message') ?? { value: message, red: [] }
  const err = { phase: phaseOf(code), code, message: redacted.value }
  return { json: `,"err":${JSON.stringify(err)}`, red: redRows(redacted.red) }
}

/** `isoOf`, which repeats all but the milliseconds a thousand times a second. */
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

/** What is known of the bytes of both bodies. */
function wiresJson(sent: string, got: string): string {
  if (sent === '' && got === '') return ''
  return `,"wire":{${joined(sent && `"q":${sent}`, got && `"p":${got}`)}}`
}

const roundedMs = (ms: number): number => Math.round(ms * 1000) / 1000

export interface LineOptions extends PartsOptions {
  readonly header: HeaderLine
  /** The header's t0, in milliseconds since 1970. */
  readonly t0: number
  /** What is in the file already: numbers go on from there. */
  readonly after?: number
  /** How the exchanges came here: `mock`, `proxy`, `replay:<run>`. */
  readonly via?: string
}

/** An exchange that is over, or one that is still under way: the line of the first wins over the second's. */
export type ExchangeLineType = 'http' | 'open'

/** How exchanges of one recording become lines; each ends with a line feed. */
export function createExchangeLine(
  options: LineOptions,
): (exchange: Exchange, type?: ExchangeLineType) => string {
  const { header, t0, after = 0, redactor, via = 'mock' } = options
  const urlOf = createUrls(redactor)
  const parts = createParts(options)
  const idOf = createLineIds(saltIn(header._rec.id))
  const stamp = createStamp()
  const placeFor = createPlaces(via)

  return (exchange, type = 'http') => {
    const { request, reply, startedAt, attempt, failure, fault } = exchange
    const seq = after + exchange.seq
    const number = `${seq}`
    const took = `${roundedMs(exchange.tookMs)}`
    const place = placeFor(exchange)
    const url = urlOf(exchange)
    const sent = parts.request(request, url, place.sent)
    const got = reply ? parts.response(reply, url, place.got) : noReply
    const failed = failure ? failureJson(failure, redactor) : undefined
    const red = joined(joined(url.red, sent.red), joined(got.red, failed?.red ?? ''))
    return (
      `{"_rec":{"v":${formatVersion},"type":"${type}","id":"${idOf(startedAt, seq)}","seq":${number},` +
      `"t":${timeJson(Math.round((startedAt - t0) * 1000), exchange)},"lt":${number},${place.json}` +
      (url.params === '' ? '' : `,"params":${url.params}`) +
      `,"corr":{${corrJson(exchange, place, sent.merchant, redactor)}}` +
      (attempt === undefined ? '' : `,"attempt":${attempt}`) +
      (sent.requestId === undefined ? '' : `,"idem":${sent.requestId}`) +
      (failed?.json ?? '') +
      (fault === undefined ? '' : `,"fault":${JSON.stringify(fault)}`) +
      wiresJson(sent.wire, got.wire) +
      (red === '' ? '' : `,"red":[${red}]`) +
      `},"startedDateTime":"${stamp(startedAt)}","time":${took},` +
      `"request":{"method":${JSON.stringify(request.method)},"url":${url.json},${sent.json}},` +
      `"response":{"status":${reply?.status ?? 0},"statusText":"",${got.json}},"cache":{},` +
      `"timings":${timingsJson(exchange, took)}}\n`
    )
  }
}
