/** What stands on the primary screen after the dashboard is gone: what there was, and where the evidence is. */
import type { SessionInfo } from '../session-face.ts'

export function farewell({ counts, recording, seed }: SessionInfo): readonly string[] {
  const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
  // Loops are always pending: they are nothing that was left undone.
  const undone = counts.pending - counts.loops + counts.held
  const pending = undone === 0 ? '' : `, ${some(undone, 'item')} still pending`
  const lines = [
    `${some(counts.orders, 'order')}, ${counts.open} open; ${some(counts.exchanges, 'exchange')}; ${some(counts.facts, 'fact')}${pending}. Seed ${seed}.`,
  ]
  if (!recording) return [...lines, 'Nothing was recorded: --record <file> keeps the traffic.']
  if (recording.problem !== undefined)
    return [...lines, `The recording ${recording.file} is not whole: ${recording.problem}`]
  return [
    ...lines,
    `Recorded ${some(recording.written, 'exchange')} in ${recording.file}`,
    `Replay: sparring replay ${recording.file}`,
  ]
}
