// @module-tag slow
/** The Software Service that we play, as a scripted Ordering Application sees it over the wire. */
import { describe, expect, test } from 'vitest'
import type { ItemCancellation } from '../protocol/orders/cancellation.ts'
import { minimalOrder, type StoredOrder } from '../../../test/support/minimal-order.ts'
import {
  openSoftwareServiceSession,
  type SoftwareServiceSession,
} from '../../../test/support/software-service-session.ts'

const profiles = ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const
const commands: readonly string[] = [
  'confirm',
  'preparing',
  'ready-for-pickup',
  'dispatch',
  'delivered',
  'cancellation',
  'item-cancel',
]
/** Longer than a prompt store takes for any one step, including the polls. */
const aStep = 15_000
/** Longer than a prompt store waits for an event before it reads an order again. */
const aReconciliation = 17_000

const commandsAbout = (
  { originator }: SoftwareServiceSession,
  orderId: string,
): readonly string[] => originator.callNames(orderId).filter((name) => commands.includes(name))

/** An order of this profile that the store has read in this status, with only CREATED announced. */
async function known(
  store: SoftwareServiceSession,
  order: StoredOrder = minimalOrder('o-1'),
  status = 'CREATED',
): Promise<StoredOrder> {
  order.status = status
  store.originator.place(order)
  await store.pass(1100)
  expect(store.originator.callsOf('order', order.id)).toHaveLength(1)
  return order
}

describe('an order’s life', () => {
  test.each([
    ['CONFIRMED', 'preparing'],
    ['PREPARING', 'ready-for-pickup'],
    ['READY', 'dispatch'],
    ['IN_DELIVERY', 'delivered'],
  ])(
    '[ORD-TRA-02, ORD-TRA-03] an order first read in %s goes on with %s and no earlier step',
    async (status, first) => {
      await using store = await openSoftwareServiceSession()
      await known(store, minimalOrder('o-1'), status)
      await store.pass(aStep)
      expect(commandsAbout(store, 'o-1')[0]).toBe(first)
    },
  )

  test('[ORD-RUL-02] after 202 it waits until GET shows the status, however long that takes', async () => {
    await using store = await openSoftwareServiceSession({ originator: { moves: false } })
    const { originator } = store
    await known(store)
    await store.pass(12_000)
    expect(commandsAbout(store, 'o-1')).toEqual(['confirm'])
    originator.announce('o-1', 'CONFIRMED')
    await store.pass(10_000)
    // The event has arrived, and GET still shows CREATED: the order is not confirmed.
    expect(commandsAbout(store, 'o-1')).toEqual(['confirm'])
    originator.change('o-1', { status: 'CONFIRMED' })
    originator.announce('o-1', 'CONFIRMED')
    await store.pass(6000)
    expect(commandsAbout(store, 'o-1')).toEqual(['confirm', 'preparing'])
  })

  test('[ORD-UND-04, ORD-UND-05] after a step refused with 409 or 422 the order is read again and goes on from its status', async () => {
    for (const status of [409, 422]) {
      await using store = await openSoftwareServiceSession({ originator: { moves: false } })
      const { originator } = store
      originator.next('confirm', { status, body: { error: { code: 'CONFLICT' } } })
      await known(store)
      originator.script('order', ({ orderId }) =>
        // Another client confirmed it meanwhile.
        originator.callsOf('confirm').length > 0
          ? { status: 200, body: { ...originator.orders.get(orderId), status: 'CONFIRMED' } }
          : undefined,
      )
      await store.pass(10_000)
      expect(commandsAbout(store, 'o-1')).toEqual(['confirm', 'preparing'])
    }
  })

  test('[ORD-UND-08] lifecycle calls have an object or no body, and the body of their answer is not read', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    originator.script('preparing', ({ orderId }) => {
      originator.change(orderId, { status: 'PREPARING' })
      originator.announce(orderId, 'PREPARING')
      return { status: 202, text: 'accepted', headers: { 'content-type': 'text/plain' } }
    })
    originator.place(minimalOrder('o-1'))
    await store.session.settle()
    expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
    for (const { text } of originator.calls.filter(({ name }) => commands.includes(name)))
      expect(text === '' || typeof JSON.parse(text) === 'object').toBe(true)
  })

  test('[ORD-UND-01] a document with unknown fields and deeply nested options is an order like any other', async () => {
    await using store = await openSoftwareServiceSession()
    const price = { value: 1, currency: 'BRL' }
    const option = (depth: number): Record<string, unknown> => ({
      id: `option-${depth}`,
      name: 'molho',
      quantity: 1,
      pricing: { unitPrice: price, totalPrice: price },
      ...(depth > 0 ? { options: [option(depth - 1)] } : {}),
    })
    const order = minimalOrder('o-1', 'TAKEOUT', { loyalty: { points: 3 }, flags: ['x'] })
    Object.assign(order.items[0]!, { options: [option(5)], kitchen: 'B' })
    store.originator.place(order)
    await store.session.settle()
    expect(order.status).toBe('DELIVERED')
  })

  test('an order that cannot be read is retried with growing pauses, and given up in the end', async () => {
    await using store = await openSoftwareServiceSession()
    store.originator.script('order', () => ({ status: 200, body: { id: 'o-1', status: 'BROKEN' } }))
    store.originator.place(minimalOrder('o-1'))
    await store.session.settle()
    expect(store.facts('ticket.stuck')).toMatchObject([{ orderId: 'o-1' }])
    const refusals = store.facts('ticket.refused')
    expect(refusals[0]?.because).toMatch(/^the order is invalid at /)
    const times = store.times('getOrder')
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
    expect(pauses[0]).toBeGreaterThanOrEqual(1000)
  })

  test('an order that was given up is resumed on its next event', async () => {
    await using store = await openSoftwareServiceSession({ originator: { moves: false } })
    const { originator } = store
    await known(store)
    await store.session.settle()
    expect(store.facts('ticket.stuck')).toHaveLength(1)
    originator.change('o-1', { status: 'CONFIRMED' })
    originator.announce('o-1', 'CONFIRMED')
    await store.pass(aStep)
    expect(commandsAbout(store, 'o-1').at(-1)).toBe('preparing')
  })
})

