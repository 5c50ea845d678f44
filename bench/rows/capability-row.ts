/**
 * A row of a capability besides Orders: our session that plays only its host, against a hand-written server on
 * node:http with zod. Every round starts each server afresh. Before that, both must answer the same probe alike.
 */
import type { StartedChild } from '../child-processes.ts'
import type { LoadRequest } from '../load/jobs.ts'
import { costSpread, rotateVariants, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, RatioBound, RowLine, RowMaker } from '../row.ts'
import { type Probe, requireSameAnswers } from './same-answers.ts'
import { cpuPerRequest, type BenchCapability, startBenchServer } from './server-cost.ts'

export interface CapabilityMeasurement {
  readonly name: string
  readonly capability: BenchCapability
  /** Names of the measured parts; the first gives the ratio of the row. */
  readonly parts: readonly [string, ...string[]]
  readonly target: RatioBound
  readonly probe: Probe
  /** CPU microseconds of each part on a freshly started server. */
  readonly measure: (
    bench: BenchContext,
    server: StartedChild,
  ) => Promise<Readonly<Record<string, number>>>
}

const variants = [
  { name: 'by hand', who: 'hand' },
  { name: '', who: 'ours' },
  { name: 'control', who: 'hand' },
] as const

const byHand = variants[0].name
const labelOf = (part: string, variant: string): string =>
  variant === '' ? part : `${part}, ${variant}`

export const createRequests = (
  count: number,
  shotOf: (index: number) => LoadRequest,
): readonly LoadRequest[] => Array.from({ length: count }, (_, index) => shotOf(index))

/** CPU microseconds per request, after a warm-up. */
export async function warmedUpCost(
  bench: BenchContext,
  server: StartedChild,
  shotOf: (index: number) => LoadRequest,
  [warmUp, measured]: readonly [number, number],
): Promise<number> {
  await cpuPerRequest(bench, server, createRequests(warmUp, shotOf), 200)
  return cpuPerRequest(bench, server, createRequests(measured, shotOf), 200)
}

/** A POST with a fresh X-Request-Id, the idempotency key. */
export const mutationRequest = (path: string, body: unknown): LoadRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
  requestId: crypto.randomUUID(),
})

export const createCapabilityRow = ({
  name,
  capability: extra,
  parts,
  target,
  probe,
  measure,
}: CapabilityMeasurement): RowMaker => ({
  names: [name],
  async measure(bench) {
    bench.showProgress(`${name}: the same questions to both`)
    await requireSameAnswers(bench, [`hand-${extra}`, `ours-${extra}`], probe)
    const rounds: RoundCosts[] = []
    for (let round = 0; round < bench.sizes.rounds; round++) {
      const costs = new Map<string, number>()
      for (const { name: variant, who: side } of rotateVariants(variants, round)) {
        bench.showProgress(`${name}: round ${round + 1}, ${variant || 'recorder off'}`)
        const server = await startBenchServer(bench, `${side}-${extra}`)
        const measured = await measure(bench, server)
        await server.stop()
        for (const part of parts) costs.set(labelOf(part, variant), measured[part] ?? 0)
      }
      rounds.push(costs)
    }
    const line = (part: string, variant: string): RowLine => ({
      what: labelOf(part, variant),
      ratio: workRatio(rounds, labelOf(part, variant), labelOf(part, byHand)),
      raw: costSpread(rounds, labelOf(part, variant)),
      unit: 'CPU µs',
      ...(variant === '' ? { target } : {}),
    })
    const [first, ...others] = parts
    const linesOf = (part: string): readonly RowLine[] =>
      [variants[2].name, byHand].map((variant) => line(part, variant))
    return [
      {
        kind: 'measured',
        name,
        baseline:
          'same work by hand on node:http, with neither recorder nor rules; the control is that once more',
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
