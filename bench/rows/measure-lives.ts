/** Measures whole sessions side by side: in each round new processes, batch by batch, after as many batches to warm up. */
import { type StartedChild, startChild } from '../child-processes.ts'
import type { BenchContext } from '../row.ts'
import { type BatchResult, type LivesProcesses, measureBatch, stopAll } from './order-life.ts'

export interface LivesVariant {
  readonly name: string
  readonly start: () => Promise<StartedChild>
}

/** Orders that live at the same time; the session has a dozen couriers. */
const batchSize = 100
const batches = 2

async function measureRound(
  bench: BenchContext,
  variants: readonly LivesVariant[],
  title: string,
): Promise<readonly BatchResult[]> {
  const size = Math.min(batchSize, bench.sizes.measuredLives)
  const all: LivesProcesses[] = []
  for (const { name, start } of variants)
    all.push({ name, server: await start(), load: await startChild('./load/load.ts', {}) })
  const measured: BatchResult[] = []
  for (let batch = 0; batch < 2 * batches; batch++) {
    bench.showProgress(`${title}, batch ${batch + 1} of ${2 * batches}`)
    measured.push(await measureBatch(all, size))
  }
  await stopAll(all)
  return measured.slice(batches)
}

/** The batches of all rounds of a row. */
export async function measureLives(
  bench: BenchContext,
  row: string,
  variants: readonly LivesVariant[],
): Promise<readonly BatchResult[]> {
  const measured: BatchResult[] = []
  for (let round = 0; round < bench.sizes.slowRounds; round++)
    measured.push(...(await measureRound(bench, variants, `${row}: round ${round + 1}`)))
  return measured
}
