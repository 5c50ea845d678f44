/** Keys for the clock and for time travel. */
import type { Binding } from './binding.ts'
import { inThePast, notRunning, say, withoutSession } from '../model/key-outcomes.ts'
import { shownOf } from '../effects/agenda.ts'
import { playbackOf } from '../model/recording.ts'
import { notTape, panes } from './contexts.ts'

export const timingKeys: readonly Binding[] = [
  {
    id: 'clock.toggle',
    keys: ['space'],
    contexts: panes,
    group: 'time',
    title: 'stop the clock, or let it run',
    footer: 'stop/run',
    disabled: (model) => withoutSession(model) ?? inThePast(model),
    does: ({ resume }) => ({ action: { kind: 'toggle', resume } }),
  },
  {
    id: 'agenda.step',
    keys: ['n'],
    contexts: panes,
    group: 'time',
    title: 'step: take the next item shown',
    footer: 'step',
    // Pending items are checked at execution time: a key is faster than the effects of the previous step.
    disabled: inThePast,
    does: (model) => ({ action: { kind: 'step', shown: shownOf(model) } }),
  },
  {
    id: 'clock.advance',
    keys: [']', '}'],
    label: '] }',
    contexts: notTape,
    group: 'time',
    title: 'let 1 s or 10 s pass at once',
    disabled: inThePast,
    does: (_, { key }) => ({ action: { kind: 'advance', ms: key === ']' ? 1000 : 10_000 } }),
  },
  {
    id: 'clock.speed',
    keys: ['+', '=', '-'],
    label: '+ -',
    contexts: panes,
    group: 'time',
    title: 'run twice or half as fast',
    disabled: notRunning,
    does: (_, { key }) => ({ action: { kind: 'speed', by: key === '-' ? 0.5 : 2 } }),
  },
  {
    id: 'past.back',
    keys: [','],
    contexts: panes,
    group: 'time',
    title: 'see the world one fact earlier',
    footer: 'earlier',
    footerIn: ['tape'],
    disabled: withoutSession,
    does: (model) => say({ kind: playbackOf(model) ? 'wound' : 'travelled', by: -1 }),
  },
  {
    id: 'past.forward',
    keys: ['.'],
    contexts: panes,
    group: 'time',
    title: 'one fact later',
    disabled: (model) =>
      model.at === undefined && !playbackOf(model) ? 'this is now: , goes back' : undefined,
    does: (model) => say({ kind: playbackOf(model) ? 'wound' : 'travelled', by: 1 }),
  },
  {
    id: 'past.leave',
    keys: ['L'],
    contexts: panes,
    group: 'time',
    title: 'back to now, and follow',
    does: () => say({ kind: 'returned' }),
  },
]
