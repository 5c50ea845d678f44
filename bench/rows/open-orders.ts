/**
 * The cost of ten times as many open orders: a confirm and its effect with few and with many of them. Confirmed orders
 * are ended and replaced before the next batch, so that the number of open orders is stable.
 */
import { callChild } from '../ipc.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'
import { confirmOrderRequest, cpuPerRequest, startBenchServer } from './server-cost.ts'

async function measureWith(bench: BenchContext, open: number): Promise<number> {
  const [batch] = bench.sizes.openOrders
  const server = await startBenchServer(bench, 'ours')
  let orderIds = await callChild(server.child, 'create', { count: open })
  await callChild(server.child, 'calm', {})
  let total = 0
  const warmUps = Math.floor(bench.sizes.batches / 2)
  for (let done = 0; done < warmUps + bench.sizes.batches; done++) {
    const confirmed = orderIds.slice(0, batch)
    const each = await cpuPerRequest(bench, server, confirmed.map(confirmOrderRequest), 202)
    if (done >= warmUps) total += each
    const fresh = await callChild(server.child, 'turnOver', { orderIds: confirmed })
    // New orders are appended: the next batch takes the oldest.
    orderIds = [...orderIds.slice(batch), ...fresh]
    await callChild(server.child, 'calm', {})
  }
  await server.stop()
  return total / bench.sizes.batches
}

export const openOrders: RowMaker = {
  names: ['open-orders'],
  async measure(bench) {
    const [few, many] = bench.sizes.openOrders
    const nameOf = (open: number): string => `${open} open orders`
    const control = `${nameOf(few)} again (control)`
    const variants = [
      { name: nameOf(few), open: few },
      { name: nameOf(many), open: many },
      { name: control, open: few },
    ]
    const rounds: RoundCosts[] = []
    for (let round = 0; round < bench.sizes.slowRounds; round++) {
      const costs = new Map<string, number>()
      for (const { name, open } of rotateVariants(variants, round)) {
        bench.showProgress(`open-orders: round ${round + 1}, ${name}`)
        costs.set(name, await measureWith(bench, open))
      }
      rounds.push(costs)
    }
    const line = (what: string): RowLine => ({
      what,
      ratio: costRatio(rounds, what, nameOf(few)),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per confirm and effect',
    })
    return [
      {
        kind: 'measured',
        name: 'open-orders',
        baseline: `the same server with ${nameOf(few)}; times its cost`,
        rounds: rounds.length,
        lines: [
          { ...line(nameOf(many)), target: { atMost: 1.2 } },
          line(control),
          line(nameOf(few)),
        ],
        details: {},
      },
    ]
  },
}
