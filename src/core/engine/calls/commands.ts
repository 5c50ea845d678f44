/** Commands of outgoing calls, and of the counterparts that are called. */
import { z } from 'zod'
import { type OperationId, operations } from '../../protocol/catalogue.ts'
import { RoleName } from '../../protocol/role-schema.ts'
import { shortRoleName } from '../../protocol/role.ts'
import { type CommandIn, commandRow, eventById, idField } from '../command-row.ts'
import { type CallIntent, type CallOutcome, trialText } from './call.ts'

export const operationIds = operations.map((row) => row.id) as [OperationId, ...OperationId[]]

function callSchema(): z.ZodType<CallIntent> {
  const strings = z.exactOptional(z.record(z.string(), z.string()))
  return z.strictObject({
    from: RoleName,
    to: RoleName,
    platform: z.exactOptional(z.int().min(1)),
    operation: z.enum(operationIds),
    params: strings,
    query: strings,
    body: z.exactOptional(z.unknown()),
    eventId: z.exactOptional(idField),
    attempt: z.int().min(1),
    requestId: z.exactOptional(z.string()),
    trial: z.exactOptional(z.string()),
    scopes: z.exactOptional(z.array(z.string())),
  })
}

const outcomeSchema = (): z.ZodType<CallOutcome> =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answered'),
      status: z.int().min(100).max(599),
      body: z.exactOptional(z.unknown()),
      malformed: z.exactOptional(z.string()),
      retryAfterMs: z.exactOptional(z.int().min(0)),
      freshForMs: z.exactOptional(z.int().min(0)),
      forged: z.exactOptional(z.literal(true)),
    }),
    z.strictObject({ kind: z.literal('failed'), code: z.string(), message: z.string() }),
  ])

export const callCommands = {
  /** Accepts a counterpart without reading its manifest, by configuration. */
  'partner.trust': commandRow({
    shape: () => ({ from: RoleName, partner: RoleName }),
    text: ({ partner }) => `${shortRoleName[partner]} is trusted without a manifest`,
  }),
  /** A role that we play places a call. */
  'call.place': commandRow({
    shape: () => ({ call: callSchema() }),
    text: ({ call }) => {
      const { from, to, operation, attempt } = call
      const what = `${shortRoleName[from]} > ${shortRoleName[to]} ${operation}`
      const again = attempt > 1 ? `, try ${attempt}` : ''
      return call.trial === undefined ? what + again : `${what}${again}, ${trialText(call)}`
    },
    orderId: ({ call: { params, eventId } }, references) =>
      params?.['orderId'] ??
      (eventId === undefined ? undefined : eventById(eventId, references)?.orderId),
  }),
  /** A call ended: answered or failed. */
  'call.conclude': commandRow({
    shape: () => ({ callId: z.int().min(0), outcome: outcomeSchema() }),
    text: ({ callId }) => `the end of call ${callId}`,
    orderId: ({ callId }, { calls }) => calls.get(callId)?.params?.['orderId'],
  }),
}

export type CallCommand = CommandIn<typeof callCommands>
