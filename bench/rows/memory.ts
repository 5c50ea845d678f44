/**
 * Memory after a long mixed load of reads, confirms and polls, against the hand-written baseline; and whether it stays
 * stable. Every order is confirmed in the first half; the second half changes no state, so growth in it is a leak.
 */
import { callChild, type MemoryUsage } from '../ipc.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'
import { type Spread, spreadOf } from '../ratio.ts'
import { type ServerProgram, startBenchServer } from './server-cost.ts'

const megabyte = 1024 * 1024
const steps = 8

/** Accepted growth in the second half, in MiB: pages that are allocated and freed. */
const maxGrowthMb = 8
const maxLiveGrowthMb = 4

interface MemoryGrowth {
  readonly residentMb: number
  /** Memory in use after a full garbage collection. */
  readonly liveMb: number
  /** Growth from the middle to the end of the run. */
  readonly grewMb: number
  readonly liveGrewMb: number
}

async function measureProgram(bench: BenchContext, program: ServerProgram): Promise<MemoryGrowth> {
  const { exchanges } = bench.sizes
  const server = await startBenchServer(bench, program)
  const target = { port: server.port, token: server.token }
  // Two of ten requests are confirms: those of the first half cover every order, with a margin.
  const count = Math.ceil(exchanges / 14)
  const orderIds =
    program === 'hello' ? ['any'] : await callChild(server.child, 'create', { count })
  const samples: MemoryUsage[] = []
  for (let step = 0; step < steps; step++) {
    bench.showProgress(`memory: ${program}, ${step + 1} of ${steps}`)
    await callChild(bench.load.child, 'mix', {
      target,
      orderIds,
      count: Math.ceil(exchanges / steps),
    })
    await callChild(server.child, 'calm', {})
    samples.push(await callChild(server.child, 'memory', {}))
  }
  await server.stop()
  const middle = samples[steps / 2 - 1]
  const end = samples.at(-1)
  if (!middle || !end) throw new Error('nothing was measured')
  return {
    residentMb: end.rssBytes / megabyte,
    liveMb: end.liveBytes / megabyte,
    grewMb: (end.rssBytes - middle.rssBytes) / megabyte,
    liveGrewMb: (end.liveBytes - middle.liveBytes) / megabyte,
  }
}

const singleValue = (value: number): Spread => spreadOf([value])

export const memory: RowMaker = {
  names: ['memory'],
  quick: true,
  async measure(bench) {
    const hand = await measureProgram(bench, 'hand')
    const ours = await measureProgram(bench, 'ours')
    const hello = await measureProgram(bench, 'hello')
    const line = (what: string, { residentMb }: MemoryGrowth): RowLine => ({
      what,
      ratio: singleValue(residentMb / hand.residentMb),
      raw: singleValue(residentMb),
      unit: 'MB resident',
    })
    return [
      {
        kind: 'measured',
        name: 'memory',
        baseline: 'same work by hand on node:http; times its memory',
        rounds: 1,
        lines: [
          { ...line('after the whole mixture', ours), target: { atMost: 1.5 } },
          line('by hand', hand),
          line('node:http that does nothing', hello),
        ],
        checks: [
          {
            what: 'growth in the second half',
            value: ours.grewMb,
            unit: 'MB resident',
            atMost: maxGrowthMb,
          },
          {
            what: 'of that, in use',
            value: ours.liveGrewMb,
            unit: 'MB after a collection',
            atMost: maxLiveGrowthMb,
          },
        ],
        details: {
          exchanges: bench.sizes.exchanges,
          liveMb: ours.liveMb,
          byHand: hand,
        },
      },
    ]
  },
}
