/** Schemas of the V1 commands. */
import { z } from 'zod'
import { command, id } from './row.ts'

const said = { code: z.exactOptional(z.string()), reason: z.exactOptional(z.string()) }
const answered = { orderId: id, answer: z.enum(['accept', 'deny']), ...said }

export const v1Commands = {
  'handshake.offer': command('handshake.offer', { orderId: id, ...said }),
  'handshake.answer': command('handshake.answer', answered),
  'legacy.answer': command('legacy.answer', answered),
}
