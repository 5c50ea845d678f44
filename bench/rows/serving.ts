/** What the rows about servers share: starting one, and what a batch of requests costs it. */
import { ask } from '../asks.ts'
import { start, type Started } from '../children.ts'
import type { Shot } from '../load/jobs.ts'
import type { Bench } from '../row.ts'

/** What is served besides Orders, by hand and by us. */
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

/** CPU microseconds that a process spends on something. */
export async function spent(process: Started, work: () => Promise<void>): Promise<number> {
  const before = await ask(process.child, 'usage', {})
  await work()
  const after = await ask(process.child, 'usage', {})
  return after.cpuMicros - before.cpuMicros
}

/** CPU microseconds of the server for each of these requests, with everything that they set off. */
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

/** Orders that wait for their confirm at once: a pool of all would measure how large maps miss the cache. */
const poolSize = 5000

/** Confirms so many new orders, a pool at a time; answers the mean cost, and the last pool. */
export async function confirmNew(bench: Bench, server: Started, count: number) {
  let total = 0
  let pool: readonly Shot[] = []
  for (let left = count; left > 0; left -= pool.length) {
    const fresh = await ask(server.child, 'create', { count: Math.min(left, poolSize) })
    await ask(server.child, 'calm', {})
    pool = fresh.map(confirm)
    total += (await cost(bench, server, pool, 202)) * pool.length
  }
  return { mean: total / count, pool }
}
