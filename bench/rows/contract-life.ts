/**
 * What `--contract` costs: the whole life of an order, in a session that compares every exchange with the OpenAPI document of
 * its host, beside the same session without. The exchanges that wait to be judged are judged before the end of each batch,
 * so that all of it is measured, and none may differ.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultConfiguration } from '../../src/core/session-api/configuration/defaults.ts'
import { openApiOfRole } from '../../src/core/session/openapi.ts'
import { startChild } from '../child-processes.ts'
import { costSpread, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'
import { type LivesProcesses, measureBatch, stopAll } from './order-life.ts'
import { startBenchServer } from './server-cost.ts'

const without = 'without a contract'
const under = 'under a contract'
const control = 'without again (control)'

/** Orders that live at the same time. */
const batchSize = 500

/** The document that our own Ordering Application serves. */
function writeContract({ folder }: BenchContext): string {
  const file = join(folder, 'ordering-application.openapi.json')
  const document = openApiOfRole('ordering-application', defaultConfiguration())
  writeFileSync(file, JSON.stringify(document))
  return file
}

async function startAll(bench: BenchContext, contract: string): Promise<readonly LivesProcesses[]> {
  const { root, folder, documents } = bench
  const options = { root, orders: documents.file, folder, contract }
  const servers = [
    [without, await startBenchServer(bench, 'ours')],
    [under, await startChild('./servers/ours.ts', options)],
    [control, await startBenchServer(bench, 'ours')],
  ] as const
  const all: LivesProcesses[] = []
  for (const [name, server] of servers)
    all.push({ name, server, load: await startChild('./load/load.ts', {}) })
  return all
}

/** New servers for each generation: how well the JIT optimizes a process lasts for its lifetime. */
async function measureLives(
  bench: BenchContext,
  contract: string,
  generation: number,
): Promise<readonly RoundCosts[]> {
  const { warmUpLives, measuredLives } = bench.sizes
  const all = await startAll(bench, contract)
  const run = async (orders: number, what: string): Promise<readonly RoundCosts[]> => {
    const costs: RoundCosts[] = []
    for (let left = orders; left > 0; left -= batchSize) {
      bench.showProgress(
        `contract-life: generation ${generation + 1}, ${what}, ${left} orders left`,
      )
      costs.push((await measureBatch(all, Math.min(batchSize, left))).costs)
    }
    return costs
  }
  await run(warmUpLives, 'warming up')
  const measured = await run(measuredLives, 'measuring')
  await stopAll(all)
  return measured
}

export const contractLife: RowMaker = {
  names: ['contract-life'],
  async measure(bench) {
    const contract = writeContract(bench)
    const rounds: RoundCosts[] = []
    for (let generation = 0; generation < bench.sizes.slowRounds; generation++)
      rounds.push(...(await measureLives(bench, contract, generation)))
    const line = (what: string): RowLine => ({
      what,
      ratio: workRatio(rounds, what, without),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per order',
    })
    return [
      {
        kind: 'measured',
        name: 'contract-life',
        baseline: 'the same session without a contract, invariants and faults',
        rounds: rounds.length,
        // At most 15 % of the throughput is lost.
        lines: [{ ...line(under), target: { atLeast: 0.85 } }, line(control), line(without)],
        details: { orders: bench.sizes.measuredLives },
      },
    ]
  },
}
