/** Shared by the rows that measure servers: starting a server, and the CPU that a batch of requests costs it. */
import { callChild } from '../ipc.ts'
import { startChild, type StartedChild } from '../child-processes.ts'
import type { LoadRequest } from '../load/jobs.ts'
import type { BenchContext } from '../row.ts'

/** The capabilities besides Orders, each with a baseline server and one of ours. */
export type BenchCapability = 'indoor' | 'logistics' | 'customer' | 'loyalty'

export type ServerProgram =
  'hello' | 'hand' | 'ours' | `hand-${BenchCapability}` | `ours-${BenchCapability}`

export const startBenchServer = (
  bench: BenchContext,
  program: ServerProgram,
  record?: string,
  watched?: true,
): Promise<StartedChild> =>
  startChild(`./servers/${program}.ts`, {
    root: bench.root,
    orders: bench.documents.file,
    ...(record === undefined ? {} : { record }),
    ...(watched ? { watched } : {}),
  })

/** CPU microseconds that a process spends during `work`. */
export async function measureCpuMicros(
  process: StartedChild,
  work: () => Promise<void>,
): Promise<number> {
  const before = await callChild(process.child, 'usage', {})
  await work()
  const after = await callChild(process.child, 'usage', {})
  return after.cpuMicros - before.cpuMicros
}

/** CPU microseconds of the server per request, including the effects that the requests cause. */
export async function cpuPerRequest(
  bench: BenchContext,
  server: StartedChild,
  shots: readonly LoadRequest[],
  wanted: number,
): Promise<number> {
  const total = await measureCpuMicros(server, async () => {
    const { port, token } = server
    const target = { port, token }
    const { statuses } = await callChild(bench.load.child, 'fire', { target, shots })
    if (statuses[wanted] !== shots.length)
      throw new Error(`expected ${wanted} only, and got ${JSON.stringify(statuses)}`)
    await callChild(server.child, 'calm', {})
  })
  return total / shots.length
}

export const getOrderRequest = (orderId: string): LoadRequest => ({
  method: 'GET',
  path: `/orders/${orderId}`,
})

const confirmBody = JSON.stringify({ createdAt: '2026-01-05T15:00:00.000Z', reason: 'ok' })

export const confirmOrderRequest = (orderId: string): LoadRequest => ({
  method: 'POST',
  path: `/orders/${orderId}/confirm`,
  body: confirmBody,
})

/**
 * Orders that await their confirm at the same time: with all in one pool, cache misses in large maps would be measured.
 */
const poolSize = 5000

/** Confirms `count` new orders, one pool at a time; returns the mean cost and the last pool. */
export async function confirmNewOrders(bench: BenchContext, server: StartedChild, count: number) {
  let total = 0
  let pool: readonly LoadRequest[] = []
  for (let remaining = count; remaining > 0; remaining -= pool.length) {
    const fresh = await callChild(server.child, 'create', { count: Math.min(remaining, poolSize) })
    await callChild(server.child, 'calm', {})
    pool = fresh.map(confirmOrderRequest)
    total += (await cpuPerRequest(bench, server, pool, 202)) * pool.length
  }
  return { mean: total / count, pool }
}
