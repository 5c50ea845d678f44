/** The words that wait and look: `await`, `check` and `ask`, and those that let time pass. Every wait has a timeout. */
import { z } from 'zod'
import type { Instant } from '../../engine/instant.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import { formatDuration } from '../../protocol/duration.ts'
import { lastActivityAt, pendingWorkText } from '../quiescence.ts'
import {
  countConditionText,
  countingKey,
  countKeys,
  DurationMs,
  EventTypeName,
  EventTypes,
  exactlyOne,
  HandoverChannel,
  meetsCount,
  ofOrder,
  onlyWith,
  OperationName,
  OrderSlot,
  StatusName,
  StepFailure,
  within,
} from '../shared-shapes.ts'
import { asList, orderIdOfSlot, orderIdsOf, type StepContext } from '../step-context.ts'
import { Item, itemText } from '../item.ts'
import { defineWord } from './word.ts'
import { strictObject } from '../../base/lazy-object.ts'
import { pluralise, timesText } from '../../protocol/count-text.ts'

const Await = strictObject(() => ({
  call: OperationName.optional().describe('until this call was made'),
  event: EventTypeName.optional().describe('until an event of this type reached your service'),
  acknowledged: EventTypeName.optional().describe(
    'until your service took responsibility for an event of this type',
  ),
  announced: EventTypes.optional().describe('until your service has sent such an event itself'),
  status: StatusName.optional().describe('until the order has had this status'),
  quiet: z.literal(true).optional().describe('until nothing is left to do on either side'),
  order: OrderSlot.optional(),
  channel: HandoverChannel.optional(),
  times: z.int().min(1).optional().describe('so often (once, when absent)'),
  counting: countingKey,
  fresh: z.literal(true).optional().describe('counted from this step on, not from the beginning'),
  within,
}))
  .superRefine(
    exactlyOne('a wait', ['call', 'event', 'acknowledged', 'announced', 'status', 'quiet']),
  )
  .superRefine(
    onlyWith({
      order: ['call', 'event', 'acknowledged', 'announced', 'status'],
      channel: ['event', 'acknowledged'],
      times: ['call', 'event', 'acknowledged', 'announced'],
      counting: ['call'],
      fresh: ['call', 'event', 'acknowledged', 'announced'],
    }),
  )
export type AwaitInput = z.output<typeof Await>

const Check = strictObject(() => ({
  status: z
    .union([StatusName, z.array(StatusName).min(1)])
    .optional()
    .describe('the status that the order has now, or those it may have'),
  view: z
    .union([StatusName, z.array(StatusName).min(1)])
    .optional()
    .describe('the status that your service itself says the order has (subject.probe)'),
  call: OperationName.optional().describe('how often this call was made until now'),
  order: OrderSlot.optional(),
  ...countKeys(),
  counting: countingKey,
}))
  .superRefine(exactlyOne('a check', ['status', 'view', 'call']))
  .superRefine(
    onlyWith({ times: ['call'], 'at-least': ['call'], 'at-most': ['call'], counting: ['call'] }),
  )

/** Whether the order of a wait exists; one with `at` may not have been placed yet. */
const isPlaced = (order: string | undefined, { observer }: StepContext): boolean => {
  observer.read()
  return order === undefined || observer.orders.slots.has(order)
}

/** Failure message of a wait for a status. */
function statusTimeoutText(
  status: OrderStatus,
  order: string | undefined,
  performer: StepContext,
): string {
  const { orders } = performer.observer
  const lagging = orderIdsOf(order, performer).filter(
    (each) => !orders.statusesOf(each).includes(status),
  )
  const [first] = lagging
  if (first === undefined) return 'no order has come'
  const others = lagging.length - 1
  const more =
    others > 0 ? `, and ${others} more ${others > 1 ? 'are' : 'is'} not there either` : ''
  const is = orders.statusesOf(first).at(-1) ?? 'not known'
  return `it did not come in time: ${orders.slotOf(first)} is ${is}${more}`
}

/** Number of statuses that the orders of a wait have had. */
function countStatuses(order: string | undefined, performer: StepContext): number {
  if (!isPlaced(order, performer)) return 0
  const orderIds = orderIdsOf(order, performer)
  return orderIds.reduce((sum, each) => sum + performer.observer.orders.statusesOf(each).length, 0)
}

