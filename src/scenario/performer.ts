/** Context that step handlers run in. */
import type { Hand } from './step-actions.ts'
import type { Scenario } from './schema.ts'
import type { GivenOf, Word } from './steps.ts'
import type { Time } from './time.ts'
import type { Witness } from './observer.ts'
import type { Session } from '../session-api/session.ts'

/** An HTTP request to the subject's own API (the `ask` step). */
export interface Visit {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: unknown
}

export interface Performer {
  readonly scenario: Scenario
  readonly session: Session
  readonly witness: Witness
  readonly time: Time
  readonly hand: Hand
  /** Queries the subject for its own status of an order; undefined when it cannot be queried. */
  readonly view: ((orderId: string) => Promise<string | undefined>) | undefined
  readonly visit: ((visit: Visit) => Promise<number>) | undefined
  readonly restartSubject: (() => Promise<void>) | undefined
}

/** Handler of one kind of step. */
export type Do<Each extends Word> = (given: GivenOf<Each>, performer: Performer) => Promise<void>

export const orderOf = (order: string | undefined, { hand }: Performer): string | undefined =>
  order === undefined ? undefined : hand.order(order)

export const listOf = <Value>(value: Value | readonly Value[]): readonly Value[] =>
  Array.isArray(value) ? value : [value as Value]

/** The id of one order, or of all orders there are. */
export function ordersMeant(
  order: string | undefined,
  { witness: observer, hand }: Performer,
): readonly string[] {
  observer.read()
  return order === undefined ? [...observer.orders.slots.values()] : [hand.order(order)]
}
