/**
 * Lifecycles as tables, as the protocol prints them: what a trigger does to an entity in a state. A trigger without a row
 * is refused, unless its target is reached or passed already.
 */

/** A row of a lifecycle. */
export interface Transition<Trigger extends string, To extends string, From = To> {
  readonly from: From
  readonly trigger: Trigger
  readonly to: To
}

type AnyTransition = Partial<Transition<string, string>> &
  Pick<Transition<string, string>, 'trigger' | 'to'>

export type LifecycleStep<Row> =
  | { readonly kind: 'moves'; readonly row: Row }
  /** The target is reached already: accepted without effect. */
  | { readonly kind: 'applied' }
  /** The entity is past the target. */
  | { readonly kind: 'passed' }
  | { readonly kind: 'refused' }

interface LifecycleOptions<Row extends AnyTransition, Condition> {
  /** Targets of triggers in any state; default: those of their first rows. */
  readonly targets?: Readonly<Partial<Record<Row['trigger'], Row['to']>>>
  /** States in order: a state has passed those before it. */
  readonly progression?: readonly Row['to'][]
  /** Whether a row applies; all do when absent. */
  readonly applies?: (row: Row, condition: Condition) => boolean
}

/** The transition of a trigger from this state; undefined if the table has none. */
export const transitionOf = <Row extends AnyTransition>(
  rows: readonly Row[],
  state: Row['from'],
  trigger: Row['trigger'],
): Row | undefined => rows.find((row) => row.from === state && row.trigger === trigger)

/** Why a trigger is refused, with those that the caller may use instead. */
export const noTransitionText = (possible: readonly string[]): string =>
  `the lifecycle has no such transition; ${possible.length === 0 ? 'none is possible any more' : `possible now: ${possible.join(', ')}`}`

/** The outcome of a trigger in a state, and the transitions from a state, each under a condition. */
export function lifecycle<Row extends AnyTransition, Condition = void>(
  rows: readonly Row[],
  { targets, progression = [], applies = () => true }: LifecycleOptions<Row, Condition> = {},
) {
  const rowsFrom = Map.groupBy(rows, ({ from }) => from)
  const transitionsFrom = (state: Row['from'], condition: Condition): readonly Row[] =>
    (rowsFrom.get(state) ?? []).filter((row) => applies(row, condition))
  const step = (
    state: Row['from'],
    trigger: Row['trigger'],
    condition: Condition,
  ): LifecycleStep<Row> => {
    const row = rowsFrom
      .get(state)
      ?.find((each) => each.trigger === trigger && applies(each, condition))
    if (row) return { kind: 'moves', row }
    const target = targets ? targets[trigger] : rows.find((each) => each.trigger === trigger)?.to
    if (target === undefined) return { kind: 'refused' }
    if (target === state) return { kind: 'applied' }
    const position = progression.indexOf(target)
    const isPast = position >= 0 && position < progression.findIndex((each) => each === state)
    return isPast && rows.some((each) => each.trigger === trigger && applies(each, condition))
      ? { kind: 'passed' }
      : { kind: 'refused' }
  }
  return { step, transitionsFrom }
}
