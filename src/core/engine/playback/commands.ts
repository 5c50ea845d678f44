/** Commands of a playback. */
import { z } from 'zod'
import { RoleName } from '../../protocol/role-schema.ts'
import { operationIds } from '../calls/commands.ts'
import { type CommandIn, commandRow, idField, trueField } from '../command-row.ts'
import { listCount } from '../short-text.ts'
import { type PlaybackEvent, type PlaybackLoadRow, playbackWindow } from './row.ts'

const text = z.string().max(1000)

function refFields() {
  const event: z.ZodType<PlaybackEvent> = z.strictObject({
    eventId: idField,
    eventType: idField,
    from: RoleName,
    merchantId: z.exactOptional(idField),
  })
  return {
    recordId: idField,
    place: z.int().min(0),
    label: text,
    orderId: z.exactOptional(idField),
    operation: z.exactOptional(z.enum(operationIds)),
    event: z.exactOptional(event),
  }
}

const rowSchema = (): z.ZodType<PlaybackLoadRow> =>
  z.strictObject({
    ...refFields(),
    atMs: z.number().min(0),
    causes: z.array(z.strictObject({ recordId: idField, thinkMs: z.number().min(0) })).max(1000),
    notBefore: z.exactOptional(z.number()),
    blocked: z.exactOptional(text),
    times: z.exactOptional(z.int().min(1).max(100)),
  })

export const playbackCommands = {
  /** Loads further exchanges of the recording, in its order. */
  'playback.load': commandRow({
    shape: () => ({ rows: z.array(rowSchema()).max(playbackWindow) }),
    text: ({ rows }) => `${listCount(rows, 'recorded exchange')} to be played again`,
  }),
  /** Sends one exchange now. Before that it is an agenda item; to repeat it, the item is duplicated. */
  'playback.send': commandRow({
    shape: () => ({
      ...refFields(),
      /** When it would be due by the recording's clock alone. */
      at: z.number(),
      /** Apart from the plan: an exchange that is still to be sent is sent all the same. */
      alone: trueField,
    }),
    text: ({ label }) => label,
  }),
  /** An exchange ended. */
  'playback.conclude': commandRow({
    shape: () => ({
      recordId: idField,
      /** Its status, by the name in the report. */
      standing: z.string().min(1).max(40),
      /** Its dependants cannot be played. */
      failed: trueField,
      /** One sentence. */
      note: z.exactOptional(text),
    }),
    text: ({ standing }) => `a recorded exchange comes out ${standing}`,
  }),
}

export type PlaybackCommand = CommandIn<typeof playbackCommands>
