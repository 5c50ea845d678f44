/** Commands about faults. */
import { z } from 'zod'
import { JsonValue } from '../../protocol/json-value.ts'
import { RoleName } from '../../protocol/role-schema.ts'
import { operationIds } from '../calls/commands.ts'
import { type CommandIn, commandRow, idField, numberField, trueField } from '../command-row.ts'
import type { MessagePoint } from './fault-point.ts'

function pointSchema(): z.ZodType<MessagePoint> {
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
  return z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('answer'), ...message, clientId: optional }),
    z.strictObject({ kind: z.literal('call'), ...message, attempt: numberField }),
  ])
}

export const faultCommands = {
  /** Adds a fault, or all faults of a profile: `{drop: {event: CONFIRMED}}`, `peak-hour`. */
  'fault.add': commandRow({
    shape: () => {
      const spec: z.ZodType = JsonValue
      return { spec }
    },
    text: ({ spec }) => `a fault: ${JSON.stringify(spec)}`,
  }),
  /** Removes a fault. */
  'fault.remove': commandRow({
    shape: () => ({ id: numberField, expired: trueField }),
    text: ({ id }) => `fault ${id} ends`,
  }),
  /** Ends all faults: items that they delayed are released now, and nothing is distorted from here on. */
  'fault.end': commandRow({ shape: () => ({}), text: () => 'all faults end' }),
  /** Decides which fault distorts a message on the wire, and how. */
  'fault.meet': commandRow({
    shape: () => ({ meeting: pointSchema() }),
    text: ({ meeting }) => `a message meets the faults: ${meeting.operation}`,
  }),
}

export type FaultCommand = CommandIn<typeof faultCommands>
