/** Shared by the rows that measure servers: starting a server, and the CPU that a batch of requests costs it. */
import { ask } from '../asks.ts'
import { start, type Started } from '../children.ts'
import type { Shot } from '../load/jobs.ts'
import type { Bench } from '../row.ts'

/** The capabilities besides Orders, each with a baseline server and one of ours. */
export type Extra = 'indoor' | 'logistics' | 'customer' | 'loyalty'

export type Program = 'hello' | 'hand' | 'ours' | `hand-${Extra}` | `ours-${Extra}`

export const startServer = (
  bench: Bench,
  program: Program,
  record?: string,
  watched?: true,
): Promise<Started> =>
  start(`./servers/${program}.ts`, {
    root: bench.root,
    orders: bench.documents.file,
    ...(record === undefined ? {} : { record }),
    ...(watched ? { watched } : {}),
  })

/** CPU microseconds that a process spends during `work`. */
export async function spent(process: Started, work: () => Promise<void>): Promise<number> {
  const before = await ask(process.child, 'usage', {})
  await work()
  const after = await ask(process.child, 'usage', {})
  return after.cpuMicros - before.cpuMicros
}

/** CPU microseconds of the server per request, including the effects that the requests cause. */
export async function cost(
  bench: Bench,
  server: Started,
  shots: readonly Shot[],
  wanted: number,
): Promise<number> {
  const total = await spent(server, async () => {
    const { port, token } = server
    const target = { port, token }
    const { statuses } = await ask(bench.load.child, 'fire', { target, shots })
    if (statuses[wanted] !== shots.length)
      throw new Error(`expected ${wanted} only, and got ${JSON.stringify(statuses)}`)
    await ask(server.child, 'calm', {})
  })
  return total / shots.length
}

export const get = (orderId: string): Shot => ({ method: 'GET', path: `/orders/${orderId}` })

const confirmBody = JSON.stringify({ createdAt: '2026-01-05T15:00:00.000Z', reason: 'ok' })

export const confirm = (orderId: string): Shot => ({
  method: 'POST',
  path: `/orders/${orderId}/confirm`,
  body: confirmBody,
})

/**
 * Orders that await their confirm at the same time: with all in one pool, cache misses in large maps would be measured.
 */
const poolSize = 5000

/** Confirms `count` new orders, one pool at a time; returns the mean cost and the last pool. */
export async function confirmNew(bench: Bench, server: Started, count: number) {
  let total = 0
  let pool: readonly Shot[] = []
  for (let remaining = count; remaining > 0; remaining -= pool.length) {
    const fresh = await ask(server.child, 'create', { count: Math.min(remaining, poolSize) })
    await ask(server.child, 'calm', {})
    pool = fresh.map(confirm)
    total += (await cost(bench, server, pool, 202)) * pool.length
  }
  return { mean: total / count, pool }
}