describe('polling', () => {
  test('[ORD-OPS-01] it polls at the configured interval', async () => {
    await using store = await openSoftwareServiceSession({
      counterparts: { 'software-service': { pollEvery: '7s' } },
    })
    await store.pass(36_000)
    expect(store.times('pollingEvents')).toEqual([0, 7000, 14_000, 21_000, 28_000, 35_000])
    expect(store.originator.callsOf('poll').every(({ method }) => method === 'GET')).toBe(true)
  })

  test('[ORD-OPS-02, ORD-UND-02] an event with more or fewer fields is acknowledged too; one without an id cannot be', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    originator.next('poll', {
      status: 200,
      body: [
        { eventId: 'e-bare', eventType: 'CONFIRMED' },
        {
          eventId: 'e-more',
          eventType: 'CONFIRMED',
          orderId: 'o-1',
          createdAt: 'x',
          shop: { a: 1 },
        },
        { eventType: 'CONFIRMED', orderId: 'o-1' },
        'nonsense',
        null,
      ],
    })
    await store.pass(3000)
    const acknowledged = originator.callsOf('acknowledge').flatMap(({ json }) => json['eventIds'])
    expect(new Set(acknowledged as string[])).toEqual(new Set(['e-bare', 'e-more']))
  })

  test('[ORD-UND-09] 204, an empty array and an array of events are all understood; it acknowledges with {eventIds}', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    originator.next('poll', { status: 204 }, { status: 200, body: [] })
    originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.pass(2900)
    expect(originator.callsOf('poll')).toHaveLength(3)
    expect(originator.callsOf('acknowledge').map(({ json }) => json)).toEqual([
      { eventIds: ['CREATED-1'] },
    ])
  })

  test('a full batch is followed by the next poll at once, unless it had no new events', async () => {
    await using store = await openSoftwareServiceSession({ conduct: { pollBatch: 2 } })
    const { originator } = store
    const both = [originator.announce('o-1', 'X'), originator.announce('o-1', 'Y')]
    await store.pass(500)
    expect(originator.callsOf('poll')).toHaveLength(2)
    // A host that ignores acknowledgments returns the same events without end: it is not polled without a pause.
    originator.script('poll', () => ({ status: 200, body: both }))
    await store.pass(10_000)
    expect(originator.callsOf('poll').length).toBeLessThan(14)
  })
})

