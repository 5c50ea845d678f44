/** What the rules about effects share: which orders and counts they judge, and what they say. */
import type { InvariantReporter } from '../invariant.ts'
import type {
  EffectCount,
  ObservedEffects,
  TrackedOrder,
  TrackerState,
} from '../tracking/tracker-state.ts'
import { atTimeOfDay, orderName } from '../tracking/wording.ts'

/** The order that was asked about, unless it is of another service's merchant. */
export function ownOrderOf(
  { orderId }: ObservedEffects,
  { orders }: TrackerState,
): TrackedOrder | undefined {
  const order = orders.get(orderId)
  return order?.isForeign ? undefined : order
}

/** `o1 has tickets: 2 (asked at 15:00:12.000)`. */
export const effectText = (
  { kind, count }: EffectCount,
  { orderId, at }: ObservedEffects,
  tracker: TrackerState,
): string => `${orderName(tracker, orderId)} has ${kind}: ${count} (counted ${atTimeOfDay(at)})`

/** Reasons that are said at most. */
const maxReasons = 5

/** Effects that cannot be counted leave the rules inconclusive: once for each reason. */
export function reportUncounted({ uncounted }: TrackerState, report: InvariantReporter): void {
  if (uncounted.size === 0) return
  for (const each of [...new Set(uncounted.values())].slice(0, maxReasons)) report.unjudged(each)
}
