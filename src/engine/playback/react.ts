/** Plans an agenda item for every exchange that has become ready. */
import type { Reactor } from '../engine.ts'
import type { Planned } from '../agenda/item.ts'
import type { Instant } from '../instant.ts'
import type { Ready } from './row.ts'

const itemsOf = ({ due, times, ...ready }: Ready, now: Instant): readonly Planned[] => {
  const planned: Planned = {
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