describe('webhooks', () => {
  test('[ORD-UND-10] the webhook has only its configured path', async () => {
    await using store = await openSoftwareServiceSession({
      subject: { webhooks: { orders: '/hooks/pedidos' } },
    })
    const event = store.originator.announce('o-1', 'CONFIRMED')
    expect((await store.push(event)).status).toBe(404)
    expect((await store.post('/hooks/pedidos', event)).status).toBe(204)
  })

  test('[ORD-UND-02] extra fields of an event are ignored; a missing id is reported', async () => {
    await using store = await openSoftwareServiceSession()
    const event = store.originator.announce('o-1', 'CONFIRMED', { merchant: { id: 'm' }, x: [1] })
    expect((await store.push(event)).status).toBe(204)
    const { eventId: _eventId, ...without } = event
    const answer = await store.push(without)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { code: 'INVALID_PAYLOAD' } })
  })

  const forbidden = [
    ['ORD-EVT-06', 'PICKUP_ONGOING'],
    ['ORD-EVT-07', 'RIDER_ARRIVED_AT_STORE'],
    ['ORD-EVT-08', 'DISPATCHED'],
    ['ORD-EVT-09', 'ORDER_COLLECTED'],
    ['ORD-EVT-10', 'DELIVERY_ONGOING'],
    ['ORD-EVT-11', 'ARRIVED_AT_CUSTOMER'],
  ] as const

  test.each(forbidden)(
    '[ORD-EVR-07, %s] %s is rejected with 422 and the error body for TAKEOUT and INDOOR, and accepted for DELIVERY',
    async (_clause, eventType) => {
      await using store = await openSoftwareServiceSession()
      for (const profile of profiles) await known(store, minimalOrder(`o-${profile}`, profile))
      for (const profile of ['TAKEOUT', 'INDOOR'] as const) {
        const event = { ...store.originator.announce(`o-${profile}`, eventType, { lost: true }) }
        // However often it is sent.
        for (let time = 0; time < 2; time++) {
          const answer = await store.push(event)
          expect(answer.status).toBe(422)
          expect(answer.json).toEqual({
            error: {
              code: 'EVENT_NOT_ALLOWED',
              message: `${eventType} is forbidden for the profile of order o-${profile}`,
              retryable: false,
            },
          })
        }
      }
      const taken = store.originator.announce('o-DELIVERY', eventType, { lost: true })
      expect((await store.push(taken)).status).toBe(204)
    },
  )

  test('[ORD-EVR-07] a forbidden event from a poll is acknowledged, recorded and ignored, and still rejected on the webhook', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    await known(store, minimalOrder('o-1', 'TAKEOUT'), 'READY')
    const reads = originator.callsOf('order').length
    const event = originator.announce('o-1', 'DISPATCHED')
    await store.pass(1100)
    expect(originator.pending).toEqual([])
    expect(store.facts('ticket.event-forbidden')).toMatchObject([
      { orderId: 'o-1', eventType: 'DISPATCHED', channel: 'polling' },
    ])
    expect(originator.callsOf('order')).toHaveLength(reads)
    expect((await store.push(event)).status).toBe(422)
  })
})

