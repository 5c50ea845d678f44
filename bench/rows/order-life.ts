/**
 * The whole life of an order as its receiver sees it: CREATED polled and acknowledged, GET, and five calls with the
 * polls and acknowledgments between them. CPU of the server for each order, the making of the order included. And the
 * same once more with every invariant watching, and faults in force that each message is held against.
 */
import { ask } from '../asks.ts'
import { costSpread, rotated, type Round, workRatio } from '../ratio.ts'
import type { Bench, Line, RowMaker } from '../row.ts'
import { start, type Started } from '../children.ts'
import { type Program, spent, startServer } from './serving.ts'

interface Variant {
  readonly name: string
  readonly program: Program
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
const together = 500

interface Lives {
  readonly variant: Variant
  readonly server: Started
}

interface Measured {
  readonly costs: Round
  /** Of each order, by the name of the variant. */
  readonly requests: ReadonlyMap<string, number>
}

/** The lives of so many orders, from the making of them until nothing is due any more. */
async function liveOn(load: Started, { server }: Lives, count: number) {
  const target = { port: server.port, token: server.token }
  let made = 0
  const cost = await spent(server, async () => {
    const orderIds = await ask(server.child, 'create', { count })
    const { requests } = await ask(load.child, 'live', { target, orderIds })
    made = requests
    await ask(server.child, 'calm', {})
  })
  return { cost: cost / count, requests: made / count }
}

/** Each server in its turn: a machine that is slow for a while is slow for all of them. */
async function measureBatch(bench: Bench, all: readonly Lives[], size: number): Promise<Measured> {
  const costs = new Map<string, number>()
  const requests = new Map<string, number>()
  for (const lives of all) {
    const { cost, requests: made } = await liveOn(bench.load, lives, size)
    costs.set(lives.variant.name, cost)
    requests.set(lives.variant.name, made)
  }
  return { costs, requests }
}

const batchesOf = (orders: number): number => Math.max(1, Math.round(orders / together))

/**
 * What only warms up may share the machine: nobody looks at what it costs. Each has a load of its own, for one that turns
 * to another server hangs up on the first.
 */
async function warmUp({ sizes: { livesBefore } }: Bench, all: readonly Lives[]): Promise<void> {
  const size = Math.min(together, livesBefore)
  await Promise.all(
    all.map(async (lives) => {
      const load = await start('./load/load.ts', {})
      for (let left = batchesOf(livesBefore); left > 0; left--) await liveOn(load, lives, size)
      await load.stop()
    }),
  )
}

/** Batch by batch, with servers of their own: how well a process is compiled is luck, and holds for its whole life. */
async function measureGeneration(bench: Bench, generation: number): Promise<readonly Measured[]> {
  const all: Lives[] = []
  for (const variant of variants) {
    const server = await startServer(bench, variant.program, undefined, variant.watched)
    all.push({ variant, server })
  }
  const say = (what: string): void => bench.say(`order-life: generation ${generation + 1}, ${what}`)
  say('warming up')
  await warmUp(bench, all)
  const { lives } = bench.sizes
  const measured: Measured[] = []
  const batches = batchesOf(lives)
  for (let batch = 0; batch < batches; batch++) {
    say(`batch ${batch + 1} of ${batches}`)
    const inTurn = rotated(all, generation + batch)
    measured.push(await measureBatch(bench, inTurn, Math.min(together, lives)))
  }
  for (const { server } of all) await server.stop()
  return measured
}

export const orderLife: RowMaker = {
  names: ['order-life', 'watched-life'],
  async measure(bench) {
    const measured: Measured[] = []
    for (let generation = 0; generation < bench.sizes.lifeRounds; generation++)
      measured.push(...(await measureGeneration(bench, generation)))
    // Neighbours in time are the four of one batch.
    const rounds = measured.map(({ costs }) => costs)
    const requests = measured.at(-1)?.requests ?? new Map<string, number>()
    const line = (what: string, baseline = byHand): Line => ({
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
        lines: [line(ours), line(control), line(byHand)],
        details: { orders: bench.sizes.lives, requestsPerOrder: Object.fromEntries(requests) },
      },
      {
        kind: 'measured',
        name: 'watched-life',
        baseline: 'the same session with neither invariants nor faults',
        rounds: rounds.length,
        // At most fifteen of a hundred are lost.
        lines: [{ ...line(watched, ours), target: { atLeast: 0.85 } }, line(ours, ours)],
        details: { orders: bench.sizes.lives },
      },
    ]
  },
}
