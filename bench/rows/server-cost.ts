/** Shared by the rows that measure servers: starting a server, and the CPU that a batch of requests costs it. */
import { callChild } from '../ipc.ts'
import { startChild, type StartedChild } from '../child-processes.ts'
import type { LoadRequest } from '../load/jobs.ts'
import type { BenchContext } from '../row.ts'

/** The capabilities besides Orders, each with a baseline server and one of ours. */
export type BenchCapability = 'indoor' | 'logistics' | 'customer' | 'loyalty'

export type ServerProgram =
  | 'hello'
  | 'hand'
  | 'ours'
  | 'up'
  | `hand-${BenchCapability}`
  | `ours-${BenchCapability}`

export const startBenchServer = (
  bench: BenchContext,
  program: ServerProgram,
  record?: string,
  watched?: true,
): Promise<StartedChild> =>
  startChild(`./servers/${program}.ts`, {
    root: bench.root,
    orders: bench.documents.file,
    folder: bench.folder,
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

/** Orders that are called one after the other, each once, before the next call on them. */
const poolSize = 5000

type OrderPool = readonly string[]

/** Creates `count` orders, in pools. All are created before the first is called: that is not measured. */
export async function createOrderPools(
  server: StartedChild,
  count: number,
): Promise<readonly OrderPool[]> {
  const pools: OrderPool[] = []
  for (let remaining = count; remaining > 0; remaining -= poolSize)
    pools.push(await callChild(server.child, 'create', { count: Math.min(remaining, poolSize) }))
  await callChild(server.child, 'calm', {})
  return pools
}

/** Reads each order twice, one pool at a time; returns the mean costs of a first and of a second read. */
export async function readOrders(
  bench: BenchContext,
  server: StartedChild,
  pools: readonly OrderPool[],
): Promise<{ readonly first: number; readonly second: number }> {
  const total = { first: 0, second: 0 }
  for (const pool of pools) {
    const reads = pool.map(getOrderRequest)
    total.first += (await cpuPerRequest(bench, server, reads, 200)) * pool.length
    total.second += (await cpuPerRequest(bench, server, reads, 200)) * pool.length
  }
  const orders = pools.flat().length
  return { first: total.first / orders, second: total.second / orders }
}

/** Confirms each order, one pool at a time; returns the mean cost. */
export async function confirmOrders(
  bench: BenchContext,
  server: StartedChild,
  pools: readonly OrderPool[],
): Promise<number> {
  let total = 0
  for (const pool of pools)
    total += (await cpuPerRequest(bench, server, pool.map(confirmOrderRequest), 202)) * pool.length
  return total / pools.flat().length
}