describe('events are notifications only', () => {
  test('[ORD-EVR-06] it is recovered even if the last event was an informational one', async () => {
    for (const type of ['PREPARATION_REQUESTED', 'SOMETHING_NEW']) {
      await using store = await openSoftwareServiceSession({ originator: { moves: false } })
      const { originator } = store
      originator.script('confirm', () => {
        originator.announce('o-1', type)
        originator.change('o-1', { status: 'CONFIRMED', lastEvent: 'CREATED' })
        return { status: 202 }
      })
      await known(store)
      await store.pass(4000 + aReconciliation + 5000)
      expect(commandsAbout(store, 'o-1')).toEqual(['confirm', 'preparing'])
    }
  })

  test('[ORD-EVR-06] an order whose CREATED was lost is found by its next event', async () => {
    await using store = await openSoftwareServiceSession()
    store.originator.script('poll', () => ({ status: 204 }))
    await store.pass(2000)
    store.originator.place(minimalOrder('o-1'))
    const event = store.originator.announce('o-1', 'PREPARATION_REQUESTED', { lost: true })
    await store.push(event)
    await store.pass(5000)
    expect(store.originator.callNames('o-1').slice(0, 2)).toEqual(['order', 'confirm'])
  })

  test('[ORD-EVR-06, ORD-RUL-02] a requested step that never shows is requested again after a while, and not before', async () => {
    await using store = await openSoftwareServiceSession({ originator: { moves: false } })
    await known(store)
    await store.pass(25_000)
    expect(commandsAbout(store, 'o-1')).toEqual(['confirm'])
    await store.pass(15_000)
    expect(commandsAbout(store, 'o-1')).toEqual(['confirm', 'confirm'])
  })

  test('[ORD-EVR-01] a confirmation whose answer was lost is not made again once GET shows CONFIRMED', async () => {
    await using store = await openSoftwareServiceSession({ originator: { moves: false } })
    const { originator } = store
    originator.script('confirm', ({ orderId }) => {
      originator.change(orderId, { status: 'CONFIRMED' })
      return { status: 503 }
    })
    await known(store)
    await store.pass(2000)
    const { length } = originator.callsOf('confirm')
    originator.announce('o-1', 'CONFIRMED')
    await store.pass(aStep)
    expect(commandsAbout(store, 'o-1')).toContain('preparing')
    expect(originator.callsOf('confirm')).toHaveLength(length)
  })
})

describe('cancelling', () => {
  test('[ORD-CAN-02, ORD-CAN-03] CANCELLED stops all work at once, even while the order cannot be read, and without a question', async () => {
    await using store = await openSoftwareServiceSession({ originator: { moves: false } })
    const { originator } = store
    await known(store)
    originator.change('o-1', { status: 'CANCELLED' })
    originator.script('order', () => ({ status: 500 }))
    const cancelled = originator.announce('o-1', 'CANCELLED', { lost: true })
    expect((await store.push(cancelled)).status).toBe(204)
    await store.pass(60_000)
    originator.script('order')
    await store.session.settle()
    expect(commandsAbout(store, 'o-1')).toEqual([])
    expect(originator.callsOf('nothing')).toEqual([])
    expect(originator.callNames('o-1').at(-1)).toBe('order')
  })

  test.each([200, 500])(
    '[ORD-CAN-02] a confirmation that failed is not made again after CANCELLED, while reads are answered %d',
    async (status) => {
      await using store = await openSoftwareServiceSession({ originator: { moves: false } })
      const { originator } = store
      originator.script('confirm', () => ({ status: 503 }))
      await known(store)
      await store.pass(3000)
      const { length } = originator.callsOf('confirm')
      expect(length).toBeGreaterThan(0)
      originator.change('o-1', { status: 'CANCELLED' })
      if (status === 500) originator.script('order', () => ({ status }))
      await store.push(originator.announce('o-1', 'CANCELLED', { lost: true }))
      await store.pass(60_000)
      expect(originator.callsOf('confirm')).toHaveLength(length)
    },
  )

  test('[ORD-OPS-10, ORD-BOD-01, ORD-BOD-02, ORD-BOD-03] requestCancellation has reason, code and mode as given', async () => {
    for (const mode of ['AUTO', 'MANUAL'] as const) {
      await using store = await openSoftwareServiceSession({ originator: { moves: false } })
      await known(store)
      const request = { reason: 'sem entregador', code: 'DELIVERY_PROBLEM', mode }
      await store.session.submit({ kind: 'ticket.cancel', orderId: 'o-1', request })
      await store.pass(0)
      expect(store.originator.callsOf('cancellation').map(({ json }) => json)).toEqual([request])
      expect(store.originator.callsOf('cancellation')[0]?.path).toBe(
        '/orders/o-1/requestCancellation',
      )
    }
  })

  test.each([
    ['by its event', false],
    ['by lastEvent alone, its event being lost', true],
  ])(
    '[ORD-TEN-01, ORD-CAN-04, ORD-EVR-06] a denial, received %s, lets the order go on',
    async (_how, lost) => {
      await using store = await openSoftwareServiceSession({ originator: { moves: true } })
      const { originator } = store
      await known(store)
      await store.session.submit({
        kind: 'ticket.cancel',
        orderId: 'o-1',
        request: { code: 'UNAVAILABLE_ITEM' },
      })
      await store.pass(aStep)
      expect(commandsAbout(store, 'o-1')).toEqual(['cancellation'])
      originator.announce('o-1', 'CANCELLATION_REQUEST_DENIED', lost ? { lost: true } : {})
      if (!lost) originator.change('o-1', { lastEvent: 'CREATED' })
      await store.pass(lost ? 40_000 : 5000)
      expect(commandsAbout(store, 'o-1').slice(0, 2)).toEqual(['cancellation', 'confirm'])
      await store.session.settle()
      expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
    },
  )

  test('[ORD-TEN-01] a request refused with an error is a denial too, and is not repeated', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    originator.script('cancellation', () => ({ status: 409 }))
    await known(store)
    await store.session.submit({ kind: 'ticket.cancel', orderId: 'o-1', request: {} })
    await store.session.settle()
    expect(commandsAbout(store, 'o-1').slice(0, 2)).toEqual(['cancellation', 'confirm'])
    expect(originator.callsOf('cancellation')).toHaveLength(1)
    expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
  })

  test('a pending request is not repeated', async () => {
    await using store = await openSoftwareServiceSession({ originator: { moves: false } })
    await known(store)
    const cancel = { kind: 'ticket.cancel', orderId: 'o-1', request: {} } as const
    await store.session.submit(cancel)
    await store.session.submit(cancel)
    await store.pass(1000)
    expect(store.originator.callsOf('cancellation')).toHaveLength(1)
  })
})

