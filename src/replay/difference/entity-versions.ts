/**
 * Entity versions: the number of changes and handed-over events so far. A read is matched with the recorded read at the
 * same version; matching by URL alone would answer a read after a change with the state before it.
 */
import { operation } from '../../core/protocol/catalogue.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { isAcknowledgmentCall, isPollCall } from '../../core/traffic/polling.ts'

export interface EntityVersion {
  /** Calls that changed it. */
  readonly changes: number
  /** Events about it that were handed over. */
  readonly handovers: number
}

export type EntityVersions = ReturnType<typeof createEntityVersions>

/** Acknowledgments and token requests change no entity. */
const changesNothing = (exchange: Exchange): boolean =>
  exchange.operation === 'issueToken' || isAcknowledgmentCall(exchange)

export const isSafeMethod = ({ request }: Exchange): boolean =>
  request.method === 'GET' || request.method === 'HEAD'

const wasRefused = ({ reply }: Exchange): boolean => !reply || reply.status >= 400

/** A call that changed state: accepted, and not a read. */
export const isStateChange = (exchange: Exchange): boolean =>
  !isSafeMethod(exchange) && !wasRefused(exchange) && !changesNothing(exchange)

/** Whether it hands events over: a poll with events, or a webhook. */
export const handsOverEvents = ({ operation: id, eventIds }: Exchange): boolean =>
  id !== undefined &&
  (isPollCall({ operation: id }) ? (eventIds?.length ?? 0) > 0 : Boolean(operation(id).webhook))

export type EntityKeysOf = (exchange: Exchange) => readonly string[]

/** An event and its entities. */
export interface HandoverEvent {
  readonly id?: string
  readonly about: readonly string[]
}
export type HandoverEventsOf = (exchange: Exchange) => readonly HandoverEvent[]

/** Fallback: all events of an exchange concern all of its entities. */
export const defaultHandoverEvents =
  (entities: EntityKeysOf): HandoverEventsOf =>
  (exchange) =>
    (exchange.eventIds ?? []).map((id) => ({ id, about: entities(exchange) }))

/** Entity key of calls without an entity: lists and searches. */
const capabilityOf = ({ operation: id }: Exchange): string =>
  id === undefined ? 'unknown' : operation(id).capability

export function createEntityVersions(
  entities: EntityKeysOf,
  newsIn = defaultHandoverEvents(entities),
) {
  const changes = new Map<string, number>()
  const handoverCounts = new Map<string, number>()
  /** Repeated handovers do not count. */
  const knownEvents = new Set<string>()
  const increment = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return {
    /** Version of the main entity before the exchange. */
    before(exchange: Exchange): EntityVersion {
      const [key = capabilityOf(exchange)] = entities(exchange)
      return { changes: changes.get(key) ?? 0, handovers: handoverCounts.get(key) ?? 0 }
    },
    /** Advances the versions after an exchange or the handover of an event. */
    record(exchange: Exchange) {
      if (handsOverEvents(exchange)) return recordHandovers(exchange)
      if (!isStateChange(exchange)) return
      for (const key of new Set(entities(exchange))) increment(changes, key)
      increment(changes, capabilityOf(exchange))
    },
  }

  function recordHandovers(exchange: Exchange): void {
    for (const { id, about } of newsIn(exchange)) {
      if (id !== undefined && knownEvents.has(id)) continue
      if (id !== undefined) knownEvents.add(id)
      for (const key of new Set(about)) increment(handoverCounts, key)
      increment(handoverCounts, capabilityOf(exchange))
    }
  }
}
