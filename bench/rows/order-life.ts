/**
 * The whole life of an order as its receiver sees it: CREATED polled and acknowledged, GET, and five calls with the
 * polls and acknowledgments between them. CPU of the server for each order, the making of the order included. And the
 * same once more with every invariant watching, and faults in force that each message is held against.
 */
import { ask } from '../asks.ts'
import { costSpread, rotated, type Round, workRatio } from '../ratio.ts'
import type { Bench, Line, RowMaker } from '../row.ts'
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
  readonly cost: number
  readonly requests: number
}

async function measureVariant(bench: Bench, variant: Variant): Promise<Lives> {
  const server = await startServer(bench, variant.program, undefined, variant.watched)
  const target = { port: server.port, token: server.token }
  let requests = 0
  const batch = async (count: number): Promise<void> => {
    const orderIds = await ask(server.child, 'create', { count })
    const lived = await ask(bench.load.child, 'live', { target, orderIds })
    requests += lived.requests
    await ask(server.child, 'calm', {})
  }
  const { lives } = bench.sizes
  const batches = Math.max(1, Math.round(lives / together))
  const size = Math.ceil(lives / batches)
  await batch(Math.min(together, lives))
  requests = 0
  const total = await spent(server, async () => {
    for (let done = 0; done < batches; done++) await batch(size)
  })
  await server.stop()
  return { cost: total / (batches * size), requests: requests / (batches * size) }
}

export const orderLife: RowMaker = {
  names: ['order-life', 'watched-life'],
  async measure(bench) {
    const rounds: Round[] = []
    const requests = new Map<string, number>()
    for (let round = 0; round < bench.sizes.lifeRounds; round++) {
      const costs = new Map<string, number>()
      for (const variant of rotated(variants, round)) {
        bench.say(`order-life: round ${round + 1}, ${variant.name}`)
        const lives = await measureVariant(bench, variant)
        costs.set(variant.name, lives.cost)
        requests.set(variant.name, lives.requests)
      }
      rounds.push(costs)
    }
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
