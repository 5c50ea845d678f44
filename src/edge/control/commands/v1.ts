/** Schemas of the V1 commands. */
import { z } from 'zod'
import { command, id } from './row.ts'

const reasonFields = { code: z.exactOptional(z.string()), reason: z.exactOptional(z.string()) }
const answerFields = { orderId: id, answer: z.enum(['accept', 'deny']), ...reasonFields }

export const v1Commands = {
  'handshake.offer': command('handshake.offer', { orderId: id, ...reasonFields }),
  'handshake.answer': command('handshake.answer', answerFields),
  'legacy.answer': command('legacy.answer', answerFields),
}
