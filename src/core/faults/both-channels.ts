/**
 * With both channels in use, the second one delivers an event only after the service has accepted it from the first
 * (E7): a late duplicate under the same id.
 */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const channels = ['webhook', 'polling'] as const

export const bothChannels = defineFault({
  name: 'both-channels',
  summary: 'an event is delivered on one channel, and again on the other one',
  code: 'E7',
  meets: ['handover'],
  symptom: 'late',
  traits: ['order'],
  options: strictObject(() => ({
    first: oneWord(channels, 'webhook').describe('the channel that brings it first'),
    atMost: Duration.default(30_000).describe('the other brings it after this time, taken or not'),
  })),
  vary: (chance) => ({
    first: chance.pick(channels),
    atMost: chance.pick([5000, 30_000]),
  }),
  plan({ first, atMost }, planned, meeting) {
    if (meeting.kind !== 'handover' || meeting.alsoBy !== first) return undefined
    const { eventId } = meeting
    return [{ ...planned, wait: { kind: 'acknowledged', eventId, atMostMs: atMost } }]
  },
})
