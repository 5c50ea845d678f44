// @module-tag slow
/**
 * A part of a session is sent to a service that calls back, one exchange alone or from one on: nothing of the rest is
 * missed, or in its way.
 */
import { expect, test } from 'vitest'
import { deviationsOf, foreignContent, replayForeign } from '../support/foreign-replay.ts'
import { foreignStories } from '../support/foreign-stories.ts'
import { eventTypeOf } from '../../src/core/traffic/recording/split-by-event.ts'

const [story] = foreignStories

test.each(['CREATED', 'PREPARING'])(
  'the first %s: the service makes the calls that come of it',
  { timeout: 60_000 },
  async (eventType) => {
    if (!story) throw new Error('there are no stories')
    const { exchanges } = await foreignContent(story)
    const only = exchanges.find((each) => eventTypeOf(each) === eventType)
    const report = await replayForeign(story, { only: [only?.seq ?? 0] })
    expect(deviationsOf(report)).toEqual([])
    const played = report.exchanges.flatMap(({ live }) => live?.operation ?? [])
    expect(played).toContain('receiveOrderEvent')
    expect(played).toContain(eventType === 'CREATED' ? 'confirmOrder' : 'setOrderReadyForPickup')
    expect(played.filter((operation) => operation === 'receiveOrderEvent')).toHaveLength(1)
  },
)

test('from an exchange in the middle: what was read before it is read again', async () => {
  if (!story) throw new Error('there are no stories')
  const { exchanges } = await foreignContent(story)
  const from = 340
  const cancelled = exchanges.at(-1)?.orderId
  const concluded = exchanges.filter(
    ({ seq, operation, orderId }) =>
      seq >= from && operation === 'receiveOrderEvent' && orderId !== cancelled,
  )
  const report = await replayForeign(story, { from, only: concluded.map(({ seq }) => seq) })
  expect(deviationsOf(report)).toEqual([])
  const answered = report.exchanges.filter(({ recorded }) => recorded && recorded.seq < from)
  expect(new Set(answered.map(({ recorded }) => recorded?.operation))).toEqual(
    new Set(['getOrder']),
  )
  const sent = report.exchanges.filter(({ live }) => live?.operation === 'receiveOrderEvent')
  expect(sent).toHaveLength(concluded.length)
})
