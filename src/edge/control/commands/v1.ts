/** Schemas of the V1 commands. */
import { z } from 'zod'
import { commandSchema, idField } from './row.ts'

const reasonFields = { code: z.exactOptional(z.string()), reason: z.exactOptional(z.string()) }
const answerFields = { orderId: idField, answer: z.enum(['accept', 'deny']), ...reasonFields }

export const v1Commands = {
  'handshake.offer': commandSchema('handshake.offer', { orderId: idField, ...reasonFields }),
  'handshake.answer': commandSchema('handshake.answer', answerFields),
  'legacy.answer': commandSchema('legacy.answer', answerFields),
}
