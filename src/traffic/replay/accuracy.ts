/** Share of calls that were answered as recorded, from 0 to 1; undefined without calls. */
import type { ReplayReport } from './replay-report.ts'

export function replayAccuracy({
  strategies,
}: Pick<ReplayReport, 'strategies'>): number | undefined {
  const all = Object.values(strategies).reduce((sum, count) => sum + count, 0)
  const { exact = 0, bound = 0, repeat = 0 } = strategies
  return all === 0 ? undefined : (exact + bound + repeat) / all
}
