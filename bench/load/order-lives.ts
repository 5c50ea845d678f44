/**
 * Plays a Software Service that takes orders from CREATED to CONCLUDED: each step sends one call per order, then polls
 * and acknowledges until the event of every order has arrived. Its requests are the same for every server, except for
 * the number of empty polls.
 */
import { connectionCount } from './fire.ts'
import { concludeDelayMs, type LiveResult, type LoadRequest, type LoadTarget } from './jobs.ts'
import { createRawConnection, type RawConnection, withConnections } from './raw-http-client.ts'

interface PolledEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
}

/** The calls of an order's life, each with the event that it causes. */
const steps = [
  ['confirm', 'CONFIRMED'],
  ['preparing', 'PREPARING'],
  ['ready-for-pickup', 'READY_FOR_PICKUP'],
  ['dispatch', 'DISPATCHED'],
  ['delivered', 'DELIVERED'],
] as const

/** Milliseconds; longer than an accepted call takes to have its effect, so that few polls come back empty. */
const settleMs = 170
const pauseMs = 20
const timeoutMs = 20_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const pollRequest: LoadRequest = { method: 'GET', path: '/events:polling' }

export const acknowledgmentRequest = (eventIds: readonly string[]): LoadRequest => ({
  method: 'POST',
  path: '/events/acknowledgment',
  body: JSON.stringify({ eventIds }),
})

/** The events of a poll reply; empty when it has no body. */
export function parsePolledEvents(status: number, body: string): readonly PolledEvent[] {
  if (status !== 200 && status !== 204) throw new Error(`a poll was answered ${status}: ${body}`)
  return body === '' ? [] : (JSON.parse(body) as PolledEvent[])
}

export async function runOrderLives(
  target: LoadTarget,
  orderIds: readonly string[],
): Promise<LiveResult> {
  let requests = 0
  let events = 0

  async function callExpecting(
    line: RawConnection,
    shot: LoadRequest,
    wanted: number,
  ): Promise<string> {
    requests++
    const { status, body } = await line.call(shot)
    if (status !== wanted) throw new Error(`${shot.method} ${shot.path} was answered ${status}`)
    return body
  }

  async function callForEveryOrder(
    shotOf: (orderId: string) => LoadRequest,
    wanted: number,
  ): Promise<void> {
    let next = 0
    await withConnections(target, Math.min(connectionCount, orderIds.length), async (line) => {
      for (let index = next++; index < orderIds.length; index = next++)
        await callExpecting(line, shotOf(orderIds[index] ?? ''), wanted)
    })
  }

  const poller = createRawConnection(target)
  /**
   * By event type: the orders whose event has not arrived yet. Events of one type may arrive before the last of the
   * type before.
   */
  const missing = new Map<string, Set<string>>(
    ['CREATED', ...steps.map(([, brings]) => brings), 'CONCLUDED'].map((type) => [
      type,
      new Set(orderIds),
    ]),
  )

  async function pollUntilAllArrived(eventType: string): Promise<void> {
    const waiting = missing.get(eventType) ?? new Set()
    const end = performance.now() + timeoutMs
    while (waiting.size > 0) {
      if (performance.now() > end) throw new Error(`${waiting.size} ${eventType} never came`)
      requests++
      const reply = await poller.call(pollRequest)
      const polled = parsePolledEvents(reply.status, reply.body)
      if (polled.length === 0) {
        await pause(pauseMs)
        continue
      }
      events += polled.length
      for (const event of polled) missing.get(event.eventType)?.delete(event.orderId)
      await callExpecting(poller, acknowledgmentRequest(polled.map(({ eventId }) => eventId)), 202)
    }
  }

  try {
    await pollUntilAllArrived('CREATED')
    await callForEveryOrder((orderId) => ({ method: 'GET', path: `/orders/${orderId}` }), 200)
    for (const [call, eventType] of steps) {
      await callForEveryOrder(
        (orderId) => ({ method: 'POST', path: `/orders/${orderId}/${call}`, body: '{}' }),
        202,
      )
      await pause(settleMs)
      await pollUntilAllArrived(eventType)
    }
    await pause(concludeDelayMs)
    await pollUntilAllArrived('CONCLUDED')
  } finally {
    poller.close()
  }
  return { orders: orderIds.length, requests, events }
}
