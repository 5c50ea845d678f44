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
import { RoleName } from '../../protocol/role-schema.ts'
import { type Command, type CommandKind, commandRows } from '../../engine/command.ts'
import { faultCommands } from './commands/faults.ts'
import { logisticsCommands } from './commands/logistics.ts'
import { loyaltyCommands } from './commands/loyalty.ts'
import { playbackCommands } from './commands/playback.ts'
import { idField, trueField } from '../../engine/command-row.ts'
import { commandSchema, schemasOf } from './commands/row.ts'

const itemId = z.int().min(1)
const ids = z.array(idField).max(2000)
const strings = z.record(z.string(), z.string())
const metadata = z.exactOptional(z.record(z.string(), z.unknown()))
const anything = z.record(z.string(), z.unknown())
const progression = z.enum(progressionTriggers)
const operationIds = operations.map((row) => row.id) as [OperationId, ...OperationId[]]

const CallIntent = z.strictObject({
  from: RoleName,
  to: RoleName,
  platform: z.exactOptional(z.int().min(1)),
  operation: z.enum(operationIds),
  params: z.exactOptional(strings),
  query: z.exactOptional(strings),
  body: z.exactOptional(z.unknown()),
  eventId: z.exactOptional(idField),
  attempt: z.int().min(1),
  requestId: z.exactOptional(z.string()),
})

const CallOutcome = z.discriminatedUnion('kind', [
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

/** Edits of one agenda item, single or in a batch. */
const itemEdits = {
  'agenda.hold': commandSchema('agenda.hold', { id: itemId }),
  'agenda.release': commandSchema('agenda.release', { id: itemId }),
  'agenda.drop': commandSchema('agenda.drop', { id: itemId }),
  'agenda.duplicate': commandSchema('agenda.duplicate', { id: itemId }),
  'agenda.delay': commandSchema('agenda.delay', { id: itemId, byMs: Duration }),
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
export const commandSchemas = {
  'session.open': commandSchema('session.open', {}),
  'session.configure': commandSchema('session.configure', {
    changes: z.array(
      z.strictObject({ path: z.array(z.string()), value: z.exactOptional(z.unknown()) }),
    ),
  }),
  'agenda.plan': commandSchema('agenda.plan', {
    command: z.lazy((): z.ZodType<Command> => CommandBody),
    afterMs: Duration,
  }),
  ...itemEdits,
  'agenda.move': commandSchema('agenda.move', {
    id: itemId,
    to: z.union([z.enum(['earlier', 'later']), z.strictObject({ place: itemId })]),
  }),
  'agenda.edit': commandSchema('agenda.edit', { id: itemId, change: anything }),
  'agenda.arrange': commandSchema('agenda.arrange', { order: z.array(itemId).max(maxItems) }),
  'agenda.batch': commandSchema('agenda.batch', { edits: z.array(ItemEdit).max(maxItems) }),
  'agenda.undo': commandSchema('agenda.undo', { past: trueField }),
  'agenda.redo': commandSchema('agenda.redo', { past: trueField }),
  'order.create': commandSchema('order.create', {
    order: Order,
    arrival: z.exactOptional(z.int().min(1)),
  }),
  'order.request': commandSchema('order.request', { orderId: idField, trigger: progression }),
  'order.apply': commandSchema('order.apply', {
    orderId: idField,
    trigger: z.enum(orderTriggers),
    metadata,
    quiet: trueField,
    force: trueField,
  }),
  'order.amend': commandSchema('order.amend', {
    orderId: idField,
    details: z.strictObject({
      preparationStartDateTime: z.exactOptional(z.iso.datetime({ offset: true })),
      observations: z.exactOptional(z.string().max(2000)),
    }),
  }),
  'order.track': commandSchema('order.track', { orderId: idField, update: TrackingUpdate }),
  'cancellation.request': commandSchema('cancellation.request', {
    orderId: idField,
    request: CancellationRequest,
  }),
  'cancellation.answer': commandSchema('cancellation.answer', {
    orderId: idField,
    answer: z.enum(['accept', 'deny', 'open']),
  }),
  'item.request-cancel': commandSchema('item.request-cancel', {
    orderId: idField,
    itemId: idField,
    cancellation: ItemCancellation,
  }),
  'item.cancel': commandSchema('item.cancel', {
    orderId: idField,
    itemId: idField,
    cancellation: ItemCancellation,
  }),
  'event.emit': commandSchema('event.emit', {
    orderId: idField,
    eventType: z.enum(orderEventTypes),
    metadata,
    force: trueField,
  }),
  'event.invent': commandSchema('event.invent', {
    orderId: idField,
    eventType: z.templateLiteral(['X_', z.string().regex(/^[A-Z0-9_]{1,60}$/)]),
  }),
  'event.alter': commandSchema('event.alter', { eventId: idField, change: anything }),
  'event.offer': commandSchema('event.offer', { eventId: idField }),
  'event.push': commandSchema('event.push', {
    eventId: idField,
    attempt: z.int().min(1),
    requestId: z.exactOptional(z.string()),
  }),
  'events.poll': commandSchema('events.poll', {
    eventTypes: z.exactOptional(z.array(z.string()).max(100)),
    merchants: z.exactOptional(ids),
  }),
  'events.acknowledge': commandSchema('events.acknowledge', { eventIds: ids }),
  'ticket.notify': commandSchema('ticket.notify', { event: OrderEvent }),
  'ticket.advance': commandSchema('ticket.advance', {
    orderId: idField,
    trigger: progression,
    force: trueField,
  }),
  'ticket.reconcile': commandSchema('ticket.reconcile', {
    orderId: idField,
    round: z.int().min(0),
  }),
  'ticket.cancel': commandSchema('ticket.cancel', {
    orderId: idField,
    request: CancellationRequest,
  }),
  'ticket.cancel-item': commandSchema('ticket.cancel-item', {
    orderId: idField,
    itemId: idField,
    cancellation: ItemCancellation,
  }),
  'token.issue': commandSchema('token.issue', {
    host: RoleName,
    clientId: idField,
    clientSecret: z.string(),
    scope: z.exactOptional(z.string()),
    grantType: z.exactOptional(z.string()),
    code: z.exactOptional(z.string()),
    redirectUri: z.exactOptional(z.string()),
  }),
  'consent.ask': commandSchema('consent.ask', {
    host: RoleName,
    clientId: idField,
    responseType: z.string(),
    redirectUri: z.exactOptional(z.string()),
    scope: z.exactOptional(z.string()),
  }),
  'partner.trust': commandSchema('partner.trust', { from: RoleName, partner: RoleName }),
  'token.revoke': commandSchema('token.revoke', { host: RoleName, clientId: idField }),
  'call.place': commandSchema('call.place', { call: CallIntent }),
  'call.conclude': commandSchema('call.conclude', { callId: z.int().min(0), outcome: CallOutcome }),
  ...logisticsCommands,
  ...schemasOf(commandRows),
  ...loyaltyCommands,
  ...faultCommands,
  ...playbackCommands,
} satisfies { readonly [Kind in CommandKind]: z.ZodType<Extract<Command, { kind: Kind }>> }

type Rows = typeof commandSchemas
const kinds = Object.values(commandSchemas) as unknown as readonly [
  Rows['session.open'],
  ...Rows[CommandKind][],
]

/** A command as a request body. */
export const CommandBody: z.ZodType<Command> = z.discriminatedUnion('kind', kinds)
