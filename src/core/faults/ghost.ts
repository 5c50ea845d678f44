/** Another app of the same store, such as the manager's phone, which acts on orders before the service does. */
import { z } from 'zod'
import { strictObject } from '../base/lazy-object.ts'
import type { PlannedCommand } from '../engine/agenda/item.ts'
import type { HandoverPoint } from '../engine/faults/fault-point.ts'
import { operation } from '../protocol/catalogue.ts'
import { orderActOf } from '../protocol/operation.ts'
import { Duration } from '../protocol/duration.ts'
import { orderEvents, orderEventTypes } from '../protocol/orders/events.ts'
import { orderLifecycle } from '../protocol/orders/lifecycle.ts'
import { oneWord } from '../protocol/setting.ts'
import { defineFault } from './fault.ts'

const GhostAction = z.enum(['acknowledges', 'confirms', 'cancels'])
type GhostActions = z.infer<typeof GhostAction> | readonly z.infer<typeof GhostAction>[]

/** What it does about an order at once, of which an event comes or of which the service asks for a step. */
const commandsOf = (
  actions: GhostActions,
  orderId: string,
  isNew: boolean,
  afterMs: number,
): readonly PlannedCommand[] =>
  [actions].flat().flatMap((action): readonly PlannedCommand[] => {
    if (action === 'acknowledges' || (action === 'confirms' && !isNew)) return []
    const trigger = action === 'confirms' ? 'confirm' : 'cancel'
    return [{ command: { kind: 'order.apply', orderId, trigger }, afterMs }]
  })

/** Whether an event of an order says that it goes on: one that is over is left alone. */
const isOpenAfter = ({ eventType, closes }: HandoverPoint): boolean => {
  const type = orderEventTypes.find((each) => each === eventType)
  const status = type && orderEvents[type].projects
  return status !== undefined && status !== 'CANCELLED' && status !== 'CONCLUDED' && !closes
}

/**
 * The mailbox is that of the store: what one of its apps has acknowledged is not returned again (ORD-OPS-02), and the
 * service learns of it by the next event or by reading the order (ORD-EVR-06). A step that was taken already is answered
 * like any repeated or impossible one (ORD-RUL-01).
 */
export const ghost = defineFault({
  name: 'ghost',
  summary: 'another app of the store acknowledges events, or confirms or cancels orders, first',
  code: 'A1',
  meets: ['handover', 'answer'],
  changesOrders: true,
  options: strictObject(() => ({
    does: z
      .union([GhostAction, z.array(GhostAction).min(1)])
      .default('confirms')
      .describe(
        'what it does; an event that it has acknowledged is in no poll of your service any more',
      ),
    before: oneWord(['event', 'call'], 'event').describe(
      'before an event of the order comes, or in the moment in which your service asks for a step',
    ),
    by: Duration.default(0).describe('how long after the event it confirms or cancels'),
    leaves: z
      .literal('revealing')
      .optional()
      .describe('it acknowledges no event that alone reveals an order'),
  })),
  vary(chance) {
    const does = chance.pick(GhostAction.options)
    const before = does === 'acknowledges' ? 'event' : chance.pick(['event', 'call'] as const)
    const isLater = does !== 'acknowledges' && before === 'event' && chance.oneIn(2)
    return { does, before, by: isLater ? 500 : 0, leaves: 'revealing' as const }
  },
  alsoSearched: [{ does: ['confirms', 'acknowledges'], before: 'event', by: 0 }],
  plan({ does, before, by, leaves }, planned, meeting) {
    if (before !== 'event' || meeting.kind !== 'handover' || meeting.recorded) return undefined
    const { orderId, from, channel, alsoBy, reveals } = meeting
    if (orderId === undefined || from !== 'ordering-application') return undefined
    const isTaken =
      [does].flat().includes('acknowledges') &&
      channel === 'polling' &&
      !(reveals && leaves === 'revealing')
    // Of an event that comes by both channels it hears once.
    const commands =
      alsoBy !== 'polling' && isOpenAfter(meeting)
        ? commandsOf(does, orderId, reveals, planned.afterMs + by)
        : []
    return isTaken || commands.length > 0 ? [...commands, ...(isTaken ? [] : [planned])] : undefined
  },
  message({ does, before }, meeting) {
    if (before !== 'call' || meeting.kind !== 'answer' || meeting.orderId === undefined)
      return undefined
    const act = orderActOf(operation(meeting.operation))
    const step = orderLifecycle.find(({ trigger }) => trigger === act)
    const isNew = step?.trigger === 'confirm' && !meeting.repeats
    const plans = step ? commandsOf(does, meeting.orderId, isNew, 0) : []
    return plans.length > 0 ? { effect: true, plans, plansFirst: true } : undefined
  },
})
