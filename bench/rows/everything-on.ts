/**
 * The life of an order in a session as the command starts it: `sparring up --as software-service`, the built program, with
 * every partner and all invariants. CPU of the whole process per order, with all that follows from it: the courier of the
 * Delivery Platform, the customer and the points of the CRM. Only the clock is faster. The server by hand has no partners: its orders only show the
 * scale, so there is no target.
 */
import { costSpread, type RoundCosts, workRatio } from '../ratio.ts'
import type { RowLine, RowMaker } from '../row.ts'
import { measureLives } from './measure-lives.ts'
import { startBenchServer } from './server-cost.ts'

const ours = 'sparring up, everything on'
const byHand = 'orders alone by hand'

const variants = [
  { name: byHand, program: 'hand' },
  { name: ours, program: 'up' },
] as const

export const everythingOn: RowMaker = {
  names: ['everything-on'],
  async measure(bench) {
    const measured = await measureLives(
      bench,
      'everything-on',
      variants.map(({ name, program }) => ({
        name,
        start: () => startBenchServer(bench, program),
      })),
    )
    const rounds: readonly RoundCosts[] = measured.map(({ costs }) => costs)
    const line = (what: string): RowLine => ({
      what,
      ratio: workRatio(rounds, what, byHand),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per order',
    })
    return [
      {
        kind: 'measured',
        name: 'everything-on',
        baseline: 'the orders alone by hand on node:http, without partners, effects and invariants',
        rounds: rounds.length,
        lines: [line(ours), line(byHand)],
        details: { requestsPerOrder: Object.fromEntries(measured.at(-1)?.requests ?? []) },
      },
    ]
  },
}
