/** Writes the records of a run as each scenario ends, and knows the results that need not be played again. */
import { problem } from '../../../core/base/problem.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import type { Io } from '../io.ts'
import { openRecordFile } from '../shards/record-file.ts'
import type { PlannedRun, RunPlan } from './plan.ts'
import type { RunReport, ScenarioReport } from './report.ts'
import type { RunOptions } from './run-flags.ts'
import {
  endOfReport,
  recordOfRun,
  type RunHeader,
  runHeaderOf,
  runOfRecord,
  type RunRecord,
} from './run-record.ts'
import { resumedResults } from './stored-runs.ts'

export interface RunRecords {
  /** What the user should know, as a sentence. */
  readonly note: string | undefined
  /** The result of an earlier time. */
  readonly resumed: (one: PlannedRun, total: number) => RunReport | undefined
  /** Of an earlier time it is in the file already. */
  readonly append: (place: number, run: RunReport) => void
  /** Writes the rest; returns the problem when not everything could be written. */
  readonly end: (report: ScenarioReport) => Promise<string | undefined>
}

const none: RunRecords = {
  note: undefined,
  resumed: () => undefined,
  append: () => undefined,
  end: () => Promise.resolve(undefined),
}

export async function openRunRecords(
  { out, resume, repeat = 1 }: Pick<RunOptions, 'out' | 'resume' | 'repeat'>,
  plan: RunPlan,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<RunRecords> {
  if (out === undefined && resume)
    throw problem(
      'reading --resume',
      'nothing says which run is continued',
      'Name its file with --out.',
    )
  if (out === undefined) return none
  const header = runHeaderOf(plan, repeat)
  const before = resume ? await resumedResults(out, cwd, header, plan) : undefined
  const file = openRecordFile<RunHeader | RunRecord>(out, cwd, resume === true)
  file.append(header)
  return {
    note:
      before && `continuing ${out}: ${pluralise(before.size, 'run')} of it are not played again`,
    resumed({ place, number }, total) {
      const result = before?.get(place)
      return result && runOfRecord(result.run, number, total)
    },
    append(place, run) {
      const record = before?.has(place) ? undefined : recordOfRun(place, run)
      if (record) file.append(record)
    },
    end(report) {
      file.append(endOfReport(report))
      return file.close()
    },
  }
}
