/**
 * What monitoring costs a session: orders live in `sparring up` as in `everything-on`, alone, with its metrics read once a
 * second, and with a span exported for each exchange. CPU of the whole process per order.
 */
import { startChild } from '../child-processes.ts'
import { costRatio, costSpread, type RoundCosts } from '../ratio.ts'
import type { RowLine, RowMaker } from '../row.ts'
import { measureLives } from './measure-lives.ts'

const alone = 'sparring up'
const scraped = 'its metrics read once a second'
const traced = 'its exchanges exported as spans'
const control = 'sparring up again (control)'

const variants = [
  { name: alone, more: {} },
  { name: scraped, more: { scraped: true } },
  { name: traced, more: { traced: true } },
  { name: control, more: {} },
] as const

export const monitored: RowMaker = {
  names: ['monitored'],
  async measure(bench) {
    const { root, folder, documents } = bench
    const options = { root, folder, orders: documents.file }
    const measured = await measureLives(
      bench,
      'monitored',
      variants.map(({ name, more }) => ({
        name,
        start: () => startChild('./servers/up.ts', { ...options, ...more }),
      })),
    )
    const rounds: readonly RoundCosts[] = measured.map(({ costs }) => costs)
    const line = (what: string): RowLine => ({
      what,
      ratio: costRatio(rounds, what, alone),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per order',
    })
    return [
      {
        kind: 'measured',
        name: 'monitored',
        baseline: `${alone}, without monitoring; times its CPU`,
        rounds: rounds.length,
        lines: [
          { ...line(scraped), target: { atMost: 1.05 } },
          line(traced),
          line(control),
          line(alone),
        ],
        details: { requestsPerOrder: Object.fromEntries(measured.at(-1)?.requests ?? []) },
      },
    ]
  },
}
