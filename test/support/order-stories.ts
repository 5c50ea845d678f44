/** What happens in a recorded session with one order: it is placed, cancelled by the consumer, or stays despite a request. */
import { compact } from '../../src/core/base/compact.ts'
import { itemIdsOf } from '../../src/core/session-api/order-lines.ts'
import type { OrderType } from '../../src/core/protocol/orders/order.ts'
import type { InProcessHarness } from './in-process-harness.ts'

export type OrderStory = (harness: InProcessHarness) => Promise<void>

export const placed =
  (type: OrderType, restMs: number): OrderStory =>
  async (harness) => {
    await harness.pass(2000)
    await harness.order(type)
    await harness.pass(restMs)
  }

interface Cancellation {
  readonly afterMs: number
  readonly restMs: number
  readonly metadata?: { readonly code: string; readonly reason: string }
}

export const cancelled =
  ({ afterMs, restMs, metadata }: Cancellation): OrderStory =>
  async ({ pass, order, session }) => {
    await pass(2000)
    const orderId = await order('DELIVERY')
    await pass(afterMs)
    const move = { orderId, trigger: 'cancel', ...compact({ metadata }) } as const
    await session.submit({ kind: 'order.apply', ...move })
    await pass(restMs)
  }

/** One piece of the second line of an order is cancelled after it is confirmed. */
export const lineCancelled: OrderStory = async ({ pass, session }) => {
  await pass(2000)
  const items = [{ item: 'HB-101' }, { item: 'HB-102', quantity: 3 }]
  const made = await session.createOrder({ type: 'TAKEOUT', items })
  if (!made.ok) throw new Error(made.error.message)
  const { orderId } = made.value
  await pass(3000)
  const itemId = (await itemIdsOf(session, orderId))[1] ?? ''
  const cancellation = { quantity: 1, code: 'UNAVAILABLE_ITEM' }
  const done = await session.submit({ kind: 'item.cancel', orderId, itemId, cancellation })
  if (!done.ok) throw new Error(done.error.message)
  await pass(60_000)
}

/** The service asks to cancel, and the consumer denies it. */
export const denied: OrderStory = async (harness) => {
  await harness.pass(2000)
  const orderId = await harness.order('DELIVERY')
  await harness.pass(3000)
  void harness.requestCancellation(orderId)
  await harness.pass(300)
  await harness.session.submit({ kind: 'cancellation.answer', orderId, answer: 'deny' })
  await harness.pass(90_000)
}
