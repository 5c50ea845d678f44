/**
 * Memory after a long mixture of reads, confirms and polls, against the same work by hand; and whether it stays there.
 * Every order is confirmed in the first half; the second half changes nothing any more, so what grows then leaks.
 */
import { ask, type Memory } from '../asks.ts'
import type { Bench, Line, RowMaker } from '../row.ts'
import { type Spread, spreadOf } from '../ratio.ts'
import { type Program, startServer } from './serving.ts'

const megabyte = 1024 * 1024
const steps = 8

/** Growth in the second half that is no leak: pages that come and go. */
const mostGrowthMb = 8
const mostLiveGrowthMb = 4

interface Grown {
  readonly residentMb: number
  /** What a collection leaves of it. */
  readonly liveMb: number
  /** From the middle to the end. */
  readonly grewMb: number
  readonly liveGrewMb: number
}

async function measureProgram(bench: Bench, program: Program): Promise<Grown> {
  const { exchanges } = bench.sizes
  const server = await startServer(bench, program)
  const target = { port: server.port, token: server.token }
  // Two of ten exchanges are confirms: those of the first half reach every order, with some to spare.
  const count = Math.ceil(exchanges / 14)
  const orderIds = program === 'hello' ? ['any'] : await ask(server.child, 'create', { count })
  const seen: Memory[] = []
  for (let step = 0; step < steps; step++) {
    bench.say(`memory: ${program}, ${step + 1} of ${steps}`)
    await ask(bench.load.child, 'mix', { target, orderIds, count: Math.ceil(exchanges / steps) })
    await ask(server.child, 'calm', {})
    seen.push(await ask(server.child, 'memory', {}))
  }
  await server.stop()
  const middle = seen[steps / 2 - 1]
  const end = seen.at(-1)
  if (!middle || !end) throw new Error('nothing was measured')
  return {
    residentMb: end.rssBytes / megabyte,
    liveMb: end.liveBytes / megabyte,
    grewMb: (end.rssBytes - middle.rssBytes) / megabyte,
    liveGrewMb: (end.liveBytes - middle.liveBytes) / megabyte,
  }
}

const one = (value: number): Spread => spreadOf([value])

export const memory: RowMaker = {
  names: ['memory'],
  async measure(bench) {
    const hand = await measureProgram(bench, 'hand')
    const ours = await measureProgram(bench, 'ours')
    const hello = await measureProgram(bench, 'hello')
    const line = (what: string, { residentMb }: Grown): Line => ({
      what,
      ratio: one(residentMb / hand.residentMb),
      raw: one(residentMb),
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
            atMost: mostGrowthMb,
          },
          {
            what: 'of that, in use',
            value: ours.liveGrewMb,
            unit: 'MB after a collection',
            atMost: mostLiveGrowthMb,
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
