/**
 * What a call of the subject is about, and how the answer that it saw is to be understood. A rule about patience judges
 * by this alone: what the subject was told, never what happened behind it.
 */
import type { Instant } from '../../engine/instant.ts'
import type { SeenExchange } from '../judge/observations.ts'
import { fieldOf, textOf } from '../tracking/subject-order.ts'
import { isAcknowledgment, isPoll } from './polling.ts'
import type { OrderWatch, Watch } from '../tracking/tracker-state.ts'

/** Calls that name their order in the body: an answer that never came to it says nothing of it. */
const namedInBody: ReadonlySet<string> = new Set(['createDelivery', 'checkDeliveryAvailability'])

/** The order that a call is about, whatever came of it. */
export function orderOf(seen: SeenExchange): string | undefined {
  const { operation, orderId } = seen
  if (orderId !== undefined || operation === undefined || !namedInBody.has(operation))
    return orderId
  return textOf(seen.asked(), 'orderId')
}

/** The same order as it is known. */
export function orderNamed(seen: SeenExchange, { orders }: Watch): OrderWatch | undefined {
  if (seen.orderId !== undefined) return seen.order
  const orderId = orderOf(seen)
  return orderId === undefined ? undefined : orders.get(orderId)
}

/** A body in few letters: keys are kept. */
function brief(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return `${text.length} ${sum}`
}

/**
 * What tells calls apart whose path names nothing: a customer, a payment, an account by its table. Polls and
 * acknowledgments are one loop, whatever they say.
 */
function saidIn(seen: SeenExchange): string {
  if (isPoll(seen) || isAcknowledgment(seen)) return ''
  const { url, body } = seen.exchange.request
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  return body === undefined ? query : `${query} ${brief(body)}`
}

/** Two calls with the same key are two tries of one thing; undefined when no operation is known. */
export function callKey(seen: SeenExchange): string | undefined {
  const { operation, exchange } = seen
  if (operation === undefined) return undefined
  if (operation === 'issueToken') return `${operation} ${exchange.to.role} ${exchange.request.body}`
  const params = exchange.params
  const rest = params ? Object.values(params).join('/') : ''
  return `${operation} ${exchange.to.role} ${rest || (orderOf(seen) ?? saidIn(seen))}`
}

/**
 * `done`: it worked. `refused`: another try would change nothing. `unauthorized`: its token was not taken. `again`: the
 * other side asks to try again. `silent`: no answer, or half of one.
 */
export type Told = 'done' | 'refused' | 'unauthorized' | 'again' | 'silent'

const passing: ReadonlySet<number> = new Set([408, 425, 429])

/** What an error says of itself (TRN-ERB-01); undefined when it does not say. */
function retryable(seen: SeenExchange): boolean | undefined {
  const body = seen.answered()
  const said = fieldOf(body, 'error', 'retryable') ?? fieldOf(body, 'retryable')
  return typeof said === 'boolean' ? said : undefined
}

export function told(seen: SeenExchange): Told {
  const { status, exchange, operation } = seen
  if (seen.ok) return 'done'
  if (status === 0 || exchange.failure) return 'silent'
  if (status === 401 && operation !== 'issueToken') return 'unauthorized'
  if (passing.has(status)) return 'again'
  if (status < 400) return 'refused'
  return (retryable(seen) ?? status >= 500) ? 'again' : 'refused'
}

/** Whether it failed in a way that another try may mend. */
export const mayBeTriedAgain = (answer: Told): boolean => answer === 'again' || answer === 'silent'

/** How long a date is off, by the session's time or by the wall's: a host writes it by the clock that its client has. */
export function untilDate(date: number, { ended, exchange }: SeenExchange): number {
  const byWall = date - (exchange.startedAt + exchange.tookMs)
  const bySession = date - ended
  return Math.abs(byWall) < Math.abs(bySession) ? byWall : bySession
}

/** When the same may be asked again, by the answer's Retry-After in seconds or as a date; undefined when it does not say. */
export function retryAfter(seen: SeenExchange): Instant | undefined {
  if (seen.by !== 'subject' || seen.status < 400) return undefined
  const value = seen.answerHeader('retry-after')?.trim()
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : untilDate(Date.parse(value), seen)
  return Number.isNaN(ms) ? undefined : seen.ended + ms
}

/** The token that a request came with. */
export const bearer = (seen: SeenExchange): string | undefined =>
  /^Bearer +(\S+)$/i.exec(seen.header('authorization') ?? '')?.[1]

/** Whether one exchange began when another was over: instants alone do not tell on a clock that stands still between them. */
export const isAfter = (later: SeenExchange, earlier: SeenExchange): boolean =>
  later.exchange.seq > earlier.exchange.seq && later.began >= earlier.ended

/** A manifest is open to everybody: where we play several roles, which read each other's, nobody can tell whose call it was. */
export const isAnybodys = ({ operation }: SeenExchange, { settings }: Watch): boolean =>
  operation === 'getManifest' && settings.roles.length > 1

/** Whether an exchange began after one and before another, by their numbers. */
export const isBetween = (first: SeenExchange, middle: SeenExchange, last: SeenExchange): boolean =>
  first.exchange.seq < middle.exchange.seq && middle.exchange.seq < last.exchange.seq
