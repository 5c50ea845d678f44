/** A recording as the report of a replay that went exactly as recorded, for the failures that it shows. */
import type { RecordingContent } from '../recording/content.ts'
import type { ReplayReport } from './replay-report.ts'

export const recordedReport = ({ exchanges, file }: RecordingContent): ReplayReport => ({
  recording: file,
  driver: 'client',
  seed: 0,
  exchanges: exchanges.map((recorded) => ({
    standing: 'same',
    recorded,
    live: recorded,
    differences: [],
  })),
  counts: {},
  strategies: {},
  unused: [],
  conflicts: [],
  map: [],
  failedRules: [],
})
