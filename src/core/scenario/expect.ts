/**
 * Schema of `expect`: the expectations at the end of a scenario. Absent keys are not checked, except `invariants`: all.
 */
import { z } from 'zod'
import {
  OperationName,
  countingKey,
  EventTypeName,
  EventTypes,
  balanceKeys,
  countKeys,
  EntityState,
  OrderSlot,
  StatusName,
} from './shared-shapes.ts'
import { strictObject } from '../base/lazy-object.ts'

const invariantId = z.string().min(1).describe('an invariant by its id, such as SE-1')

export const Expect = strictObject(() => ({
  statuses: z
    .record(z.string(), z.union([StatusName, z.array(StatusName).min(1)]))
    .optional()
    .describe('the status that each order has in the end, by its slot; `all` is all of them'),
  views: z
    .record(z.string(), z.union([StatusName, z.array(StatusName).min(1)]))
    .optional()
    .describe('the status that your service itself says each order has (subject.probe)'),
  calls: z
    .array(
      z.strictObject({
        call: OperationName,
        order: OrderSlot.optional(),
        ...countKeys(),
        counting: countingKey,
      }),
    )
    .optional()
    .describe('how often calls were made'),
  sequence: z
    .record(z.string(), z.array(OperationName).min(2))
    .optional()
    .describe('the order in which calls about an order first succeeded, by its slot'),
  acknowledged: z
    .union([z.literal('all'), z.array(EventTypeName).min(1)])
    .optional()
    .describe(
      'the events that your service took responsibility for: all that reached it, or these types',
    ),
  taken: z
    .array(z.strictObject({ event: EventTypeName, order: OrderSlot.optional() }))
    .optional()
    .describe(
      'events that your service must take: it acknowledges them, or answers their webhooks with success, and refuses none of them once (a 401 asks for a fresh token)',
    ),
  announced: z
    .array(z.strictObject({ event: EventTypes, order: OrderSlot.optional(), ...countKeys() }))
    .optional()
    .describe('how many events your service sent itself; one that is sent again counts once'),
  accounts: z
    .record(z.string(), EntityState)
    .optional()
    .describe('what the host of accounts says of that of each order: a status, or fields of it'),
  deliveries: z
    .record(z.string(), EntityState)
    .optional()
    .describe('what the platform says of the delivery of each order: a status, or fields of it'),
  customers: z
    .record(z.string(), EntityState)
    .optional()
    .describe('what the CRM says of each customer, of whom it has one record'),
  payments: z
    .record(z.string(), z.array(z.number()))
    .optional()
    .describe('the amounts that were paid on the account of each order, oldest first'),
  balances: z
    .record(z.string(), z.union([z.int(), strictObject(balanceKeys)]))
    .optional()
    .describe('the points that each customer may spend'),
  redemptions: z
    .record(z.string(), z.int().min(0))
    .optional()
    .describe('how often points of each customer were burnt'),
  steps: z
    .enum(['all', 'any'])
    .optional()
    .describe(
      'whether a step that waits in vain is a failure: `any` ends the steps there, and what else is expected decides; `all` when absent',
    ),
  invariants: z
    .union([z.literal('all'), z.array(invariantId)])
    .default('all')
    .describe(
      'the rules that must not fail: all, or only these, of which the report says each that was not exercised',
    ),
  failed: z
    .array(invariantId)
    .optional()
    .describe('the rules that must fail: for a scenario that demonstrates a mistake'),
  tests: z
    .array(invariantId)
    .optional()
    .describe(
      'the rules that it is about: the report says each that was not exercised, and `run --require-exercised` fails then',
    ),
}))
export type Expect = z.output<typeof Expect>
