/** How much of what was asked a recording could answer as it did then: from 0 to 1, none where nobody asked. */
import type { ReplayReport } from './status.ts'

export function accuracyOf({ rungs }: Pick<ReplayReport, 'rungs'>): number | undefined {
  const all = Object.values(rungs).reduce((sum, count) => sum + count, 0)
  const { exact = 0, bound = 0, repeat = 0 } = rungs
  return all === 0 ? undefined : (exact + bound + repeat) / all
}
