/** Schemas of the commands for faults and pauses. */
import { z } from 'zod'
import { type OperationId, operations } from '../../../protocol/catalogue.ts'
import { Duration } from '../../../protocol/duration.ts'
import { RoleName } from '../../../protocol/role-schema.ts'
import { idField, trueField } from '../../../engine/command-row.ts'
import { commandSchema } from './row.ts'

const operationIds = operations.map((row) => row.id) as [OperationId, ...OperationId[]]
const number = z.int().min(1)
const optional = z.exactOptional(idField)

const message = {
  operation: z.enum(operationIds),
  method: z.string(),
  from: RoleName,
  to: RoleName,
  orderId: optional,
  merchantId: optional,
  eventType: optional,
  eventId: optional,
  events: z
    .array(
      z.strictObject({
        eventType: z.string(),
        eventId: optional,
        orderId: optional,
        merchantId: optional,
      }),
    )
    .max(2000),
}

const FaultPoint = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answer'), ...message, clientId: optional }),
  z.strictObject({ kind: z.literal('call'), ...message, attempt: number }),
])

const pauseOwner = z.enum(['answer', 'call', 'subject'])
const pauseFields = {
  pause: number,
  whose: pauseOwner,
  text: z.exactOptional(z.string()),
  orderId: optional,
  hung: trueField,
}

export const faultCommands = {
  'fault.add': commandSchema('fault.add', { spec: z.json() }),
  'fault.remove': commandSchema('fault.remove', { id: number, expired: trueField }),
  'fault.end': commandSchema('fault.end', {}),
  'fault.meet': commandSchema('fault.meet', { meeting: FaultPoint }),
  'pause.begin': commandSchema('pause.begin', {
    ...pauseFields,
    ms: Duration,
    fault: z.exactOptional(number),
  }),
  'pause.end': commandSchema('pause.end', pauseFields),
}
