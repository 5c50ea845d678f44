/** Applies facts of a playback. */
import { assertNever } from '../../protocol/result.ts'
import { assignOrderSlot, recordHandover } from '../faults/apply.ts'
import type { Instant } from '../instant.ts'
import type { World } from '../world.ts'
import { withoutCause } from './decide.ts'
import type { PlaybackFact } from './fact.ts'
import type { PlaybackWorld, PendingPlaybackRow } from './row.ts'

function addRow({ rows, dependants }: PlaybackWorld, row: PendingPlaybackRow): void {
  rows.set(row.recordId, row)
  for (const { recordId } of row.open)
    dependants.set(recordId, (dependants.get(recordId) ?? []).concat(row.recordId))
}

export function applyPlayback(
  { playback, faults }: Pick<World, 'playback' | 'faults'>,
  fact: PlaybackFact,
  at: Instant,
): void {
  const { rows, dependants } = playback
  switch (fact.kind) {
    case 'playback.loaded':
      playback.since ??= at
      for (const row of fact.rows) {
        addRow(playback, row)
        if (row.orderId !== undefined) assignOrderSlot(faults, row.orderId)
      }
      return
    case 'playback.sent': {
      const row = fact.alone ? undefined : rows.get(fact.recordId)
      if (row) rows.set(fact.recordId, { ...row, sent: true })
      return
    }
    case 'playback.concluded': {
      const { recordId, handed } = fact
      rows.delete(recordId)
      for (const id of dependants.get(recordId) ?? []) {
        const row = rows.get(id)
        if (row) rows.set(id, withoutCause(row, recordId, at))
      }
      dependants.delete(recordId)
      playback.concluded++
      if (handed) recordHandover(faults, handed, 'webhook')
      return
    }
    default:
      return assertNever(fact)
  }
}
