/**
 * The calls that both servers of Orders must answer alike before their costs are compared: an order from CREATED to
 * CONCLUDED with its polls and acknowledgments, repeated and invalid calls, and what is refused.
 */
import type { LoadRequest } from '../load/jobs.ts'
import { acknowledgmentRequest, parsePolledEvents, pollRequest } from '../load/order-lives.ts'
import type { BenchContext } from '../row.ts'
import { type Probe, type ProbeContext, requireSameAnswers } from './same-answers.ts'
import { confirmOrderRequest, getOrderRequest } from './server-cost.ts'

const orderCall = (orderId: string, call: string, body = '{}'): LoadRequest => ({
  method: 'POST',
  path: `/orders/${orderId}/${call}`,
  body,
})

/** Polls, acknowledges the events, and polls again. */
async function pollAndAcknowledge({ call }: ProbeContext): Promise<void> {
  const text = await call(pollRequest)
  const events = parsePolledEvents(200, text)
  // Events that were not acknowledged come again.
  await call(pollRequest)
  await call(acknowledgmentRequest(events.map(({ eventId }) => eventId)))
  await call(pollRequest)
}

const probeOrders: Probe = async (probing) => {
  const { call, waitUntilIdle, create } = probing
  await call(pollRequest)
  const [orderId = '', otherId = ''] = await create(2)
  await waitUntilIdle()
  await call(getOrderRequest(orderId))
  await call(getOrderRequest(otherId))
  await pollAndAcknowledge(probing)

  const confirm = confirmOrderRequest(orderId)
  await call(orderCall(orderId, 'preparing'))
  await call(orderCall(orderId, 'delivered'))
  await call({ ...confirm, requestId: 'a-request' })
  await call({ ...confirm, requestId: 'a-request' })
  await call({ ...confirm, requestId: 'a-request', body: '{}' })
  await waitUntilIdle()
  await call(getOrderRequest(orderId))
  await call(confirm)
  await waitUntilIdle()
  await pollAndAcknowledge(probing)

  for (const each of ['preparing', 'ready-for-pickup', 'dispatch', 'delivered']) {
    await call(orderCall(orderId, each))
    await waitUntilIdle()
    await call(getOrderRequest(orderId))
  }
  await pollAndAcknowledge(probing)
  await call(confirm)
  await call(orderCall(orderId, 'dispatch'))

  await call(getOrderRequest('no-such-order'))
  await call(confirmOrderRequest('no-such-order'))
  await call(orderCall(otherId, 'no-such-call'))
  await call(orderCall(otherId, 'conclude'))
  await call(orderCall(otherId, 'confirm', '{"reason":'))
  await call(orderCall(otherId, 'confirm', '{"reason":5}'))
  await call(orderCall(otherId, 'confirm', '[]'))
  await call(acknowledgmentRequest(['no-such-event']))
  await call({ ...acknowledgmentRequest([]), body: '{"eventIds":"all"}' })
  await call(getOrderRequest(otherId), 'somebody-else')
  await call(confirmOrderRequest(otherId), 'somebody-else')
  await waitUntilIdle()
  await call(getOrderRequest(otherId))

  // More events than the answer to one poll may have.
  await create(150)
  await waitUntilIdle()
  await pollAndAcknowledge(probing)
  await call(pollRequest)
}

/** Throws when the hand-written server and ours answer calls on orders differently. */
export const requireSameOrderAnswers = (bench: BenchContext): Promise<void> =>
  requireSameAnswers(bench, ['hand', 'ours'], probeOrders)
