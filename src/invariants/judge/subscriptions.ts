/**
 * Subscribers by operation, kind of fact and event type, memoised: nine of ten invariants do not handle a given
 * observation.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import { isOrderEventType } from '../../protocol/orders/events.ts'
import type { Docket } from './rule-state.ts'
import type { Sees, Show, Tell } from '../invariant.ts'
import type {
  SeenAcknowledgment,
  SeenFact,
  SeenHandover,
  SeenProbe,
  SeenExchange,
} from './observations.ts'
import type { Channel } from '../../engine/emitted-event.ts'

/** A handler of an invariant with its state and reporter. */
export interface Audience<Thing> {
  readonly show: Show<unknown, Thing>
  readonly state: unknown
  readonly tell: Tell
}

export interface Hearers {
  /** Subscribers of every exchange. */
  readonly always: readonly Audience<SeenExchange>[]
  /** Subscribers of failures, and of successes while they need them. */
  readonly failing: readonly Docket[]
}

const isAmong = (operation: OperationId | undefined, wanted: Sees['exchanges']): boolean =>
  wanted === 'all' || (operation !== undefined && wanted?.includes(operation) === true)

function subscribers<Thing>(
  invariantStates: readonly Docket[],
  handlerOf: (invariantState: Docket) => Show<unknown, Thing> | undefined,
): readonly Audience<Thing>[] {
  return invariantStates.flatMap((invariantState) => {
    const show = handlerOf(invariantState)
    return show ? [{ show, state: invariantState.state, tell: invariantState.tell }] : []
  })
}

/** Memoises a function by its key. */
export function remembering<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
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
  find: (eventType: string | undefined, channel: Channel) => Value,
): (eventType: string | undefined, channel: Channel) => Value {
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

export function createHearers(invariantStates: readonly Docket[]) {
  return {
    ofHandover: byEvent((eventType, channel) =>
      subscribers<SeenHandover>(
        invariantStates,
        ({ invariant: { sees: subscriptions, shown: handlers } }) =>
          subscriptions.handovers?.(eventType, channel) === false ? undefined : handlers.handover,
      ),
    ),
    ofAcknowledgment: byEvent((eventType, channel) =>
      subscribers<SeenAcknowledgment>(
        invariantStates,
        ({ invariant: { sees: subscriptions, shown: handlers } }) =>
          subscriptions.acknowledgments?.(eventType, channel) === false
            ? undefined
            : handlers.acknowledgment,
      ),
    ),
    probes: subscribers<SeenProbe>(invariantStates, ({ invariant }) => invariant.shown.probe),
    ofFact: (kind: SeenFact['fact']['kind']) =>
      subscribers<SeenFact>(
        invariantStates,
        ({ invariant: { sees: subscriptions, shown: handlers } }) =>
          subscriptions.facts?.includes(kind) ? handlers.fact : undefined,
      ),
    ofExchange: remembering((operation: OperationId | undefined): Hearers => ({
      always: subscribers<SeenExchange>(
        invariantStates,
        ({ invariant: { sees: subscriptions, shown: handlers } }) =>
          isAmong(operation, subscriptions.exchanges) ? handlers.exchange : undefined,
      ),
      failing: invariantStates.filter(
        ({ invariant: { sees: subscriptions } }) =>
          isAmong(operation, subscriptions.failures) &&
          !isAmong(operation, subscriptions.exchanges),
      ),
    })),
  }
}
