/** Delivery rows, details and moves: every trigger has a move, valid or forced. */
import { afterEach, describe, expect, test } from 'vitest'
import { type LogisticsWire, openLogisticsWire } from '../../../test/support/logistics-wire.ts'
import { openDeliverySession } from '../../../test/support/delivery-session.ts'
import { deliveryStatuses } from '../protocol/logistics/status.ts'

let wire: LogisticsWire
afterEach(() => wire.session.close())

const look = async (id: string) => {
  const { entity } = await wire.session.look({ entity: { kind: 'delivery', id } })
  if (!entity) throw new Error(`no delivery ${id}`)
  return entity
}

test('rows show courier, price, distance and ETA', async () => {
  wire = await openLogisticsWire()
  await wire.pass(0)
  await wire.create('o')
  await wire.create('p')
  await wire.bring('p', 'ASSIGNED')
  const { entities, entityCount } = await wire.session.look({
    entities: { kind: 'delivery', limit: 10 },
  })
  expect(entityCount).toBe(2)
  expect(entities).toMatchObject([
    { id: 'p', orderId: 'p', status: 'ASSIGNED', label: expect.stringMatching(/^[A-Z]\S+ [A-Z]/) },
    {
      id: 'o',
      status: 'PENDING',
      label: 'no courier yet',
      merchant: 'loja-1',
      text: expect.stringMatching(/^BRL \d+\.\d\d, 3\.3 km, ETA \d\d:\d\d:\d\d$/),
    },
  ])
  const pending = await wire.session.look({
    entities: { kind: 'delivery', limit: 10, status: 'PENDING' },
  })
  expect(pending.entities).toHaveLength(1)
})

test('the detail is the GET document with the status history', async () => {
  wire = await openLogisticsWire()
  await wire.pass(0)
  await wire.create('o')
  await wire.bring('o', 'IN_TRANSIT')
  await wire.pass(2000)
  const { document, statusHistory, regularStatuses, row } = await look('o')
  expect(document).toEqual(await wire.read('o'))
  expect(statusHistory.map(({ status }) => status)).toEqual(['PENDING', 'ASSIGNED', 'IN_TRANSIT'])
  expect(regularStatuses).toEqual(['PENDING', 'ASSIGNED', 'IN_TRANSIT', 'DELIVERED'])
  expect(row.status).toBe('IN_TRANSIT')
})

test('a past snapshot shows the courier’s position at that time', async () => {
  wire = await openLogisticsWire()
  await wire.pass(0)
  await wire.create('o')
  await wire.bring('o', 'IN_TRANSIT')
  const then = wire.session.facts().at(-1)?.seq ?? 0
  await wire.pass(60_000)
  const { entity } = await wire.session.look({ entity: { kind: 'delivery', id: 'o' }, at: then })
  expect(entity?.document).toMatchObject({
    status: 'IN_TRANSIT',
    courier: { tracking: { metresToPickup: 0 } },
  })
})

describe('moves', () => {
  const triggers = [
    'assign',
    'cancel',
    'collected',
    'courier at-customer',
    'courier at-store',
    'courier half-way',
    'delivered',
    'fail',
    'problem',
    'problem beyond recovery',
    'ready-for-pickup',
    'reject',
  ]
  const valid: Readonly<Record<string, readonly string[]>> = {
    PENDING: ['assign', 'cancel', 'ready-for-pickup', 'reject'],
    ASSIGNED: ['cancel', 'collected', 'courier at-store', 'ready-for-pickup'],
    IN_TRANSIT: [
      'courier at-customer',
      'courier half-way',
      'delivered',
      'fail',
      'problem',
      'problem beyond recovery',
    ],
    DELIVERED: [],
    CANCELLED: [],
    FAILED: [],
  }

  test.each(deliveryStatuses)(
    '[LOG-UND-03] in %s: each trigger has one move, marked when invalid',
    async (status) => {
      wire = await openLogisticsWire()
      await wire.pass(0)
      await wire.create('o')
      await wire.bring('o', status)
      const { moves } = await look('o')
      expect(moves.map(({ trigger }) => trigger).toSorted()).toEqual(triggers)
      const marked = moves.filter(({ invalid }) => invalid === undefined)
      expect(marked.map(({ trigger }) => trigger).toSorted()).toEqual(valid[status])
    },
  )

  test.each(deliveryStatuses)(
    'in %s: every move has its stated effect, invalid ones by force',
    async (status) => {
      wire = await openLogisticsWire()
      await wire.pass(0)
      for (const [index, trigger] of triggers.entries()) {
        const orderId = `${status}-${index}`
        await wire.create(orderId)
        await wire.bring(orderId, status)
        const { moves } = await look(orderId)
        const move = moves.find((each) => each.trigger === trigger)
        if (!move) throw new Error(`no move ${trigger}`)
        const done = await wire.session.submit(move.command)
        expect(done).toMatchObject({ ok: true })
        if (move.trigger === 'problem beyond recovery') await wire.pass(4000)
        const now = (await wire.read(orderId)).status
        // An unrecoverable problem fails the delivery only where `fail` is valid.
        const stays = move.trigger === 'problem beyond recovery' && status !== 'IN_TRANSIT'
        if (!stays) expect(`${trigger}: ${now}`).toBe(`${trigger}: ${move.to}`)
      }
    },
  )
})

describe('deliveries of a platform played by the subject', () => {
  test('are shown as known to their consumer, with its calls as moves', async () => {
    wire = await openLogisticsWire()
    await using shipper = await openDeliverySession()
    const orderId = await shipper.createConfirmed()
    const id = `ordering-application/${orderId}`
    const entity = async () =>
      (await shipper.session.look({ entity: { kind: 'delivery', id } })).entity
    expect(await entity()).toMatchObject({
      row: { id, orderId, status: 'OPEN', text: 'BRL 7.50, ETA 2026-01-05T15:30:00.000Z' },
    })
    const moves = (await entity())?.moves ?? []
    for (const { command } of moves) {
      await shipper.session.submit(command)
      await shipper.pass(0)
    }
    expect(shipper.platform.names().slice(2)).toEqual([
      'ready-for-pickup',
      'collected',
      'problem',
      'delivered',
      'cancel',
      'get',
    ])
    await shipper.push({ orderId, status: 'CANCELLED' })
    expect(await entity()).toMatchObject({ row: { status: 'CANCELLED' }, moves: [] })
  })
})