/** Whether nothing more can come of a run that is cut short: nothing is pending, and the silence has lasted. */
async function isSettled(
  { settle, session, observer, clock }: StepContext,
  since: Instant,
): Promise<boolean> {
  if (!settle || (await pendingWorkText({ session, observer })) !== undefined) return false
  return (await clock.now()) - Math.max(since, lastActivityAt(observer)) > settle.ms
}

/** Whether an order of the wait is over without the status: what is over is only concluded. */
function isUnattainable({ status, order }: AwaitInput, performer: StepContext): boolean {
  if (status === undefined || status === 'CONCLUDED' || !isPlaced(order, performer)) return false
  const { orders } = performer.observer
  return orderIdsOf(order, performer).some(
    (each) => orders.hasEnded(each) && !orders.statusesOf(each).includes(status),
  )
}

/** Nothing was heard of an order so long after it has ended: no call about it comes any more. */
const silenceAfterEndMs = 60_000

/** Whether the order of a wait for a call is over, and all has been silent about it since. */
async function isSilentAfterEnd(
  { call, order }: AwaitInput,
  performer: StepContext,
): Promise<boolean> {
  if (call === undefined || order === undefined || !isPlaced(order, performer)) return false
  const { orders, lastAbout } = performer.observer
  const ids = orderIdsOf(order, performer)
  if (!ids.every(orders.hasEnded) || (await pendingWorkText(performer))) return false
  const last = Math.max(...ids.map((id) => lastAbout(id) ?? 0))
  return (await performer.clock.now()) - last > silenceAfterEndMs
}

/** Waits; a wait for a status that names no time begins anew with each transition, as the deadline of CV-1 does. */
async function waitFor(
  holds: () => Promise<boolean>,
  input: AwaitInput,
  performer: StepContext,
): Promise<boolean> {
  const { status, order, within: limitMs } = input
  const { clock, waitMs } = performer
  const began = await clock.now()
  let isHeld = false
  const isOver = async (): Promise<boolean> => {
    isHeld = await holds()
    if (isHeld || isUnattainable(input, performer)) return true
    return (await isSilentAfterEnd(input, performer)) || isSettled(performer, began)
  }
  for (;;) {
    const before = countStatuses(order, performer)
    if (await clock.waitUntil(isOver, limitMs ?? waitMs)) return isHeld
    const hasMoved = status !== undefined && countStatuses(order, performer) > before
    if (limitMs !== undefined || !hasMoved) return false
  }
}

async function performAwait(input: AwaitInput, performer: StepContext): Promise<void> {
  const {
    call,
    event,
    acknowledged,
    announced,
    status,
    channel,
    counting,
    order,
    times = 1,
  } = input
  const { observer } = performer
  function count(): number {
    if (!isPlaced(order, performer)) return 0
    const orderId = orderIdOfSlot(order, performer)
    const about = { orderId, channel }
    if (call !== undefined) return observer.countCalls({ call, orderId, counting })
    if (event !== undefined) return observer.countArrived({ event, ...about })
    if (announced !== undefined) return observer.countAnnounced(asList(announced), orderId)
    return acknowledged === undefined
      ? 0
      : observer.countAcknowledged({ event: acknowledged, ...about })
  }
  const before = input.fresh ? count() : 0
  let pendingText: string | undefined
  const holds = async (): Promise<boolean> => {
    if (input.quiet) {
      pendingText = await pendingWorkText(performer)
      return pendingText === undefined
    }
    if (status === undefined) return count() - before >= times
    if (!isPlaced(order, performer)) return false
    const orders = orderIdsOf(order, performer)
    return (
      orders.length > 0 && orders.every((each) => observer.orders.statusesOf(each).includes(status))
    )
  }
  if (await waitFor(holds, input, performer)) return
  if (input.quiet) throw new StepFailure(`it did not become quiet: there is still ${pendingText}`)
  if (!isPlaced(order, performer)) throw new StepFailure(`${order} did not come in time`)
  if (status !== undefined) throw new StepFailure(statusTimeoutText(status, order, performer))
  throw new StepFailure(`it did not come in time: seen ${timesText(count() - before)}`)
}

