// @module-tag slow
/** One story run several times, with events in another order or over another channel: every order must end alike. */
import { expect, test } from 'vitest'
import type { DefectName } from '../../demo/defects.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'
import { cancelByOriginator, type InvariantStory } from '../../../test/support/invariant-cases.ts'
import { says } from '../../../test/support/says.ts'
import { channelDoesNotMatter } from '../rules/invariants/rules/convergence/channel-does-not-matter.ts'
import type { Invariant } from '../rules/invariants/invariant.ts'
import { compareRuns, type ComparedRun } from './compare-outcomes.ts'
import { orderOfDeliveryDoesNotMatter } from '../rules/invariants/rules/convergence/order-of-delivery-does-not-matter.ts'

interface Variant {
  /** Name of the variant, as the end of a sentence. */
  readonly variant: string
  readonly with?: Pick<InvariantStory, 'faults' | 'channel'>
}

async function run(
  { play: tell, ...options }: InvariantStory,
  { variant, with: other }: Variant,
  defects: readonly DefectName[],
): Promise<ComparedRun> {
  await using harness = await openHarness({ ...options, ...other, defects })
  await tell(harness)
  await harness.judgeAll()
  return { variant, endings: harness.session.endings() }
}

async function runs(
  story: InvariantStory,
  variants: readonly Variant[],
  ...defects: readonly DefectName[]
): Promise<readonly ComparedRun[]> {
  const compared: ComparedRun[] = []
  for (const variant of variants) compared.push(await run(story, variant, defects))
  return compared
}

const threeKinds: InvariantStory = {
  delivers: true,
  async play(harness) {
    const orderId = await harness.order('DELIVERY')
    await harness.order('TAKEOUT')
    await cancelByOriginator(harness, await harness.order('INDOOR'))
    const eventType = 'PREPARATION_REQUESTED'
    await harness.session.submit({ kind: 'event.emit', orderId, eventType })
    await harness.pass(60_000)
  },
}

const orders: readonly Variant[] = [
  { variant: 'as events come' },
  { variant: 'with CREATED late', with: { faults: [{ delay: { event: 'CREATED', by: '10s' } }] } },
  {
    variant: 'with CONFIRMED last',
    with: { faults: [{ delay: { event: 'CONFIRMED', by: '40s' } }] },
  },
  {
    variant: 'with PREPARATION_REQUESTED late',
    with: { faults: [{ delay: { event: 'PREPARATION_REQUESTED', by: '1500ms' } }] },
  },
  { variant: 'backwards', with: { faults: [{ batch: { as: 'reverse' } }] } },
]

const channels: readonly Variant[] = [
  { variant: 'by polling', with: { channel: 'polling' } },
  { variant: 'by webhook', with: { channel: 'webhook' } },
  { variant: 'by both channels', with: { channel: 'both' } },
]

test('[ORD-EVR-04] CV-11 holds for a correct service in every order of events', async () => {
  const verdict = compareRuns(orderOfDeliveryDoesNotMatter, await runs(threeKinds, orders))
  expect(verdict).toMatchObject({ id: 'CV-11', outcome: 'passed', premises: 12, findings: [] })
})

test('[ORD-CHN-01] CV-12 holds for a correct service over every channel', async () => {
  const compared = await runs(threeKinds, channels)
  const verdict = compareRuns(channelDoesNotMatter, compared)
  expect(verdict).toMatchObject({ id: 'CV-12', outcome: 'passed', premises: 6, findings: [] })
  expect(
    compared[0]?.endings.get('CV-12')?.map(({ slot, signature }) => `${slot} ${signature}`),
  ).toEqual([
    'o1 DELIVERED; by confirm, preparing, ready-for-pickup, dispatch, delivered; one delivery; the service reports DELIVERED',
    'o2 DELIVERED; by confirm, preparing, ready-for-pickup, delivered; the service reports DELIVERED',
    'o3 CANCELLED; the service reports CANCELLED',
  ])
})

test('orders of foreign merchants are not compared', async () => {
  const order = minimalOrder('o-foreign', 'TAKEOUT', { merchant: { id: 'somebody-else' } })
  const story: InvariantStory = {
    async play(harness) {
      await harness.session.createOrder({ order })
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    },
  }
  const [compared] = await runs(story, channels.slice(0, 1), 'acts-for-any-merchant')
  for (const id of ['CV-11', 'CV-12'])
    expect(compared?.endings.get(id)?.map(({ slot }) => slot)).toEqual(['o2'])
})

test('a single run leaves the rule not exercised', async () => {
  const compared = await runs(threeKinds, orders.slice(0, 1))
  expect(compareRuns(orderOfDeliveryDoesNotMatter, compared)).toMatchObject({
    outcome: 'not-exercised',
    premises: 0,
  })
  expect(compareRuns(orderOfDeliveryDoesNotMatter, [])).toMatchObject({ outcome: 'not-exercised' })
})

type Reported = readonly [defect: DefectName, variant: string, because: RegExp]

/** The first variant and another show the defect. */
async function expectReport(rule: Invariant, variants: readonly Variant[], row: Reported) {
  const [defect, variant, because] = row
  const pair = variants.filter((each, index) => index === 0 || each.variant === variant)
  const { outcome, findings } = compareRuns(rule, await runs(threeKinds, pair, defect))
  expect(outcome).toBe('failed')
  const found = findings.find((each) => because.test(each.because))
  expect(findings.map((each) => each.because)).toEqual(
    expect.arrayContaining([expect.stringMatching(because)]),
  )
  expect(found?.evidence.length).toBeGreaterThan(1)
}

test.each<Reported>([
  ['follows-events', 'with CONFIRMED last', says('with CONFIRMED last', 'preparing', 'preparing')],
  [
    'counts-events',
    'with PREPARATION_REQUESTED late',
    says('o1', 'with PREPARATION_REQUESTED late', 'DELIVERED; by confirm, ready-for-pickup'),
  ],
  [
    'created-resets-order',
    'with CREATED late',
    says('o3', 'with CREATED late', 'CANCELLED; the service continued after that'),
  ],
])('[ORD-EVR-04] CV-11 reports %s %s', (...row) =>
  expectReport(orderOfDeliveryDoesNotMatter, orders, row),
)

test.each<Reported>([
  ['forgets-event-ids', 'by both channels', says('o1', 'by both channels', '; 2 deliveries')],
  ['dedupes-per-channel', 'by both channels', says('o1', 'by both channels', '; 2 deliveries')],
  [
    'trusts-webhook-status',
    'by webhook',
    says('o1', 'by webhook', 'delivered; the service', 'by polling', '; one delivery'),
  ],
])('[ORD-CHN-01] CV-12 reports %s %s', (...row) =>
  expectReport(channelDoesNotMatter, channels, row),
)

test('[MIG-VER-01] V1 operations count as the same actions', async () => {
  await using wire = await openOrdersWire({ dialect: 'v1', capabilities: {} })
  const orderId = await wire.create({ type: 'TAKEOUT' })
  for (const call of ['confirm', 'readyForPickup']) {
    const body = { createdAt: '2026-01-05T12:00:00Z', orderExternalCode: 'x-1' }
    const { status } = await wire.send('POST', `/v1/orders/${orderId}/${call}`, { body })
    expect(status).toBe(202)
    await wire.pass(1000)
  }
  expect(wire.session.endings().get('CV-11')).toMatchObject([
    { slot: 'o1', signature: expect.stringContaining('by confirm, ready-for-pickup') as string },
  ])
})
