/**
 * Replaying a recording at 1000 exchanges a second: lateness of each send by the absolute schedule, against a
 * hand-written schedule with one timer that neither maps ids nor compares replies. On a shared machine the ratio is
 * more reliable than the milliseconds; the noise is in the details.
 */
import { loadavg } from 'node:os'
import { callChild } from '../ipc.ts'
import { startChild } from '../child-processes.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts } from '../ratio.ts'
import type { RowMaker } from '../row.ts'

const perSecond = 1000
const byHand = 'by hand'
const ours = 'ours'

const roundedMs = (spread: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(spread).map(([name, ms]) => [name, Number(ms.toFixed(2))]))

export const replayTiming: RowMaker = {
  names: ['replay-timing'],
  async measure(bench) {
    const { root, sizes, showProgress: say } = bench
    const sink = await startChild('./senders/sink.ts', {})
    const medians: RoundCosts[] = []
    const tails: RoundCosts[] = []
    const costs: RoundCosts[] = []
    const reached: { readonly ours: number; readonly byHand: number }[] = []
    const noise: unknown[] = []
    for (let round = 0; round < sizes.slowRounds; round++) {
      const p50 = new Map<string, number>()
      const p99 = new Map<string, number>()
      const cpu = new Map<string, number>()
      const rate = new Map<string, number>()
      for (const way of rotateVariants([byHand, ours], round)) {
        say(`replay-timing: round ${round + 1}, ${way}`)
        const sender = await startChild('./senders/replay.ts', { root, port: sink.port, way })
        // Warm-up run.
        await callChild(sender.child, 'timed', { count: sizes.webhooks, perSecond })
        const timed = await callChild(sender.child, 'timed', { count: sizes.webhooks, perSecond })
        await sender.stop()
        p50.set(way, timed.p50)
        p99.set(way, timed.p99)
        cpu.set(way, timed.cpuMicros)
        rate.set(way, Math.round(timed.perSecond))
        const { loopMs } = timed
        if (loopMs) noise.push({ ...roundedMs(loopMs), load: Number(loadavg()[0]?.toFixed(1)) })
      }
      medians.push(p50)
      tails.push(p99)
      costs.push(cpu)
      reached.push({ ours: rate.get(ours) ?? 0, byHand: rate.get(byHand) ?? 0 })
    }
    await sink.stop()
    return [
      {
        kind: 'measured',
        name: 'replay-timing',
        baseline: 'the same schedule by hand, one timer and node:http',
        rounds: medians.length,
        lines: [
          {
            what: 'half of the sends are later',
            ratio: costRatio(medians, ours, byHand),
            raw: costSpread(medians, ours),
            unit: 'ms late',
          },
          {
            what: 'one in a hundred is later',
            ratio: costRatio(tails, ours, byHand),
            raw: costSpread(tails, ours),
            unit: 'ms late',
          },
          {
            what: 'cpu of a send, names to comparison',
            ratio: costRatio(costs, ours, byHand),
            raw: costSpread(costs, ours),
            unit: 'cpu µs per send',
          },
        ],
        checks: [
          { what: 'p50', value: costSpread(medians, ours).median, unit: 'ms', atMost: 1 },
          { what: 'p99', value: costSpread(tails, ours).median, unit: 'ms', atMost: 8 },
        ],
        details: {
          webhooks: sizes.webhooks,
          perSecond,
          reached,
          byHand: {
            p50: costSpread(medians, byHand),
            p99: costSpread(tails, byHand),
            cpuMicros: costSpread(costs, byHand),
          },
          // Event loop delay of a process that only keeps the schedule: noise of the machine, not of the replay.
          loopByHandMs: noise,
        },
      },
    ]
  },
}