function awaitText({
  call,
  event,
  acknowledged,
  announced,
  status,
  order,
  times,
  within: ms,
}: AwaitInput): string {
  const what =
    call !== undefined
      ? `the call ${call}${ofOrder(order)}`
      : event !== undefined
        ? `${event}${ofOrder(order)} to arrive`
        : acknowledged !== undefined
          ? `${acknowledged}${ofOrder(order)} to be acknowledged`
          : announced !== undefined
            ? `${asList(announced).join(' or ')}${ofOrder(order)} of your service`
            : status !== undefined
              ? `${order ?? 'every order'} to be ${status}`
              : 'quiet'
  const countSuffix = times === undefined || times === 1 ? '' : `, ${times} times`
  return `wait for ${what}${countSuffix}${ms === undefined ? '' : `, ${formatDuration(ms)} at most`}`
}

function checkText(input: z.output<typeof Check>): string {
  const { status, view, call, order } = input
  if (call !== undefined) return `${call}${ofOrder(order)} ${countConditionText(input)}`
  const who = `${order ?? 'every order'}${view === undefined ? '' : ', by your service,'}`
  return `${who} is ${asList(status ?? view ?? '').join(' or ')}`
}

async function performCheck(input: z.output<typeof Check>, performer: StepContext): Promise<void> {
  const { status, view, call, counting } = input
  const { observer, session } = performer
  observer.read()
  if (call !== undefined) {
    const count = observer.countCalls({
      call,
      orderId: orderIdOfSlot(input.order, performer),
      counting,
    })
    if (meetsCount(count, input)) return
    throw new StepFailure(`${call} was made ${timesText(count)}, not ${countConditionText(input)}`)
  }
  const orderIds = orderIdsOf(input.order, performer)
  if (orderIds.length === 0) throw new StepFailure('no order has come')
  // Without a view the check is listed as not exercised.
  if (view !== undefined && !performer.view) return
  for (const orderId of orderIds) {
    const slot = observer.orders.slotOf(orderId)
    const is: string | undefined =
      view === undefined
        ? observer.orders.statusesOf(orderId).at(-1)
        : await performer.view?.(orderId)
    // The subject's own status is evidence, whether or not this check passes.
    if (view !== undefined && is !== undefined) session.probed(orderId, is)
    const wanted: readonly string[] = asList(status ?? view ?? [])
    if (is === undefined || !wanted.includes(is))
      throw new StepFailure(`${slot} is ${is ?? 'not known'}, not ${wanted.join(' or ')}`)
  }
}

export const waitWords = {
  await: defineWord({
    shape: Await.describe('waits, and fails when it does not come in time'),
    text: awaitText,
    perform: performAwait,
  }),
  advance: defineWord({
    shape: DurationMs.describe(
      'lets so much time pass; while the clock is paused, for your service and for loops alone',
    ),
    text: (ms) => `${formatDuration(ms)} pass`,
    perform: (ms, { clock }) => clock.advance(ms),
    save: { advance: ({ ms }) => (ms > 0 ? ms : undefined) },
  }),
  step: defineWord({
    shape: z.int().min(1).max(100_000).describe('takes so many items of the agenda, due or not'),
    text: (count) => `${pluralise(count, 'item')} of the agenda`,
    async perform(count, { session }) {
      for (let taken = 0; taken < count; taken++)
        if (!(await session.step())) throw new StepFailure(`the agenda is empty after ${taken}`)
    },
  }),
  take: defineWord({
    shape: Item.extend({ within }).describe(
      'takes an item of the agenda as soon as it is there, due or not, before all others about orders',
    ),
    text: (selector) => `take ${itemText(selector)}`,
    perform: ({ within: withinMs, ...selector }, { actions }) => actions.take(selector, withinMs),
  }),
  pause: defineWord({
    shape: z
      .union([z.literal(true), Item])
      .describe(
        'the clock is paused from here on, or as soon as an item is there: of the items of orders only those that steps take come about',
      ),
    text: (at) => `the clock is paused${at === true ? '' : ` at ${itemText(at)}`}`,
    perform: (at, { clock, actions }) => (at === true ? clock.pause() : actions.pauseAt(at)),
  }),
  resume: defineWord({
    shape: z
      .literal(true)
      .describe('a paused clock runs again; it does at the end of the steps too'),
    text: () => 'the clock runs again',
    perform: (_, { clock }) => clock.resume(),
  }),
}

export const checkWord = defineWord({
  shape: Check.describe('fails when it is not so at this moment'),
  text: checkText,
  perform: performCheck,
})
