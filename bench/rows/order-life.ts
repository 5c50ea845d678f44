/**
 * The whole life of an order as the Software Service sees it: CREATED polled and acknowledged, GET, and five calls with
 * polls and acknowledgments in between. CPU of the server per order, including its creation; and the same again with
 * all invariants on and faults in force that every message is matched against. All servers run concurrently, each with
 * its own load generator: most of a life is waiting, and a slow phase of the machine affects all alike.
 */
import { callChild } from '../ipc.ts'
import { costSpread, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'
import { startChild, type StartedChild } from '../child-processes.ts'
import { requireSameOrderAnswers } from './order-probe.ts'
import { type ServerProgram, measureCpuMicros, startBenchServer } from './server-cost.ts'

interface Variant {
  readonly name: string
  readonly program: ServerProgram
  readonly watched?: true
}

const byHand = 'by hand'
const ours = 'recorder off'
const watched = 'watched'
const control = 'by hand again (control)'

const variants: readonly Variant[] = [
  { name: byHand, program: 'hand' },
  { name: ours, program: 'ours' },
  { name: watched, program: 'ours', watched: true },
  { name: control, program: 'hand' },
]

/** Orders that live at the same time. */
const batchSize = 500

export interface LivesProcesses {
  readonly name: string
  readonly server: StartedChild
  readonly load: StartedChild
}

export interface BatchResult {
  readonly costs: RoundCosts
  /** Requests per order, by name of the variant. */
  readonly requests: ReadonlyMap<string, number>
}

/** Runs the lives of `count` orders, from their creation until nothing is due any more. */
async function runLives({ server, load }: LivesProcesses, count: number) {
  const target = { port: server.port, token: server.token }
  let made = 0
  const cost = await measureCpuMicros(server, async () => {
    const orderIds = await callChild(server.child, 'create', { count })
    const { requests } = await callChild(load.child, 'live', { target, orderIds })
    made = requests
    await callChild(server.child, 'calm', {})
  })
  return { cost: cost / count, requests: made / count }
}

/** Runs the lives of as many orders on every server at the same time. */
export async function measureBatch(
  all: readonly LivesProcesses[],
  size: number,
): Promise<BatchResult> {
  const measured = await Promise.all(
    all.map(async (lives) => [lives.name, await runLives(lives, size)] as const),
  )
  return {
    costs: new Map(measured.map(([name, { cost }]) => [name, cost])),
    requests: new Map(measured.map(([name, { requests }]) => [name, requests])),
  }
}

export async function stopAll(all: readonly LivesProcesses[]): Promise<void> {
  for (const { server, load } of all) {
    await server.stop()
    await load.stop()
  }
}

const batchesOf = (orders: number): number => Math.max(1, Math.round(orders / batchSize))

/**
 * Measures batch by batch, with new servers for each generation: how well the JIT optimizes a process varies by chance
 * and lasts for its lifetime.
 */
async function measureGeneration(
  bench: BenchContext,
  generation: number,
): Promise<readonly BatchResult[]> {
  const { warmUpLives: livesBefore, measuredLives: lives } = bench.sizes
  const all: LivesProcesses[] = []
  for (const { name, program, watched: isWatched } of variants) {
    const server = await startBenchServer(bench, program, undefined, isWatched)
    all.push({ name, server, load: await startChild('./load/load.ts', {}) })
  }
  const say = (what: string): void =>
    bench.showProgress(`order-life: generation ${generation + 1}, ${what}`)
  // Warm-up batches are not measured: lives get cheaper for a while.
  say('warming up')
  for (let left = batchesOf(livesBefore); left > 0; left--)
    await measureBatch(all, Math.min(batchSize, livesBefore))
  const measured: BatchResult[] = []
  const batches = batchesOf(lives)
  for (let batch = 0; batch < batches; batch++) {
    say(`batch ${batch + 1} of ${batches}`)
    measured.push(await measureBatch(all, Math.min(batchSize, lives)))
  }
  await stopAll(all)
  return measured
}

export const orderLife: RowMaker = {
  names: ['order-life', 'watched-life'],
  quick: true,
  async measure(bench) {
    await requireSameOrderAnswers(bench)
    const measured: BatchResult[] = []
    for (let generation = 0; generation < bench.sizes.slowRounds; generation++)
      measured.push(...(await measureGeneration(bench, generation)))
    const rounds = measured.map(({ costs }) => costs)
    const requests = measured.at(-1)?.requests ?? new Map<string, number>()
    const line = (what: string, baseline = byHand): RowLine => ({
      what,
      ratio: workRatio(rounds, what, baseline),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per order',
    })
    return [
      {
        kind: 'measured',
        name: 'order-life',
        baseline: 'same work by hand on node:http',
        rounds: rounds.length,
        lines: [{ ...line(ours), target: { atLeast: 0.62 } }, line(control), line(byHand)],
        details: {
          orders: bench.sizes.measuredLives,
          requestsPerOrder: Object.fromEntries(requests),
        },
      },
      {
        kind: 'measured',
        name: 'watched-life',
        baseline: 'the same session with neither invariants nor faults',
        rounds: rounds.length,
        // At most 15 % of the throughput is lost.
        lines: [{ ...line(watched, ours), target: { atLeast: 0.85 } }, line(ours, ours)],
        details: { orders: bench.sizes.measuredLives },
      },
    ]
  },
}
