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

interface Grown {
  readonly end: Memory
  /** From the middle to the end. */
  readonly rssGrowth: number
  readonly liveGrowth: number
}

/** Memory at the end, and how it grew from the middle on: the last two eighths against the two before. */
async function measureProgram(bench: Bench, program: Program): Promise<Grown> {
  const { exchanges } = bench.sizes
  const server = await startServer(bench, program)
  const target = { port: server.port, token: server.token }
  // A tenth of the exchanges: the confirms of the first half reach every order.
  const count = Math.ceil(exchanges / 10)
  const orderIds =
    program === 'hello' ? ['any'] : await ask(server.child, 'create', { count })
  const seen: Memory[] = []
  for (let step = 0; step < steps; step++) {
    bench.say(`memory: ${program}, ${step + 1} of ${steps}`)
    const part = Math.ceil(exchanges / steps)
    await ask(bench.load.child, 'mix', { target, orderIds, count: part })
    await ask(server.child, 'calm', {})
    seen.push(await ask(server.child, 'memory', {}))
  }
  await server.stop()
  const end = seen.at(-1)
  const middle = seen[steps / 2]
  if (!end || !middle) throw new Error('nothing was measured')
  return {
    end,
    rssGrowth: (end.rssBytes - middle.rssBytes) / megabyte,
    liveGrowth: (end.liveBytes - middle.liveBytes) / megabyte,
  }
}

const one = (value: number): Spread => spreadOf([value])

export const memory: RowMaker = {
  names: ['memory'],
  async measure(bench) {
    const hand = await measureProgram(bench, 'hand')
    const ours = await measureProgram(bench, 'ours')
    const hello = await measureProgram(bench, 'hello')
    const line = (what: string, { end }: Grown): Line => ({
      what,
      ratio: one(end.rssBytes / hand.end.rssBytes),
      raw: one(end.rssBytes / megabyte),
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
        details: {},
      },
    ]
  },
}
