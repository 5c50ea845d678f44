/** From a line of a recording back to the exchange that everything else works with. */
import { type OperationId, operations } from '../../protocol/catalogue.ts'
import type { Exchange, Party } from '../exchange.ts'
import { replyIn, requestIn } from '../har-message.ts'
import { type Blobs, withExactBody } from './recorded-body.ts'
import type { causeKinds, HttpLine } from './format.ts'

/** Why one exchange came after another, and how sure that is: 1 when nobody had to guess. */
export interface Cause {
  /** The `recordId` of the exchange that it came of. */
  readonly id: string
  readonly kind: (typeof causeKinds)[number]
  readonly sure: number
}

/** An exchange as a recording holds it. */
export interface RecordedExchange extends Exchange {
  /** The id of its line, which stays with it whatever is done to the file. */
  readonly recordId: string
  /** What it came of, as the recording says; none when nobody has looked yet. */
  readonly causes?: readonly Cause[]
  /** So many idle polls that were all the same are one line. */
  readonly repeated?: { readonly times: number; readonly everyUs: number }
  /** It was still under way when this was written; nobody knows what became of it. Its failure says the same. */
  readonly open?: true
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
  // A computed key widens to string.
  (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value }

const noBlobs: Blobs = () => undefined

/** The failure of what was never answered, as far as anybody saw. */
const underWay = {
  code: 'OPEN',
  message: 'the request was still under way when the recording was written',
} as const

/** The exchange that a line holds. `t0` is the header's, in milliseconds since 1970. */
export function recordedOf(line: HttpLine, t0: number, blobs?: Blobs): RecordedExchange {
  const { id, cause, rep, type } = line._rec
  return {
    ...exchangeOf(line, t0, blobs),
    recordId: id,
    ...optional(
      'causes',
      cause?.map((each) => ({ id: each.id, kind: each.kind, sure: each.p ?? 1 })),
    ),
    ...optional('repeated', rep && { times: rep.n, everyUs: rep.everyUs }),
    ...(type === 'open' ? { open: true, failure: underWay } : {}),
  }
}

/** Times that say more than when it began and ended. */
function exactTimes({ q0, q1, p0, p1 }: HttpLine['_rec']['t']) {
  return {
    ...optional('sentMs', q1 === q0 ? undefined : (q1 - q0) / 1000),
    ...optional('repliedMs', p0 === null || p0 === p1 ? undefined : (p0 - q0) / 1000),
  }
}

/** The entry may be somebody else's: its members are read by `har-message.ts`, whatever they are. */
export function exchangeOf(
  { _rec: rec, time, request: sent, response: got }: HttpLine,
  t0: number,
  blobs: Blobs = noBlobs,
): Exchange {
  const { err, corr, params, attempt, fault, wire } = rec
  const known = { blobs, isForeign: rec.via.startsWith('import:') }
  const asked = requestIn(sent)
  const answered = replyIn(got)
  return {
    seq: rec.seq,
    startedAt: t0 + rec.t.q0 / 1000,
    tookMs: rec.t.p1 === null ? durationIn(time) : (rec.t.p1 - rec.t.q0) / 1000,
    ...exactTimes(rec.t),
    from: partyOf(rec.from),
    to: partyOf(rec.to),
    ...optional('operation', operationIds.get(rec.op ?? '')),
    ...optional('params', params),
    ...optional('orderId', corr.order),
    ...optional('eventIds', corr.events ?? corr.acks),
    ...optional('attempt', attempt),
    ...optional('fault', fault),
    request: withExactBody(asked, { ...known, holder: sent, member: 'postData', wire: wire?.q }),
    ...(answered
      ? {
          reply: withExactBody(answered, {
            ...known,
            holder: got,
            member: 'content',
            wire: wire?.p,
          }),
        }
      : {}),
    ...(err ? { failure: { code: err.code, message: err.message ?? err.code } } : {}),
  }
}

/** Some archives say nothing, or something that is no duration. */
const durationIn = (time: unknown): number =>
  typeof time === 'number' && Number.isFinite(time) && time >= 0 ? time : 0
