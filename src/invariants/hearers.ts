/**
 * Who wants to see what. It is found out once, for each operation and kind of fact: nine of ten invariants have nothing to
 * do with any one thing, and there are many things.
 */
import type { OperationId } from '../protocol/catalogue.ts'
import type { Docket } from './docket.ts'
import type { Sees, Show, Tell } from './invariant.ts'
import type { SeenAcknowledgment, SeenFact, SeenHandover, SeenProbe, SeenExchange } from './seen.ts'

/** An invariant's word for what is seen, with all that it needs at hand. */
export interface Audience<Thing> {
  readonly show: Show<unknown, Thing>
  readonly state: unknown
  readonly tell: Tell
}

export interface Hearers {
  /** Of every exchange. */
  readonly always: readonly Audience<SeenExchange>[]
  /** Of those that went wrong, and of others as long as they mind them. */
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

/** What was found out once is at hand. */
function remembering<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new Map<Key, Value>()
  return (key) => {
    const known = found.get(key)
    if (known !== undefined) return known
    const value = find(key)
    found.set(key, value)
    return value
  }
}

export function createHearers(dockets: readonly Docket[]) {
  return {
    handovers: audience<SeenHandover>(dockets, ({ invariant }) => invariant.shown.handover),
    acknowledgments: audience<SeenAcknowledgment>(
      dockets,
      ({ invariant }) => invariant.shown.acknowledgment,
    ),
    probes: audience<SeenProbe>(dockets, ({ invariant }) => invariant.shown.probe),
    ofFact: remembering((kind: SeenFact['fact']['kind']) =>
      audience<SeenFact>(dockets, ({ invariant: { sees, shown } }) =>
        sees.facts?.includes(kind) ? shown.fact : undefined,
      ),
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
