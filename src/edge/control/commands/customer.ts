/** Schemas of the Customer commands. */
import { z } from 'zod'
import { recordKinds } from '../../../protocol/customer/batch.ts'
import { CustomerIdentifier } from '../../../protocol/customer/identifier.ts'
import { IngestEntry, IngestBatch } from '../../../protocol/customer/ingest-batch.ts'
import { customerTriggers } from '../../../protocol/customer/lifecycle.ts'
import { orderFates } from '../../../protocol/customer/related-order.ts'
import { DateTime } from '../../../protocol/date-time.ts'
import { RoleName } from '../../../protocol/role-schema.ts'
import { idField, trueField } from '../../../engine/command-row.ts'
import { commandSchema } from './row.ts'

const anything = z.record(z.string(), z.unknown())
const someId = z.exactOptional(idField)
const resource = z.enum(recordKinds)
const instant = z.int().min(0)

const HeardEvent = z.strictObject({
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
})

const event = { event: HeardEvent }
const entry = { entry: IngestEntry }
const consent = { customerId: idField, marketing: z.boolean() }
const move = { customerId: idField, trigger: z.enum(customerTriggers), force: trueField }
const convert = { leadId: idField }
const review = {
  customerId: idField,
  orderId: someId,
  rating: z.number().min(0).max(10),
  comment: z.exactOptional(z.string().max(2000)),
}

export const customerCommands = {
  'customer.hear': commandSchema('customer.hear', event),
  'customer.enter': commandSchema('customer.enter', entry),
  'customer.consent': commandSchema('customer.consent', consent),
  'customer.move': commandSchema('customer.move', move),
  'customer.convert': commandSchema('customer.convert', convert),
  'customer.review': commandSchema('customer.review', review),
  'customer.ingest': commandSchema('customer.ingest', { intake: IngestBatch, from: RoleName }),
  'customer.apply': commandSchema('customer.apply', { entry: IngestEntry, from: RoleName }),
  'customer.pull': commandSchema('customer.pull', {
    resource,
    page: z.int().min(1),
    period: z.exactOptional(z.strictObject({ from: instant, to: instant })),
  }),
  'relation.hear': commandSchema('relation.hear', event),
  'relation.enter': commandSchema('relation.enter', entry),
  'relation.consent': commandSchema('relation.consent', consent),
  'relation.move': commandSchema('relation.move', move),
  'relation.convert': commandSchema('relation.convert', convert),
  'relation.review': commandSchema('relation.review', review),
  'relation.register': commandSchema('relation.register', {
    orderId: idField,
    marketing: z.boolean(),
    leadSource: z.exactOptional(z.string().min(1).max(200)),
  }),
  'relation.record': commandSchema('relation.record', {
    orderId: idField,
    fate: z.enum(orderFates),
  }),
  'relation.share': commandSchema('relation.share', {}),
  'relation.push': commandSchema('relation.push', { entity: resource, id: idField }),
}
