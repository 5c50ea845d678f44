// @module-tag slow
/**
 * Minimises the recording of a planted defect in the reference service: recorded, replayed with new ids to the same
 * failure, and reduced to a few exchanges.
 */
import { expect, test } from 'vitest'
import { drivingExchanges } from '../../from-recording/decisions.ts'
import { type SmallestPart, findSmallestPart } from './minimise.ts'
import type { HarnessOptions } from '../../../../test/support/in-process-harness.ts'
import { recordHarness } from '../../../../test/support/recorded-session.ts'
import {
  type RedriveHarnessOptions,
  redriveInProcess,
} from '../../../../test/support/redrive-harness.ts'
import { runsFor } from '../../../../test/support/soak.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'

/** Number of orders, the third of which fails. */
async function evening(orders: number, options: HarnessOptions): Promise<RecordingContent> {
  const { content, failedRules } = await recordHarness(options, async (harness) => {
    await harness.pass(2000)
    for (let order = 0; order < orders; order++) {
      // The failing one is a delivery; the others are filler.
      await harness.order(order === 2 ? 'DELIVERY' : 'TAKEOUT')
      await harness.pass(1500)
    }
    await harness.pass(120_000)
  })
  expect(failedRules).toEqual(['SE-1', 'EF-1'])
  return { ...content, exchanges: content.exchanges.slice(0, exchanges) }
}

const search = (
  content: RecordingContent,
  options: RedriveHarnessOptions,
  more: { readonly mostReplays?: number; readonly isOver?: () => boolean } = {},
): Promise<SmallestPart> =>
  findSmallestPart({
    content,
    seed: 100,
    maxReplays: 60,
    isOver: () => false,
    drives: drivingExchanges(content).all,
    replay: ({ content: part, seed, asap }) =>
      redriveInProcess(part, { ...options, seed, timing: asap ? 'asap' : 'original' }),
    ...more,
  })

/** A soak run minimises the whole recording. */
const orders = runsFor(6, 62)
const exchanges = runsFor(121, 1001)

test(
  'a defect in a long recording is minimised to 10 exchanges in at most 60 replays',
  { timeout: 180_000 },
  async () => {
    const defects = ['forgets-event-ids'] as const
    const channel = 'webhook'
    const content = await evening(orders, {
      channel,
      delivers: true,
      defects,
      faults: [{ duplicate: { event: 'CONFIRMED', order: 'o3' } }],
    })
    expect(content.exchanges).toHaveLength(exchanges)
    const found = await search(content, { channel, defects, delivers: true })
    expect(found.verdict).toBe('minimal')
    expect(found.replays).toBeLessThanOrEqual(60)
    expect(found.content.exchanges.length).toBeLessThanOrEqual(10)
    // The rest fails in the same way, on its own and with any ids.
    const timing = found.part.asap ? 'asap' : 'original'
    const again = (seed: number, made: readonly (typeof defects)[number][]) =>
      redriveInProcess(found.content, { channel, defects: made, delivers: true, seed, timing })
    for (const seed of [9, 10, 11])
      expect((await again(seed, defects)).failedRules.map(({ invariant }) => invariant)).toContain(
        'SE-1',
      )
    // The failure comes from the defect, not the recording: the fixed service passes.
    expect((await again(12, [])).failedRules).toEqual([])
  },
)
