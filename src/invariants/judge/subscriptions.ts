/**
 * Subscribers by operation, kind of fact and event type, memoised: nine of ten invariants do not handle a given
 * observation.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import { isOrderEventType } from '../../protocol/orders/events.ts'
import type { InvariantState } from './invariant-state.ts'
import type { InvariantSubscriptions, InvariantHandler, InvariantReporter } from '../invariant.ts'
import type {
  ObservedAcknowledgment,
  ObservedFact,
  ObservedHandover,
  ObservedProbe,
  ObservedExchange,
} from './observations.ts'
import type { EventChannel } from '../../engine/emitted-event.ts'

/** A handler of an invariant with its state and reporter. */
export interface Subscriber<Thing> {
  readonly handle: InvariantHandler<unknown, Thing>
  readonly state: unknown
  readonly report: InvariantReporter
}

export interface ExchangeSubscribers {
  /** Subscribers of every exchange. */
  readonly always: readonly Subscriber<ObservedExchange>[]
  /** Subscribers of failures, and of successes while they need them. */
  readonly failing: readonly InvariantState[]
}

const isAmong = (
  operation: OperationId | undefined,
  wanted: InvariantSubscriptions['exchanges'],
): boolean => wanted === 'all' || (operation !== undefined && wanted?.includes(operation) === true)

function subscribers<Thing>(
  invariantStates: readonly InvariantState[],
  handlerOf: (invariantState: InvariantState) => InvariantHandler<unknown, Thing> | undefined,
): readonly Subscriber<Thing>[] {
  return invariantStates.flatMap((invariantState) => {
    const handle = handlerOf(invariantState)
    return handle ? [{ handle, state: invariantState.state, report: invariantState.report }] : []
  })
}

/** Memoises a function by its key. */
export function memoizeByKey<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new Map<Key, Value>()
  return (key) => {
    const known = found.get(key)
    if (known !== undefined) return known
    const value = find(key)
    found.set(key, value)
    return value
  }
}

/** Memoises by known event types only: the number of invented ones is unbounded. */
function byEvent<Value>(
  find: (eventType: string | undefined, channel: EventChannel) => Value,
): (eventType: string | undefined, channel: EventChannel) => Value {
  const known = {
    polling: new Map<string | undefined, Value>(),
    webhook: new Map<string | undefined, Value>(),
  }
  return (eventType, channel) => {
    const before = known[channel].get(eventType)
    if (before !== undefined) return before
    const found = find(eventType, channel)
    if (eventType === undefined || isOrderEventType(eventType)) known[channel].set(eventType, found)
    return found
  }
}

export function createSubscriptions(invariantStates: readonly InvariantState[]) {
  return {
    ofHandover: byEvent((eventType, channel) =>
      subscribers<ObservedHandover>(
        invariantStates,
        ({ invariant: { subscriptions, handlers } }) =>
          subscriptions.handovers?.(eventType, channel) === false ? undefined : handlers.handover,
      ),
    ),
    ofAcknowledgment: byEvent((eventType, channel) =>
      subscribers<ObservedAcknowledgment>(
        invariantStates,
        ({ invariant: { subscriptions, handlers } }) =>
          subscriptions.acknowledgments?.(eventType, channel) === false
            ? undefined
            : handlers.acknowledgment,
      ),
    ),
    probes: subscribers<ObservedProbe>(
      invariantStates,
      ({ invariant }) => invariant.handlers.probe,
    ),
    ofFact: (kind: ObservedFact['fact']['kind']) =>
      subscribers<ObservedFact>(invariantStates, ({ invariant: { subscriptions, handlers } }) =>
        subscriptions.facts?.includes(kind) ? handlers.fact : undefined,
      ),
    ofExchange: memoizeByKey((operation: OperationId | undefined): ExchangeSubscribers => ({
      always: subscribers<ObservedExchange>(
        invariantStates,
        ({ invariant: { subscriptions, handlers } }) =>
          isAmong(operation, subscriptions.exchanges) ? handlers.exchange : undefined,
      ),
      failing: invariantStates.filter(
        ({ invariant: { subscriptions } }) =>
          isAmong(operation, subscriptions.failures) &&
          !isAmong(operation, subscriptions.exchanges),
      ),
    })),
  }
}
