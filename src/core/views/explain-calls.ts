/**
 * Calls and status reads of the other side on an order, and the effect of each accepted call: done, lapsed, pending.
 */
import type { Instant } from '../engine/instant.ts'
import type { JournalEntry } from '../engine/journal.ts'
import { type TicketRequest, ticketRequestOf } from '../engine/orders/tickets.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'
import {
  type OrderEvidence,
  isEventAcknowledgment,
  isOperation,
  isEventPoll,
} from './explain-gather.ts'

export interface StatusRead {
  readonly observed: ObservedExchange
  /** Undefined when it failed. */
  readonly status: OrderStatus | undefined
}

/** Effect of a call, with the fact that shows it. */
export type CallEffect =
  | { readonly kind: 'done' | 'lapsed'; readonly entry: JournalEntry }
  | { readonly kind: 'pending'; readonly due: Instant; readonly held: boolean }
  /** Accepted without a change: the order was in that status already. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'none' }

export interface RequestedCall {
  readonly observed: ObservedExchange
  readonly to: Role
  readonly asked: TicketRequest | undefined
  /** Display name: `confirm`, `createDelivery`. */
  readonly name: string
  /** The fact of its acceptance by the host, whatever the answer on the wire. */
  readonly accepted: JournalEntry | undefined
  readonly effect: CallEffect | undefined
}

const isRead = ({ exchange }: ObservedExchange): boolean => isOperation(exchange, 'getOrder')

export const statusReadsOf = ({ exchanges, orderId }: OrderEvidence): readonly StatusRead[] =>
  exchanges
    .filter(
      (observed) =>
        observed.caller === 'subject' && isRead(observed) && observed.orderId === orderId,
    )
    .map((observed) => ({ observed, status: observed.orderStatus }))

/** Whether a fact is the host's acceptance of the requested change. */
function isAcceptance({ fact }: JournalEntry, asked: TicketRequest): boolean {
  if (asked === 'cancel') return fact.kind === 'cancellation.requested'
  if (asked === 'cancel-item') return fact.kind === 'item.cancel-requested'
  return fact.kind === 'order.requested' && fact.trigger === asked
}

/**
 * Whether the host may have accepted a call: it answered so, or a fault or a broken connection hides the answer. If it
 * refused, an acceptance at the same instant belongs to another call, such as the retry with a new token.
 */
function mayBeTaken(
  { exchange, ok, isFaulted: faulted, began, ended }: ObservedExchange,
  { facts }: OrderEvidence,
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

/** Whether a fact ends an accepted request. */
function endKind({ fact }: JournalEntry, asked: TicketRequest): 'done' | 'lapsed' | undefined {
  if (fact.kind === 'order.lapsed' && fact.trigger === asked) return 'lapsed'
  if (asked === 'cancel') return fact.kind === 'cancellation.answered' ? 'done' : undefined
  if (asked === 'cancel-item') return fact.kind === 'item.cancelled' ? 'done' : undefined
  return fact.kind === 'order.moved' && fact.trigger === asked ? 'done' : undefined
}

/** Its effect if still on the agenda. */
function pendingEffect(
  asked: TicketRequest,
  { orderId, world }: OrderEvidence,
): CallEffect | undefined {
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

/** What a call is named in the text: its trigger, or its operation. */
function callName({ exchange }: ObservedExchange, asked: TicketRequest | undefined): string {
  const { operation, request } = exchange
  // V1 has this call beside `delivered`, with the same effect.
  if (operation === 'setOrderPickedUpV1') return 'pickedUp'
  if (asked === 'cancel') return 'requestCancellation'
  return asked ?? operation?.replace(/V1$/, '') ?? request.method
}

/** Calls of the other side on the order, oldest first. Each fact is assigned to at most one call. */
export function requestedCallsOf(gathered: OrderEvidence): readonly RequestedCall[] {
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
    observed: ObservedExchange,
  ): CallEffect | undefined {
    // The effect inside the subject is unknown.
    if (!accepted) return observed.ok && record ? { kind: 'repeated' } : undefined
    const end = take((entry) => entry.seq > accepted.seq && endKind(entry, asked) !== undefined)
    if (end) return { kind: endKind(end, asked) ?? 'done', entry: end }
    return pendingEffect(asked, gathered) ?? { kind: 'none' }
  }

  return exchanges.flatMap((observed) => {
    const { exchange, caller: by, began, ended } = observed
    if (by !== 'subject' || observed.orderId !== orderId || isRead(observed)) return []
    if (isEventPoll(exchange) || isEventAcknowledgment(exchange)) return []
    const asked = exchange.operation && ticketRequestOf(exchange.operation)
    const accepted =
      asked &&
      (mayBeTaken(observed, gathered)
        ? take((entry) => entry.at >= began && entry.at <= ended && isAcceptance(entry, asked))
        : undefined)
    const effect = asked && effectOf(asked, accepted, observed)
    const name = callName(observed, asked)
    return [{ observed, to: exchange.to.role, asked, name, accepted, effect }]
  })
}
