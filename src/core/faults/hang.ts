/**
 * No answer ever comes (R5), until the caller's timeout. A request of the subject hangs before or after it took effect;
 * a call of ours is lost on the way, or its answer is.
 */
import { effectOption, effectTimings } from './effect-option.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

export const hang = defineFault({
  name: 'hang',
  summary: 'a request is never answered',
  code: 'R5',
  meets: ['answer', 'call'],
  symptom: 'failing',
  traits: ['failure', 'permanent', 'transport'],
  options: strictObject(() => ({ effect: effectOption })),
  vary: (chance) => ({ effect: chance.pick(effectTimings) }),
  message: ({ effect }) => ({ effect: effect === 'after', end: 'hang' }),
})
