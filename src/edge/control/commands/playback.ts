/** Schemas of the playback commands. */
import { z } from 'zod'
import { type OperationId, operations } from '../../../protocol/catalogue.ts'
import { playbackWindow } from '../../../engine/playback/row.ts'
import { RoleName } from '../../../protocol/role-schema.ts'
import { idField, trueField } from '../../../engine/command-row.ts'
import { commandSchema } from './row.ts'

const operationIds = operations.map((row) => row.id) as [OperationId, ...OperationId[]]
const text = z.string().max(1000)

const played = {
  recordId: idField,
  place: z.int().min(0),
  label: text,
  orderId: z.exactOptional(idField),
  operation: z.exactOptional(z.enum(operationIds)),
  event: z.exactOptional(
    z.strictObject({
      eventId: idField,
      eventType: idField,
      from: RoleName,
      merchantId: z.exactOptional(idField),
    }),
  ),
}

const row = z.strictObject({
  ...played,
  atMs: z.number().min(0),
  causes: z.array(z.strictObject({ recordId: idField, thinkMs: z.number().min(0) })).max(1000),
  notBefore: z.exactOptional(z.number()),
  blocked: z.exactOptional(text),
  times: z.exactOptional(z.int().min(1).max(100)),
})

export const playbackCommands = {
  'playback.load': commandSchema('playback.load', { rows: z.array(row).max(playbackWindow) }),
  'playback.send': commandSchema('playback.send', {
    ...played,
    at: z.number(),
    alone: trueField,
  }),
  'playback.conclude': commandSchema('playback.conclude', {
    recordId: idField,
    standing: z.string().min(1).max(40),
    failed: trueField,
    note: z.exactOptional(text),
  }),
}
