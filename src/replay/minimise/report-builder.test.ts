import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import { defaultRule } from '../difference/rule-book.ts'
import { createReplayReportBuilder } from './report-builder.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'

const large = 'x'.repeat(10_000_000)

function replayed(seq: number, standing: 'same' | 'changed'): ReplayedExchange {
  const recorded = { ...sampleExchange(seq), recordId: `r-${seq}` }
  const live = { ...recorded, reply: { status: 200, headers: [], body: large } }
  const difference = {
    side: 'reply',
    where: '/body',
    kind: 'value',
    recorded: 'a word',
    live: large,
    rule: defaultRule,
    accepted: false,
  } as const
  const differences = standing === 'same' ? [] : [difference]
  return { standing, recorded, live, renamed: live, differences }
}

const rest = {
  recording: 'large.rec.ndjson',
  driver: 'client',
  seed: 1,
  unused: [],
  conflicts: [],
  map: [],
  failedRules: [],
} as const

test('once results take 64 MB, those that differ are kept without bodies and say so, others are counted', () => {
  const builder = createReplayReportBuilder()
  for (let seq = 1; seq <= 10; seq++) builder.add(replayed(seq, 'changed'), seq)
  for (let seq = 11; seq <= 20; seq++) builder.add(replayed(seq, 'same'), seq)
  const report = builder.report(rest)
  expect(report.counts).toEqual({ changed: 10, same: 10 })
  const bodies = report.exchanges.map(({ live }) => live?.reply?.body?.length)
  // 40 MB each: the body, the renamed one, and both in the difference. One of those without a difference takes 20 MB.
  expect(bodies).toEqual([10_000_000, ...Array.from({ length: 9 }), 10_000_000])
  const [first, second] = report.exchanges
  expect(first?.because).toBeUndefined()
  expect(second).toMatchObject({ standing: 'changed', live: { reply: { status: 200 } } })
  expect(second?.because).toBe('its bodies are left out, since the results before it take 64 MB')
  expect(String(second?.differences[0]?.live).length).toBeLessThan(200)
  expect(second?.renamed).toBeUndefined()
})
