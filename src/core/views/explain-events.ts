/**
 * Trace of each event of an order from emission to acknowledgment: faults and manual edits, handovers by channel,
 * acknowledgments.
 */
import type { Instant } from '../engine/instant.ts'
import type { AgendaItem } from '../engine/agenda/item.ts'
import type { JournalEntry } from '../engine/journal.ts'
import { acknowledgedEventIds, handedOverEvents } from '../rules/invariants/judge/carried-events.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import { projectedStatus } from '../rules/invariants/tracking/progress.ts'
import { operation as rowOf } from '../protocol/catalogue.ts'
import { speaksV1 } from '../protocol/dialects/settings.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import { v1StatusOfEvent } from '../protocol/v1/events.ts'
import {
  type OrderEvidence,
  isEventAcknowledgment,
  isFilteredOut,
  isWithin,
  mentionsId,
  isEventPoll,
  polledTypesOf,
} from './explain-gather.ts'
import type { EventChannel } from '../engine/emitted-event.ts'

/** One handover attempt of an event. */
export interface HandoverAttempt {
  readonly at: Instant
  readonly channel: EventChannel
  readonly observed: ObservedExchange
  /** It arrived intact. */
  readonly arrived: boolean
  /** A webhook answered 2xx, which acknowledges the event. */
  readonly taken: boolean
}

/** A fault that hit a handover, and the handover items that remained. */
export interface FaultedHandover {
  readonly fired: JournalEntry
  readonly faultId: number
  readonly name: string
  readonly channel: EventChannel
  readonly left: readonly AgendaItem[]
}

/** Why a host abandoned an event: refused each time, or never sent to a receiver whose manifest takes no such webhook. */
export const abandonedText = ({ fact }: JournalEntry): string =>
  fact.kind === 'event.given-up' && fact.attempts === 0
    ? 'no attempt was made, since the manifest declares no webhook for it'
    : 'no attempt was accepted'

export interface EventTrace {
  readonly eventId: string
  readonly eventType: string
  /** The order status that the event announces. */
  readonly status: OrderStatus | undefined
  readonly emitted: JournalEntry | undefined
  readonly distorted: readonly FaultedHandover[]
  /** Edits of its agenda items by the operator. */
  readonly byHand: readonly JournalEntry[]
  readonly handings: readonly HandoverAttempt[]
  readonly acknowledgments: readonly { readonly observed: ObservedExchange; readonly ok: boolean }[]
  readonly abandoned: JournalEntry | undefined
  readonly filteredOut: FilteredOut | undefined
}

/** A poll whose filter left the event out, which counted as acknowledged then. */
export interface FilteredOut {
  readonly entry: JournalEntry
  /** Undefined when it is no longer in memory. */
  readonly poll: ObservedExchange | undefined
}

/** `poll #7 asks for CONFIRMED only`. */
export const filteredOutText = ({ poll }: FilteredOut): string =>
  poll
    ? `poll #${poll.exchange.seq} asks for ${polledTypesOf(poll.exchange).join(', ')} only`
    : 'a poll does not ask for it'

/** Handovers that arrived. */
export const arrivals = ({ handings }: EventTrace): readonly HandoverAttempt[] =>
  handings.filter(({ arrived }) => arrived)

/** Webhooks that arrived and were not answered 2xx. */
export const refusals = ({ handings }: EventTrace): readonly HandoverAttempt[] =>
  handings.filter(({ channel, arrived, taken }) => channel === 'webhook' && arrived && !taken)

/** Time and exchange of the first acknowledgment. */
export function firstAcknowledgment(
  trace: EventTrace,
): { at: Instant; observed: ObservedExchange } | undefined {
  const pushed = trace.handings.find(({ taken }) => taken)?.observed
  const acked = trace.acknowledgments.find(({ ok }) => ok)?.observed
  const both = [pushed, acked].filter((each) => each !== undefined)
  const [observed] = both.toSorted((one, other) => one.ended - other.ended)
  return observed && { at: observed.ended, observed }
}

type AgendaEdit = 'agenda.held' | 'agenda.dropped' | 'agenda.delayed' | 'agenda.edited'
const editKinds: ReadonlySet<string> = new Set<AgendaEdit>([
  'agenda.held',
  'agenda.dropped',
  'agenda.delayed',
  'agenda.edited',
])

