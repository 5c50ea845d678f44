/**
 * Plays a Software Service that takes orders from CREATED to CONCLUDED: for each step it asks for all of them, then
 * polls and acknowledges until the event of every order has come. What it does is the same whoever is on the other
 * side; only how often a poll comes too early may differ.
 */
import { connections } from './fire.ts'
import { concludeMs, type LiveResult, type Shot, type Target } from './jobs.ts'
import { createLine, type Line, withLines } from './wire.ts'

interface PolledEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
}

/** The calls of an order's life, and the event that each brings. */
const steps = [
  ['confirm', 'CONFIRMED'],
  ['preparing', 'PREPARING'],
  ['ready-for-pickup', 'READY_FOR_PICKUP'],
  ['dispatch', 'DISPATCHED'],
  ['delivered', 'DELIVERED'],
] as const

/** Longer than an accepted call takes to have its effect, so that few polls come too early. */
const settleMs = 170
const pauseMs = 20
const patienceMs = 20_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const pollShot: Shot = { method: 'GET', path: '/events:polling' }

export const acknowledgment = (eventIds: readonly string[]): Shot => ({
  method: 'POST',
  path: '/events/acknowledgment',
  body: JSON.stringify({ eventIds }),
})

/** The events of a poll that answered; none when it was empty. */
export function eventsIn(status: number, body: string): readonly PolledEvent[] {
  if (status !== 200 && status !== 204) throw new Error(`a poll was answered ${status}: ${body}`)
  return body === '' ? [] : (JSON.parse(body) as PolledEvent[])
}

export async function live(target: Target, orderIds: readonly string[]): Promise<LiveResult> {
  let requests = 0
  let events = 0

  async function expecting(line: Line, shot: Shot, wanted: number): Promise<string> {
    requests++
    const { status, body } = await line.call(shot)
    if (status !== wanted) throw new Error(`${shot.method} ${shot.path} was answered ${status}`)
    return body
  }

  async function everyOrder(shotOf: (orderId: string) => Shot, wanted: number): Promise<void> {
    let next = 0
    await withLines(target, Math.min(connections, orderIds.length), async (line) => {
      for (let index = next++; index < orderIds.length; index = next++)
        await expecting(line, shotOf(orderIds[index] ?? ''), wanted)
    })
  }

  const poller = createLine(target)
  /** Whose event of a type has not come yet; some come before the last one of the type before. */
  const missing = new Map<string, Set<string>>(
    ['CREATED', ...steps.map(([, brings]) => brings), 'CONCLUDED'].map((type) => [
      type,
      new Set(orderIds),
    ]),
  )

  async function hear(eventType: string): Promise<void> {
    const whose = missing.get(eventType) ?? new Set()
    const end = performance.now() + patienceMs
    while (whose.size > 0) {
      if (performance.now() > end) throw new Error(`${whose.size} ${eventType} never came`)
      requests++
      const reply = await poller.call(pollShot)
      const polled = eventsIn(reply.status, reply.body)
      if (polled.length === 0) {
        await pause(pauseMs)
        continue
      }
      events += polled.length
      for (const event of polled) missing.get(event.eventType)?.delete(event.orderId)
      await expecting(poller, acknowledgment(polled.map(({ eventId }) => eventId)), 202)
    }
  }

  try {
    await hear('CREATED')
    await everyOrder((orderId) => ({ method: 'GET', path: `/orders/${orderId}` }), 200)
    for (const [call, eventType] of steps) {
      await everyOrder(
        (orderId) => ({ method: 'POST', path: `/orders/${orderId}/${call}`, body: '{}' }),
        202,
      )
      await pause(settleMs)
      await hear(eventType)
    }
    await pause(concludeMs)
    await hear('CONCLUDED')
  } finally {
    poller.close()
  }
  return { orders: orderIds.length, requests, events }
}
