/** From a line of a recording back to the exchange that everything else works with. */
import { type OperationId, operations } from '../protocol/catalogue.ts'
import type { Exchange, HeaderPairs, Party } from './exchange.ts'
import type { HttpLine } from './recording-format.ts'

const operationIds = new Map<string, OperationId>(operations.map(({ id }) => [id, id]))
const parties = new Map<string, Party['party']>([
  ['subject', 'subject'],
  ['sparring', 'sparring'],
])

const partyOf = ({ role, party }: HttpLine['_rec']['from']): Party => ({
  role,
  party: parties.get(party) ?? 'partner',
})

const pairsOf = (headers: HttpLine['request']['headers']): HeaderPairs =>
  headers.map(({ name, value }) => [name, value] as const)

const optional = <Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } =>
  // A computed key widens to string.
  (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value }

/** The exchange that a line holds. `t0` is the header's, in milliseconds since 1970. */
export function exchangeOf({ _rec: rec, time, request, response }: HttpLine, t0: number): Exchange {
  const { err, corr, params, attempt } = rec
  const replied = response.status !== 0
  return {
    seq: rec.seq,
    startedAt: t0 + rec.t.q0 / 1000,
    tookMs: rec.t.p1 === null ? time : (rec.t.p1 - rec.t.q0) / 1000,
    from: partyOf(rec.from),
    to: partyOf(rec.to),
    ...optional('operation', operationIds.get(rec.op ?? '')),
    ...optional('params', params),
    ...optional('orderId', corr.order),
    ...optional('eventIds', corr.events ?? corr.acks),
    ...optional('attempt', attempt),
    request: {
      method: request.method,
      url: request.url,
      headers: pairsOf(request.headers),
      ...optional('body', request.postData?.text),
    },
    ...(replied
      ? {
          reply: {
            status: response.status,
            headers: pairsOf(response.headers),
            ...optional('body', response.content?.text),
          },
        }
      : {}),
    ...(err ? { failure: { code: err.code, message: err.message ?? err.code } } : {}),
  }
}
