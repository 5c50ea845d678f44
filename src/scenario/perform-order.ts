/** Handlers of the steps that place and move orders and emit or change events. */
import { compact } from '../compact.ts'
import type { Command } from '../engine/command.ts'
import { isOrderEventType } from '../protocol/orders/events.ts'
import {
  type OrderTrigger,
  progressionTriggers,
  type ProgressionTrigger,
} from '../protocol/orders/lifecycle.ts'
import { StepFailure, newOrderOf } from './step-actions.ts'
import { type StepHandler, asList } from './step-context.ts'
import type { StepInputOf } from './steps.ts'

type OrderWord = 'create' | 'crowd' | 'trigger' | 'emit' | 'alter'

const answers = {
  'accept-cancellation': 'accept',
  'deny-cancellation': 'deny',
  'leave-cancellation-open': 'open',
} as const

const isAnswer = (move: string): move is keyof typeof answers => Object.hasOwn(answers, move)
const isProgression = (move: OrderTrigger): move is ProgressionTrigger =>
  (progressionTriggers as readonly OrderTrigger[]).includes(move)

/** The command for a move; the dashboard sends the same one. */
export function moveCommand(given: StepInputOf<'trigger'>, orderId: string): Command {
  const { move, force, code, reason } = given
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

export const orderSteps: { readonly [Word in OrderWord]: StepHandler<Word> } = {
  async create(given, { scenario, actions: hand }) {
    for (const slot of asList(given))
      await hand.place(newOrderOf(scenario.orders[slot] ?? {}), slot)
  },
  async crowd({ times, ...wish }, { actions: hand }) {
    for (let placed = 0; placed < times; placed++) await hand.place(newOrderOf(wish))
  },
  async trigger(given, { actions: hand }) {
    await hand.submit(moveCommand(given, hand.order(given.order)))
  },
  async emit({ order, event, metadata, force }, { actions: hand }) {
    const orderId = hand.order(order)
    if (event.startsWith('X_')) {
      await hand.submit({ kind: 'event.invent', orderId, eventType: event as `X_${string}` })
      return
    }
    if (!isOrderEventType(event))
      throw new StepFailure(`there is no event ${event}: say X_${event}`)
    await hand.submit({
      kind: 'event.emit',
      orderId,
      eventType: event,
      ...compact({ metadata, force }),
    })
  },
  async alter({ order, event, nth = 1, change }, { actions: hand, observer }) {
    const orderId = hand.order(order)
    const fitting = [...observer.orders.events].filter(
      ([, each]) => each.orderId === orderId && each.eventType === event,
    )
    const [eventId] = fitting[nth - 1] ?? []
    if (eventId === undefined) throw new StepFailure(`${order} has no such event yet`)
    await hand.submit({ kind: 'event.alter', eventId, change })
  },
}
