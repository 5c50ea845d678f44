/**
 * A message is truncated in the middle of its body (R6): an answer after the request took effect, or a call of ours before it
 * is complete. Content-Length is right, so the receiver can detect the missing half.
 */
import { z } from 'zod'
import { defineFault } from './fault.ts'

export const truncate = defineFault({
  name: 'truncate',
  summary: 'the body of a request or a reply is truncated',
  code: 'R6',
  meets: ['answer', 'call'],
  symptom: 'failing',
  traits: ['failure'],
  options: z.strictObject({}),
  vary: () => ({}),
  message(_chosen, { kind, method }) {
    if (kind === 'answer') return { effect: true, end: 'truncate' }
    return method === 'GET' ? undefined : { effect: false, end: 'truncate' }
  },
})
