/** Exit code of a replay or a comparison, from the standings of its exchanges. */
import { differingStandings } from './failure-signature.ts'
import type { ReplayReport } from './replay-report.ts'
import type { Standing } from '../recording/standing.ts'

export type ReplayExitCode = 0 | 1 | 3 | 4

type JudgedReport = Pick<ReplayReport, 'exchanges' | 'failedRules'>

const hasStanding = ({ exchanges }: JudgedReport, ...wanted: readonly Standing[]): boolean =>
  exchanges.some(({ standing }) => wanted.includes(standing))

/**
 * 0: no difference beyond noise, or only failures that are gone. 1: a difference or a failed rule. 3: no reply, or unauthorised, before any
 * difference. 4: not completed. 5 (unstable) is for callers that replay twice.
 */
export function replayExitCode(report: JudgedReport): ReplayExitCode {
  const { exchanges, failedRules } = report
  const refused = exchanges.findIndex(({ standing }) => standing === 'auth' || standing === 'error')
  const differs = exchanges.findIndex(({ standing }) => differingStandings.has(standing))
  // A difference after a failed call may be its consequence.
  if (refused >= 0 && (differs < 0 || refused < differs)) return 3
  if (differs >= 0 || failedRules.length > 0) return 1
  return hasStanding(report, 'unresolved', 'blocked') ? 4 : 0
}
