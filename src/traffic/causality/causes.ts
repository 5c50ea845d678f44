/**
 * Why each exchange of a recording came when it did. What the recording says stays; the rest is inferred in one pass over
 * beginnings and ends, in the order in which they happened: what a long poll brings is known when it ends, and not before.
 */
import type { Cause, RecordedExchange } from '../recording/recorded-exchange.ts'
import { type Add, begin, finish, type Seen, seenOf, Tables } from './rules.ts'

/** Causes of one exchange at most; an acknowledgment may name two thousand events. */
const mostCauses = 2000

interface Open {
  readonly end: number
  readonly seen: Seen
  readonly found: ReadonlyMap<string, Cause>
}

/** Those that end last first, so that the next one is taken from the end. */
function put(open: Open[], one: Open): void {
  let low = 0
  let high = open.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((open[middle]?.end ?? 0) > one.end) low = middle + 1
    else high = middle
  }
  open.splice(low, 0, one)
}

/** Of two reasons for one cause the one that tells more: that it came before is the least that can be said. */
function surest({ id, kind, sure }: Cause, other: Cause['kind'], how: number): Cause {
  const isBetter = kind === 'order' || (other !== 'order' && how > sure)
  return { id, kind: isBetter ? other : kind, sure: Math.max(sure, how) }
}

/** Keeps what was said, and takes of what is found for one exchange the surest. */
function finder(
  exchange: RecordedExchange,
  exchanges: readonly RecordedExchange[],
): { readonly found: ReadonlyMap<string, Cause>; readonly add: Add } {
  const said = exchange.causes ?? []
  const saidKinds = new Set(said.map(({ kind }) => kind))
  const saidIds = new Set(said.map(({ id }) => id))
  const found = new Map<string, Cause>(said.map((cause) => [cause.id, cause]))
  return {
    found,
    add(before, kind, how) {
      const id = before === undefined ? undefined : exchanges[before]?.recordId
      if (id === undefined || id === exchange.recordId || saidKinds.has(kind)) return
      const known = found.get(id)
      if (known ? saidIds.has(id) : found.size >= mostCauses) return
      found.set(id, known ? surest(known, kind, how) : { id, kind, sure: how })
    },
  }
}

/**
 * The causes of every exchange, by `recordId`. The exchanges in the order in which they began; a cause may have begun
 * later than what came of it, where that is a poll that was waiting.
 */
export function causesOf(
  exchanges: readonly RecordedExchange[],
): ReadonlyMap<string, readonly Cause[]> {
  const tables = new Tables()
  const causes = new Map<string, readonly Cause[]>()
  const open: Open[] = []

  function finishUntil(instant: number): void {
    for (let next = open.at(-1); next && next.end <= instant; next = open.at(-1)) {
      open.pop()
      finish(next.seen)
      causes.set(next.seen.exchange.recordId, [...next.found.values()])
    }
  }

  for (const [place, exchange] of exchanges.entries()) {
    finishUntil(exchange.startedAt)
    const { found, add } = finder(exchange, exchanges)
    const seen = seenOf(exchange, place, tables, add)
    begin(seen)
    // Its place among the others is that of its beginning.
    causes.set(exchange.recordId, [])
    put(open, { end: exchange.startedAt + exchange.tookMs, seen, found })
  }
  finishUntil(Number.POSITIVE_INFINITY)
  return causes
}
