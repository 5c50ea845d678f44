/** The words that place and move orders, and emit or change events. */
import { z } from 'zod'
import { compact } from '../../base/compact.ts'
import { newOrderFields } from '../../session-api/configuration/new-order.ts'
import type { Command } from '../../engine/command.ts'
import { itemIdsOf } from '../../session-api/order-lines.ts'
import type { CancellationAnswer } from '../../engine/orders/commands.ts'
import { isOrderEventType } from '../../protocol/orders/events.ts'
import {
  type OrderTrigger,
  orderTriggers,
  progressionTriggers,
  type ProgressionTrigger,
} from '../../protocol/orders/lifecycle.ts'
import { EventTypeName, jsonFields, ofOrder, OrderSlot, StepFailure } from '../shared-shapes.ts'
import { newOrderOf } from '../step-actions.ts'
import { asList } from '../step-context.ts'
import { defineWord, type SaveContext } from './word.ts'
import { strictObject } from '../../base/lazy-object.ts'

const answers = {
  'accept-cancellation': 'accept',
  'deny-cancellation': 'deny',
  'leave-cancellation-open': 'open',
} as const

type AnswerMove = keyof typeof answers
const answerMoves = Object.keys(answers) as [AnswerMove, ...AnswerMove[]]

/** The move that gives an answer to a cancellation request. */
export const moveOfAnswer = (answer: CancellationAnswer): AnswerMove =>
  answer === 'open' ? 'leave-cancellation-open' : `${answer}-cancellation`

/** Triggers of the order lifecycle, and answers to a cancellation request. */
const orderMoves = [...orderTriggers, ...answerMoves] as const

const isAnswer = (move: string): move is AnswerMove => Object.hasOwn(answers, move)
const isMove = (trigger: string): trigger is (typeof orderMoves)[number] =>
  (orderMoves as readonly string[]).includes(trigger)
const isProgression = (move: OrderTrigger): move is ProgressionTrigger =>
  (progressionTriggers as readonly OrderTrigger[]).includes(move)

const Trigger = strictObject(() => ({
  order: OrderSlot,
  move: z.enum(orderMoves).describe('what happens to it: cancel, conclude, deny-cancellation …'),
  force: z.literal(true).optional().describe('even where the life of an order has no such step'),
  code: z.string().optional().describe('for cancel: the code that the event gives'),
  reason: z.string().optional().describe('for cancel: the reason that the event gives'),
}))

/** The command for a move; the dashboard sends the same one. */
export function moveCommand(
  { move, force, code, reason }: z.output<typeof Trigger>,
  orderId: string,
): Command {
  if (isAnswer(move)) return { kind: 'cancellation.answer', orderId, answer: answers[move] }
  if (isProgression(move) && !force) return { kind: 'order.request', orderId, trigger: move }
  const cancellation = compact({ code, reason })
  return {
    kind: 'order.apply',
    orderId,
    trigger: move,
    ...(Object.keys(cancellation).length > 0 ? { metadata: cancellation } : {}),
    ...compact({ force }),
  }
}

/** Input about an order; undefined for one without a slot, which no step can name. */
function ofSlot<const Input>(orderId: string, { names }: SaveContext, input: Input) {
  const order = names.slotOf(orderId)
  return order === undefined ? undefined : { order, ...input }
}

const textOrAbsent = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

