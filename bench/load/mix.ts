/** A mixed load as of a busy Software Service: mostly reads, some calls on orders, a few polls with acknowledgments. */
import { setTimeout as pause } from 'node:timers/promises'
import { connectionCount, createStatusTally } from './fire.ts'
import type { MixResult, LoadRequest, LoadTarget } from './jobs.ts'
import { acknowledgmentRequest, parsePolledEvents, pollRequest } from './order-lives.ts'
import { withConnections } from './raw-http-client.ts'

/** Of ten requests: seven reads, two confirms, one poll or acknowledgment. */
const cycleLength = 10
const reads = 7
const confirms = 2

/** At full speed, or with so many turns of the cycle a second. */
export async function runRequestMix(
  target: LoadTarget,
  orderIds: readonly string[],
  count: number,
  perSecond?: number,
): Promise<MixResult> {
  const tally = createStatusTally()
  let next = 0
  let nextConfirm = 0
  let requests = 0
  const began = performance.now()
  const read = (index: number): LoadRequest => ({
    method: 'GET',
    path: `/orders/${orderIds[(index * 7919) % orderIds.length]}`,
  })
  // Round robin: each order is confirmed once before any is confirmed again.
  const confirm = (): LoadRequest => ({
    method: 'POST',
    path: `/orders/${orderIds[nextConfirm++ % orderIds.length]}/confirm`,
    body: '{}',
  })
  await withConnections(target, connectionCount, async (line) => {
    const send = async (shot: LoadRequest) => {
      requests++
      const reply = await line.call(shot)
      tally.count(reply.status)
      return reply
    }
    for (let index = next++; requests < count; index = next++) {
      const early =
        perSecond === undefined ? 0 : began + (1000 * index) / perSecond - performance.now()
      if (early > 0) await pause(early)
      const turn = index % cycleLength
      if (turn < reads) await send(read(index))
      else if (turn < reads + confirms) await send(confirm())
      else {
        const reply = await send(pollRequest)
        const polled = parsePolledEvents(reply.status, reply.body)
        if (polled.length > 0)
          await send(acknowledgmentRequest(polled.map(({ eventId }) => eventId)))
      }
    }
  })
  return { requests, statuses: tally.statuses }
}
