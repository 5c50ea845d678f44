/** Summary printed to the primary screen after the dashboard was closed: counts, and where the recording is. */
import type { SessionInfo, Snapshot, View } from '../../../core/session-api/session-api.ts'
import { failedRequestsText } from '../../../core/traffic/failed-requests.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'

/**
 * View for the summary. Background items are excluded, since loops and superseded items are always pending. Verdicts
 * are included for the caller, which prints them after these lines, as it does without a dashboard.
 */
export const exitSummaryView: View = { agenda: { limit: 1000, background: false }, verdicts: true }

export function exitSummaryLines({
  info,
  agenda,
}: Pick<Snapshot, 'info' | 'agenda'>): readonly string[] {
  const { counts, recording, seed }: SessionInfo = info
  const pending = agenda.length === 0 ? '' : `, ${pluralise(agenda.length, 'item')} still pending`
  const lines = [
    `${pluralise(counts.orders, 'order')}, ${counts.open} open; ${pluralise(counts.exchanges, 'exchange')}; ${counts.facts} journal entries${pending}. Seed ${seed}, repeat with --seed ${seed}.`,
  ]
  const failed = failedRequestsText(counts.failed)
  if (failed !== undefined) lines.push(`${failed}.`)
  if (!recording) return [...lines, 'Nothing was recorded: --record <file> keeps the traffic.']
  if (recording.problem !== undefined)
    return [...lines, `The recording ${recording.file} is not whole: ${recording.problem}`]
  return [...lines, `Recorded ${pluralise(recording.written, 'exchange')} in ${recording.file}`]
}
