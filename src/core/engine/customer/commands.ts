/** Commands of Customer: `customer.…` at the host (CRM), `relation.…` at the client (Ordering Application). */
import { z } from 'zod'
import { batchKeys, recordCount, recordKinds } from '../../protocol/customer/batch.ts'
import type { ReceivedCustomerEvent } from '../../protocol/customer/event.ts'
import { CustomerIdentifier } from '../../protocol/customer/identifier.ts'
import { IngestBatch, IngestEntry } from '../../protocol/customer/ingest-batch.ts'
import { customerTriggers } from '../../protocol/customer/lifecycle.ts'
import { orderOutcomes } from '../../protocol/customer/related-order.ts'
import { DateTime } from '../../protocol/date-time.ts'
import { shortRoleName } from '../../protocol/role.ts'
import { RoleName } from '../../protocol/role-schema.ts'
import { type CommandIn, commandRow, idField, trueField } from '../command-row.ts'
import { applicationSide, crmSide, type CustomerSide, ofSide } from './side.ts'
import { strictObject } from '../../base/lazy-object.ts'

const anything = z.record(z.string(), z.unknown())
const someId = z.exactOptional(idField)
const resource = z.enum(recordKinds)
const instant = z.int().min(0)

const ReceivedEvent: z.ZodType<ReceivedCustomerEvent> = strictObject(() => ({
  eventType: z.string().min(1),
  occurredAt: DateTime,
  at: z.number(),
  envelope: anything,
  customerId: someId,
  identifier: z.exactOptional(CustomerIdentifier),
  externalIds: z.array(z.string().min(1)),
  orderId: someId,
  recordId: someId,
  payload: anything,
}))

/** Commands that both sides accept, each for its own store. */
function commonCommands({ role }: CustomerSide) {
  const who = shortRoleName[role]
  return {
    /** Receives an event. */
    hear: commandRow({
      shape: () => ({ event: ReceivedEvent }),
      text: ({ event }) => `${event.eventType} reaches ${who}`,
    }),
    /** Creates or changes a record of this side's own. */
    enter: commandRow({
      shape: () => ({ entry: IngestEntry }),
      text: ({ entry }) => `a new ${entry.entity} at ${who}`,
    }),
    /** Sets or withdraws a customer's marketing consent. */
    consent: commandRow({
      shape: () => ({ customerId: idField, marketing: z.boolean() }),
      text: ({ marketing }) => `a customer opts ${marketing ? 'in' : 'out'} at ${who}`,
    }),
    /** Moves a customer's status. */
    move: commandRow({
      shape: () => ({
        customerId: idField,
        trigger: z.enum(customerTriggers),
        /** Moves it even if the lifecycle has no such transition. */
        force: trueField,
      }),
      text: ({ trigger, force }) => `${trigger} of a customer at ${who}${force ? ', forced' : ''}`,
    }),
    /** Converts a lead to a customer. */
    convert: commandRow({
      shape: () => ({ leadId: idField }),
      text: ({ leadId }) => `lead ${leadId} becomes a customer at ${who}`,
    }),
    /** Adds a customer's review of an order, or of the store. */
    review: commandRow({
      shape: () => ({
        customerId: idField,
        orderId: someId,
        rating: z.number().min(0).max(10),
        comment: z.exactOptional(z.string().max(2000)),
      }),
      text: ({ rating }) => `a review of ${rating} at ${who}`,
    }),
  }
}

export type CommonCommand = CommandIn<ReturnType<typeof commonCommands>>

export const customerCommands = {
  ...ofSide(crmSide, commonCommands),
  /** Accepts pushed records for asynchronous processing. */
  'customer.ingest': commandRow({
    shape: () => ({ intake: IngestBatch, from: RoleName }),
    text: ({ intake }) =>
      `${recordCount(intake.length, intake[0]?.entity ?? 'customer')} pushed to CRM`,
  }),
  /** Processes one accepted record. */
  'customer.apply': commandRow({
    shape: () => ({ entry: IngestEntry, from: RoleName }),
    text: ({ entry, from }) => `a ${entry.entity} of ${shortRoleName[from]} takes effect`,
  }),
  /** Pulls a page of the Ordering Application's records into the CRM. */
  'customer.pull': commandRow({
    shape: () => ({
      resource,
      page: z.int().min(1),
      /** The period of the pull round; default: from the end of the last round until now. */
      period: z.exactOptional(z.strictObject({ from: instant, to: instant })),
    }),
    text: ({ resource: kind, page }) => `CRM pulls ${batchKeys[kind].many}, page ${page}`,
  }),
  ...ofSide(applicationSide, commonCommands),
  /** Registers the customer of an order, if not known yet. */
  'relation.register': commandRow({
    shape: () => ({
      orderId: idField,
      /** Marketing consent of a new customer. */
      marketing: z.boolean(),
      /** Source of the lead, if the customer was captured as one. */
      leadSource: z.exactOptional(z.string().min(1).max(200)),
    }),
    text: () => 'OA registers who ordered',
  }),
  /** Records an order, or its outcome, in customer context. */
  'relation.record': commandRow({
    shape: () => ({ orderId: idField, fate: z.enum(orderOutcomes) }),
    text: ({ fate }) => `OA notes the order as ${fate}`,
  }),
  /** Takes the next step of flushing the outbox. */
  'relation.share': commandRow({ shape: () => ({}), text: () => 'OA shares what is new' }),
  /** Pushes a record again. */
  'relation.push': commandRow({
    shape: () => ({ entity: resource, id: idField }),
    text: ({ entity, id }) => `OA pushes ${entity} ${id} again`,
  }),
}

export type CustomerCommand = CommandIn<typeof customerCommands>
