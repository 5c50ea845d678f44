/**
 * GET of an order and confirm: requests per CPU second of the server, against the hand-written baseline, after both have
 * answered the same calls alike. Every round starts each server afresh. Calls come as from a partner: each order is read
 * once, which gives the ratio, then a second time, which has a line of its own, and never again; then each is confirmed.
 * The warm-up has orders of its own. Last come repeated confirms that change nothing.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StartedChild } from '../child-processes.ts'
import { costSpread, rotateVariants, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, RatioBound, RowLine, MeasuredRow, RowMaker } from '../row.ts'
import { requireSameOrderAnswers } from './order-probe.ts'
import {
  confirmOrderRequest,
  confirmOrders,
  cpuPerRequest,
  createOrderPools,
  getOrderRequest,
  readOrders,
  startBenchServer,
} from './server-cost.ts'

interface Variant {
  readonly name: string
  readonly program: 'hello' | 'hand' | 'ours'
  readonly record?: true
}

const byHand = 'by hand'
const control = 'by hand again (control)'
const lowerBound = 'node:http that does nothing'
const plain = 'recorder off'
const recording = 'recorder on'

const variants: readonly Variant[] = [
  { name: byHand, program: 'hand' },
  { name: plain, program: 'ours' },
  { name: control, program: 'hand' },
  { name: recording, program: 'ours', record: true },
  { name: lowerBound, program: 'hello' },
]

const phases = ['get', 'again', 'confirm', 'repeat'] as const
type Phase = (typeof phases)[number]

const cycle = <Value>(values: readonly Value[], count: number): Value[] =>
  Array.from({ length: count }, (_, index) => values[index % values.length] as Value)

async function measureHello(
  bench: BenchContext,
  server: StartedChild,
): Promise<Record<Phase, number>> {
  const { warmUp, measured } = bench.sizes
  const ids = cycle(['any'], measured)
  await cpuPerRequest(bench, server, ids.slice(0, warmUp).map(getOrderRequest), 200)
  const read = await cpuPerRequest(bench, server, ids.map(getOrderRequest), 200)
  await cpuPerRequest(bench, server, ids.slice(0, warmUp).map(confirmOrderRequest), 200)
  const called = await cpuPerRequest(bench, server, ids.map(confirmOrderRequest), 200)
  return { get: read, again: read, confirm: called, repeat: called }
}

async function measureServer(
  bench: BenchContext,
  server: StartedChild,
): Promise<Record<Phase, number>> {
  const { warmUp, measured } = bench.sizes
  const warmUpPools = await createOrderPools(server, warmUp)
  const pools = await createOrderPools(server, measured)
  await readOrders(bench, server, warmUpPools)
  const { first, second } = await readOrders(bench, server, pools)
  await confirmOrders(bench, server, warmUpPools)
  const confirm = await confirmOrders(bench, server, pools)
  const repeats = cycle(pools.at(-1) ?? [], measured).map(confirmOrderRequest)
  const repeat = await cpuPerRequest(bench, server, repeats, 202)
  return { get: first, again: second, confirm, repeat }
}

/** Exchanges that the recording must hold: with fewer, the measured cost would not be the cost of recording. */
const exchangesOf = ({ sizes }: BenchContext): number =>
  (sizes.warmUp + sizes.measured) * 3 + sizes.measured

interface Measured {
  readonly costs: Readonly<Record<Phase, number>>
  /** Whether the recording held every exchange; undefined without a recording. */
  readonly whole?: boolean
}

async function measureVariant(
  bench: BenchContext,
  variant: Variant,
  round: number,
): Promise<Measured> {
  const record = variant.record ? join(bench.folder, `edge-${round}.rec.ndjson`) : undefined
  const server = await startBenchServer(bench, variant.program, record)
  const costs =
    variant.program === 'hello'
      ? await measureHello(bench, server)
      : await measureServer(bench, server)
  const { recorded } = await server.stop()
  if (record !== undefined) rmSync(record, { force: true })
  return record === undefined ? { costs } : { costs, whole: (recorded ?? 0) >= exchangesOf(bench) }
}

export const orderRequests: RowMaker = {
  names: ['get-order', 'confirm-order'],
  quick: true,
  async measure(bench) {
    await requireSameOrderAnswers(bench)
    const rounds = {
      get: [] as RoundCosts[],
      again: [] as RoundCosts[],
      confirm: [] as RoundCosts[],
      repeat: [] as RoundCosts[],
    }
    let isRecordingComplete = true
    for (let round = 0; round < bench.sizes.rounds; round++) {
      const costs = new Map<string, Measured['costs']>()
      for (const variant of rotateVariants(variants, round)) {
        if (variant.record && !isRecordingComplete) continue
        bench.showProgress(`get-order, confirm-order: round ${round + 1}, ${variant.name}`)
        const measured = await measureVariant(bench, variant, round)
        if (measured.whole === false) isRecordingComplete = false
        else costs.set(variant.name, measured.costs)
      }
      for (const phase of phases)
        rounds[phase].push(new Map([...costs].map(([name, each]) => [name, each[phase]])))
    }
    const details = {
      orderBytes: bench.documents.meanBytes,
      measuredRequests: bench.sizes.measured,
      ...(isRecordingComplete
        ? {}
        : { recording: 'this build does not write every exchange down' }),
    }
    return [
      withLine(
        rowOf('get-order', rounds.get, isRecordingComplete, details),
        'read a second time, recorder off',
        rounds.again,
      ),
      withLine(
        rowOf('confirm-order', rounds.confirm, isRecordingComplete, details),
        'repeated confirm, recorder off',
        rounds.repeat,
      ),
    ]
  },
}

const unit = 'CPU µs per request'

/** With the recorder off and on: a protocol with state costs more than its bare routes. */
const targetsOf = {
  'get-order': { off: { atLeast: 0.8 }, on: { atLeast: 0.5 } },
  'confirm-order': { off: { atLeast: 0.6 }, on: { atLeast: 0.5 } },
} as const

function rowOf(
  name: keyof typeof targetsOf,
  rounds: readonly RoundCosts[],
  isRecordingComplete: boolean,
  details: MeasuredRow['details'],
): MeasuredRow {
  const line = (what: string, target?: RatioBound): RowLine => ({
    what,
    ratio: workRatio(rounds, what, byHand),
    raw: costSpread(rounds, what),
    unit,
    ...(target ? { target } : {}),
  })
  const targets = targetsOf[name]
  const others = [line(control), line(byHand), line(lowerBound)]
  const off = line(plain, targets.off)
  return {
    kind: 'measured',
    name,
    baseline: 'same work by hand on node:http',
    rounds: rounds.length,
    lines: isRecordingComplete ? [line(recording, targets.on), off, ...others] : [off, ...others],
    details,
  }
}

/** Adds the cost of the same call once more: a second read of an order, or a confirm without effect. */
const withLine = (row: MeasuredRow, what: string, rounds: readonly RoundCosts[]): MeasuredRow => ({
  ...row,
  lines: [
    ...row.lines,
    {
      what,
      ratio: workRatio(rounds, plain, byHand),
      raw: costSpread(rounds, plain),
      unit,
    },
  ],
})
