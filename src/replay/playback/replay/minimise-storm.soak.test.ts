/** Minimises recordings of storms: what the failure needs is left, and no more, in 60 replays. */
import { expect, test } from 'vitest'
import { redriveInProcess } from '../../../../test/support/redrive-harness.ts'
import { isSoak } from '../../../../test/support/soak.ts'
import { stormWith } from '../../../../test/support/storm-recording.ts'
import { decisionsOf, drivingExchanges } from '../../from-recording/decisions.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { findSmallestPart } from './minimise.ts'

const documentsOf = ({ exchanges }: RecordingContent): ReadonlySet<string> =>
  new Set(
    exchanges.flatMap(({ operation, recordId }) => (operation === 'getOrder' ? [recordId] : [])),
  )

test.runIf(isSoak).each([
  ['confirms-unread', 'shows without faults', 'SE-7', { faults: 0, orders: 1 }],
  ['forgets-event-ids', 'needs one fault', 'SE-1', { faults: 3, orders: 2 }],
] as const)('%s, which %s', { timeout: 120_000 }, async (defect, _needs, id, most) => {
  const { content, options } = await stormWith(defect)
  expect(decisionsOf(content).anomalies.length).toBeGreaterThan(20)
  expect(decisionsOf(content).orders).toHaveLength(4)
  const { all: drives, plain: plainDrives, faults } = drivingExchanges(content)
  const found = await findSmallestPart({
    content,
    seed: 100,
    maxReplays: 60,
    isOver: () => false,
    drives,
    plainDrives,
    faults,
    neededAnswers: documentsOf(content),
    choose: (failures) => failures.find(({ text }) => text.includes(id)),
    replay: ({ content: part, seed, asap }) =>
      redriveInProcess(part, { ...options, seed, timing: asap ? 'asap' : 'original' }),
  })
  expect(found.verdict).toBe('minimal')
  const { anomalies, orders } = decisionsOf(found.content)
  expect(anomalies.length).toBeLessThanOrEqual(most.faults)
  expect(orders.length).toBeLessThanOrEqual(most.orders)
  process.stdout.write(
    `${defect}: ${anomalies.length} faults, ${orders.length} orders, ${found.replays} replays\n`,
  )
  // Within the 60 replays of the search it is verified as well.
  expect(found.replays).toBeLessThanOrEqual(60)
})
