/**
 * GET of an order and confirm: requests per CPU second of the server, against the hand-written baseline. Every round
 * starts each server afresh; reads come first, then pools of new orders that are each confirmed once, then repeated
 * confirms that change nothing.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { callChild } from '../ipc.ts'
import type { StartedChild } from '../child-processes.ts'
import { costSpread, rotateVariants, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, RatioBound, RowLine, MeasuredRow, RowMaker } from '../row.ts'
import {
  confirmOrderRequest,
  confirmNewOrders,
  cpuPerRequest,
  getOrderRequest,
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

const phases = ['get', 'confirm', 'repeat'] as const
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
  return { get: read, confirm: called, repeat: called }
}

async function measureServer(
  bench: BenchContext,
  server: StartedChild,
): Promise<Record<Phase, number>> {
  const { warmUp, measured } = bench.sizes
  const readable = await callChild(server.child, 'create', { count: bench.documents.count })
  await callChild(server.child, 'calm', {})
  await cpuPerRequest(bench, server, cycle(readable, warmUp).map(getOrderRequest), 200)
  const read = await cpuPerRequest(
    bench,
    server,
    cycle(readable, measured).map(getOrderRequest),
    200,
  )
  await confirmNewOrders(bench, server, warmUp)
  const { mean, pool } = await confirmNewOrders(bench, server, measured)
  const repeat = await cpuPerRequest(bench, server, cycle(pool, measured), 202)
  return { get: read, confirm: mean, repeat }
}

/** Exchanges that the recording must hold: with fewer, the measured cost would not be the cost of recording. */
const exchangesOf = ({ sizes }: BenchContext): number =>
  (sizes.warmUp + sizes.measured) * 2 + sizes.measured

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
  async measure(bench) {
    const rounds = {
      get: [] as RoundCosts[],
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
      orders: bench.documents.count,
      orderBytes: bench.documents.meanBytes,
      measuredRequests: bench.sizes.measured,
      ...(isRecordingComplete
        ? {}
        : { recording: 'this build does not write every exchange down' }),
    }
    return [
      rowOf('get-order', rounds.get, isRecordingComplete, details),
      withRepeat(
        rowOf('confirm-order', rounds.confirm, isRecordingComplete, details),
        rounds.repeat,
      ),
    ]
  },
}

const unit = 'CPU µs per request'

function rowOf(
  name: string,
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
  const others = [line(control), line(byHand), line(lowerBound)]
  const off = line(plain, { atLeast: 0.9 })
  return {
    kind: 'measured',
    name,
    baseline: 'same work by hand on node:http',
    rounds: rounds.length,
    lines: isRecordingComplete
      ? [line(recording, { atLeast: 0.7 }), off, ...others]
      : [off, ...others],
    details,
  }
}

/** Adds the repeated confirm of a confirmed order: 202 without effect. */
const withRepeat = (row: MeasuredRow, rounds: readonly RoundCosts[]): MeasuredRow => ({
  ...row,
  lines: [
    ...row.lines,
    {
      what: 'repeated confirm, recorder off',
      ratio: workRatio(rounds, plain, byHand),
      raw: costSpread(rounds, plain),
      unit,
    },
  ],
})
