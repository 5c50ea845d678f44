/**
 * An event is lost (E5). Conformant: a webhook's retry plan ends, and a mailbox expires old events; GET makes up for it. An
 * event that alone reveals an order cannot be made up for, because there is no list of orders: it is dropped only with
 * `even: revealing`, which is a robustness test.
 */
import { z } from 'zod'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

export const drop = defineFault({
  name: 'drop',
  summary: 'an event is never delivered',
  code: 'E5',
  meets: ['handover'],
  symptom: 'late',
  traits: ['loss'],
  legal: ({ even }) => even === undefined,
  options: strictObject(() => ({
    even: z.literal('revealing').optional().describe('also events that alone reveal an order'),
  })),
  vary: () => ({}),
  plan: ({ even }, _planned, meeting) =>
    meeting.kind === 'handover' && meeting.reveals && even === undefined ? undefined : [],
})
