/** The row of a fact: its text, the order it concerns, and what it changes in the world. */
import type { WithKind } from './command-row.ts'
import type { Instant } from './instant.ts'
import type { World } from './world.ts'

export interface FactRow<Fields> {
  /** One line, for journal rows and log lines. */
  text(fact: Fields, world: World): string
  /** Order id; when absent, that of the field `orderId`. Undefined for none or several. */
  orderId?(fact: Fields, world: World): string | undefined
  /** Changes the world in place, in O(1); absent when the world does not hold what the fact says. */
  apply?(world: World, fact: Fields, at: Instant): void
}

export const factRow = <Fields extends object>(row: FactRow<Fields>): FactRow<Fields> => row

/** The facts of a table of rows. */
export type FactIn<Rows> = {
  readonly [Kind in keyof Rows]: Rows[Kind] extends FactRow<infer Fields>
    ? WithKind<Kind, Fields>
    : never
}[keyof Rows]
