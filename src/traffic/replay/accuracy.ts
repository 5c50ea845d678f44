/** Share of calls that were answered as recorded, from 0 to 1; undefined without calls. */
import type { ReplayReport } from './replay-report.ts'

export function replayAccuracy({ rungs }: Pick<ReplayReport, 'rungs'>): number | undefined {
  const all = Object.values(rungs).reduce((sum, count) => sum + count, 0)
  const { exact = 0, bound = 0, repeat = 0 } = rungs
  return all === 0 ? undefined : (exact + bound + repeat) / all
}
