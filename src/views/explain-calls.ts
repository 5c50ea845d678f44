/**
 * What the other side read of an order and asked for, and what became of each call that was accepted: its effect and
 * when, that it lapsed, or that it is still to come.
 */
import type { Instant } from '../engine/instant.ts'
import type { JournalEntry } from '../engine/journal.ts'
import { type TicketRequest, ticketRequestOf } from '../engine/orders/tickets.ts'
import type { ObservedExchange } from '../invariants/judge/observations.ts'
import { OrderStatus } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'
import { type Gathered, isAcknowledgment, isOf, isPoll } from './explain-gather.ts'

export interface Read {
  readonly seen: ObservedExchange
  /** Undefined when it failed. */
  readonly status: OrderStatus | undefined
}

/** What came of a call: nothing yet, or what the fact says. */
export type Effect =
  | { readonly kind: 'done' | 'lapsed'; readonly entry: JournalEntry }
  | { readonly kind: 'pending'; readonly due: Instant; readonly held: boolean }
  /** It was accepted, and nothing was left to be done: it had been so already. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'none' }

export interface AskedCall {
  readonly seen: ObservedExchange
  readonly to: Role
  readonly asked: TicketRequest | undefined
  /** What it is called in a sentence: `confirm`, `createDelivery`. */
  readonly name: string
  /** The host took it, whatever its answer looked like on the wire. */
  readonly accepted: JournalEntry | undefined
  readonly effect: Effect | undefined
}

const isRead = ({ exchange }: ObservedExchange): boolean => isOf(exchange, 'getOrder')

function statusIn(answer: unknown): OrderStatus | undefined {
  const status =
    typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined
  const parsed = OrderStatus.safeParse(status)
  return parsed.success ? parsed.data : undefined
}

export const readsOf = ({ exchanges, orderId }: Gathered): readonly Read[] =>
  exchanges
    .filter((seen) => seen.caller === 'subject' && isRead(seen) && seen.orderId === orderId)
    .map((seen) => ({ seen, status: seen.ok ? statusIn(seen.responseJson()) : undefined }))

/** The fact with which the host takes a call, by what was asked for. */
function takes({ fact }: JournalEntry, asked: TicketRequest): boolean {
  if (asked === 'cancel') return fact.kind === 'cancellation.requested'
  if (asked === 'cancel-item') return fact.kind === 'item.cancel-requested'
  return fact.kind === 'order.requested' && fact.trigger === asked
}

/**
 * Whether the host can have taken a call: it answered so, or a fault or a broken line hides what it answered. Where it
 * said no itself, what is accepted at the same instant is another call's, such as the next one with a better token.
 */
function mayBeTaken(
  { exchange, ok, isFaulted: faulted, began, ended }: ObservedExchange,
  { facts }: Gathered,
) {
  if (!faulted) return ok || exchange.reply === undefined || exchange.failure !== undefined
  return !facts.some(
    ({ at, fact }) =>
      fact.kind === 'fault.fired' &&
      fact.distortion?.effect === false &&
      at >= began &&
      at <= ended &&
      exchange.fault === `${fact.name} on ${fact.on}`,
  )
}

/** The fact that is the end of what was accepted. */
function ends({ fact }: JournalEntry, asked: TicketRequest): 'done' | 'lapsed' | undefined {
  if (fact.kind === 'order.lapsed' && fact.trigger === asked) return 'lapsed'
  if (asked === 'cancel') return fact.kind === 'cancellation.answered' ? 'done' : undefined
  if (asked === 'cancel-item') return fact.kind === 'item.cancelled' ? 'done' : undefined
  return fact.kind === 'order.moved' && fact.trigger === asked ? 'done' : undefined
}

/** What is still on the agenda of it. */
function pending(asked: TicketRequest, { orderId, world }: Gathered): Effect | undefined {
  for (const { command, due, held } of world.agenda.byId.values())
    if (
      (command.kind === 'order.apply' &&
        command.orderId === orderId &&
        command.trigger === asked) ||
      (command.kind === 'cancellation.answer' &&
        command.orderId === orderId &&
        asked === 'cancel') ||
      (command.kind === 'item.cancel' && command.orderId === orderId && asked === 'cancel-item')
    )
      return { kind: 'pending', due, held }
  return undefined
}

/** Calls that the other side made about the order, the oldest first. Each fact is the end of one call at most. */
export function callsOf(gathered: Gathered): readonly AskedCall[] {
  const { facts, exchanges, orderId, record } = gathered
  const used = new Set<JournalEntry>()
  const take = (wanted: (entry: JournalEntry) => boolean): JournalEntry | undefined => {
    const found = facts.find((entry) => !used.has(entry) && wanted(entry))
    if (found) used.add(found)
    return found
  }

  function effectOf(
    asked: TicketRequest,
    accepted: JournalEntry | undefined,
    seen: ObservedExchange,
  ): Effect | undefined {
    // What the user's service makes of a call is not known here.
    if (!accepted) return seen.ok && record ? { kind: 'repeated' } : undefined
    const end = take((entry) => entry.seq > accepted.seq && ends(entry, asked) !== undefined)
    if (end) return { kind: ends(end, asked) ?? 'done', entry: end }
    return pending(asked, gathered) ?? { kind: 'none' }
  }

  return exchanges.flatMap((seen) => {
    const { exchange, caller: by, began, ended } = seen
    if (by !== 'subject' || seen.orderId !== orderId || isRead(seen)) return []
    if (isPoll(exchange) || isAcknowledgment(exchange)) return []
    const asked = exchange.operation && ticketRequestOf(exchange.operation)
    const accepted =
      asked &&
      (mayBeTaken(seen, gathered)
        ? take((entry) => entry.at >= began && entry.at <= ended && takes(entry, asked))
        : undefined)
    const effect = asked && effectOf(asked, accepted, seen)
    const name = asked ?? exchange.operation ?? exchange.request.method
    return [{ seen, to: exchange.to.role, asked, name, accepted, effect }]
  })
}
