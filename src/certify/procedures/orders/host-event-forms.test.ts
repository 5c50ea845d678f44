// @module-tag slow
/** Ids of events that wait at an Ordering Application: its own, or others in each poll. */
import { expect, test } from 'vitest'
import {
  certifyCounterpart,
  type CounterpartVariant,
} from '../../../../test/support/certified-counterpart.ts'
import { ordersChecks } from '../../../core/rules/checks/catalogue.ts'

async function outcomeOf(conduct: CounterpartVariant['conduct']) {
  const role = 'ordering-application'
  const checks = ordersChecks.filter(({ clauses }) => clauses.includes('ORD-EVF-01'))
  const { results } = await certifyCounterpart({ role, checks, variant: { conduct } })
  return results.map(({ outcome, problems }) => [outcome, ...problems.map(({ text }) => text)])
}

test('[ORD-EVF-01] an event that waits keeps its id from poll to poll', async () => {
  expect(await outcomeOf({ pollEventIds: 'stable' })).toEqual([['passed']])
})

test('[ORD-EVF-01] an event with another id in each poll is found, although each is acknowledged at once', async () => {
  const [[outcome, ...texts] = []] = await outcomeOf({ pollEventIds: 'fresh' })
  expect(outcome).toBe('failed')
  expect(texts).toContainEqual(
    expect.stringMatching(
      /^its CONFIRMED event, which was not acknowledged, came in the next poll/,
    ),
  )
})
