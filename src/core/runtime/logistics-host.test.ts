/** The Delivery Platform as its consumers see it: availability, creation, GET, progress, problems, cancellation. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  deliveryRequest,
  dropoffPlace,
  type LogisticsWire,
  type LogisticsWireOptions,
  openLogisticsWire,
  platformProcessingMs,
  pickupPlace,
} from '../../../test/support/logistics-wire.ts'
import { deliveryStatuses } from '../protocol/logistics/status.ts'
import { openSession } from '../session/open-session.ts'

let wire: LogisticsWire
const open = async (options: LogisticsWireOptions = {}): Promise<LogisticsWire> => {
  await wire?.session.close()
  wire = await openLogisticsWire(options)
  await wire.pass(0)
  return wire
}
beforeEach(() => open())
afterEach(() => wire.session.close())

const quote = async (body: object): Promise<Record<string, unknown>> => {
  const answer = await wire.send('POST', '/logistics/availability', { body })
  expect(answer.status).toBe(200)
  return answer.json as Record<string, unknown>
}
const error = (json: unknown) => (json as { error: Record<string, unknown> }).error

describe('availability and quote', () => {
  test('[LOG-OPS-01, LOG-FLD-09] answers 200 with available, a price and an estimate', async () => {
    const answer = await quote({ pickup: pickupPlace, dropoff: dropoffPlace })
    expect(answer).toMatchObject({
      available: true,
      price: { amount: expect.any(Number), currency: 'BRL' },
    })
    expect(Date.parse(String(answer['eta']))).toBeGreaterThan(wire.session.facts()[0]!.at)
  })

  test('[LOG-UND-02] accepts pickup and dropoff or origin and destination, and answers in both names', async () => {
    const ours = await quote({ pickup: pickupPlace, dropoff: dropoffPlace, orderId: 'o' })
    const theirs = await quote({
      merchantId: 'm',
      origin: pickupPlace.address,
      destination: dropoffPlace.address,
    })
    expect(theirs['price']).toEqual(ours['price'])
    expect(ours).toMatchObject({
      deliveryFee: { value: Math.round((ours['price'] as { amount: number }).amount * 100) },
      estimatedDeliveryMinutes: expect.any(Number),
      quoteId: expect.any(String),
    })
    await open({ conduct: { logistics: { names: 'documents' } } })
    const plain = await quote({ pickup: pickupPlace, dropoff: dropoffPlace })
    expect(Object.keys(plain).toSorted()).toEqual(['available', 'eta', 'price', 'quoteId'])
    await open({ conduct: { logistics: { names: 'standard' } } })
    expect(await quote({ pickup: pickupPlace, dropoff: dropoffPlace })).not.toHaveProperty('price')
  })

  test('the price and the estimate grow with distance and load', async () => {
    const far = {
      ...dropoffPlace,
      address: { ...dropoffPlace.address, coordinates: { latitude: -23.62, longitude: -46.7 } },
    }
    const near = await quote({ pickup: pickupPlace, dropoff: dropoffPlace })
    const away = await quote({ pickup: pickupPlace, dropoff: far })
    const amount = (answer: Record<string, unknown>) =>
      (answer['price'] as { amount: number }).amount
    expect(amount(away)).toBeGreaterThan(amount(near))
    expect(String(away['eta']) > String(near['eta'])).toBe(true)
    for (let count = 0; count < 20; count++) await wire.create(`o${count}`)
    const busy = await quote({ pickup: pickupPlace, dropoff: dropoffPlace })
    expect(amount(busy)).toBeGreaterThan(amount(near))
    expect(String(busy['eta']) > String(near['eta'])).toBe(true)
    expect(await quote({ pickup: pickupPlace, dropoff: dropoffPlace })).toMatchObject({
      price: busy['price'],
    })
  })

  test('[LOG-CON-02] answers available false outside its areas, beyond its range, and under full load', async () => {
    await open({
      conduct: { logistics: { areasWithoutService: ['Vila Madalena'], mostKm: 4, mostOpen: 2 } },
    })
    const paulista = { address: { ...dropoffPlace.address, neighborhood: 'Bela Vista' } }
    const lapa = { address: { coordinates: { latitude: -23.527, longitude: -46.704 } } }
    expect(await quote({ pickup: pickupPlace, dropoff: dropoffPlace })).toEqual({
      available: false,
      unavailableReason: 'OUT_OF_COVERAGE',
    })
    expect(await quote({ pickup: pickupPlace, dropoff: lapa })).toMatchObject({ available: false })
    expect(await quote({ pickup: pickupPlace, dropoff: paulista })).toMatchObject({
      available: true,
    })
    await wire.create('one')
    await wire.create('two')
    expect(await quote({ pickup: pickupPlace, dropoff: paulista })).toEqual({
      available: false,
      unavailableReason: 'NO_DELIVERYPERSON_AVAILABLE',
    })
  })

  test('a creation where nothing is delivered is accepted all the same, or refused when configured', async () => {
    const nowhere = { logistics: { areasWithoutService: ['São Paulo'] } }
    await open({ conduct: nowhere })
    expect((await wire.create('o')).status).toBe(202)
    await open({ conduct: { logistics: { ...nowhere.logistics, uncovered: 'refuse' as const } } })
    const refused = await wire.create('o')
    expect(refused.status).toBe(422)
    expect(error(refused.json)['code']).toBe('DELIVERY_AREA_NOT_COVERED')
    expect((await wire.send('GET', '/logistics/delivery/o')).status).toBe(404)
  })
})

describe('creation', () => {
  test('[LOG-TRA-01, LOG-OPS-02, LOG-FLD-01, LOG-FLD-02] creates a PENDING delivery that is bound to the order', async () => {
    const answer = await wire.create('order/1')
    expect(answer.status).toBe(202)
    const delivery = await wire.read('order/1')
    expect(delivery).toMatchObject({ orderId: 'order/1', status: 'PENDING' })
    expect(answer.json).toEqual({ deliveryId: delivery.id })
    await wire.pass(2000)
    expect((await wire.read('order/1')).id).toBe(delivery.id)
  })

  test('[LOG-FLD-04] shows merchant, pickup and dropoff, each with address and contact, whatever was sent', async () => {
    await wire.create('o')
    expect(await wire.read('o')).toMatchObject({
      merchant: { id: 'loja-1', ...pickupPlace },
      pickup: pickupPlace,
      dropoff: dropoffPlace,
    })
    await wire.send('POST', '/logistics/delivery', {
      body: { orderId: 'bare', merchantId: 'm', origin: {}, destination: {} },
    })
    const bare = await wire.read('bare')
    for (const place of ['merchant', 'pickup', 'dropoff'])
      expect(bare[place]).toMatchObject({ address: {}, contact: {} })
  })

  test('[LOG-UND-05] answers the id, an empty body, or the delivery, as configured', async () => {
    expect((await wire.create('o')).json).toHaveProperty('deliveryId')
    expect((await wire.send('POST', '/logistics/delivery/o/cancel')).text).toBe('')
    await open({ conduct: { logistics: { receipts: 'empty' } } })
    expect((await wire.create('o')).text).toBe('')
    await open({ conduct: { logistics: { receipts: 'delivery' } } })
    expect((await wire.create('o')).json).toMatchObject({ orderId: 'o', status: 'PENDING' })
    expect((await wire.send('POST', '/logistics/delivery/o/cancel')).json).toMatchObject({
      orderId: 'o',
    })
  })

  test('[LOG-UND-04] is 202 without effect while a delivery is open or delivered; after an end it creates a new one', async () => {
    for (const status of ['PENDING', 'ASSIGNED', 'IN_TRANSIT', 'DELIVERED'] as const) {
      await wire.create(status)
      await wire.bring(status, status)
      const { id } = await wire.read(status)
      const count = wire.session.facts().length
      const again = await wire.create(status, { dropoff: pickupPlace })
      expect(again).toMatchObject({ status: 202, json: { deliveryId: id } })
      expect(wire.session.facts().length).toBe(count)
      expect(await wire.read(status)).toMatchObject({ id, status, dropoff: dropoffPlace })
    }
    for (const status of ['CANCELLED', 'FAILED'] as const) {
      await wire.create(status)
      await wire.bring(status, status)
      const { id } = await wire.read(status)
      expect((await wire.create(status)).status).toBe(202)
      const renewed = await wire.read(status)
      expect(renewed.status).toBe('PENDING')
      expect(renewed.id).not.toBe(id)
    }
    await open({ conduct: { logistics: { renewAfterEnd: false } } })
    await wire.create('o')
    await wire.bring('o', 'CANCELLED')
    await wire.create('o')
    expect((await wire.read('o')).status).toBe('CANCELLED')
  })

  test('leaves its successor alone: plans for an earlier delivery of the order do not affect the next', async () => {
    await wire.create('o')
    await wire.bring('o', 'CANCELLED')
    await wire.create('o')
    await wire.bring('o', 'CANCELLED')
    await wire.create('o')
    await wire.pass(60_000)
    expect(wire.facts('delivery.moved').filter(({ to }) => to === 'ASSIGNED')).toHaveLength(1)
    expect(wire.facts('delivery.lapsed').length).toBeGreaterThanOrEqual(2)
  })

  test('twenty concurrent calls for one order create one delivery', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => wire.create('o')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(wire.facts('delivery.created')).toHaveLength(1)
  })
})

describe('GET', () => {
  test('[LOG-OPS-03] answers 200 for a known order and 404 for an unknown one', async () => {
    await wire.create('o')
    expect((await wire.send('GET', '/logistics/delivery/o')).status).toBe(200)
    const unknown = await wire.send('GET', '/logistics/delivery/nobody')
    expect(unknown.status).toBe(404)
    expect(error(unknown.json)).toMatchObject({ code: 'DELIVERY_NOT_FOUND', retryable: false })
  })

  test('[LOG-TEN-02] accepts the order’s id only, and the delivery’s own when configured', async () => {
    await wire.create('o')
    const { id } = await wire.read('o')
    expect(id).not.toBe('o')
    expect((await wire.send('GET', `/logistics/delivery/${id}`)).status).toBe(404)
    expect(await wire.ask(id, 'cancel')).toBe(404)
    await open({ conduct: { logistics: { lookupByDeliveryId: true } } })
    await wire.create('o')
    const other = await wire.read('o')
    expect(await wire.read(other.id)).toEqual(other)
    expect(await wire.ask(other.id, 'cancel')).toBe(202)
  })

  test('[LOG-FLD-05] shows the courier from ASSIGNED on, moving along the route', async () => {
    await wire.create('o')
    expect(await wire.read('o')).not.toHaveProperty('courier')
    await wire.pass(3000)
    const first = await wire.read('o')
    expect(first.courier).toMatchObject({
      name: expect.any(String),
      phone: expect.stringMatching(/^\+55/),
      vehicle: expect.any(String),
      tracking: { latitude: expect.any(Number), longitude: expect.any(Number) },
    })
    await wire.ask('o', 'ready-for-pickup')
    const seen = [first]
    for (let count = 0; count < 12; count++) {
      await wire.pass(1000)
      seen.push(await wire.read('o'))
    }
    const ridden = seen.filter(({ status }) => status === 'IN_TRANSIT')
    const left = ridden.map(
      ({ courier }) =>
        (courier?.['tracking'] as Record<string, number> | undefined)?.['metresToDropoff'] ?? 0,
    )
    expect(left.length).toBeGreaterThan(3)
    expect(left).toEqual(left.toSorted((one, other) => other - one))
    // The position follows from the instant, without a fact.
    const looked = wire.session.facts().length
    await wire.read('o')
    expect(wire.session.facts().length).toBe(looked)
  })

  test('[LOG-FLD-06, LOG-FLD-07, LOG-FLD-08] price has amount and currency, eta is a date-time, trackingUrl a URL', async () => {
    await wire.create('o')
    const { price, eta = '', trackingUrl = '' } = await wire.read('o')
    expect(Object.keys(price ?? {})).toEqual(['amount', 'currency'])
    expect(new Date(eta).toISOString()).toBe(eta)
    expect(new URL(trackingUrl).pathname).toBe('/logistics/delivery/o')
    expect((await wire.send('GET', trackingUrl)).json).toMatchObject({ orderId: 'o' })
    await open({ conduct: { logistics: { trackingUrl: 'https://example.com/t/{orderId}' } } })
    await wire.create('a b')
    expect((await wire.read('a b')).trackingUrl).toBe('https://example.com/t/a%20b')
  })

  test('[LOG-FLD-05, LOG-FLD-06, LOG-FLD-07, LOG-FLD-08] can leave out the optional fields', async () => {
    await open({
      conduct: {
        logistics: {
          withheldFields: ['courier', 'price', 'eta', 'trackingUrl'],
          names: 'documents',
        },
      },
    })
    await wire.create('o')
    await wire.bring('o', 'ASSIGNED')
    const delivery = await wire.read('o')
    for (const field of ['courier', 'price', 'eta', 'trackingUrl', 'deliveryId'])
      expect(delivery).not.toHaveProperty(field)
  })

  test('[LOG-FLD-03, LOG-STA-01] has the six statuses in their meanings, and no other', async () => {
    for (const status of deliveryStatuses) {
      await wire.create(status)
      await wire.bring(status, status)
      expect((await wire.read(status)).status).toBe(status)
    }
    expect(await wire.read('IN_TRANSIT')).toHaveProperty('pickedUpAt')
    expect(await wire.read('DELIVERED')).toHaveProperty('deliveredAt')
    expect(await wire.read('CANCELLED')).not.toHaveProperty('pickedUpAt')
    expect(await wire.read('CANCELLED')).not.toHaveProperty('eta')
    expect(await wire.read('FAILED')).toHaveProperty('pickedUpAt')
    const before = await Promise.all(deliveryStatuses.slice(3).map((status) => wire.read(status)))
    await wire.pass(600_000)
    const after = await Promise.all(deliveryStatuses.slice(3).map((status) => wire.read(status)))
    expect(after).toEqual(before)
  })
})

describe('progress', () => {
  test('[LOG-TRA-02] a courier is assigned to a PENDING delivery automatically', async () => {
    await wire.create('o')
    await wire.pass(3000)
    expect((await wire.read('o')).status).toBe('ASSIGNED')
    expect(wire.facts('delivery.moved')).toMatchObject([
      { from: 'PENDING', to: 'ASSIGNED', trigger: 'assign', courier: { name: expect.any(String) } },
    ])
  })

  test('[LOG-UND-03] an operator can assign one, and it is announced', async () => {
    await wire.create('o')
    await wire.bring('o', 'ASSIGNED')
    await wire.pass(0)
    expect((await wire.read('o')).status).toBe('ASSIGNED')
    expect(wire.hooks.map(({ json }) => json['eventType'])).toEqual(['PENDING', 'ACCEPTED'])
  })

  test('[LOG-OPS-04] ready-for-pickup answers 202 and leaves the status unchanged, and the courier collects the food', async () => {
    await wire.create('o')
    expect(await wire.ask('o', 'ready-for-pickup')).toBe(202)
    expect((await wire.read('o')).status).toBe('PENDING')
    await wire.bring('o', 'ASSIGNED')
    expect(await wire.ask('o', 'ready-for-pickup', { observation: 'balcão 2' })).toBe(202)
    expect((await wire.read('o')).status).toBe('ASSIGNED')
    await wire.pass(12_000)
    expect(wire.facts('delivery.moved').map(({ to }) => to)).toContain('IN_TRANSIT')
  })

  test('a courier waits for food that is never reported ready, for a limited time', async () => {
    await wire.create('o')
    await wire.pass(300_000)
    expect((await wire.read('o')).status).toBe('ASSIGNED')
    await wire.pass(600_000)
    expect((await wire.read('o')).status).toBe('DELIVERED')
  })

  test('[LOG-TRA-03, LOG-OPS-05, LOG-CON-03] collected: 202 at once, IN_TRANSIT a little later', async () => {
    await wire.create('o')
    await wire.bring('o', 'ASSIGNED')
    expect(await wire.ask('o', 'collected', { pickupDate: '2026-01-05T15:00:00Z' })).toBe(202)
    expect((await wire.read('o')).status).toBe('ASSIGNED')
    await wire.pass(platformProcessingMs)
    expect((await wire.read('o')).status).toBe('IN_TRANSIT')
  })

  test('[LOG-TRA-04, LOG-OPS-06] delivered: 202, and DELIVERED', async () => {
    await wire.create('o')
    await wire.bring('o', 'IN_TRANSIT')
    expect(await wire.ask('o', 'delivered')).toBe(202)
    await wire.pass(platformProcessingMs)
    expect((await wire.read('o')).status).toBe('DELIVERED')
  })

  test('of two accepted calls the first takes effect, the other has none', async () => {
    await wire.create('o')
    await wire.bring('o', 'ASSIGNED')
    expect(await wire.ask('o', 'cancel')).toBe(202)
    expect(await wire.ask('o', 'collected')).toBe(202)
    await wire.pass(platformProcessingMs)
    const { status } = await wire.read('o')
    expect(['CANCELLED', 'IN_TRANSIT']).toContain(status)
    expect(wire.facts('delivery.lapsed')).toHaveLength(1)
  })

  test('[LOG-RUL-05] a call whose target status is reached already: 202 without effect', async () => {
    const cells = [
      ['ASSIGNED', 'ready-for-pickup'],
      ['IN_TRANSIT', 'collected'],
      ['DELIVERED', 'delivered'],
      ['CANCELLED', 'cancel'],
    ] as const
    for (const [status, call] of cells) {
      await wire.create(status)
      await wire.bring(status, status)
      await wire.ask(status, call)
      const count = wire.session.facts().length
      expect(await wire.ask(status, call)).toBe(202)
      expect(wire.session.facts().length).toBe(count)
      expect((await wire.read(status)).status).toBe(status)
    }
  })

  test('[LOG-RUL-06] a call without a transition: 422 with the error body, and no change', async () => {
    const cells = [
      ['PENDING', 'collected'],
      ['PENDING', 'delivered'],
      ['PENDING', 'problem'],
      ['ASSIGNED', 'delivered'],
      ['ASSIGNED', 'problem'],
      ['DELIVERED', 'cancel'],
      ['DELIVERED', 'problem'],
      ['CANCELLED', 'collected'],
      ['CANCELLED', 'delivered'],
      ['CANCELLED', 'ready-for-pickup'],
      ['FAILED', 'cancel'],
      ['FAILED', 'delivered'],
    ] as const
    for (const [status, call] of cells) {
      const orderId = `${status} ${call}`
      await wire.create(orderId)
      await wire.bring(orderId, status)
      const count = wire.session.facts().length
      const path = `/logistics/delivery/${encodeURIComponent(orderId)}/${call}`
      const answer = await wire.send('POST', path, { body: { problemCode: 'OTHER' } })
      expect(`${orderId} ${answer.status}`).toBe(`${orderId} 422`)
      expect(error(answer.json)).toMatchObject({ code: 'INVALID_TRANSITION', retryable: false })
      expect(error(answer.json)['message']).toContain(status)
      expect(wire.session.facts().length).toBe(count)
      expect((await wire.read(orderId)).status).toBe(status)
    }
  })

  test('a dialect may answer 409, and may refuse passed statuses', async () => {
    await open({ conduct: { invalidTransition: { logistics: 409 }, passedTarget: 422 } })
    await wire.create('o')
    expect(await wire.ask('o', 'delivered')).toBe(409)
    await wire.bring('o', 'DELIVERED')
    expect(await wire.ask('o', 'collected')).toBe(422)
  })

  test('progress of an order without a delivery: 404', async () => {
    for (const call of ['ready-for-pickup', 'collected', 'delivered', 'cancel'])
      expect(await wire.ask('nobody', call)).toBe(404)
    expect(await wire.ask('nobody', 'problem', { problemCode: 'OTHER' })).toBe(404)
  })
})

describe('problems', () => {
  const report = (orderId: string, body: object) => wire.ask(orderId, 'problem', body)

  test('[LOG-OPS-07, LOG-RUL-03, LOG-RUL-04] each report adds an entry and replaces none; the status is unchanged', async () => {
    await wire.create('o')
    await wire.bring('o', 'IN_TRANSIT')
    expect(await report('o', { problemCode: 'CUSTOMER_ADDRESS_UNKNOWN' })).toBe(202)
    await wire.pass(500)
    const [first] = (await wire.read('o')).problems
    expect(first).toMatchObject({
      code: 'CUSTOMER_ADDRESS_UNKNOWN',
      occurredAt: expect.stringMatching(/Z$/),
    })
    expect(await report('o', { code: 'ADDRESS_NOT_FOUND', description: 'sem número' })).toBe(202)
    expect(await report('o', { problemCode: 'CUSTOMER_ADDRESS_UNKNOWN' })).toBe(202)
    const { problems, status } = await wire.read('o')
    expect(problems).toHaveLength(3)
    expect(problems[0]).toEqual(first)
    expect(problems[1]).toMatchObject({ code: 'ADDRESS_NOT_FOUND', description: 'sem número' })
    expect(status).toBe('IN_TRANSIT')
    await wire.pass(60_000)
    expect(await wire.read('o')).toMatchObject({ status: 'DELIVERED', problems })
  })

  test('[LOG-TRA-07] an unrecoverable one ends in FAILED, as does a failure by an operator', async () => {
    for (const body of [
      { problemCode: 'FRAUD_OR_THEFT', recoverable: false },
      { reason: 'ORDER_DAMAGED_OR_VIOLATED', action: 'RETURN_TO_STORE' },
    ]) {
      const orderId = JSON.stringify(body)
      await wire.create(orderId)
      await wire.bring(orderId, 'IN_TRANSIT')
      expect(await report(orderId, body)).toBe(202)
      expect((await wire.read(orderId)).status).toBe('IN_TRANSIT')
      await wire.pass(3000)
      expect((await wire.read(orderId)).status).toBe('FAILED')
    }
    await wire.create('hand')
    await wire.bring('hand', 'FAILED')
    await wire.pass(60_000)
    expect((await wire.read('hand')).status).toBe('FAILED')
  })

  test('[LOG-RUL-03] the unrecoverable codes are configurable', async () => {
    await open({ conduct: { logistics: { unrecoverableProblems: ['FRAUD_OR_THEFT'] } } })
    await wire.create('o')
    await wire.bring('o', 'IN_TRANSIT')
    await report('o', { problemCode: 'FRAUD_OR_THEFT' })
    await wire.pass(3000)
    expect((await wire.read('o')).status).toBe('FAILED')
  })

  test('[LOG-UND-02] the code is a string, and may be restricted to the list', async () => {
    await wire.create('o')
    await wire.bring('o', 'IN_TRANSIT')
    const none = await wire.send('POST', '/logistics/delivery/o/problem', { body: {} })
    expect(none.status).toBe(400)
    expect(error(none.json)['message']).toContain('problemCode')
    await open({
      conduct: { logistics: { problemCodes: 'listed', problemStatuses: ['PENDING'] } },
    })
    await wire.create('o')
    expect(await report('o', { problemCode: 'NOBODY_TO_RECEIVE' })).toBe(202)
    expect(await report('o', { problemCode: 'SUNSHINE' })).toBe(400)
    expect(await wire.read('o')).toMatchObject({ status: 'PENDING', problems: [{}] })
  })
})

describe('cancellation', () => {
  test.each([
    ['LOG-TRA-05', 'PENDING'],
    ['LOG-TRA-06', 'ASSIGNED'],
  ])(
    '[%s, LOG-RUL-01, LOG-OPS-08] from %s: 202, and CANCELLED, with its reason',
    async (_, status) => {
      await wire.create('o')
      await wire.bring('o', status)
      expect(await wire.ask('o', 'cancel', { cancellationCode: 'MERCHANT_REQUEST' })).toBe(202)
      expect((await wire.read('o')).status).toBe(status)
      await wire.pass(platformProcessingMs)
      expect(await wire.read('o')).toMatchObject({
        status: 'CANCELLED',
        statusReason: 'MERCHANT_REQUEST',
      })
      await wire.pass(60_000)
      expect((await wire.read('o')).status).toBe('CANCELLED')
    },
  )

  test('[LOG-RUL-02] in IN_TRANSIT: 422 with the error body, and the delivery goes on', async () => {
    await wire.create('o')
    await wire.bring('o', 'IN_TRANSIT')
    const answer = await wire.send('POST', '/logistics/delivery/o/cancel', { body: {} })
    expect(answer.status).toBe(422)
    expect(error(answer.json)['code']).toBe('INVALID_TRANSITION')
    await wire.pass(60_000)
    expect((await wire.read('o')).status).toBe('DELIVERED')
  })

  test.each([
    ['cancel', 'CANCELLED'],
    ['fail', 'FAILED'],
  ] as const)('[LOG-TEN-01] with %s in force: 202, and %s', async (cancelInTransit, status) => {
    await open({ conduct: { logistics: { cancelInTransit } } })
    await wire.create('o')
    await wire.bring('o', 'IN_TRANSIT')
    expect(await wire.ask('o', 'cancel')).toBe(202)
    await wire.pass(platformProcessingMs)
    expect((await wire.read('o')).status).toBe(status)
  })
})

test('[LOG-GEN-01] availability, creation, tracking, progress, problems and cancellation are all served', async () => {
  const served = wire.session.facts().length
  expect(served).toBeGreaterThan(0)
  const paths = [
    ['POST', '/logistics/availability', 200],
    ['POST', '/logistics/delivery', 202],
    ['GET', '/logistics/delivery/o', 200],
    ['POST', '/logistics/delivery/o/ready-for-pickup', 202],
    ['POST', '/logistics/delivery/o/collected', 422],
    ['POST', '/logistics/delivery/o/delivered', 422],
    ['POST', '/logistics/delivery/o/problem', 422],
    ['POST', '/logistics/delivery/o/cancel', 202],
  ] as const
  for (const [method, path, status] of paths) {
    const body = { ...deliveryRequest('o'), problemCode: 'OTHER' }
    const answer = await wire.send(method, path, method === 'GET' ? {} : { body })
    expect(`${path} ${answer.status}`).toBe(`${path} ${status}`)
  }
})

test('[LOG-GEN-03] only the Delivery Platform serves Logistics operations', async () => {
  await using session = await openSession({ clock: 'virtual', listen: false })
  for (const role of ['ordering-application', 'software-service', 'crm'] as const) {
    const answer = await session.fetch(
      new Request(`${session.urls.get(role)}/logistics/availability`, { method: 'POST' }),
    )
    expect(`${role} ${answer.status}`).toBe(`${role} 404`)
  }
})

test('[LOG-GEN-02] nothing of orders, menus or customers is served under Logistics', async () => {
  for (const path of ['/orders/o', '/orders/o/confirm', '/merchants/m/menu', '/customers'])
    for (const method of ['GET', 'POST'])
      expect(await wire.send(method, path)).toMatchObject({ status: 404 })
})
