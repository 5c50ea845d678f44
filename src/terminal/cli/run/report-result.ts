/** What a report of runs means: its exit code, and the runs whose results vary. */
import { type ExitCode, exitCode } from '../exit-code.ts'
import type { RunReport, ScenarioReport } from './report.ts'

/** Comparison key for repetitions of a run: result and failures without timing. */
const resultKey = ({ result, failures }: RunReport): string =>
  [
    result,
    ...failures.map(({ kind, path, verdict }) => verdict?.id ?? `${kind} ${path.join('.')}`),
  ].join(' ')

export function unstableTitles(runs: readonly RunReport[], rounds: number): readonly string[] {
  const played = runs.filter(({ result }) => result === 'passed' || result === 'failed')
  // Keyed by position in a round, not by title: two rows of a table may have the same title.
  return [...Map.groupBy(played, ({ number, total }) => number % (total / rounds)).values()]
    .filter((same) => new Set(same.map(resultKey)).size > 1)
    .flatMap(([first]) => (first ? [`${first.file}: ${first.title}`] : []))
}

export function exitCodeOf({ runs, halted, interrupted, unstable }: ScenarioReport): ExitCode {
  if (interrupted) return exitCode.interrupted
  if (halted !== undefined) return exitCode.unreachable
  if (unstable.length > 0) return exitCode.unstable
  return runs.some(({ result }) => result === 'failed') ? exitCode.failed : exitCode.done
}
