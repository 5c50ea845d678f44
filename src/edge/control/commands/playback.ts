/** Schemas of the playback commands. */
import { z } from 'zod'
import { type OperationId, operations } from '../../../protocol/catalogue.ts'
import { playbackWindow } from '../../../engine/playback/row.ts'
import { Role } from '../../../protocol/role.ts'
import { command, id, yes } from './row.ts'

const operationIds = operations.map((row) => row.id) as [OperationId, ...OperationId[]]
const text = z.string().max(1000)

const played = {
  recordId: id,
  place: z.int().min(0),
  label: text,
  orderId: z.exactOptional(id),
  operation: z.exactOptional(z.enum(operationIds)),
  event: z.exactOptional(
    z.strictObject({
      eventId: id,
      eventType: id,
      from: Role,
      merchantId: z.exactOptional(id),
    }),
  ),
}

const row = z.strictObject({
  ...played,
  atMs: z.number().min(0),
  causes: z.array(z.strictObject({ recordId: id, thinkMs: z.number().min(0) })).max(1000),
  notBefore: z.exactOptional(z.number()),
  blocked: z.exactOptional(text),
  times: z.exactOptional(z.int().min(1).max(100)),
})

export const playbackCommands = {
  'playback.load': command('playback.load', { rows: z.array(row).max(playbackWindow) }),
  'playback.send': command('playback.send', { ...played, at: z.number() }),
  'playback.conclude': command('playback.conclude', {
    recordId: id,
    standing: z.string().min(1).max(40),
    failed: yes,
    note: z.exactOptional(text),
  }),
}
