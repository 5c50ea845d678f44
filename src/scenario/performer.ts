/** What every step of a scenario is done with, and how one that cannot be done says so. */
import type { Hand } from './step-actions.ts'
import type { Scenario } from './schema.ts'
import type { GivenOf, Word } from './steps.ts'
import type { Time } from './time.ts'
import type { Witness } from './observer.ts'
import type { Session } from '../session-api/session.ts'

/** Something that the subject itself is asked for. */
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
  /** What the subject itself says of an order; undefined where nobody may look. */
  readonly view: ((orderId: string) => Promise<string | undefined>) | undefined
  readonly visit: ((visit: Visit) => Promise<number>) | undefined
  readonly restartSubject: (() => Promise<void>) | undefined
}

/** How a word is done. */
export type Do<Each extends Word> = (given: GivenOf<Each>, performer: Performer) => Promise<void>

export const orderOf = (order: string | undefined, { hand }: Performer): string | undefined =>
  order === undefined ? undefined : hand.order(order)

export const listOf = <Value>(value: Value | readonly Value[]): readonly Value[] =>
  Array.isArray(value) ? value : [value as Value]

/** The id of one order, or of all orders there are. */
export function ordersMeant(
  order: string | undefined,
  { witness, hand }: Performer,
): readonly string[] {
  witness.read()
  return order === undefined ? [...witness.orders.slots.values()] : [hand.order(order)]
}
