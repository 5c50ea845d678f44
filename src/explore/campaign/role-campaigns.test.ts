// @module-tag slow
/**
 * Campaigns against services of the roles beside the Software Service, in this process: no false alarm, and what they
 * find.
 */
import { describe, expect, test } from 'vitest'
import {
  exploreOrderingApplication,
  exploreSparringAs,
} from '../../../test/support/explore-role.ts'
import { runsFor } from '../../../test/support/soak.ts'
import type { DefectName } from '../../demo/defects.ts'
import { unexercisedClasses } from './campaign-text.ts'
import type { CampaignState } from './campaign-state.ts'
import type { ExploreResult } from '../session/explore-options.ts'

/** What is wrong with a campaign against a correct service, as text: nothing. */
const alarms = ({ buckets, state }: ExploreResult): readonly string[] => [
  ...buckets.map(({ rule, failure }) => `${rule}: ${failure.because}`),
  ...state.unattributed.keys(),
]

/** The rules of which something was seen. */
const exercisedRules = ({ premises }: CampaignState): readonly string[] =>
  [...premises].filter(([, count]) => count > 0).map(([rule]) => rule)

const exercisedFaults = (state: CampaignState): ReadonlySet<string> =>
  new Set(Array.from(state.exercisedClasses(), (each) => each.split(' ')[0] ?? ''))

/** The operations that were called. */
const calledOperations = ({ coverage }: CampaignState): ReadonlySet<string> =>
  new Set(
    [...coverage.keys()].flatMap((item) =>
      item.startsWith('call ') ? [item.split(' ')[2] ?? ''] : [],
    ),
  )

describe('an Ordering Application', () => {
  test('that is correct places, hosts, cancels and has delivered the orders that it is asked for, and breaks no rule', async () => {
    const result = await exploreOrderingApplication({ maxRuns: runsFor(8, 12), seed: 3 })
    expect(alarms(result)).toEqual([])
    const { state } = result
    expect([...state.leftOut]).toEqual([['own-orders', expect.stringMatching(/did not come/)]])
    expect(exercisedRules(state)).toEqual(
      expect.arrayContaining(['SE-1', 'RT-1', 'RT-3', 'TK-1', 'RC-1', 'WH-2']),
    )
    expect(exercisedFaults(state).size).toBeGreaterThan(9)
    expect([...calledOperations(state)]).toEqual(
      expect.arrayContaining([
        'createDelivery',
        'cancelDelivery',
        'requestCancellation',
        'createPayment',
        'closeAccount',
      ]),
    )
    // No event of Orders reaches it, and none of the others comes by two channels.
    expect(state.classes().filter((each) => / polling |^both-channels/.test(each))).toEqual([])
    expect(unexercisedClasses(state).length).toBeGreaterThan(0)
  })

  test('that places its orders by itself is explored with those', async () => {
    const result = await exploreOrderingApplication({
      maxRuns: runsFor(3, 6),
      only: ['own-orders'],
      channel: 'both',
      onStart: (application) => void application.place('DELIVERY'),
    })
    expect(alarms(result)).toEqual([])
    expect([...result.state.leftOut.keys()]).toEqual([])
    expect(exercisedRules(result.state)).toEqual(expect.arrayContaining(['SE-1', 'WH-2']))
  })

  test('that cannot be asked for orders is not searched for nothing', async () => {
    const search = exploreOrderingApplication({ takesOrders: false, only: ['delivery'] })
    await expect(search).rejects.toThrow(
      'no workload can be played: delivery: o1 could not be placed: it answered 404 to POST /probe/orders; where it is asked is set by subject.asks.order',
    )
  })

  test.each<readonly [DefectName, string, string]>([
    ['never-compensates', 'SE-4', 'cancelled-while-preparing'],
    ['new-key-on-retry', 'SE-1', 'delivery'],
    ['undoes-only-what-was-answered', 'SE-4', 'cancelled-early'],
  ])('with the defect %s breaks %s', async (defect, rule, workload) => {
    const { buckets } = await exploreOrderingApplication({
      defects: [defect],
      only: [workload],
      maxRuns: runsFor(2, 12),
    })
    const found = buckets.find((each) => [each.rule, ...each.alsoBroken].includes(rule))
    expect(found).toMatchObject({ status: 'confirmed' })
    expect(found?.schedule.faults.length).toBeLessThanOrEqual(1)
  })
})

test('Sparring as a Delivery Platform breaks no rule', async () => {
  const result = await exploreSparringAs('delivery-platform', { maxRuns: runsFor(4, 8), seed: 2 })
  expect(alarms(result)).toEqual([])
  const { state } = result
  expect([...state.leftOut]).toEqual([])
  expect(exercisedRules(state)).toEqual(expect.arrayContaining(['RT-1', 'RT-3']))
  expect([...calledOperations(state)]).toEqual(
    expect.arrayContaining(['createDelivery', 'cancelDelivery', 'receiveDeliveryEvent']),
  )
  // Nothing between our own roles is distorted.
  expect(
    state.classes().filter((each) => /getOrder|polling|CREATED|slow-effect/.test(each)),
  ).toEqual([])
})

test('Sparring as a CRM breaks no rule', async () => {
  const result = await exploreSparringAs('crm', { maxRuns: runsFor(4, 8), seed: 2 })
  expect(alarms(result)).toEqual([])
  const { state } = result
  expect([...state.leftOut]).toEqual([])
  expect(exercisedRules(state)).toEqual(expect.arrayContaining(['WH-2', 'TK-1']))
  expect([...calledOperations(state)]).toEqual(
    expect.arrayContaining([
      'ingestCustomer',
      'ingestLead',
      'getCustomers',
      'receiveCustomerEvent',
      'receiveLoyaltyEvent',
    ]),
  )
})
