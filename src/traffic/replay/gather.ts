/**
 * Gathers what came of the exchanges of a replay into its report. Bounded: of a replay that is longer, what came out the
 * same is only counted.
 */
import type { Replayed, ReplayReport } from './status.ts'
import type { Standing } from '../recording/standing.ts'

/** Exchanges that a report holds whole, whatever came of them. */
export const mostWhole = 10_000
/** Exchanges that a report holds at all. */
const mostHeld = 100_000

export interface Gathering {
  readonly add: (replayed: Replayed, place: number) => void
  /** A call that was answered and is told of nowhere: a poll without news. */
  readonly answered: (rung: NonNullable<Replayed['rung']>) => void
  readonly report: (
    rest: Omit<ReplayReport, 'exchanges' | 'first' | 'counts' | 'rungs'>,
  ) => ReplayReport
}

const isCalm = (standing: Standing): boolean => standing === 'same' || standing === 'noise'

export function createGathering(): Gathering {
  const held: { readonly replayed: Replayed; readonly place: number }[] = []
  const counts = new Map<Standing, number>()
  const rungs = new Map<NonNullable<Replayed['rung']>, number>()
  const answered = (rung: NonNullable<Replayed['rung']>): void => {
    rungs.set(rung, (rungs.get(rung) ?? 0) + 1)
  }
  return {
    answered,
    add(replayed, place) {
      const { standing, rung } = replayed
      counts.set(standing, (counts.get(standing) ?? 0) + 1)
      if (rung !== undefined) answered(rung)
      if (held.length < (isCalm(standing) ? mostWhole : mostHeld)) held.push({ replayed, place })
    },
    report(rest) {
      // Whatever shares a place stays in the order in which it came: the copies behind the first.
      const exchanges = held.toSorted((a, b) => a.place - b.place).map(({ replayed }) => replayed)
      const first = exchanges.findIndex(({ standing }) => !isCalm(standing))
      return {
        ...rest,
        exchanges,
        ...(first === -1 ? {} : { first }),
        counts: Object.fromEntries(counts),
        rungs: Object.fromEntries(rungs),
      }
    },
  }
}
