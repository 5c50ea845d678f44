/** Schemas of the Customer commands. */
import { z } from 'zod'
import { recordKinds } from '../../../protocol/customer/batch.ts'
import { CustomerIdentifier } from '../../../protocol/customer/identifier.ts'
import { IngestEntry, IngestBatch } from '../../../protocol/customer/ingest-batch.ts'
import { customerTriggers } from '../../../protocol/customer/lifecycle.ts'
import { orderFates } from '../../../protocol/customer/related-order.ts'
import { DateTime } from '../../../protocol/date-time.ts'
import { Role } from '../../../protocol/role.ts'
import { command, id, yes } from './row.ts'

const anything = z.record(z.string(), z.unknown())
const someId = z.exactOptional(id)
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
const consent = { customerId: id, marketing: z.boolean() }
const move = { customerId: id, trigger: z.enum(customerTriggers), force: yes }
const convert = { leadId: id }
const review = {
  customerId: id,
  orderId: someId,
  rating: z.number().min(0).max(10),
  comment: z.exactOptional(z.string().max(2000)),
}

export const customerCommands = {
  'customer.hear': command('customer.hear', event),
  'customer.enter': command('customer.enter', entry),
  'customer.consent': command('customer.consent', consent),
  'customer.move': command('customer.move', move),
  'customer.convert': command('customer.convert', convert),
  'customer.review': command('customer.review', review),
  'customer.ingest': command('customer.ingest', { intake: IngestBatch, from: Role }),
  'customer.apply': command('customer.apply', { entry: IngestEntry, from: Role }),
  'customer.pull': command('customer.pull', {
    resource,
    page: z.int().min(1),
    period: z.exactOptional(z.strictObject({ from: instant, to: instant })),
  }),
  'relation.hear': command('relation.hear', event),
  'relation.enter': command('relation.enter', entry),
  'relation.consent': command('relation.consent', consent),
  'relation.move': command('relation.move', move),
  'relation.convert': command('relation.convert', convert),
  'relation.review': command('relation.review', review),
  'relation.register': command('relation.register', {
    orderId: id,
    marketing: z.boolean(),
    leadSource: z.exactOptional(z.string().min(1).max(200)),
  }),
  'relation.record': command('relation.record', { orderId: id, fate: z.enum(orderFates) }),
  'relation.share': command('relation.share', {}),
  'relation.push': command('relation.push', { entity: resource, id }),
}
