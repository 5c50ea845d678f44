/** The recorded sessions of the foreign services: long enough, redacted, and each with its bug once, in the middle. */
import { stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readRecording } from '../../src/core/runtime/recording/read-recording.ts'
import type { RecordingContent } from '../../src/core/traffic/recording/content.ts'
import { findForeignCauses } from '../support/foreign-causes.ts'
import {
  type ForeignStory,
  foreignStories,
  ordersBefore,
  recordingOf,
  storyName,
} from '../support/foreign-stories.ts'

const maxBytes = 200_000

async function contentOf(story: ForeignStory): Promise<RecordingContent> {
  const read = await readRecording(recordingOf(story))
  if (!read.ok) throw new Error(read.error)
  return read.value
}

/** Ids of the orders, in the order of their CREATED. */
const ordersOf = ({ exchanges }: RecordingContent): readonly string[] => [
  ...new Set(
    exchanges.flatMap(({ request, reply, operation }) => {
      const bodies = operation === 'pollingEvents' ? reply?.body : request.body
      return [...(bodies ?? '').matchAll(/"eventType":"CREATED","orderId":"([^"]+)"/g)].map(
        ([, orderId = '']) => orderId,
      )
    }),
  ),
]

describe.each(foreignStories.map((story) => ({ name: storyName(story), story })))(
  '$name',
  ({ story }) => {
    test('is a whole session of 300 exchanges and 26 orders or more', async () => {
      const content = await contentOf(story)
      expect({ problems: content.problems, closed: content.closed }).toEqual({
        problems: [],
        closed: true,
      })
      expect(content.exchanges.length).toBeGreaterThanOrEqual(300)
      expect(ordersOf(content).length).toBeGreaterThanOrEqual(26)
      expect((await stat(recordingOf(story))).size).toBeLessThan(maxBytes)
    })

    test('has its bug with one order in the middle, and with no other', async () => {
      const content = await contentOf(story)
      const [cause, ...others] = findForeignCauses(story.bug, content.exchanges)
      expect(others).toEqual([])
      const slot = ordersOf(content).indexOf(cause?.orderId ?? '') + 1
      expect(slot).toBe(story.affected)
      expect(slot).toBeGreaterThan(ordersBefore)
    })

    test('has nothing else that fails', async () => {
      const content = await contentOf(story)
      const { exchanges } = content
      const other = ordersOf(content)[(story.alsoAffected ?? 0) - 1]
      const [cause] = findForeignCauses(story.bug, exchanges)
      const failed = exchanges.filter(({ reply, operation, orderId }) =>
        (reply?.status ?? 0) >= 400 || reply === undefined
          ? // A point of sale need not list its merchants.
            operation !== 'listMerchants' && orderId !== cause?.orderId && orderId !== other
          : false,
      )
      expect(failed.map(({ seq, operation }) => `#${seq} ${operation}`)).toEqual([])
    })
  },
)