describe('cancelling an item', () => {
  test('[ORD-OPS-11, ORD-BOD-04, ORD-BOD-05] a line is cancelled whole or in part, with reason, code and mode', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    await known(store, minimalOrder('o-1'), 'CONFIRMED')
    const said = { reason: 'caiu', code: 'UNAVAILABLE_ITEM', mode: 'MANUAL' } as const
    const submit = (itemId: string, cancellation: ItemCancellation) =>
      store.session.submit({ kind: 'ticket.cancel-item', orderId: 'o-1', itemId, cancellation })
    await submit('x-burger', { ...said, quantity: 1 })
    await store.pass(1200)
    await submit('suco', said)
    await store.pass(0)
    expect(originator.callsOf('item-cancel').map(({ path, json }) => [path, json])).toEqual([
      ['/orders/o-1/items/x-burger/cancel', { ...said, quantity: 1 }],
      ['/orders/o-1/items/suco/cancel', said],
    ])
    expect(originator.orders.get('o-1')?.items.map(({ status }) => status)).toEqual([
      'PARTIALLY_CANCELLED',
      'CANCELLED',
    ])
  })

  test('[ORD-OPS-11, DIS-ORD-04] it cancels no item where the other side does not declare that, or declares that it is unsupported', async () => {
    const cancel = {
      kind: 'ticket.cancel-item',
      orderId: 'o-1',
      itemId: 'suco',
      cancellation: {},
    } as const
    const withheld = { conduct: { withheldOperations: ['partialItemCancellation' as const] } }
    for (const options of [{}, withheld]) {
      await using store = await openSoftwareServiceSession(options)
      const manifest = store.originator.manifest()
      if (options === withheld) store.originator.script('manifest')
      else
        store.originator.script('manifest', () => ({
          status: 200,
          body: {
            ...manifest,
            capabilities: [{ name: 'orders', role: 'ORIGINATOR', operations: [] }],
          },
        }))
      await known(store, minimalOrder('o-1'), 'CONFIRMED')
      expect(await store.session.submit(cancel)).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('partialItemCancellation') },
      })
      await store.pass(1000)
      expect(store.originator.callsOf('item-cancel')).toEqual([])
    }
  })
})

