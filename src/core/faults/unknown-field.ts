/** An event has fields unknown to the protocol (E11), which a reader must ignore. */
import { z } from 'zod'
import { planAlteredEvent, alterableHandover } from './alter-event.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const values = {
  text: 'alta',
  number: 4.5,
  object: { nested: { deep: [1, 'two', null] } },
  list: [1, 'two', { three: 3 }],
  null: null,
} as const

export const unknownField = defineFault({
  name: 'unknown-field',
  summary: 'an event has an unknown field',
  code: 'E11',
  meets: ['handover'],
  symptom: 'unknown',
  options: strictObject(() => ({
    name: z
      .string()
      .regex(/^x_[a-z0-9_]{1,60}$/, 'must begin with x_, and have small letters, digits and _')
      .default('x_priority')
      .describe('what the field is called: x_ and a word'),
    of: oneWord(['text', 'number', 'object', 'list', 'null'], 'object').describe(
      'the kind of its value',
    ),
  })),
  vary: (chance) => ({
    name: chance.pick(['x_priority', 'x_trace']),
    of: chance.pick(['text', 'number', 'object', 'list', 'null'] as const),
  }),
  plan({ name, of }, planned, meeting) {
    const event = alterableHandover(meeting)
    return event && planAlteredEvent(event.eventId, { [name]: values[of] }, planned)
  },
})
