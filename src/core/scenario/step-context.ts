/** Context that step handlers run in. */
import type { Configuration } from '../session-api/configuration/schema.ts'
import type { SubjectAsking } from './ask-subject.ts'
import type { Hosts } from './hosts.ts'
import type { SettleLimit } from './recovery.ts'
import type { StepActions } from './step-actions.ts'
import type { ScenarioOrder } from './shared-shapes.ts'
import type { ScenarioClock } from './scenario-clock.ts'
import type { ScenarioObserver } from './observer.ts'
import type { Session } from '../session-api/session.ts'

export interface StepContext {
  /** The orders of the scenario, by slot. */
  readonly orders: Readonly<Record<string, ScenarioOrder>>
  readonly session: Session
  readonly observer: ScenarioObserver
  readonly clock: ScenarioClock
  readonly actions: StepActions
  /** Calls of our counterparts, and what the hosts of accounts, deliveries and customers say. */
  readonly hosts: Hosts
  /** Timeout of a wait that names none, in ms: `tolerances.converge`. */
  readonly waitMs: number
  /** A run that is cut short: its waits end once nothing is pending and the silence has lasted this long. */
  readonly settle?: SettleLimit | undefined
  /** Queries the subject for its own status of an order; undefined when it cannot be queried. */
  readonly view?: ((orderId: string) => Promise<string | undefined>) | undefined
  /** Paths of the subject for an `ask` without one. */
  readonly asks: Configuration['subject']['asks']
  readonly requestSubject: SubjectAsking['requestSubject']
  readonly restartSubject?: (() => Promise<void>) | undefined
}

export const orderIdOfSlot = (
  order: string | undefined,
  { actions: hand }: StepContext,
): string | undefined => (order === undefined ? undefined : hand.order(order))

export const asList = <Value>(value: Value | readonly Value[]): readonly Value[] =>
  Array.isArray(value) ? value : [value as Value]

/** The id of one order, or of all orders there are. */
export function orderIdsOf(
  order: string | undefined,
  { observer, actions: hand }: StepContext,
): readonly string[] {
  observer.read()
  return order === undefined ? [...observer.orders.slots.values()] : [hand.order(order)]
}
