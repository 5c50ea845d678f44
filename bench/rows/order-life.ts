/**
 * The whole life of an order as its receiver sees it: CREATED polled and acknowledged, GET, and five calls with the
 * polls and acknowledgments between them. CPU of the server for each order, the making of the order included. And the
 * same once more with every invariant watching, and faults in force that each message is held against. All servers live
 * at the same time, each with a load of its own: most of a life is waiting, and a machine that is slow for a moment is
 * slow for all of them.
 */
import { ask } from '../asks.ts'
import { costSpread, type Round, workRatio } from '../ratio.ts'
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
  readonly load: Started
}

interface Measured {
  readonly costs: Round
  /** Of each order, by the name of the variant. */
  readonly requests: ReadonlyMap<string, number>
}

/** The lives of so many orders, from the making of them until nothing is due any more. */
async function liveOn({ server, load }: Lives, count: number) {
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

async function measureBatch(all: readonly Lives[], size: number): Promise<Measured> {
  const measured = await Promise.all(
    all.map(async (lives) => [lives.variant.name, await liveOn(lives, size)] as const),
  )
  return {
    costs: new Map(measured.map(([name, { cost }]) => [name, cost])),
    requests: new Map(measured.map(([name, { requests }]) => [name, requests])),
  }
}

const batchesOf = (orders: number): number => Math.max(1, Math.round(orders / together))

/** Batch by batch, with servers of their own: how well a process is compiled is luck, and holds for its whole life. */
async function measureGeneration(bench: Bench, generation: number): Promise<readonly Measured[]> {
  const { livesBefore, lives } = bench.sizes
  const all: Lives[] = []
  for (const variant of variants) {
    const server = await startServer(bench, variant.program, undefined, variant.watched)
    all.push({ variant, server, load: await start('./load/load.ts', {}) })
  }
  const say = (what: string): void => bench.say(`order-life: generation ${generation + 1}, ${what}`)
  // A life gets cheaper for a while: nobody looks at those.
  say('warming up')
  for (let left = batchesOf(livesBefore); left > 0; left--)
    await measureBatch(all, Math.min(together, livesBefore))
  const measured: Measured[] = []
  const batches = batchesOf(lives)
  for (let batch = 0; batch < batches; batch++) {
    say(`batch ${batch + 1} of ${batches}`)
    measured.push(await measureBatch(all, Math.min(together, lives)))
  }
  for (const { server, load } of all) {
    await server.stop()
    await load.stop()
  }
  return measured
}

export const orderLife: RowMaker = {
  names: ['order-life', 'watched-life'],
  async measure(bench) {
    const measured: Measured[] = []
    for (let generation = 0; generation < bench.sizes.lifeRounds; generation++)
      measured.push(...(await measureGeneration(bench, generation)))
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
