/**
 * An event never arrives (E5). That is lawful: a webhook's retry plan comes to its end, and a mailbox throws away what lies
 * too long. GET makes up for it. An event that alone reveals an order cannot be made up for, because no list of orders
 * exists: it is dropped only by robustness.
 */
import { z } from 'zod'
import { defineFault } from './fault.ts'

const options = z.strictObject({
  even: z.literal('revealing').optional().describe('also events that alone reveal an order'),
})

export const drop = defineFault<z.infer<typeof options>>({
  name: 'drop',
  summary: 'an event never arrives',
  code: 'E5',
  meets: ['handover'],
  legal: ({ even }) => even === undefined,
  options,
  vary: () => ({}),
  plan: ({ even }, _planned, meeting) =>
    meeting.kind === 'handover' && meeting.reveals && even === undefined ? undefined : [],
})
