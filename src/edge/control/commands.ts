/** Schemas of all commands that the control API accepts. The `satisfies` clause at the end keeps the list complete. */
import { z } from 'zod'
import { operations, type OperationId } from '../../protocol/catalogue.ts'
import { Duration } from '../../protocol/duration.ts'
import { CancellationRequest, ItemCancellation } from '../../protocol/orders/cancellation.ts'
import { OrderEvent } from '../../protocol/orders/event.ts'
import { orderEventTypes } from '../../protocol/orders/events.ts'
import { orderTriggers, progressionTriggers } from '../../protocol/orders/lifecycle.ts'
import { Order } from '../../protocol/orders/order.ts'
import { TrackingUpdate } from '../../protocol/orders/tracking.ts'
import { Role } from '../../protocol/role.ts'
import type { Command, CommandKind } from '../../engine/command.ts'
import { faultCommands } from './commands/faults.ts'
import { customerCommands } from './commands/customer.ts'
import { indoorCommands } from './commands/indoor.ts'
import { logisticsCommands } from './commands/logistics.ts'
import { loyaltyCommands } from './commands/loyalty.ts'
import { playbackCommands } from './commands/playback.ts'
import { command, id, yes } from './commands/row.ts'
import { v1Commands } from './commands/v1.ts'

const itemId = z.int().min(1)
const ids = z.array(id).max(2000)
const strings = z.record(z.string(), z.string())
const metadata = z.exactOptional(z.record(z.string(), z.unknown()))
const anything = z.record(z.string(), z.unknown())
const progression = z.enum(progressionTriggers)
const operationIds = operations.map((row) => row.id) as [OperationId, ...OperationId[]]

const CallIntent = z.strictObject({
  from: Role,
  to: Role,
  platform: z.exactOptional(z.int().min(1)),
  operation: z.enum(operationIds),
  params: z.exactOptional(strings),
  query: z.exactOptional(strings),
  body: z.exactOptional(z.unknown()),
  eventId: z.exactOptional(id),
  attempt: z.int().min(1),
  requestId: z.exactOptional(z.string()),
})

const CallOutcome = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('answered'),
    status: z.int().min(100).max(599),
    body: z.exactOptional(z.unknown()),
    retryAfterMs: z.exactOptional(z.int().min(0)),
    freshForMs: z.exactOptional(z.int().min(0)),
    forged: z.exactOptional(z.literal(true)),
  }),
  z.strictObject({ kind: z.literal('failed'), code: z.string(), message: z.string() }),
])

/** Edits of one agenda item, single or in a batch. */
const itemEdits = {
  'agenda.hold': command('agenda.hold', { id: itemId }),
  'agenda.release': command('agenda.release', { id: itemId }),
  'agenda.drop': command('agenda.drop', { id: itemId }),
  'agenda.duplicate': command('agenda.duplicate', { id: itemId }),
  'agenda.delay': command('agenda.delay', { id: itemId, byMs: Duration }),
}

const ItemEdit = z.discriminatedUnion('kind', [
  itemEdits['agenda.hold'],
  itemEdits['agenda.release'],
  itemEdits['agenda.drop'],
  itemEdits['agenda.duplicate'],
  itemEdits['agenda.delay'],
])

/** Maximum number of items in one command. */
const maxItems = 10_000

