/** Plans an agenda item for every exchange that has become ready. */
import type { Reactor } from '../engine.ts'
import type { PlannedCommand } from '../agenda/item.ts'
import type { Instant } from '../instant.ts'
import type { ReadyPlaybackRow } from './row.ts'

const itemsOf = (
  { due, times, ...ready }: ReadyPlaybackRow,
  now: Instant,
): readonly PlannedCommand[] => {
  const planned: PlannedCommand = {
    command: { ...ready, kind: 'playback.send' },
    afterMs: due - now,
    // The order of the recording, among items of one instant.
    rank: ready.place,
  }
  return Array.from({ length: times }, () => planned)
}

export const playbackReactor: Reactor = (fact, { now }) =>
  fact.kind === 'playback.loaded' || fact.kind === 'playback.concluded'
    ? fact.ready.flatMap((ready) => itemsOf(ready, now))
    : []
