/** What may go out becomes an item of the agenda, like everything else that is to come. */
import type { Reactor } from '../engine.ts'
import type { Planned } from '../agenda/item.ts'
import type { Instant } from '../instant.ts'
import type { Ready } from './row.ts'

const itemsOf = ({ due, times, ...ready }: Ready, now: Instant): readonly Planned[] => {
  const planned: Planned = {
    command: { ...ready, kind: 'playback.send' },
    afterMs: due - now,
    // Of one instant goes first what was first.
    rank: ready.place,
  }
  return Array.from({ length: times }, () => planned)
}

export const playbackReactor: Reactor = (fact, { now }) =>
  fact.kind === 'playback.loaded' || fact.kind === 'playback.concluded'
    ? fact.ready.flatMap((ready) => itemsOf(ready, now))
    : []