/** All kinds with their fields; `afterMs` and `byMs` also accept `5s`. */
const rows = {
  'session.open': command('session.open', {}),
  'agenda.plan': command('agenda.plan', {
    command: z.lazy((): z.ZodType<Command> => CommandBody),
    afterMs: Duration,
  }),
  ...itemEdits,
  'agenda.move': command('agenda.move', {
    id: itemId,
    to: z.union([z.enum(['earlier', 'later']), z.strictObject({ place: itemId })]),
  }),
  'agenda.edit': command('agenda.edit', { id: itemId, change: anything }),
  'agenda.arrange': command('agenda.arrange', { order: z.array(itemId).max(maxItems) }),
  'agenda.batch': command('agenda.batch', { edits: z.array(ItemEdit).max(maxItems) }),
  'agenda.undo': command('agenda.undo', { past: yes }),
  'agenda.redo': command('agenda.redo', { past: yes }),
  'order.create': command('order.create', {
    order: Order,
    arrival: z.exactOptional(z.int().min(1)),
  }),
  'order.request': command('order.request', { orderId: id, trigger: progression }),
  'order.apply': command('order.apply', {
    orderId: id,
    trigger: z.enum(orderTriggers),
    metadata,
    quiet: yes,
    force: yes,
  }),
  'order.amend': command('order.amend', {
    orderId: id,
    details: z.strictObject({
      preparationStartDateTime: z.exactOptional(z.iso.datetime({ offset: true })),
      observations: z.exactOptional(z.string().max(2000)),
    }),
  }),
  'order.track': command('order.track', { orderId: id, update: TrackingUpdate }),
  'cancellation.request': command('cancellation.request', {
    orderId: id,
    request: CancellationRequest,
  }),
  'cancellation.answer': command('cancellation.answer', {
    orderId: id,
    answer: z.enum(['accept', 'deny', 'open']),
  }),
  'item.request-cancel': command('item.request-cancel', {
    orderId: id,
    itemId: id,
    cancellation: ItemCancellation,
  }),
  'item.cancel': command('item.cancel', {
    orderId: id,
    itemId: id,
    cancellation: ItemCancellation,
  }),
  'event.emit': command('event.emit', {
    orderId: id,
    eventType: z.enum(orderEventTypes),
    metadata,
    force: yes,
  }),
  'event.invent': command('event.invent', {
    orderId: id,
    eventType: z.templateLiteral(['X_', z.string().regex(/^[A-Z0-9_]{1,60}$/)]),
  }),
  'event.alter': command('event.alter', { eventId: id, change: anything }),
  'event.offer': command('event.offer', { eventId: id }),
  'event.push': command('event.push', {
    eventId: id,
    attempt: z.int().min(1),
    requestId: z.exactOptional(z.string()),
  }),
  'events.poll': command('events.poll', {
    eventTypes: z.exactOptional(z.array(z.string()).max(100)),
    merchants: z.exactOptional(ids),
  }),
  'events.acknowledge': command('events.acknowledge', { eventIds: ids }),
  'ticket.notify': command('ticket.notify', { event: OrderEvent }),
  'ticket.advance': command('ticket.advance', {
    orderId: id,
    trigger: progression,
    force: yes,
  }),
  'ticket.reconcile': command('ticket.reconcile', { orderId: id, round: z.int().min(0) }),
  'ticket.cancel': command('ticket.cancel', { orderId: id, request: CancellationRequest }),
  'ticket.cancel-item': command('ticket.cancel-item', {
    orderId: id,
    itemId: id,
    cancellation: ItemCancellation,
  }),
  'token.issue': command('token.issue', {
    host: Role,
    clientId: id,
    clientSecret: z.string(),
    scope: z.exactOptional(z.string()),
    grantType: z.exactOptional(z.string()),
    code: z.exactOptional(z.string()),
    redirectUri: z.exactOptional(z.string()),
  }),
  'consent.ask': command('consent.ask', {
    host: Role,
    clientId: id,
    responseType: z.string(),
    redirectUri: z.exactOptional(z.string()),
    scope: z.exactOptional(z.string()),
  }),
  'partner.trust': command('partner.trust', { from: Role, partner: Role }),
  'token.revoke': command('token.revoke', { host: Role, clientId: id }),
  'call.place': command('call.place', { call: CallIntent }),
  'call.conclude': command('call.conclude', { callId: z.int().min(0), outcome: CallOutcome }),
  ...indoorCommands,
  ...logisticsCommands,
  ...customerCommands,
  ...loyaltyCommands,
  ...v1Commands,
  ...faultCommands,
  ...playbackCommands,
} satisfies { readonly [Kind in CommandKind]: z.ZodType<Extract<Command, { kind: Kind }>> }

type Rows = typeof rows
const kinds = Object.values(rows) as unknown as readonly [
  Rows['session.open'],
  ...Rows[CommandKind][],
]

/** A command as a request body. */
export const CommandBody: z.ZodType<Command> = z.discriminatedUnion('kind', kinds)
