/** Duplicates of an event: back to back by webhook, in the same batch by polling (ORD-GEN-02). */
import { z } from 'zod'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

const options = strictObject(() => ({
  times: z.int().min(2).max(10).default(2).describe('how often it arrives in all'),
}))

export const duplicate = defineFault<z.infer<typeof options>>({
  name: 'duplicate',
  summary: 'an event is delivered twice, one right after the other',
  code: 'E3',
  meets: ['handover'],
  symptom: 'again',
  legal: true,
  options,
  vary: (chance) => ({ times: chance.between(2, 3) }),
  plan: ({ times }, planned) => Array.from({ length: times }, () => planned),
})
