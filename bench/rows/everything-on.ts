/**
 * The life of an order in a session as the command starts it: `sparring up --as software-service`, the built program, with
 * every partner and all invariants. CPU of the whole process per order, with all that follows from it: the courier of the
 * Delivery Platform, the customer and the points of the CRM. Only the clock is faster. The server by hand has no partners: its orders only show the
 * scale, so there is no target.
 */
import { startChild } from '../child-processes.ts'
import { costSpread, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'
import { type BatchResult, type LivesProcesses, measureBatch, stopAll } from './order-life.ts'
import { startBenchServer } from './server-cost.ts'

const ours = 'sparring up, everything on'
const byHand = 'orders alone by hand'

const variants = [
  { name: byHand, program: 'hand' },
  { name: ours, program: 'up' },
] as const

/** Orders that live at the same time; the session has a dozen couriers. */
const batchSize = 100
const batches = 2

/** Measures new processes, after as many batches to warm up. */
async function measureRound(bench: BenchContext, round: number): Promise<readonly BatchResult[]> {
  const size = Math.min(batchSize, bench.sizes.measuredLives)
  const all: LivesProcesses[] = []
  for (const { name, program } of variants) {
    const server = await startBenchServer(bench, program)
    all.push({ name, server, load: await startChild('./load/load.ts', {}) })
  }
  const measured: BatchResult[] = []
  for (let batch = 0; batch < 2 * batches; batch++) {
    bench.showProgress(`everything-on: round ${round + 1}, batch ${batch + 1} of ${2 * batches}`)
    measured.push(await measureBatch(all, size))
  }
  await stopAll(all)
  return measured.slice(batches)
}

export const everythingOn: RowMaker = {
  names: ['everything-on'],
  async measure(bench) {
    const measured: BatchResult[] = []
    for (let round = 0; round < bench.sizes.slowRounds; round++)
      measured.push(...(await measureRound(bench, round)))
    const rounds: readonly RoundCosts[] = measured.map(({ costs }) => costs)
    const line = (what: string): RowLine => ({
      what,
      ratio: workRatio(rounds, what, byHand),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per order',
    })
    return [
      {
        kind: 'measured',
        name: 'everything-on',
        baseline: 'the orders alone by hand on node:http, without partners, effects and invariants',
        rounds: rounds.length,
        lines: [line(ours), line(byHand)],
        details: { requestsPerOrder: Object.fromEntries(measured.at(-1)?.requests ?? []) },
      },
    ]
  },
}
