/**
 * A mistake planted in the reference service, found in an evening's traffic: recorded, replayed on fresh names to the same
 * failure, and shrunk to the few exchanges that show it.
 */
import { expect, test } from 'vitest'
import { drivenBy } from '../../scenario/from-recording/driving-exchanges.ts'
import { type Searched, searchSmallest } from './minimise.ts'
import type { DuelOptions } from '../../../test/support/in-process-harness.ts'
import { recordDuel } from '../../../test/support/recorded-session.ts'
import { type RedrivenOptions, redriven } from '../../../test/support/redrive-harness.ts'
import { orSoaked } from '../../../test/support/soak.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'

/** An evening: so many orders, of which something befalls the third. */
async function evening(orders: number, options: DuelOptions): Promise<RecordingContent> {
  const { content, broken } = await recordDuel(options, async (duel) => {
    await duel.pass(2000)
    for (let order = 0; order < orders; order++) {
      // The one that something befalls is delivered; the others fill the evening.
      await duel.order(order === 2 ? 'DELIVERY' : 'TAKEOUT')
      await duel.pass(1500)
    }
    await duel.pass(120_000)
  })
  expect(broken).toEqual(['SE-1'])
  return { ...content, exchanges: content.exchanges.slice(0, exchanges) }
}

const search = (
  content: RecordingContent,
  options: RedrivenOptions,
  more: { readonly mostReplays?: number; readonly isOver?: () => boolean } = {},
): Promise<Searched> =>
  searchSmallest({
    content,
    seed: 100,
    mostReplays: 60,
    isOver: () => false,
    drives: drivenBy(content),
    replay: ({ content: part, seed, asap }) =>
      redriven(part, { ...options, seed, timing: asap ? 'asap' : 'original' }),
    ...more,
  })

/** A soak searches the whole evening. */
const orders = orSoaked(20, 62)
const exchanges = orSoaked(301, 1001)

test(
  'a mistake is found in an evening: ten exchanges are left after sixty replays at most',
  { timeout: 60_000 },
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
    // What is left fails in the same way, on its own and under any names.
    const timing = found.part.asap ? 'asap' : 'original'
    const again = (seed: number, made: readonly (typeof defects)[number][]) =>
      redriven(found.content, { channel, defects: made, delivers: true, seed, timing })
    for (const seed of [9, 10, 11])
      expect((await again(seed, defects)).broken.map(({ invariant }) => invariant)).toContain(
        'SE-1',
      )
    // And it is the mistake that fails, not the recording: mended, the service stands the test.
    expect((await again(12, [])).broken).toEqual([])
  },
)
