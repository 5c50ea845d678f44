// @module-tag slow
/** Replay by decisions: the recorded service matches its recording, a defective one does not. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { replayByDecisions } from './redrive.ts'
import type { HarnessOptions } from '../../../../test/support/in-process-harness.ts'
import { cancelled, denied, type OrderStory } from '../../../../test/support/order-stories.ts'
import {
  recordHarness,
  type TestRecordingOptions,
  recordSession,
} from '../../../../test/support/recorded-session.ts'
import { redriveInProcess } from '../../../../test/support/redrive-harness.ts'
import { createRedactor } from '../../../core/traffic/redaction/redactor.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import { openSession } from '../../../core/session/open-session.ts'

interface RedriveResult {
  readonly options?: HarnessOptions & Pick<TestRecordingOptions, 'wall'>
  readonly happens: OrderStory
}

const orders =
  (...types: readonly ('DELIVERY' | 'TAKEOUT' | 'INDOOR')[]): OrderStory =>
  async (harness) => {
    await harness.pass(2000)
    for (const type of types) {
      await harness.order(type)
      await harness.pass(1500)
    }
    await harness.pass(120_000)
  }

const stories: Readonly<Record<string, RedriveResult>> = {
  'every profile by polling': { happens: orders('DELIVERY', 'TAKEOUT', 'INDOOR') },
  'every profile by webhook': {
    options: { channel: 'webhook' },
    happens: orders('DELIVERY', 'TAKEOUT', 'INDOOR'),
  },
  'by both channels': { options: { channel: 'both' }, happens: orders('TAKEOUT') },
  'a delivery with its courier': {
    options: { delivers: true },
    happens: async (harness) => {
      await orders('DELIVERY')(harness)
      await harness.pass(900_000)
    },
  },
  'the consumer cancels': { happens: cancelled({ afterMs: 4200, restMs: 90_000 }) },
  'the consumer cancels what a courier is on the way for': {
    options: { delivers: true },
    happens: cancelled({ afterMs: 4200, restMs: 90_000 }),
  },
  'a request to cancel is denied': { happens: denied },
  'CANCELLED is lost': {
    options: { faults: [{ drop: { event: 'CANCELLED' } }] },
    happens: cancelled({ afterMs: 4200, restMs: 90_000 }),
  },
  'CREATED comes twice': {
    options: { faults: [{ duplicate: { event: 'CREATED' } }] },
    happens: orders('TAKEOUT'),
  },
  'events come in another order': {
    options: { faults: [{ batch: { as: 'reverse' } }] },
    happens: orders('DELIVERY', 'TAKEOUT', 'DELIVERY', 'TAKEOUT', 'INDOOR'),
  },
  'answers are 503': {
    options: { faults: [{ fail: { operation: 'confirmOrder', burst: 2 } }] },
    happens: orders('TAKEOUT'),
  },
  'polls fail': {
    options: { faults: [{ fail: { operation: 'pollingEvents', limit: 3 } }] },
    happens: orders('TAKEOUT'),
  },
  'acknowledgments take effect late': {
    options: { faults: [{ 'ack-lag': { event: 'CONFIRMED', polls: 3 } }] },
    happens: orders('TAKEOUT'),
  },
  'the recording ends in the middle': {
    happens: async (harness) => {
      await harness.pass(2000)
      await harness.order('DELIVERY')
      await harness.pass(4000)
    },
  },
  'the times of a wall that a virtual clock ran ahead of': {
    options: { wall: true },
    happens: orders('DELIVERY', 'TAKEOUT'),
  },
}

const differing = ({ exchanges }: ReplayReport) =>
  exchanges.filter(({ standing }) => standing !== 'same' && standing !== 'noise')

describe('the recorded service matches its recording, with new ids', () => {
  test.each(Object.entries(stories))('%s', async (_name, { options = {}, happens }) => {
    const { content, failedRules } = await recordHarness(options, happens)
    for (const timing of ['original', 'asap'] as const) {
      const { channel = 'polling', delivers = false } = options
      const report = await redriveInProcess(content, { timing, channel, delivers })
      expect(differing(report)).toEqual([])
      expect(report.first).toBeUndefined()
      expect(report.failedRules.map(({ invariant }) => invariant)).toEqual(failedRules)
      expect(report.exchanges.length).toBeGreaterThan(10)
      const renamed = report.map.filter(({ kind }) => kind === 'order')
      expect(renamed.length).toBeGreaterThan(0)
      expect(renamed.every((each) => each.old !== each.new)).toBe(true)
    }
  })
})

test('a redacted recording is replayed', async () => {
  const redactor = createRedactor((text) =>
    createHmac('sha256', 'a key').update(text).digest('hex'),
  )
  const { content } = await recordHarness({ redactor }, orders('DELIVERY', 'TAKEOUT'))
  const warnings: string[] = []
  const report = await redriveInProcess(content, { onWarning: (text) => warnings.push(text) })
  expect(warnings).toEqual([])
  expect(differing(report)).toEqual([])
})

describe('a defect is reported at the exchange that differs', () => {
  test('not resuming after a denial: the next step is missing, and the rule fails', async () => {
    const { content } = await recordHarness({}, denied)
    const report = await redriveInProcess(content, { defects: ['never-resumes'] })
    const first = report.exchanges[report.first ?? -1]
    expect(first?.standing).toBe('missing')
    expect(first?.recorded?.operation).toBe('setOrderReadyForPickup')
    expect(report.failedRules.map(({ invariant }) => invariant)).toContain('SE-12')
  })

  test('cancelling on a conflict: one extra call, where CANCELLED was lost', async () => {
    const result = stories['CANCELLED is lost']!
    const { content } = await recordHarness(
      result.options ?? {},
      cancelled({ afterMs: 3000, restMs: 60_000 }),
    )
    const report = await redriveInProcess(content, { defects: ['cancels-on-conflict'] })
    const first = report.exchanges[report.first ?? -1]
    expect(first).toMatchObject({ standing: 'extra', live: { operation: 'requestCancellation' } })
  })

  test('acknowledging nothing: every acknowledgment is missing', async () => {
    const { content } = await recordHarness({}, orders('TAKEOUT'))
    const report = await redriveInProcess(content, { defects: ['never-acks'], timing: 'asap' })
    const first = report.exchanges[report.first ?? -1]
    expect(first).toMatchObject({
      standing: 'missing',
      recorded: { operation: 'acknowledgeEvents' },
    })
  })

  test('a rule that failed in the recording fails again', async () => {
    const { content, failedRules } = await recordHarness({ defects: ['never-resumes'] }, denied)
    expect(failedRules).toContain('SE-12')
    const report = await redriveInProcess(content, { defects: ['never-resumes'] })
    expect(report.failedRules.map(({ invariant }) => invariant)).toEqual(failedRules)
    expect(differing(report)).toEqual([])
  })

  test('a replay that looks for one safety invariant ends when it fails for the order', async () => {
    const defects = ['confirms-unread'] as const
    const { content } = await recordHarness({ defects }, orders('DELIVERY', 'TAKEOUT'))
    const orderId = content.exchanges.find((each) => each.orderId !== undefined)?.orderId
    const timing = 'asap'
    const settle = { ms: 30_000, orderId }
    const whole = await redriveInProcess(content, { defects, timing, settle })
    const decided = { ...settle, invariant: 'SE-7' }
    const ended = await redriveInProcess(content, { defects, timing, settle: decided })
    expect(ended.failedRules.map(({ invariant }) => invariant)).toContain('SE-7')
    expect(ended.interrupted).toBeUndefined()
    const madeBy = ({ exchanges }: ReplayReport) => exchanges.filter(({ live }) => live).length
    expect(madeBy(ended)).toBeLessThan(madeBy(whole))
  })

  test('a rule that fails for several orders is reported for each', async () => {
    const defects = ['confirms-unread'] as const
    const { content } = await recordHarness({ defects }, orders('DELIVERY', 'TAKEOUT'))
    const report = await redriveInProcess(content, { defects })
    const ids = report.map.flatMap((name) => (name.kind === 'order' ? name.new : []))
    expect(ids).toHaveLength(2)
    expect(report.failedRules).toEqual(
      ids.map((orderId) => ({ invariant: 'SE-7', because: expect.any(String), orderId })),
    )
  })
})

test('the same seed gives the same report, another seed other ids', async () => {
  const { content } = await recordHarness({}, orders('TAKEOUT'))
  const idsOf = ({ map }: ReplayReport) => map.map((each) => each.new)
  const [one, same, other] = [
    await redriveInProcess(content, { seed: 5 }),
    await redriveInProcess(content, { seed: 5 }),
    await redriveInProcess(content, { seed: 6 }),
  ]
  expect(idsOf(one)).toEqual(idsOf(same))
  expect(one.counts).toEqual(same.counts)
  expect(idsOf(one)).not.toEqual(idsOf(other))
})

test('a conversation of our own roles is replayed without a service', async () => {
  await using session = await openSession({
    clock: 'virtual',
    listen: false,
    automatic: false,
    seed: 5,
    capabilities: { indoor: false, customer: false, reviews: false, loyalty: false },
    counterparts: { 'ordering-application': { concludeAfter: '2s' } },
  })
  const recording = recordSession(session, { seed: 5 })
  await session.advance(2000)
  for (const type of ['DELIVERY', 'TAKEOUT'] as const) {
    await session.createOrder({ type })
    await session.advance(5000)
  }
  await session.advance(900_000)
  const report = await replayByDecisions({ recording: recording.content(), seed: 77 })
  expect(differing(report)).toEqual([])
  expect(report.exchanges.length).toBeGreaterThan(20)
})

test('an aborted replay is marked as interrupted', async () => {
  const { content } = await recordHarness({}, orders('TAKEOUT'))
  const report = await redriveInProcess(content, { signal: AbortSignal.abort() })
  expect(report.interrupted).toBe(true)
})
