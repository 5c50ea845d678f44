/**
 * What monitoring costs a session: orders live in `sparring up` as in `everything-on`, alone, with its metrics read once a
 * second, and with a span exported for each exchange. CPU of the whole process per order.
 */
import { startChild } from '../child-processes.ts'
import { costRatio, costSpread, type RoundCosts } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'
import { type BatchResult, type LivesProcesses, measureBatch, stopAll } from './order-life.ts'

const alone = 'sparring up'
const scraped = 'its metrics read once a second'
const traced = 'its exchanges exported as spans'
const control = 'sparring up again (control)'

const variants = [
  { name: alone, more: {} },
  { name: scraped, more: { scraped: true } },
  { name: traced, more: { traced: true } },
  { name: control, more: {} },
] as const

/** Orders that live at the same time; the session has a dozen couriers. */
const batchSize = 100
const batches = 2

/** Measures new processes, after as many batches to warm up. */
async function measureRound(bench: BenchContext, round: number): Promise<readonly BatchResult[]> {
  const size = Math.min(batchSize, bench.sizes.measuredLives)
  const all: LivesProcesses[] = []
  for (const { name, more } of variants) {
    const { root, folder } = bench
    const options = { root, folder, orders: bench.documents.file, ...more }
    const server = await startChild('./servers/up.ts', options)
    all.push({ name, server, load: await startChild('./load/load.ts', {}) })
  }
  const measured: BatchResult[] = []
  for (let batch = 0; batch < 2 * batches; batch++) {
    bench.showProgress(`monitored: round ${round + 1}, batch ${batch + 1} of ${2 * batches}`)
    measured.push(await measureBatch(all, size))
  }
  await stopAll(all)
  return measured.slice(batches)
}

export const monitored: RowMaker = {
  names: ['monitored'],
  async measure(bench) {
    const measured: BatchResult[] = []
    for (let round = 0; round < bench.sizes.slowRounds; round++)
      measured.push(...(await measureRound(bench, round)))
    const rounds: readonly RoundCosts[] = measured.map(({ costs }) => costs)
    const line = (what: string): RowLine => ({
      what,
      ratio: costRatio(rounds, what, alone),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per order',
    })
    return [
      {
        kind: 'measured',
        name: 'monitored',
        baseline: `${alone}, without monitoring; times its CPU`,
        rounds: rounds.length,
        lines: [
          { ...line(scraped), target: { atMost: 1.05 } },
          line(traced),
          line(control),
          line(alone),
        ],
        details: { requestsPerOrder: Object.fromEntries(measured.at(-1)?.requests ?? []) },
      },
    ]
  },
}
