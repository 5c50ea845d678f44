/** Acknowledgments of V1 name id, order and type of each event, and at most a hundred at once (fields.md, O16). */
import { expect, test } from 'vitest'
import type { OrderEvent } from '../protocol/orders/event.ts'
import type { HostSessionOptions } from '../../../test/support/host-session.ts'
import {
  aV1Order,
  createV1Originator,
  openBesideV1Originator,
} from '../../../test/support/scripted-v1-ordering-application.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'

async function openWithOrders(count: number, options: HostSessionOptions = {}) {
  const wire = await openOrdersWire({ dialect: 'v1', capabilities: {}, ...options })
  for (let made = 0; made < count; made++) await wire.create({ type: 'TAKEOUT' })
  const polled = async () => {
    const { status, json } = await wire.send('GET', '/v1/events:polling')
    return status === 204 ? [] : (json as readonly OrderEvent[])
  }
  const acknowledge = (body: unknown) => wire.send('POST', '/v1/events/acknowledgment', { body })
  /** What AK-3 says, and what the log says of the acknowledgments. */
  const said = async () => {
    const { verdicts, traffic } = await wire.session.look({
      verdicts: true,
      traffic: { limit: 100 },
    })
    const rule = verdicts?.find(({ id }) => id === 'AK-3')
    return {
      outcome: rule?.outcome,
      findings: rule?.findings.map(({ because }) => because) ?? [],
      advice: traffic.flatMap(({ advice }) => advice ?? []),
    }
  }
  return {
    wire,
    polled,
    acknowledge,
    said,
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  }
}

const entryOf = ({ eventId: id, orderId, eventType }: OrderEvent) => ({ id, orderId, eventType })

test('one that names its events as they are is taken, and no rule minds', async () => {
  await using host = await openWithOrders(2)
  const events = await host.polled()
  const { status } = await host.acknowledge(
    // What else an entry has is ignored.
    events.map((event) => ({ ...entryOf(event), createdAt: event.createdAt })),
  )
  expect(status).toBe(202)
  expect(await host.polled()).toEqual([])
  expect(await host.said()).toEqual({ outcome: 'passed', findings: [], advice: [] })
})

test.each([
  [
    'another type',
    { eventType: 'CONFIRMED' },
    /^The service acknowledged CREATED of o1 as CONFIRMED of order [\w-]+; it got a 202/,
  ],
  [
    'another order',
    { orderId: 'x' },
    /acknowledged CREATED of o1 as CREATED of order x; it got a 202/,
  ],
  ['both', { orderId: 'x', eventType: 'created' }, /as created of order x/],
])(
  '[ORD-OPS-02] one that names %s than the event has is a finding, and the log says so',
  async (_what, other, because) => {
    await using host = await openWithOrders(2)
    const [first, second] = (await host.polled()) as [OrderEvent, OrderEvent]
    await host.acknowledge([{ ...entryOf(first), ...other }, entryOf(second)])
    const { outcome, findings, advice } = await host.said()
    expect(outcome).toBe('failed')
    expect(findings).toEqual([expect.stringMatching(because)])
    expect(advice).toEqual([
      expect.stringMatching(
        /is CREATED of order .* and is acknowledged as .*: send back id, orderId/,
      ),
    ])
  },
)

test('the second name of a type is no other type', async () => {
  await using host = await openWithOrders(1)
  const [created] = (await host.polled()) as [OrderEvent]
  const { orderId } = created
  await host.wire.session.submit({ kind: 'handshake.offer', orderId })
  await host.wire.pass(0)
  await host.wire.post(`/v1/orders/${orderId}/denyCancellation`, {
    reason: 'x',
    code: 'DISH_ALREADY_DONE',
  })
  await host.wire.pass(0)
  const events = (await host.polled()).map(entryOf)
  expect(events.map(({ eventType }) => eventType)).toContain('CANCELLED_DENIED')
  await host.acknowledge(
    events.map((entry) =>
      entry.eventType === 'CANCELLED_DENIED'
        ? { ...entry, eventType: 'CANCELLATION_DENIED' }
        : entry,
    ),
  )
  expect((await host.said()).findings).toEqual([])
})

test.each([
  [
    'without its type',
    { eventType: undefined },
    '0.eventType: expected a string, received nothing',
  ],
  ['with an empty type', { eventType: '' }, '0.eventType: '],
  ['without its order', { orderId: undefined }, '0.orderId: expected a string, received nothing'],
])('an event %s is 400, with the place', async (_what, other, place) => {
  await using host = await openWithOrders(1)
  const [event] = (await host.polled()) as [OrderEvent]
  const { status, text } = await host.acknowledge([{ ...entryOf(event), ...other }])
  expect(status).toBe(400)
  expect(text).toContain(`an array of { id, orderId, eventType } here; ${place}`)
  expect(await host.polled()).toHaveLength(1)
})

test('at most a hundred are acknowledged at once', async () => {
  await using host = await openWithOrders(101, { conduct: { pollBatch: 1000 } })
  const events = await host.polled()
  expect(events).toHaveLength(101)
  const refused = await host.acknowledge(events.map(entryOf))
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('101 events are acknowledged at once; 100 are the most'),
  ])
  expect((await host.acknowledge(events.slice(0, 100).map(entryOf))).status).toBe(202)
})

test('partners who take the id alone do, and V2 reads no order from an entry', async () => {
  await using cardapio = await openWithOrders(1, { dialect: 'cardapio-web' })
  const [event] = (await cardapio.polled()) as [OrderEvent]
  expect((await cardapio.acknowledge([{ eventId: event.eventId }])).status).toBe(202)
  expect((await cardapio.said()).findings).toEqual([])
  await using wire = await openOrdersWire()
  await wire.create()
  const [polled] = (await wire.poll()) as [OrderEvent]
  const body = [{ id: polled.eventId, orderId: 'x', eventType: 'x' }]
  expect((await wire.send('POST', '/events/acknowledgment', { body })).status).toBe(202)
  const { verdicts } = await wire.session.look({ verdicts: true })
  expect(verdicts?.find(({ id }) => id === 'AK-3')?.findings).toEqual([])
})

test('our Software Service acknowledges a hundred in one call, with all three fields', async () => {
  const originator = createV1Originator({ lastEvent: false, silent: true })
  await using session = await openBesideV1Originator(originator)
  for (let number = 0; number < 250; number++) originator.place(aV1Order(`o-${number}`))
  await session.advance(30_000)
  const batches = originator.calls
    .filter(({ path }) => path.endsWith('acknowledgment'))
    .map(({ json }) => json as unknown as readonly object[])
  expect(Math.max(...batches.map(({ length }) => length))).toBe(100)
  expect(batches.flat().length).toBeGreaterThanOrEqual(250)
  expect(batches[0]?.[0]).toEqual({ id: expect.any(String), orderId: 'o-0', eventType: 'CREATED' })
})
