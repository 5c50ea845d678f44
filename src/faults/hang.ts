/**
 * No answer ever comes (R5): whoever asks waits until it has had enough. A request of the subject is left hanging before
 * or after it took effect; a call of ours gets lost on the way there, or its answer on the way back.
 */
import { z } from 'zod'
import { effectOption, effects } from './broken-off.ts'
import { defineFault } from './fault.ts'

const options = z.strictObject({ effect: effectOption })

export const hang = defineFault<z.infer<typeof options>>({
  name: 'hang',
  summary: 'a request is never answered',
  code: 'R5',
  meets: ['answer', 'call'],
  legal: true,
  options,
  vary: (chance) => ({ effect: chance.pick(effects) }),
  message: ({ effect }) => ({ effect: effect === 'after', end: 'hang' }),
})