describe('an unavailable item', () => {
  const preferences = ['REMOVE_ITEM', 'CANCEL_ORDER', undefined] as const

  /** Sixty orders at a store with occasional unavailable items; what it did about each, and when. */
  async function shortages(declared: 'both' | 'they do not' | 'we do not', itemCancel = 202) {
    const store = await openSoftwareServiceSession({
      counterparts: { 'software-service': { behaviour: 'forgetful' } },
      conduct: declared === 'we do not' ? { withheldOperations: ['partialItemCancellation'] } : {},
    })
    const { originator } = store
    if (declared === 'they do not')
      originator.script('manifest', () => ({
        status: 200,
        body: JSON.parse(
          JSON.stringify(originator.manifest()).replace(',"partialItemCancellation"', ''),
        ),
      }))
    const asked: {
      orderId: string
      name: string
      status: string
      body: Record<string, unknown>
    }[] = []
    for (const name of ['cancellation', 'item-cancel'] as const)
      originator.script(name, ({ orderId, json }) => {
        const { status = '' } = originator.orders.get(orderId) ?? {}
        asked.push({ orderId, name, status, body: json })
        if (name === 'item-cancel') return itemCancel === 202 ? undefined : { status: itemCancel }
        originator.change(orderId, { status: 'CANCELLED' })
        originator.announce(orderId, 'CANCELLED')
        return { status: 202 }
      })
    for (let number = 0; number < 60; number++) {
      const preference = preferences[number % 3]
      const more = preference ? { unavailabilityPreference: preference } : {}
      const order = minimalOrder(`${preference ?? 'silent'}-${number}`, 'TAKEOUT', more)
      // A line that is not cancelled may have that status, or none.
      if (number % 2 === 0) for (const item of order.items) item.status = 'ACTIVE'
      originator.place(order)
    }
    await store.session.settle()
    await store.session.close()
    const statuses = [...originator.orders.values()].map(({ status }) => status)
    return { asked, statuses }
  }

  test('[ORD-ITM-05, ORD-FLD-10, ORD-TEN-01, ORD-UND-11] before confirmation it requests to cancel the whole order, with UNAVAILABLE_ITEM and the items; no preference means CANCEL_ORDER', async () => {
    const { asked, statuses } = await shortages('both')
    const whole = asked.filter(({ name }) => name === 'cancellation')
    expect(whole.some(({ orderId }) => orderId.startsWith('silent'))).toBe(true)
    expect(whole.every(({ orderId }) => !orderId.startsWith('REMOVE_ITEM'))).toBe(true)
    for (const { status, body } of whole) {
      expect(status).toBe('CREATED')
      expect(body).toMatchObject({ code: 'UNAVAILABLE_ITEM', mode: 'AUTO' })
      expect(['x-burger', 'suco']).toContain((body['outOfStockItems'] as string[])[0])
    }
    expect(new Set(statuses)).toEqual(new Set(['DELIVERED', 'CANCELLED']))
  })

  test('[ORD-ITM-05, ORD-ITM-06] REMOVE_ITEM is honoured where both sides declare partial cancellation: once, after confirmation', async () => {
    const { asked } = await shortages('both')
    const items = asked.filter(({ name }) => name === 'item-cancel')
    expect(items.length).toBeGreaterThan(0)
    expect(items.every(({ orderId }) => orderId.startsWith('REMOVE_ITEM'))).toBe(true)
    expect(items.every(({ status }) => status === 'CONFIRMED')).toBe(true)
    expect(new Set(items.map(({ orderId }) => orderId)).size).toBe(items.length)
    const parities = items.map(({ orderId }) => Number(orderId.split('-')[1]) % 2)
    expect(new Set(parities)).toEqual(new Set([0, 1]))
  })

  test('a refused item cancel is not requested again, and the order goes on', async () => {
    const { asked, statuses } = await shortages('both', 422)
    const items = asked.filter(({ name }) => name === 'item-cancel')
    expect(items.length).toBeGreaterThan(0)
    expect(new Set(items.map(({ orderId }) => orderId)).size).toBe(items.length)
    expect(new Set(statuses)).toEqual(new Set(['DELIVERED', 'CANCELLED']))
  })

  test('a slow item cancel is not requested again at every event of the order', async () => {
    await using store = await openSoftwareServiceSession({
      counterparts: { 'software-service': { behaviour: 'forgetful' } },
    })
    const { originator } = store
    originator.script('item-cancel', ({ orderId }) => {
      originator.announce(orderId, 'CONFIRMED')
      return { status: 202 }
    })
    for (let number = 0; number < 40; number++)
      originator.place(
        minimalOrder(`o-${number}`, 'TAKEOUT', { unavailabilityPreference: 'REMOVE_ITEM' }),
      )
    await store.pass(12_000)
    const ids = originator.callsOf('item-cancel').map(({ orderId }) => orderId)
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(['they do not', 'we do not'] as const)(
    '[ORD-ITM-06, ORD-OPS-11] where %s declare it, the order is cancelled whatever the customer prefers',
    async (declared) => {
      const { asked } = await shortages(declared)
      expect(asked.filter(({ name }) => name === 'item-cancel')).toEqual([])
      expect(asked.some(({ orderId }) => orderId.startsWith('REMOVE_ITEM'))).toBe(true)
    },
  )

  test('[ORD-ITM-06] partial cancellation may be declared in the block of the originator alone', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    originator.script('manifest', () => ({
      status: 200,
      body: {
        ...originator.manifest(),
        capabilities: {
          orders: {
            version: 'v2',
            supported: true,
            originator: {
              supported: true,
              supportedOperations: ['partialItemCancellation'],
              unsupportedOperations: [],
              supportsWebhook: true,
              supportsPolling: true,
            },
          },
        },
      },
    }))
    await known(store, minimalOrder('o-1'), 'CONFIRMED')
    const command = { kind: 'ticket.cancel-item', orderId: 'o-1', itemId: 'suco' } as const
    expect(await store.session.submit({ ...command, cancellation: {} })).toMatchObject({ ok: true })
  })
})

describe('channels', () => {
  const block =
    (supportsPolling: boolean, supportsWebhook: boolean) => (store: SoftwareServiceSession) =>
      store.originator.script('manifest', () => ({
        status: 200,
        body: {
          ...store.originator.manifest(),
          capabilities: [
            {
              name: 'orders',
              role: 'ORIGINATOR',
              operations: [],
              originator: { supported: true, supportsPolling, supportsWebhook },
            },
          ],
        },
      }))

  test('[ORD-CHN-01] it polls only where the other side declares polling', async () => {
    await using store = await openSoftwareServiceSession()
    block(false, true)(store)
    await store.pass(30_000)
    expect(store.originator.callsOf('manifest')).toHaveLength(1)
    expect(store.originator.callsOf('poll')).toEqual([])
  })

  test('[ORD-CHN-01] it polls only where it declares polling itself', async () => {
    await using store = await openSoftwareServiceSession({
      counterparts: { 'ordering-application': { channel: 'webhook' } },
    })
    await store.pass(30_000)
    expect(store.originator.callsOf('manifest')).toHaveLength(1)
    expect(store.originator.callsOf('poll')).toEqual([])
  })

  test('[ORD-CHN-01] a manifest without Orders starts no polling', async () => {
    await using store = await openSoftwareServiceSession()
    store.originator.script('manifest', () => ({
      status: 200,
      body: { ...store.originator.manifest(), capabilities: [] },
    }))
    await store.pass(30_000)
    expect(store.originator.callsOf('poll')).toEqual([])
  })

  test('[ORD-CHN-02] it serves its webhook and calls for polls; it serves no polling, and no webhook unless declared', async () => {
    await using store = await openSoftwareServiceSession({
      counterparts: { 'ordering-application': { channel: 'polling' } },
    })
    const event = store.originator.announce('o-1', 'CONFIRMED')
    expect((await store.push(event)).status).toBe(404)
    expect((await store.send('GET', '/events:polling')).status).toBe(404)
    expect((await store.post('/events/acknowledgment')).status).toBe(404)
  })
})
