/** The number that a replay or a comparison ends with, from what came of its exchanges. */
import { differing } from './signature.ts'
import type { ReplayReport } from './status.ts'
import type { Standing } from '../recording/standing.ts'

export type ReplayExit = 0 | 1 | 3 | 4

type Judged = Pick<ReplayReport, 'exchanges' | 'broken'>

const has = ({ exchanges }: Judged, ...wanted: readonly Standing[]): boolean =>
  exchanges.some(({ standing }) => wanted.includes(standing))

/**
 * 0: no difference beyond noise. 1: it behaves otherwise, or broke an invariant. 3: nobody answered, or we were turned
 * away, before anything could differ. 4: it could not be carried through. 5, unstable, is for who replays it twice.
 */
export function exitOf(report: Judged): ReplayExit {
  const { exchanges, broken } = report
  const refused = exchanges.findIndex(({ standing }) => standing === 'auth' || standing === 'error')
  const differs = exchanges.findIndex(({ standing }) => differing.has(standing))
  // What differs behind a call that could not be made may come of that alone.
  if (refused >= 0 && (differs < 0 || refused < differs)) return 3
  if (differs >= 0 || broken.length > 0) return 1
  return has(report, 'unresolved', 'blocked') ? 4 : 0
}
