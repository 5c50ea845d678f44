/** Resets the connection before the first byte of an answer (R6), before or after the request took effect. */
import { effectOption, effectTimings } from './effect-option.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

export const reset = defineFault({
  name: 'reset',
  summary: 'the connection is reset before the reply',
  code: 'R6',
  meets: ['answer', 'call'],
  symptom: 'failing',
  traits: ['failure', 'transport'],
  options: strictObject(() => ({ effect: effectOption })),
  isRetried: true,
  vary: (chance) => ({ effect: chance.pick(effectTimings) }),
  message: ({ effect }) => ({ effect: effect === 'after', end: 'reset' }),
})
