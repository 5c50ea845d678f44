/** Keys for the clock and for time travel. */
import { bindingsOf, paneContexts } from './binding.ts'
import { inThePast, noClockSpeed, outcomeOf, withoutSession } from '../model/key-outcomes.ts'
import { agendaFilterOf } from '../effects/agenda.ts'
import { playbackOf } from '../model/recording.ts'

export const clockKeys = bindingsOf({ group: 'time', contexts: paneContexts }, [
  {
    id: 'clock.toggle',
    changes: true,
    keys: ['space'],
    title: 'pause the clock, or let it run',
    footer: 'pause/run',
    disabledReason: (model) => withoutSession(model) ?? inThePast(model),
    run: ({ resume }) => ({ action: { kind: 'toggle', resume } }),
  },
  {
    id: 'agenda.step',
    changes: true,
    keys: ['n'],
    title: 'step: take the next item shown',
    footer: 'step',
    // Pending items are checked at execution time: a key is faster than the effects of the previous step.
    disabledReason: inThePast,
    run: (model) => ({ action: { kind: 'step', shown: agendaFilterOf(model) } }),
  },
  {
    id: 'clock.advance',
    changes: true,
    keys: ['a', 'A'],
    label: 'a A',
    title: 'advance the clock by 1 s, or by 10 s',
    titles: { a: 'advance the clock by 1 s', A: 'advance the clock by 10 s' },
    disabledReason: (model) => withoutSession(model) ?? inThePast(model),
    run: (_, { key }) => ({ action: { kind: 'advance', ms: key === 'a' ? 1000 : 10_000 } }),
  },
  {
    id: 'clock.speed',
    changes: true,
    keys: ['+', '=', '-'],
    label: '+ -',
    title: 'run twice or half as fast',
    titles: { '+': 'set speed: twice as fast', '-': 'set speed: half as fast' },
    disabledReason: noClockSpeed,
    run: (_, { key }) => ({ action: { kind: 'speed', by: key === '-' ? 0.5 : 2 } }),
  },
  {
    id: 'past.back',
    keys: [','],
    title: 'back in time: an entry or exchange earlier',
    footer: 'earlier',
    footerIn: ['tape'],
    disabledReason: withoutSession,
    run: (model) => outcomeOf({ kind: playbackOf(model) ? 'wound' : 'travelled', by: -1 }),
  },
  {
    id: 'past.forward',
    keys: ['.'],
    title: 'forward again: an entry or exchange later',
    disabledReason: (model) =>
      model.at === undefined && !playbackOf(model) ? 'this is now: , goes back' : undefined,
    run: (model) => outcomeOf({ kind: playbackOf(model) ? 'wound' : 'travelled', by: 1 }),
  },
  {
    id: 'past.leave',
    keys: ['L'],
    title: 'back to now, and follow',
    run: () => outcomeOf({ kind: 'returned' }),
  },
])
