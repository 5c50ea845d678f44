/** Converts a line of a recording to an exchange. */
import { type OperationId, operations } from '../../protocol/catalogue.ts'
import type { Exchange, Party } from '../exchange.ts'
import type { AppliedEdit } from './exchange-edit.ts'
import { encodeIn } from '../redaction/percent-encoding.ts'
import type { Redaction } from '../redaction/walk.ts'
import { parseHarReply, parseHarRequest } from '../har-message.ts'
import { type ReadBlob, withRecordedBody } from './recorded-body.ts'
import type { causeKinds, HttpLine, MarkLine } from './format.ts'

/** The cause of an exchange, with a confidence; 1 when it was not inferred. */
export interface Cause {
  /** The `recordId` of the exchange that caused it. */
  readonly id: string
  readonly kind: (typeof causeKinds)[number]
  readonly sure: number
}

/** An exchange read from a recording. */
export interface RecordedExchange extends Exchange {
  /** The id of its line, which stays with it whatever is done to the file. */
  readonly recordId: string
  /** Its causes, from the recording; absent when they were never determined. */
  readonly causes?: readonly Cause[]
  /** One line may stand for several identical idle polls. */
  readonly repeated?: { readonly times: number; readonly everyUs: number }
  /** The request was in flight when this was written, with unknown outcome; `failure` says the same. */
  readonly open?: true
  /** What was redacted; absent where nothing was. */
  readonly redactions?: readonly Redaction[]
  /** What was edited for the replay; in no recording. */
  readonly edits?: readonly AppliedEdit[]
}

/** The note that a line holds; undefined for a bookmark. An empty text takes a note away. */
export const noteOf = ({ _rec: { of, text = '' } }: MarkLine) =>
  of === undefined ? undefined : { seq: of, note: text }

/** An exchange with the last note on it, in place of the comment of an archive. */
export function withNote(exchange: RecordedExchange, note: string | undefined): RecordedExchange {
  if (note === undefined) return exchange
  const { note: _before, ...rest } = exchange
  return note === '' ? rest : { ...rest, note }
}

const operationIds = new Map<string, OperationId>(operations.map(({ id }) => [id, id]))
const parties = new Map<string, Party['party']>([
  ['subject', 'subject'],
  ['sparring', 'sparring'],
])

const partyOf = ({ role, party }: HttpLine['_rec']['from']): Party => ({
  role,
  party: parties.get(party) ?? 'partner',
})

const optional = <Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } =>
  // A computed key widens to string, hence the assertion.
  (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value }

const noBlobs: ReadBlob = () => undefined

/** The failure of a request that was in flight at the end of the recording. */
const inFlightFailure = {
  code: 'OPEN',
  message: 'the request was still under way when the recording was written',
} as const

/** Whether nothing says how an exchange of a recording has ended. */
export const wasInFlight = ({ failure }: Exchange): boolean =>
  failure?.code === inFlightFailure.code

/** Converts a line. `t0` is the header's, in milliseconds since 1970. */
export function recordedExchangeFromLine(
  line: HttpLine,
  t0: number,
  blobs?: ReadBlob,
): RecordedExchange {
  const { id, cause, rep, type, red } = line._rec
  return {
    ...exchangeFromLine(line, t0, blobs),
    recordId: id,
    ...optional(
      'causes',
      cause?.map((each) => ({ id: each.id, kind: each.kind, sure: each.p ?? 1 })),
    ),
    ...optional('repeated', rep && { times: rep.n, everyUs: rep.everyUs }),
    ...optional('redactions', red),
    ...(type === 'open' ? { open: true, failure: inFlightFailure } : {}),
  }
}

/** The times of the end of the request and the begin of the reply, where they are known. */
function exactTimes({ q0, q1, p0, p1 }: HttpLine['_rec']['t']) {
  return {
    ...optional('sentMs', q1 === q0 ? undefined : (q1 - q0) / 1000),
    ...optional('repliedMs', p0 === null || p0 === p1 ? undefined : (p0 - q0) / 1000),
  }
}

/** The times on the wall clock, where they are others. */
const wallTimes = ({ wall }: HttpLine['_rec'], t0: number): Exchange['wall'] =>
  wall && {
    startedAt: t0 + wall.q0 / 1000,
    tookMs: (wall.p1 - wall.q0) / 1000,
    ...optional('speed', wall.speed),
  }

/** Converts a line to a plain exchange. `har-message.ts` reads the entry, since imported ones may have any members. */
export function exchangeFromLine(
  { _rec: rec, time, comment, request: sent, response: got }: HttpLine,
  t0: number,
  blobs: ReadBlob = noBlobs,
): Exchange {
  const { err, corr, params, attempt, fault, wire } = rec
  const known = { blobs, isForeign: rec.via.startsWith('import:') }
  const writtenRequest = parseHarRequest(sent)
  // Some programs write URLs as a person reads them, and no client can send these.
  const parsedRequest = known.isForeign
    ? { ...writtenRequest, url: encodeIn(writtenRequest.url) }
    : writtenRequest
  const parsedReply = parseHarReply(got)
  return {
    seq: rec.seq,
    startedAt: t0 + rec.t.q0 / 1000,
    tookMs: rec.t.p1 === null ? durationIn(time) : (rec.t.p1 - rec.t.q0) / 1000,
    ...exactTimes(rec.t),
    ...optional('wall', wallTimes(rec, t0)),
    from: partyOf(rec.from),
    to: partyOf(rec.to),
    ...optional('operation', operationIds.get(rec.op ?? '')),
    ...optional('params', params),
    ...optional('orderId', corr.order),
    ...optional('eventIds', corr.events ?? corr.acks),
    ...optional('attempt', attempt),
    ...optional('fault', fault),
    request: withRecordedBody(parsedRequest, {
      ...known,
      holder: sent,
      member: 'postData',
      wire: wire?.q,
    }),
    ...(parsedReply
      ? {
          reply: withRecordedBody(parsedReply, {
            ...known,
            holder: got,
            member: 'content',
            wire: wire?.p,
          }),
        }
      : {}),
    ...(err ? { failure: { code: err.code, message: err.message ?? err.code } } : {}),
    ...(typeof comment === 'string' && comment !== '' ? { note: comment } : {}),
  }
}

/** The duration in milliseconds; 0 for archives without a valid one. */
const durationIn = (time: unknown): number =>
  typeof time === 'number' && Number.isFinite(time) && time >= 0 ? time : 0
