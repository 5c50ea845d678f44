/** Sends a list of requests at full speed over a fixed number of connections. */
import type { FireResult, LoadRequest, LoadTarget } from './jobs.ts'
import { withConnections } from './raw-http-client.ts'

export const connectionCount = 32

export function createStatusTally() {
  const statuses: Record<string, number> = {}
  return {
    statuses,
    count(status: number): void {
      statuses[status] = (statuses[status] ?? 0) + 1
    },
  }
}

export async function fireRequests(
  target: LoadTarget,
  shots: readonly LoadRequest[],
): Promise<FireResult> {
  const tally = createStatusTally()
  const tookMs = new Float64Array(shots.length)
  let next = 0
  const began = performance.now()
  await withConnections(target, Math.min(connectionCount, shots.length), async (line) => {
    for (let index = next++; index < shots.length; index = next++) {
      const shot = shots[index]
      if (!shot) return
      const sent = performance.now()
      const { status } = await line.call(shot)
      tookMs[index] = performance.now() - sent
      tally.count(status)
    }
  })
  const wallMs = performance.now() - began
  tookMs.sort()
  const percentile = (part: number): number => tookMs[Math.floor((tookMs.length - 1) * part)] ?? 0
  return {
    requests: shots.length,
    wallMs,
    statuses: tally.statuses,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
  }
}
