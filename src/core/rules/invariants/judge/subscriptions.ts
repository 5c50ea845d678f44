/** The rules that handle an observation, memoised by operation and kind of fact: nine of ten do not handle a particular one. */
import type { Fact } from '../../../engine/fact.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Invariant, InvariantHandler, InvariantReporter } from '../invariant.ts'
import type { InvariantState } from './invariant-state.ts'

/** A handler of an invariant with its state and reporter. */
export interface Subscriber<Thing> {
  readonly handle: InvariantHandler<unknown, Thing>
  readonly state: unknown
  readonly report: InvariantReporter
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

const handlesCalls = ({ calls }: Invariant, operation: OperationId | undefined): boolean =>
  calls === 'all' || (operation !== undefined && calls?.includes(operation) === true)

export function createSubscriptions(invariantStates: readonly InvariantState[]) {
  const subscribersOf = <Thing>(
    handlerOf: (invariant: Invariant) => InvariantHandler<unknown, Thing> | undefined,
  ): readonly Subscriber<Thing>[] =>
    invariantStates.flatMap(({ invariant, state, report }) => {
      const handle = handlerOf(invariant)
      return handle ? [{ handle, state, report }] : []
    })

  return {
    ofCall: memoizeByKey((operation: OperationId | undefined) =>
      subscribersOf((invariant) =>
        handlesCalls(invariant, operation) ? invariant.call : undefined,
      ),
    ),
    webhooks: subscribersOf(({ webhook }) => webhook),
    handovers: subscribersOf(({ handover }) => handover),
    acknowledgments: subscribersOf(({ acknowledgment }) => acknowledgment),
    probes: subscribersOf(({ probe }) => probe),
    ofFact: (kind: Fact['kind']) =>
      subscribersOf(({ facts }) => facts?.[kind] as InvariantHandler<unknown, Fact> | undefined),
  }
}
