/** Commands of V1: `handshake.…` at the host, `legacy.…` at the client. */
import { z } from 'zod'
import { type CommandIn, commandRow, idField } from '../command-row.ts'

const reasonFields = () => ({
  code: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
})
const answerFields = () => ({
  orderId: idField,
  answer: z.enum(['accept', 'deny']),
  ...reasonFields(),
})

export const v1Commands = {
  /** The Ordering Application asks the merchant whether an order may be cancelled. */
  'handshake.offer': commandRow({
    shape: () => ({ orderId: idField, ...reasonFields() }),
    text: () => 'OA asks whether it may cancel',
  }),
  /** The merchant answers that question. */
  'handshake.answer': commandRow({
    shape: answerFields,
    text: ({ answer }) => `whether it may be cancelled: ${answer}`,
  }),
  /** Our Software Service answers such a question. */
  'legacy.answer': commandRow({
    shape: answerFields,
    text: ({ answer }) => `SS answers about cancelling: ${answer}`,
  }),
}

export type V1Command = CommandIn<typeof v1Commands>

export type HandshakeAnswer = Extract<V1Command, { kind: 'handshake.answer' }>['answer']
