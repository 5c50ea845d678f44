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

function audience<Thing>(
  dockets: readonly Docket[],
  wordOf: (docket: Docket) => Show<unknown, Thing> | undefined,
): readonly Audience<Thing>[] {
  return dockets.flatMap((docket) => {
    const show = wordOf(docket)
    return show ? [{ show, state: docket.state, tell: docket.tell }] : []
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

export function createHearers(dockets: readonly Docket[]) {
  return {
    ofHandover: byEvent((eventType, channel) =>
      audience<SeenHandover>(dockets, ({ invariant: { sees, shown } }) =>
        sees.handovers?.(eventType, channel) === false ? undefined : shown.handover,
      ),
    ),
    ofAcknowledgment: byEvent((eventType, channel) =>
      audience<SeenAcknowledgment>(dockets, ({ invariant: { sees, shown } }) =>
        sees.acknowledgments?.(eventType, channel) === false ? undefined : shown.acknowledgment,
      ),
    ),
    probes: audience<SeenProbe>(dockets, ({ invariant }) => invariant.shown.probe),
    ofFact: (kind: SeenFact['fact']['kind']) =>
      audience<SeenFact>(dockets, ({ invariant: { sees, shown } }) =>
        sees.facts?.includes(kind) ? shown.fact : undefined,
      ),
    ofExchange: remembering((operation: OperationId | undefined): Hearers => ({
      always: audience<SeenExchange>(dockets, ({ invariant: { sees, shown } }) =>
        isAmong(operation, sees.exchanges) ? shown.exchange : undefined,
      ),
      failing: dockets.filter(
        ({ invariant: { sees } }) =>
          isAmong(operation, sees.failures) && !isAmong(operation, sees.exchanges),
      ),
    })),
  }
}