export const orderWords = {
  create: defineWord({
    shape: z
      .union([OrderSlot, z.array(OrderSlot).min(1)])
      .describe('an order of `orders` is placed, or several one after the other'),
    text: (slots) => `${asList(slots).join(', ')} is placed`,
    async perform(slots, { orders, actions }) {
      for (const slot of asList(slots)) await actions.place(newOrderOf(orders[slot] ?? {}), slot)
    },
    save: { order: ({ orderId }, { names }) => names.slotOf(orderId) ?? orderId },
  }),
  crowd: defineWord({
    shape: strictObject(() => ({
      times: z.int().min(1).max(10_000).describe('how many'),
      ...newOrderFields(),
    })).describe('so many orders at once, which take the next slots'),
    text: ({ times }) => `${times} orders are placed`,
    async perform({ times, ...order }, { actions }) {
      for (let placed = 0; placed < times; placed++) await actions.place(newOrderOf(order))
    },
  }),
  trigger: defineWord({
    shape: Trigger.describe('an operator action on our side: triggers a transition'),
    text: ({ move, order, force }) => `${move}${ofOrder(order)}${force ? ', forced' : ''}`,
    perform: (input, { actions }) => actions.submit(moveCommand(input, actions.order(input.order))),
    save: {
      'order.request': ({ orderId, trigger: move }, context) => ofSlot(orderId, context, { move }),
      'order.apply': ({ orderId, trigger: move, force, metadata = {}, quiet }, context) => {
        const { code, reason, ...more } = metadata
        const isExpressible = Object.keys(more).length === 0 && !quiet
        const ours = force || move === 'cancel' || move === 'conclude' || move === 'collect'
        if (!isMove(move) || !isExpressible || !ours) return undefined
        const texts = compact({ code: textOrAbsent(code), reason: textOrAbsent(reason) })
        return ofSlot(orderId, context, { move, ...texts, ...compact({ force }) })
      },
      'cancellation.answer': ({ orderId, answer }, context) =>
        ofSlot(orderId, context, { move: moveOfAnswer(answer) }),
    },
  }),
  'cancel-item': defineWord({
    shape: strictObject(() => ({
      order: OrderSlot,
      line: z.int().min(1).describe('the line of the order, from 1'),
      quantity: z.int().min(1).optional().describe('how many of it; all when absent'),
      code: z.string().optional().describe('the code that the event gives'),
      reason: z.string().optional().describe('the reason that the event gives'),
    })).describe('a line of an order is cancelled, or a part of its quantity'),
    text: ({ order, line, quantity }) =>
      `${quantity === undefined ? '' : `${quantity} of `}line ${line}${ofOrder(order)} is cancelled`,
    async perform({ order, line, ...cancellation }, { actions, session }) {
      const orderId = actions.order(order)
      const itemId = (await itemIdsOf(session, orderId))[line - 1]
      if (itemId === undefined) throw new StepFailure(`${order} has no line ${line}`)
      return actions.submit({ kind: 'item.cancel', orderId, itemId, cancellation })
    },
    save: {
      async 'item.cancel'({ orderId, itemId, cancellation }, context) {
        const { quantity, code, reason, ...more } = cancellation
        const line = await context.names.lineOf(orderId, itemId)
        if (line === undefined || Object.keys(more).length > 0) return undefined
        return ofSlot(orderId, context, { line, ...compact({ quantity, code, reason }) })
      },
    },
  }),
  emit: defineWord({
    shape: strictObject(() => ({
      order: OrderSlot,
      event: EventTypeName.describe('its type; X_… is one that the protocol does not know'),
      metadata: jsonFields.optional().describe('what it says besides'),
      force: z
        .literal(true)
        .optional()
        .describe('even where the order should not have such an event'),
    })).describe('an event that no move brings'),
    text: ({ event, order }) => `${event}${ofOrder(order)} is emitted`,
    perform({ order, event, metadata, force }, { actions }) {
      const orderId = actions.order(order)
      if (event.startsWith('X_'))
        return actions.submit({ kind: 'event.invent', orderId, eventType: event as `X_${string}` })
      if (!isOrderEventType(event))
        throw new StepFailure(`there is no event ${event}: say X_${event}`)
      const more = compact({ metadata, force })
      return actions.submit({ kind: 'event.emit', orderId, eventType: event, ...more })
    },
    save: {
      'event.emit': ({ orderId, eventType: event, metadata, force }, context) =>
        ofSlot(orderId, context, {
          event,
          ...compact({ metadata: metadata as z.input<typeof jsonFields>, force }),
        }),
      'event.invent': ({ orderId, eventType: event }, context) =>
        ofSlot(orderId, context, { event }),
    },
  }),
  alter: defineWord({
    shape: strictObject(() => ({
      order: OrderSlot,
      event: EventTypeName,
      nth: z.int().min(1).optional().describe('the n-th such event of the order'),
      change: jsonFields.describe('the fields that get another value'),
    })).describe('an event that was emitted says something else from now on'),
    text: ({ event, order }) => `${event}${ofOrder(order)} is changed`,
    perform({ order, event, nth = 1, change }, { actions, observer }) {
      const orderId = actions.order(order)
      const matching = [...observer.orders.events].filter(
        ([, each]) => each.orderId === orderId && each.eventType === event,
      )
      const [eventId] = matching[nth - 1] ?? []
      if (eventId === undefined) throw new StepFailure(`${order} has no such event yet`)
      return actions.submit({ kind: 'event.alter', eventId, change })
    },
    save: {
      async 'event.alter'({ eventId, change }, { names }) {
        const event = await names.event(eventId)
        return event && { ...event, change: change as z.input<typeof jsonFields> }
      },
    },
  }),
}
