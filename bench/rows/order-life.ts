/**
 * The whole life of an order as its receiver sees it: CREATED polled and acknowledged, GET, and five calls with the
 * polls and acknowledgments between them. CPU of the server for each order, the making of the order included. And the
 * same once more with every invariant watching, and faults in force that each message is held against.
 */
import { ask } from '../asks.ts'
import { costSpread, rotated, type Round, workRatio } from '../ratio.ts'
import type { Bench, Line, RowMaker } from '../row.ts'
import type { Started } from '../children.ts'
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
  cost: number
  requests: number
}

/** The lives of so many orders, from the making of them until nothing is due any more. */
async function liveOn(bench: Bench, lives: Lives, count: number): Promise<void> {
  const { server } = lives
  const target = { port: server.port, token: server.token }
  lives.cost += await spent(server, async () => {
    const orderIds = await ask(server.child, 'create', { count })
    const { requests } = await ask(bench.load.child, 'live', { target, orderIds })
    lives.requests += requests
    await ask(server.child, 'calm', {})
  })
}

/** Batch by batch, each server in its turn: a machine that is slow for a while is slow for all of them. */
async function measureRound(bench: Bench, round: number): Promise<readonly Lives[]> {
  const all: Lives[] = []
  for (const variant of variants) {
    const server = await startServer(bench, variant.program, undefined, variant.watched)
    all.push({ variant, server, cost: 0, requests: 0 })
  }
  const { lives } = bench.sizes
  for (const each of all) {
    await liveOn(bench, each, Math.min(together, lives))
    each.cost = 0
    each.requests = 0
  }
  const batches = Math.max(1, Math.round(lives / together))
  const size = Math.ceil(lives / batches)
  for (let batch = 0; batch < batches; batch++) {
    bench.say(`order-life: round ${round + 1}, batch ${batch + 1} of ${batches}`)
    for (const each of rotated(all, round + batch)) await liveOn(bench, each, size)
  }
  for (const { server } of all) await server.stop()
  const made = batches * size
  return all.map((each) => ({ ...each, cost: each.cost / made, requests: each.requests / made }))
}

export const orderLife: RowMaker = {
  names: ['order-life', 'watched-life'],
  async measure(bench) {
    const rounds: Round[] = []
    const requests = new Map<string, number>()
    for (let round = 0; round < bench.sizes.lifeRounds; round++) {
      const costs = new Map<string, number>()
      for (const { variant, cost, requests: made } of await measureRound(bench, round)) {
        costs.set(variant.name, cost)
        requests.set(variant.name, made)
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
