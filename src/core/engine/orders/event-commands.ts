/** Commands that emit the events of orders, and hand over the events of every capability. */
import { z } from 'zod'
import { orderEventTypes } from '../../protocol/orders/events.ts'
import {
  type CommandIn,
  commandRow,
  eventById,
  idField,
  idsField,
  metadataField,
  type References,
  titleOfEvent,
  trueField,
} from '../command-row.ts'

const typeOf = (eventId: string, references: References): string =>
  titleOfEvent(eventId, references) ?? 'an unknown event'

const orderIdOfEvent = (
  { eventId }: { readonly eventId: string },
  references: References,
): string | undefined => eventById(eventId, references)?.orderId

export const eventCommands = {
  /** Emits an event without a transition: an informational one, or any one by force. */
  'event.emit': commandRow({
    shape: () => ({
      orderId: idField,
      eventType: z.enum(orderEventTypes),
      metadata: metadataField,
      force: trueField,
    }),
    text: ({ eventType }) => `${eventType} is emitted`,
  }),
  /** Emits an event of a type unknown to the protocol, as a later version might have. */
  'event.invent': commandRow({
    shape: () => ({
      orderId: idField,
      eventType: z.templateLiteral(['X_', z.string().regex(/^[A-Z0-9_]{1,60}$/)]),
    }),
    text: ({ eventType }) => `${eventType} of an unknown type is emitted`,
  }),
  /** Changes fields of an emitted event, for every handover from now on. */
  'event.alter': commandRow({
    shape: () => ({ eventId: idField, change: z.record(z.string(), z.unknown()) }),
    text: ({ eventId, change }, references) =>
      `${typeOf(eventId, references)} is changed: ${Object.keys(change).join(', ')}`,
    orderId: orderIdOfEvent,
  }),
  /** Puts an emitted event into the mailbox for polls. */
  'event.offer': commandRow({
    shape: () => ({ eventId: idField }),
    text: ({ eventId }, references) => `${typeOf(eventId, references)} to polls`,
    orderId: orderIdOfEvent,
  }),
  /** Sends an emitted event to the receiver's webhook. */
  'event.push': commandRow({
    shape: () => ({
      eventId: idField,
      attempt: z.int().min(1),
      /** X-Request-Id of the earlier attempts: shared by all attempts of one push, not by two pushes of one event. */
      requestId: z.exactOptional(z.string()),
    }),
    text: ({ eventId }, references) => `${typeOf(eventId, references)} by webhook`,
    orderId: orderIdOfEvent,
  }),
  /** An endpoint that failed too often is sent nothing more (conduct.webhookDisableAfter). */
  'webhook.disable': commandRow({
    shape: () => ({ webhook: idField }),
    text: ({ webhook }) => `webhooks are switched off: ${webhook}`,
  }),
  /** It is sent what was kept; every one that is off when none is named. */
  'webhook.enable': commandRow({
    shape: () => ({ webhook: z.exactOptional(idField) }),
    text: ({ webhook = 'all' }) => `webhooks are switched on: ${webhook}`,
  }),
  /** A poll. */
  'events.poll': commandRow({
    shape: () => ({
      eventTypes: z.exactOptional(z.array(z.string()).max(100)),
      merchants: z.exactOptional(idsField),
    }),
    text: () => 'a poll',
  }),
  /** An acknowledgment of polled events. */
  'events.acknowledge': commandRow({
    shape: () => ({ eventIds: idsField }),
    text: ({ eventIds }) => `${eventIds.length} acknowledged`,
  }),
}

export type EventCommand = CommandIn<typeof eventCommands>
