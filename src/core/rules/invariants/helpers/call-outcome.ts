/**
 * Identity and result of a call of the subject. Rules about retries judge by the reply that the subject received, never
 * by what happened in the host.
 */
import type { Instant } from '../../../engine/instant.ts'
import { operation as rowOf } from '../../../protocol/catalogue.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import { isNamedInBody } from '../tracking/exchange-fields.ts'
import { shortText } from '../../../engine/short-text.ts'
import { wallTimesOf } from '../../../traffic/exchange.ts'
import type { TrackedOrder, TrackerState } from '../tracking/tracker-state.ts'

/** Order id of a call, regardless of its result. */
export const orderIdOfCall = (observed: ObservedExchange): string | undefined =>
  observed.orderId ?? (isNamedInBody(observed) ? observed.bodyOrderId : undefined)

/** The tracked order of a call. */
export function orderOfCall(
  observed: ObservedExchange,
  { orders }: TrackerState,
): TrackedOrder | undefined {
  if (observed.orderId !== undefined) return observed.order
  const orderId = orderIdOfCall(observed)
  return orderId === undefined ? undefined : orders.get(orderId)
}

/**
 * Distinguishes calls whose path names no entity, by query and body: a customer, a payment, an account by its table.
 * Polls are one loop, and so are acknowledgments that begin with the same event: one that is tried again may name more.
 */
function contentKey(observed: ObservedExchange): string {
  const { operation, requestFingerprint } = observed
  if (operation === 'pollingEvents') return ''
  if (operation === 'acknowledgeEvents') return observed.namedEvents()?.[0]?.eventId ?? ''
  const { url } = observed.exchange.request
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  return requestFingerprint === undefined ? query : `${query} ${requestFingerprint}`
}

/**
 * Retry key: calls with the same key are tries of one call; undefined without an operation. V1 has two calls in place of
 * one: that which the host refused is no try of the other.
 */
export function callKey(observed: ObservedExchange): string | undefined {
  const { exchange } = observed
  const { operation } = exchange
  if (operation === undefined) return undefined
  if (operation === 'issueToken')
    return `${operation} ${exchange.to.role} ${observed.requestFingerprint}`
  const params = exchange.params
  const rest = params ? Object.values(params).join('/') : ''
  const { webhook, distinguishedBy } = rowOf(operation)
  // Each event that a service sends is a call of its own, whatever order it is about.
  const entity = rest || (webhook ? undefined : orderIdOfCall(observed))
  const what = distinguishedBy
    ? `${entity} ${contentKey(observed)}`
    : (entity ?? contentKey(observed))
  return shortText(`${operation} ${exchange.to.role} ${what}`)
}

/**
 * `done`: succeeded. `refused`: a retry is useless. `unauthorized`: the token was rejected. `again`: the reply asks for
 * a retry. `silent`: no reply, or an incomplete one.
 */
export type CallResult = 'done' | 'refused' | 'unauthorized' | 'again' | 'silent'

const retryableStatuses: ReadonlySet<number> = new Set([408, 425, 429])

export function callResultOf(observed: ObservedExchange): CallResult {
  const { status, exchange, operation } = observed
  if (observed.ok) return 'done'
  if (status === 0 || exchange.failure) return 'silent'
  if (status === 401 && operation !== 'issueToken') return 'unauthorized'
  if (retryableStatuses.has(status)) return 'again'
  if (status < 400) return 'refused'
  return (observed.retryable ?? status >= 500) ? 'again' : 'refused'
}

/** Whether the host itself refused a call for good: not a fault of ours in its place. */
export const isFinallyRefused = (observed: ObservedExchange): boolean =>
  callResultOf(observed) === 'refused' && observed.exchange.fault === undefined

/** Whether a retry may succeed. */
export const isRetryable = (answer: CallResult): boolean =>
  answer === 'again' || answer === 'silent'

/**
 * Milliseconds until a date, in session time or wall time, whichever is nearer: a host writes dates by its client's
 * clock.
 */
export function msUntilDate(date: number, { ended, exchange }: ObservedExchange): number {
  const { startedAt, tookMs } = wallTimesOf(exchange)
  const byWall = date - (startedAt + tookMs)
  const bySession = date - ended
  return Math.abs(byWall) < Math.abs(bySession) ? byWall : bySession
}

/** Instant before which Retry-After (seconds or a date) forbids a repetition; undefined without that header. */
export function retryAfterInstant(observed: ObservedExchange): Instant | undefined {
  if (observed.caller !== 'subject' || observed.status < 400) return undefined
  const value = observed.responseHeader('retry-after')?.trim()
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : msUntilDate(Date.parse(value), observed)
  return Number.isNaN(ms) ? undefined : observed.ended + ms
}

/** Bearer token of the request. */
export const bearerToken = (observed: ObservedExchange): string | undefined =>
  /^Bearer +(\S+)$/i.exec(observed.header('authorization') ?? '')?.[1]

/**
 * Whether one exchange began after another ended. Compares sequence numbers as well, since the clock may not advance
 * between them.
 */
export const isAfter = (later: ObservedExchange, earlier: ObservedExchange): boolean =>
  later.exchange.seq > earlier.exchange.seq && later.began >= earlier.ended

/**
 * Whether the caller is ambiguous: a manifest is public, and where Sparring plays several roles these read each
 * other's.
 */
export const hasAmbiguousCaller = (
  { operation }: ObservedExchange,
  { settings }: TrackerState,
): boolean => operation === 'getManifest' && settings.roles.length > 1

/** Whether an exchange lies between two others, by sequence number. */
export const isBetween = (
  first: ObservedExchange,
  middle: ObservedExchange,
  last: ObservedExchange,
): boolean => first.exchange.seq < middle.exchange.seq && middle.exchange.seq < last.exchange.seq
