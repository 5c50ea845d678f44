/**
 * A row of a capability besides Orders: our session that plays only its host, against a hand-written server on
 * node:http with zod. Every round starts each server afresh. Before that, both must answer the same probe alike.
 */
import type { Started } from '../children.ts'
import type { Shot } from '../load/jobs.ts'
import { costSpread, rotated, type Round, workRatio } from '../ratio.ts'
import type { Bench, Bound, Line, RowMaker } from '../row.ts'
import { type Probe, sameAnswers } from './same-answers.ts'
import { cost, type Extra, startServer } from './serving.ts'

export interface Measuring {
  readonly name: string
  readonly extra: Extra
  /** Names of the measured parts; the first gives the ratio of the row. */
  readonly parts: readonly [string, ...string[]]
  readonly target: Bound
  readonly probe: Probe
  /** CPU microseconds of each part on a freshly started server. */
  readonly measure: (bench: Bench, server: Started) => Promise<Readonly<Record<string, number>>>
}

const variants = [
  { name: 'by hand', who: 'hand' },
  { name: '', who: 'ours' },
  { name: 'control', who: 'hand' },
] as const

const byHand = variants[0].name
const labelOf = (part: string, variant: string): string =>
  variant === '' ? part : `${part}, ${variant}`

export const shotsOf = (count: number, shotOf: (index: number) => Shot): readonly Shot[] =>
  Array.from({ length: count }, (_, index) => shotOf(index))

/** CPU microseconds per request, after a warm-up. */
export async function warmCost(
  bench: Bench,
  server: Started,
  shotOf: (index: number) => Shot,
  [warmUp, measured]: readonly [number, number],
): Promise<number> {
  await cost(bench, server, shotsOf(warmUp, shotOf), 200)
  return cost(bench, server, shotsOf(measured, shotOf), 200)
}

/** A POST with a fresh X-Request-Id, the idempotency key. */
export const mutation = (path: string, body: unknown): Shot => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
  requestId: crypto.randomUUID(),
})

export const rowOf = ({ name, extra, parts, target, probe, measure }: Measuring): RowMaker => ({
  names: [name],
  async measure(bench) {
    bench.say(`${name}: the same questions to both`)
    await sameAnswers(bench, extra, probe)
    const rounds: Round[] = []
    for (let round = 0; round < bench.sizes.rounds; round++) {
      const costs = new Map<string, number>()
      for (const { name: variant, who: side } of rotated(variants, round)) {
        bench.say(`${name}: round ${round + 1}, ${variant || 'recorder off'}`)
        const server = await startServer(bench, `${side}-${extra}`)
        const measured = await measure(bench, server)
        await server.stop()
        for (const part of parts) costs.set(labelOf(part, variant), measured[part] ?? 0)
      }
      rounds.push(costs)
    }
    const line = (part: string, variant: string): Line => ({
      what: labelOf(part, variant),
      ratio: workRatio(rounds, labelOf(part, variant), labelOf(part, byHand)),
      raw: costSpread(rounds, labelOf(part, variant)),
      unit: 'CPU µs',
      ...(variant === '' ? { target } : {}),
    })
    const [first, ...others] = parts
    const linesOf = (part: string): readonly Line[] =>
      [variants[2].name, byHand].map((variant) => line(part, variant))
    return [
      {
        kind: 'measured',
        name,
        baseline: 'same work by hand on node:http, recorder off; the control is that once more',
        rounds: rounds.length,
        lines: [
          line(first, ''),
          ...linesOf(first),
          ...others.flatMap((part) => [line(part, ''), ...linesOf(part)]),
        ],
        details: { measuredRequests: bench.sizes.measured },
      },
    ]
  },
})
