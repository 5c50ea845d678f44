/**
 * Outgoing signed webhooks: CPU of the sender per webhook, against hand-written senders on node:http and on the
 * built-in fetch.
 */
import { callChild } from '../ipc.ts'
import { startChild, type StartedChild } from '../child-processes.ts'
import { costSpread, rotateVariants, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, RatioBound, RowLine, RowMaker } from '../row.ts'
import { measureCpuMicros } from './server-cost.ts'

const byHand = 'by hand on node:http'
const byFetch = 'by hand on the built-in fetch'
const ours = 'ours'
const control = 'by hand again (control)'

const orderCount = 1000
const atOnce = 32

interface Sender {
  readonly name: string
  readonly start: (bench: BenchContext, port: number) => Promise<StartedChild>
}

const handSender =
  (way: 'node:http' | 'fetch'): Sender['start'] =>
  ({ documents }, port) =>
    startChild('./senders/by-hand.ts', { orders: documents.file, port, way })

const senders: readonly Sender[] = [
  { name: byHand, start: handSender('node:http') },
  {
    name: ours,
    start: ({ root, documents }, port) =>
      startChild('./senders/ours.ts', { root, orders: documents.file, port }),
  },
  { name: control, start: handSender('node:http') },
  { name: byFetch, start: handSender('fetch') },
]

async function measureSender(bench: BenchContext, sender: Sender, port: number): Promise<number> {
  const process = await sender.start(bench, port)
  await callChild(process.child, 'create', { count: orderCount })
  const send = async (count: number): Promise<void> => {
    const { taken: accepted } = await callChild(process.child, 'send', { count, atOnce })
    if (accepted !== count) throw new Error(`${accepted} of ${count} webhooks were taken`)
  }
  const count = bench.sizes.webhooks
  await send(Math.ceil(count / 3))
  const total = await measureCpuMicros(process, () => send(count))
  await process.stop()
  return total / count
}

export const webhookOut: RowMaker = {
  names: ['webhook-out'],
  quick: true,
  async measure(bench) {
    const sink = await startChild('./senders/sink.ts', {})
    const rounds: RoundCosts[] = []
    for (let round = 0; round < bench.sizes.rounds; round++) {
      const costs = new Map<string, number>()
      for (const sender of rotateVariants(senders, round)) {
        bench.showProgress(`webhook-out: round ${round + 1}, ${sender.name}`)
        costs.set(sender.name, await measureSender(bench, sender, sink.port))
      }
      rounds.push(costs)
    }
    await sink.stop()
    const line = (what: string, sent: string, baseline: string, target?: RatioBound): RowLine => ({
      what,
      ratio: workRatio(rounds, sent, baseline),
      raw: costSpread(rounds, sent),
      unit: 'CPU µs per webhook',
      ...(target ? { target } : {}),
    })
    return [
      {
        kind: 'measured',
        name: 'webhook-out',
        baseline: 'same work by hand on node:http',
        rounds: rounds.length,
        lines: [
          line('signed and taken', ours, byHand, { atLeast: 0.65 }),
          line('ours, against the built-in fetch', ours, byFetch, { atLeast: 2.2 }),
          line(control, control, byHand),
          line(byFetch, byFetch, byHand),
          line(byHand, byHand, byHand),
        ],
        details: { webhooks: bench.sizes.webhooks, atOnce },
      },
    ]
  },
}
