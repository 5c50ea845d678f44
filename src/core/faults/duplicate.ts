/** Duplicates of an event: back to back by webhook, in the same batch by polling (ORD-GEN-02). */
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { wholeNumber } from '../protocol/setting.ts'

export const duplicate = defineFault({
  name: 'duplicate',
  summary: 'an event is delivered twice, one right after the other',
  code: 'E3',
  meets: ['handover'],
  symptom: 'again',
  options: strictObject(() => ({
    times: wholeNumber(2, 10, 2).describe('how often it arrives in all'),
  })),
  vary: (chance) => ({ times: chance.between(2, 3) }),
  plan: ({ times }, planned) => Array.from({ length: times }, () => planned),
})
