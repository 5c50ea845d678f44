/** Handlers of `await`, `check` and `ask`. Every wait has a timeout; a timeout is a step failure. */
import { compact } from '../compact.ts'
import { StepFailure } from './step-actions.ts'
import type { Instant } from '../engine/instant.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import {
  type StepHandler,
  asList,
  orderIdOfSlot,
  orderIdsOf,
  type StepContext,
} from './step-context.ts'
import type { StepInputOf } from './steps.ts'
import { lastActivityAt, pendingWorkText } from './quiescence.ts'
import { countConditionText, meetsCount, countText } from './shared-shapes.ts'

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

/** Waits; a wait for a status that names no time begins anew with each transition, as the deadline of CV-1 does. */
async function waitFor(
  holds: () => Promise<boolean>,
  { status, order, within }: StepInputOf<'await'>,
  performer: StepContext,
): Promise<boolean> {
  const { clock, waitMs } = performer
  const began = await clock.now()
  let isHeld = false
  const isOver = async (): Promise<boolean> => {
    isHeld = await holds()
    return isHeld || isSettled(performer, began)
  }
  for (;;) {
    const before = countStatuses(order, performer)
    if (await clock.waitUntil(isOver, within ?? waitMs)) return isHeld
    const hasMoved = status !== undefined && countStatuses(order, performer) > before
    if (within !== undefined || !hasMoved) return false
  }
}

export const performAwait: StepHandler<'await'> = async (given, performer) => {
  const { call, event, acknowledged, status, channel, counting, order, times = 1 } = given
  const { observer } = performer
  function seen(): number {
    if (!isPlaced(order, performer)) return 0
    const orderId = orderIdOfSlot(order, performer)
    const about = { orderId, channel }
    if (call !== undefined) return observer.countCalls({ call, orderId, counting })
    if (event !== undefined) return observer.countArrived({ event, ...about })
    return acknowledged === undefined
      ? 0
      : observer.countAcknowledged({ event: acknowledged, ...about })
  }
  const before = given.fresh ? seen() : 0
  let pendingText: string | undefined
  const holds = async (): Promise<boolean> => {
    if (given.quiet) {
      pendingText = await pendingWorkText(performer)
      return pendingText === undefined
    }
    if (status === undefined) return seen() - before >= times
    if (!isPlaced(order, performer)) return false
    const orders = orderIdsOf(order, performer)
    return (
      orders.length > 0 && orders.every((each) => observer.orders.statusesOf(each).includes(status))
    )
  }
  if (await waitFor(holds, given, performer)) return
  if (given.quiet) throw new StepFailure(`it did not become quiet: there is still ${pendingText}`)
  if (!isPlaced(order, performer)) throw new StepFailure(`${order} did not come in time`)
  if (status !== undefined) throw new StepFailure(statusTimeoutText(status, order, performer))
  throw new StepFailure(`it did not come in time: seen ${countText(seen() - before)}`)
}

export const performCheck: StepHandler<'check'> = async (given, performer) => {
  const { status, view, call, counting } = given
  const { observer, session } = performer
  observer.read()
  if (call !== undefined) {
    const seen = observer.countCalls({
      call,
      orderId: orderIdOfSlot(given.order, performer),
      counting,
    })
    if (meetsCount(seen, given)) return
    throw new StepFailure(`${call} was made ${countText(seen)}, not ${countConditionText(given)}`)
  }
  const orderIds = orderIdsOf(given.order, performer)
  if (orderIds.length === 0) throw new StepFailure('no order has come')
  for (const orderId of orderIds) {
    const slot = observer.orders.slotOf(orderId)
    if (view !== undefined && !performer.view)
      throw new StepFailure('the service’s view is not available: name its path with subject.probe')
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

/** Session time passes while the subject answers. */
export const performAsk: StepHandler<'ask'> = async (given, performer) => {
  const { path, method = 'POST', body, for: wish, within = performer.waitMs } = given
  const { session, clock: time, requestSubject: visit } = performer
  if (!visit) throw new StepFailure('its URL is not given: give it with --subject')
  const orderId = orderIdOfSlot(given.order, performer)
  if (wish === 'cancellation' && orderId !== undefined) session.asked(orderId)
  const wanted = path ?? performer.asks.cancellation
  const place = wanted.replace('{orderId}', encodeURIComponent(orderId ?? ''))
  let status: number | undefined
  let failure: string | undefined
  void visit({ method, path: place, ...compact({ body }) }).then(
    (answered) => (status = answered),
    (error: unknown) => (failure = error instanceof Error ? error.message : String(error)),
  )
  await time.waitUntil(() => status !== undefined || failure !== undefined, within)
  if (failure !== undefined) throw new StepFailure(`it could not be asked: ${failure}`)
  if (status === undefined) throw new StepFailure('it did not answer in time')
  const remedy = path === undefined ? `; where it is asked is set by subject.asks.${wish}` : ''
  if (status >= 400) throw new StepFailure(`it answered ${status} to ${method} ${place}${remedy}`)
}
