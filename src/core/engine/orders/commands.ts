/** Commands of orders at the Ordering Application, and of their cancellations. */
import { z } from 'zod'
import { formatDuration } from '../../protocol/duration.ts'
import { CancellationRequest, ItemCancellation } from '../../protocol/orders/cancellation.ts'
import { orderTriggers, progressionTriggers } from '../../protocol/orders/lifecycle.ts'
import { Order } from '../../protocol/orders/order.ts'
import { TrackingUpdate } from '../../protocol/orders/tracking.ts'
import { commandRow, idField, metadataField, trueField } from '../command-row.ts'

/** The Ordering Application's answer to a cancellation request; `open` leaves it unanswered. */
const cancellationAnswers = ['accept', 'deny', 'open'] as const
export type CancellationAnswer = (typeof cancellationAnswers)[number]

/** Details that a merchant may add to an order later. */
export interface Amendment {
  readonly preparationStartDateTime?: string
  readonly observations?: string
}

const itemFields = () => ({ orderId: idField, itemId: idField, cancellation: ItemCancellation })

export const orderCommands = {
  /** Creates an order at the Ordering Application and announces it. */
  'order.create': commandRow({
    shape: () => ({
      order: Order,
      /** Index of an order that the Ordering Application created by itself, from 1. */
      arrival: z.exactOptional(z.int().min(1)),
      /** No document has an order like this: what it shows is advice. */
      outside: trueField,
    }),
    text: ({ order }) => `a ${order.fulfillment.orderType} order arrives`,
    orderId: ({ order }) => order.id,
  }),
  /** A lifecycle call: if valid, it is accepted now and takes effect later. */
  'order.request': commandRow({
    shape: () => ({ orderId: idField, trigger: z.enum(progressionTriggers) }),
    text: ({ trigger }) => `${trigger} is asked for`,
  }),
  /** The effect of an accepted call; also how the Ordering Application moves its own orders. */
  'order.apply': commandRow({
    shape: () => ({
      orderId: idField,
      trigger: z.enum(orderTriggers),
      /** For a cancellation: the metadata of the event. */
      metadata: metadataField,
      /** Emits no event, where the order's profile does not require one. */
      quiet: trueField,
      /** Moves the order even where the lifecycle has no such transition. */
      force: trueField,
      /** Cancels an order that was not confirmed within so many milliseconds; lapses when it was. */
      unconfirmedMs: z.exactOptional(z.int().min(0)),
    }),
    text: ({ trigger, force, unconfirmedMs: ms }) =>
      ms === undefined
        ? `${trigger} takes effect${force ? ', forced' : ''}`
        : `${trigger}, unless it is confirmed within ${formatDuration(ms)}`,
  }),
  /** The merchant adds details to an order: when preparation starts, a remark. */
  'order.amend': commandRow({
    shape: () => {
      const details: z.ZodType<Amendment> = z.strictObject({
        preparationStartDateTime: z.exactOptional(z.iso.datetime({ offset: true })),
        observations: z.exactOptional(z.string().max(2000)),
      })
      return { orderId: idField, details }
    },
    text: ({ details }) => `order details: ${Object.keys(details).join(', ')}`,
  }),
  /** Records a tracking update of the courier; the status stays. */
  'order.track': commandRow({
    shape: () => ({ orderId: idField, update: TrackingUpdate }),
    text: () => 'a courier update',
  }),
  /** The merchant asks to cancel the order. */
  'cancellation.request': commandRow({
    shape: () => ({ orderId: idField, request: CancellationRequest }),
    text: ({ request: { code } }) => `cancellation asked for${code ? `: ${code}` : ''}`,
  }),
  /** The Ordering Application answers a cancellation request. */
  'cancellation.answer': commandRow({
    shape: () => ({ orderId: idField, answer: z.enum(cancellationAnswers) }),
    text: ({ answer }) =>
      answer === 'open'
        ? 'the cancellation request stays open'
        : `the cancellation request: ${answer}`,
  }),
  /** Requests to cancel an order line, or a part of it: takes effect later. */
  'item.request-cancel': commandRow({
    shape: itemFields,
    text: ({ itemId }) => `cancel of item ${itemId} asked for`,
  }),
  /** The effect of an accepted item cancellation. */
  'item.cancel': commandRow({
    shape: itemFields,
    text: ({ itemId }) => `cancel of item ${itemId} takes effect`,
  }),
}
