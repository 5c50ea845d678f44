/**
 * Infers the causes of each exchange of a recording; recorded causes stay. One pass over starts and ends in the order
 * of time: what a long poll returns is known only when it ends.
 */
import { lowerBound } from '../../../core/traffic/lower-bound.ts'
import type { Cause, RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import {
  type AddCause,
  beginExchange,
  finishExchange,
  type CausalityContext,
  createCausalityContext,
  CausalityTables,
} from './rules.ts'
import { endOf } from '../../../core/traffic/exchange.ts'

/** Maximum number of causes of one exchange; an acknowledgment may name 2,000 events. */
const maxCauses = 2000

interface OpenExchange {
  readonly end: number
  readonly context: CausalityContext
  readonly found: ReadonlyMap<string, Cause>
}

/** Inserts into a list sorted by end, latest first, so that the next one is popped from the end. */
function insertByEnd(open: OpenExchange[], one: OpenExchange): void {
  const place = lowerBound(open.length, (index) => (open[index]?.end ?? 0) > one.end)
  open.splice(place, 0, one)
}

/** Of two reasons for one cause keeps the more specific kind and the higher certainty: `order` is the weakest kind. */
function moreCertain({ id, kind, sure }: Cause, other: Cause['kind'], certainty: number): Cause {
  const isBetter = kind === 'order' || (other !== 'order' && certainty > sure)
  return { id, kind: isBetter ? other : kind, sure: Math.max(sure, certainty) }
}

/** Collects the causes of one exchange: recorded ones take precedence, of the inferred ones the most certain. */
function createCauseCollector(
  exchange: RecordedExchange,
  exchanges: readonly RecordedExchange[],
): { readonly found: ReadonlyMap<string, Cause>; readonly add: AddCause } {
  const recordedCauses = exchange.causes ?? []
  const recordedKinds = new Set(recordedCauses.map(({ kind }) => kind))
  const recordedIds = new Set(recordedCauses.map(({ id }) => id))
  const found = new Map<string, Cause>(recordedCauses.map((cause) => [cause.id, cause]))
  return {
    found,
    add(before, kind, certainty) {
      const id = before === undefined ? undefined : exchanges[before]?.recordId
      if (id === undefined || id === exchange.recordId || recordedKinds.has(kind)) return
      const known = found.get(id)
      if (known ? recordedIds.has(id) : found.size >= maxCauses) return
      found.set(id, known ? moreCertain(known, kind, certainty) : { id, kind, sure: certainty })
    },
  }
}

/**
 * The causes of every exchange, by `recordId`. Exchanges in the order in which they began; the cause of a long poll may
 * have begun after the poll.
 */
export function inferCauses(
  exchanges: readonly RecordedExchange[],
): ReadonlyMap<string, readonly Cause[]> {
  const tables = new CausalityTables()
  const causes = new Map<string, readonly Cause[]>()
  const open: OpenExchange[] = []

  function finishUntil(instant: number): void {
    for (let next = open.at(-1); next && next.end <= instant; next = open.at(-1)) {
      open.pop()
      finishExchange(next.context)
      causes.set(next.context.exchange.recordId, [...next.found.values()])
    }
  }

  for (const [index, exchange] of exchanges.entries()) {
    finishUntil(exchange.startedAt)
    const { found, add } = createCauseCollector(exchange, exchanges)
    const context = createCausalityContext(exchange, index, tables, add)
    beginExchange(context)
    // Reserves its position: the map is ordered by start.
    causes.set(exchange.recordId, [])
    insertByEnd(open, { end: endOf(exchange), context, found })
  }
  finishUntil(Number.POSITIVE_INFINITY)
  return causes
}
