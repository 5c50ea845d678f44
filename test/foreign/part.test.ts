/** One exchange of a session is sent alone to a service that calls back: nothing of the rest is missed, or in its way. */
import { expect, test } from 'vitest'
import { deviationsOf, foreignContent, replayForeign } from '../support/foreign-replay.ts'
import { foreignStories } from '../support/foreign-stories.ts'
import { eventTypeOf } from '../../src/traffic/difference/split-by-event.ts'

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