const eventIdIn = (entry: JournalEntry): string | undefined => {
  const { fact } = entry
  return 'command' in fact && typeof fact.command === 'object' && 'eventId' in fact.command
    ? fact.command.eventId
    : undefined
}

/** Handover items on a channel that one fact caused. */
function plannedFor(
  cause: number,
  channel: EventChannel,
  facts: readonly JournalEntry[],
): readonly AgendaItem[] {
  const kind = channel === 'polling' ? 'event.offer' : 'event.push'
  return facts.flatMap(({ cause: by, fact }) =>
    by === cause && fact.kind === 'agenda.planned' && fact.item.command.kind === kind
      ? [fact.item]
      : [],
  )
}

/** Channel of a handover hit by a fault: the last argument of `ev(o1,CONFIRMED,webhook)`. */
const channelOf = (on: string): EventChannel => (on.endsWith('webhook)') ? 'webhook' : 'polling')

export function eventTracesOf(gathered: OrderEvidence): readonly EventTrace[] {
  const { facts, exchanges, events, world, settings } = gathered
  const isV1 = speaksV1(settings.conduct)
  const emitted = new Map<string, JournalEntry>()
  const bySeq = new Map<number, string>()
  for (const entry of facts)
    if (entry.fact.kind === 'event.emitted' || entry.fact.kind === 'event.announced') {
      emitted.set(entry.fact.event.eventId, entry)
      bySeq.set(entry.seq, entry.fact.event.eventId)
    }
  const drafts = new Map(
    [...events].map(([eventId, eventType]) => [
      eventId,
      {
        eventId,
        eventType,
        status: isV1 ? v1StatusOfEvent(eventType) : projectedStatus(eventType),
        emitted: emitted.get(eventId),
        distorted: [] as FaultedHandover[],
        byHand: [] as JournalEntry[],
        handings: [] as HandoverAttempt[],
        acknowledgments: [] as { observed: ObservedExchange; ok: boolean }[],
        abandoned: undefined as JournalEntry | undefined,
        filteredOut: undefined as FilteredOut | undefined,
      },
    ]),
  )
  const idOf = (name: string): string => world.ordering.eventIdByAlias.get(name) ?? name

  for (const entry of facts) {
    const { fact } = entry
    if (fact.kind === 'fault.fired' && fact.on.startsWith('ev(')) {
      const draft = drafts.get(bySeq.get(entry.cause) ?? '')
      const channel = channelOf(fact.on)
      const left = plannedFor(entry.cause, channel, facts)
      draft?.distorted.push({ fired: entry, faultId: fact.id, name: fact.name, channel, left })
    }
    if (fact.kind === 'event.given-up') {
      const draft = drafts.get(fact.eventId)
      if (draft) draft.abandoned = entry
    }
    if (fact.kind === 'events.acknowledged' && isFilteredOut(entry)) {
      const poll = exchanges.find(
        (observed) => polledTypesOf(observed.exchange).length > 0 && isWithin(entry, observed),
      )
      for (const eventId of fact.eventIds) {
        const draft = drafts.get(eventId)
        if (draft) draft.filteredOut = { entry, poll }
      }
    }
    if (editKinds.has(fact.kind) && entry.by === 'operator')
      drafts.get(eventIdIn(entry) ?? '')?.byHand.push(entry)
  }

  for (const observed of exchanges) {
    const { exchange, caller: by, began, ended } = observed
    if (isEventAcknowledgment(exchange)) {
      const done = new Set(acknowledgedEventIds(observed).map(idOf))
      for (const eventId of events.keys())
        if (done.has(eventId) || mentionsId(exchange.request.body ?? '', eventId))
          drafts.get(eventId)?.acknowledgments.push({ observed, ok: done.has(eventId) })
      continue
    }
    const isPollExchange = by === 'subject' && isEventPoll(exchange)
    const isWebhook =
      by === 'sparring' && exchange.operation !== undefined && rowOf(exchange.operation).webhook
    if (!isPollExchange && !isWebhook) continue
    const arrived = handedOverEvents(observed).map(({ eventId }) => idOf(eventId))
    const channel = isPollExchange ? 'polling' : 'webhook'
    const at = isPollExchange ? ended : began
    for (const eventId of exchange.eventIds ?? arrived)
      drafts.get(eventId)?.handings.push({
        at,
        channel,
        observed,
        arrived: arrived.includes(eventId),
        taken: isWebhook !== undefined && isWebhook !== false && observed.ok,
      })
  }
  return [...drafts.values()]
}
