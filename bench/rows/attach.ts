/**
 * What viewers cost a session, and how soon they show what happens: `sparring up` alone, with one viewer, and with five at once,
 * in the same process by turns, at a steady rate of requests that is a part of what it answers at full speed. Viewers cost the
 * same in a second whatever the load is: their CPU in a second is the throughput that a session loses which has a core for
 * itself. The delay is that of the oldest fact that was new in a look of a viewer. The viewers are those of `sparring attach`,
 * bundled from the sources.
 */
import { compact } from '../../src/core/base/compact.ts'
import { bundleProgram } from '../bundle-program.ts'
import { startChild, type StartedChild, startChildProgram } from '../child-processes.ts'
import { callChild, type FactArrival } from '../ipc.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts, spreadOf } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'
import { measureCpuMicros } from './server-cost.ts'

const alone = 'without a viewer'
const one = 'one viewer'
const five = 'five viewers'
const control = 'without a viewer again (control)'

const variants = [
  { name: alone, viewers: 0 },
  { name: one, viewers: 1 },
  { name: five, viewers: 5 },
  { name: control, viewers: 0 },
] as const

/** Part of the requests that are answered at full speed. */
const steadyPart = 0.4
/** Seconds of a batch at the steady rate. */
const batchSeconds = 5
/** Orders that a batch reads and confirms. */
const batchOrders = 300
/** Arrivals of each viewer whose fact is looked up. */
const maxLookedUp = 60

interface AttachProcesses {
  readonly server: StartedChild & { readonly control: string }
  readonly viewers: StartedChild
}

/** Time of a fact on the wall clock, which is the session's. */
async function factTime(url: string, seq: number): Promise<number | undefined> {
  const response = await fetch(`${url}/journal?after=${seq - 1}&limit=1`)
  const [fact] = (await response.json()) as readonly { readonly seq: number; readonly at: number }[]
  return fact?.seq === seq ? fact.at : undefined
}

async function delaysOf(url: string, arrivals: readonly FactArrival[]): Promise<readonly number[]> {
  const every = Math.max(1, Math.floor(arrivals.length / maxLookedUp))
  const delays: number[] = []
  for (const { first, at } of arrivals.filter((_, index) => index % every === 0)) {
    const happened = await factTime(url, first)
    if (happened !== undefined) delays.push(at - happened)
  }
  return delays
}

interface BatchLoad {
  /** Number of viewers. */
  readonly count: number
  readonly requests: number
  /** Full speed where it is absent. */
  readonly perSecond?: number
}

async function measureBatch(
  bench: BenchContext,
  { server, viewers }: AttachProcesses,
  { count, requests: wanted, perSecond }: BatchLoad,
) {
  const orderIds = await callChild(server.child, 'create', { count: batchOrders })
  if (count > 0) await callChild(viewers.child, 'watch', { control: server.control, count })
  let made = 0
  const began = performance.now()
  const cpu = await measureCpuMicros(server, async () => {
    const { port, token } = server
    const { requests } = await callChild(bench.load.child, 'mix', {
      target: { port, token },
      orderIds,
      count: wanted,
      ...compact({ perSecond }),
    })
    made = requests
  })
  const seconds = (performance.now() - began) / 1000
  const { looks, arrivals } = await callChild(viewers.child, 'unwatch', {})
  const delays: number[] = []
  for (const each of arrivals) delays.push(...(await delaysOf(server.control, each)))
  return { cost: cpu / made, cpu, made, seconds, looksPerSecond: looks / seconds, delays }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

async function startProcesses(bench: BenchContext): Promise<AttachProcesses> {
  const server = await startChild('./servers/up.ts', {
    root: bench.root,
    orders: bench.documents.file,
    folder: bench.folder,
    speed: 1,
  })
  if (server.control === undefined) throw new Error('the session names no control URL')
  const program = await bundleProgram('./viewers/dashboards.ts', bench.folder)
  return {
    server: { ...server, control: server.control },
    viewers: await startChildProgram(program, []),
  }
}

export const attach: RowMaker = {
  names: ['attach'],
  async measure(bench) {
    const processes = await startProcesses(bench)
    const rounds: RoundCosts[] = []
    const delays = { one: [] as number[], five: [] as number[] }
    const rates = new Map<string, number>()
    const lost = new Map<string, number[]>()
    bench.showProgress('attach: warming up')
    const full = { count: 0, requests: bench.sizes.measured }
    await measureBatch(bench, processes, full)
    const warm = await measureBatch(bench, processes, full)
    const perSecond = Math.round((steadyPart * warm.made) / warm.seconds)
    const steady = { requests: batchSeconds * perSecond, perSecond }
    await measureBatch(bench, processes, { count: 5, ...steady })
    for (let round = 0; round < bench.sizes.rounds; round++) {
      const costs = new Map<string, number>()
      const batches = new Map<string, Awaited<ReturnType<typeof measureBatch>>>()
      for (const { name, viewers } of rotateVariants(variants, round)) {
        bench.showProgress(`attach: round ${round + 1}, ${name}`)
        const measured = await measureBatch(bench, processes, {
          count: viewers,
          ...steady,
        })
        costs.set(name, measured.cost)
        rates.set(name, measured.looksPerSecond)
        rates.set(`requests, ${name}`, measured.made / measured.seconds)
        batches.set(name, measured)
        if (viewers === 1) delays.one.push(...measured.delays)
        if (viewers === 5) delays.five.push(...measured.delays)
      }
      rounds.push(costs)
      const base = ((costs.get(alone) ?? 0) + (costs.get(control) ?? 0)) / 2
      for (const [name, { cpu, made, seconds }] of batches)
        lost.set(name, [
          ...(lost.get(name) ?? []),
          (100 * (cpu - base * made)) / (seconds * 1_000_000),
        ])
    }
    await processes.viewers.stop()
    await processes.server.stop()
    const line = (what: string): RowLine => ({
      what,
      ratio: costRatio(rounds, what, alone),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per request',
    })
    return [
      {
        kind: 'measured',
        name: 'attach',
        baseline: 'the same session without a viewer; times its cost',
        rounds: rounds.length,
        lines: [line(one), line(five), line(control), line(alone)],
        checks: [
          ...[one, five].map((name) => ({
            what: `throughput lost, ${name}`,
            value: spreadOf(lost.get(name) ?? []).median,
            unit: '%',
            atMost: 3,
          })),
          {
            what: 'a fact at one of five, 99 of a hundred',
            value: percentile(delays.five, 0.99),
            unit: 'ms',
            atMost: 200,
          },
        ],
        details: {
          lostPercent: Object.fromEntries(lost),
          perSecond: Object.fromEntries(rates),
          delaysMs: Object.fromEntries(
            Object.entries(delays).map(([name, each]) => [
              name,
              {
                count: each.length,
                p50: percentile(each, 0.5),
                p99: percentile(each, 0.99),
                most: percentile(each, 1),
              },
            ]),
          ),
        },
      },
    ]
  },
}
