/** Account events, orders assigned to accounts, fiscal documents: the host's side beyond its calls. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseManifest } from '../protocol/discovery/parse-manifest.ts'
import { accountEventTypes } from '../protocol/indoor/events.ts'
import { ok } from '../protocol/result.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import {
  accountQuery,
  documentIssueMs,
  openIndoorWire,
  storePollMs,
} from '../../../test/support/indoor-wire.ts'

const cash = (amount: number) => ({ amount, methodInfo: { method: 'CASH' } })
const seven = accountQuery('7')

describe('assigning orders to accounts', () => {
  test('[IND-GEN-07, IND-TRA-01, IND-EVT-01] the first order of a key opens its account: IN_USE, one ACCOUNT_OPENED', async () => {
    await using wire = await openIndoorWire()
    expect((await wire.send('GET', `/accounts?${seven}`)).status).toBe(404)
    const orderId = await wire.order()
    expect(await wire.read()).toMatchObject({
      status: 'IN_USE',
      openedAt: expect.any(String),
      orders: [{ orderId, originChannel: 'QR_CODE' }],
      items: [
        { name: 'x-burger', quantity: 2, unitPrice: 10, totalPrice: 20, status: 'ACTIVE' },
        { name: 'suco', quantity: 2, unitPrice: 10, totalPrice: 20, status: 'ACTIVE' },
      ],
    })
    await wire.pass(600_000)
    expect(wire.types()).toEqual(['ACCOUNT_OPENED'])
    expect(wire.accountEvents[0]?.event).toMatchObject({ orderId })
  })

  test('orders of other profiles open no account', async () => {
    await using wire = await openIndoorWire()
    wire.originator.place(minimalOrder('delivery'))
    wire.originator.place(minimalOrder('takeout', 'TAKEOUT'))
    await wire.session.settle()
    const { entityCount } = await wire.session.look({ entities: { kind: 'account', limit: 9 } })
    expect(entityCount).toBe(0)
    expect(wire.accountEvents).toEqual([])
  })

  test('[IND-PRM-01, IND-UND-06, IND-TRA-02] a locked account accepts no new order: its cancellation is requested, and no second account opens', async () => {
    await using wire = await openIndoorWire()
    const { accountId } = await wire.account('IN_PAYMENT')
    const orderId = await wire.order({ id: 'late' })
    await wire.pass(storePollMs)
    expect(wire.originator.callsOf('cancellation', orderId).map(({ json }) => json)).toEqual([
      {
        reason: expect.any(String),
        code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
        mode: 'AUTO',
      },
    ])
    await wire.pass(60_000)
    const account = await wire.read()
    expect(account).toMatchObject({ accountId, status: 'IN_PAYMENT', orders: [{}] })
    expect(account.items).toHaveLength(2)
    expect(wire.types()).toEqual(['ACCOUNT_OPENED', 'ACCOUNT_PRE_CLOSED'])
    expect(wire.originator.callsOf('confirm', orderId)).toEqual([])
  })

  test('[IND-UND-06] if the request is denied the order goes on, and is added when the account is unlocked', async () => {
    await using wire = await openIndoorWire()
    await wire.account('IN_PAYMENT')
    const orderId = await wire.order({ id: 'late' })
    await wire.pass(500)
    wire.originator.announce(orderId, 'CANCELLATION_REQUEST_DENIED')
    await wire.post(`/accounts/unlock?${seven}`)
    await wire.pass(30_000)
    expect(wire.originator.callsOf('cancellation', orderId)).toHaveLength(1)
    expect(wire.originator.callsOf('confirm', orderId)).toHaveLength(1)
    expect((await wire.read()).orders.map((order) => order.orderId)).toContain(orderId)
  })

  test('[IND-UND-06] such an order is only left out when configured', async () => {
    await using wire = await openIndoorWire({ conduct: { indoor: { lockedOrder: 'ignore' } } })
    await wire.account('IN_PAYMENT')
    const orderId = await wire.order({ id: 'late' })
    await wire.pass(60_000)
    expect(wire.originator.callsOf('cancellation', orderId)).toEqual([])
    expect((await wire.read()).orders).toHaveLength(1)
  })

  test('an order cancelled before it was read opens no account', async () => {
    await using wire = await openIndoorWire()
    const order = minimalOrder('gone', 'INDOOR')
    wire.originator.place(order)
    order.status = 'CANCELLED'
    await wire.pass(storePollMs)
    expect((await wire.send('GET', `/accounts?${accountQuery('12')}`)).status).toBe(404)
  })

  test('[IND-GEN-02] without active Orders on the other side there is no Indoor either', async () => {
    await using wire = await openIndoorWire({
      declares: { orders: false },
      counterparts: { 'ordering-application': { channel: 'both' } },
    })
    // It sends a webhook nevertheless, and the order is read.
    wire.originator.place(minimalOrder('o-1', 'INDOOR'))
    const event = wire.originator.announce('o-1', 'CREATED', { lost: true })
    expect((await wire.post('/webhooks/orders', event)).status).toBe(204)
    await wire.pass(60_000)
    expect(wire.originator.callsOf('order', 'o-1').length).toBeGreaterThan(0)
    expect((await wire.send('GET', `/accounts?${accountQuery('12')}`)).status).toBe(404)
    expect(wire.accountEvents).toEqual([])
  })
})

describe('cancellations in Orders', () => {
  test('[IND-TEN-04, IND-RUL-08] an item cancelled in Orders is cancelled in its account, and never the other way', async () => {
    await using wire = await openIndoorWire()
    const orderId = await wire.order()
    const cancelled = (quantity: number) =>
      wire.originator.change(orderId, {
        items: wire.originator.orders.get(orderId)!.items.map((item) =>
          item.id === 'suco'
            ? {
                ...item,
                quantityCancelled: quantity,
                status: quantity === 2 ? 'CANCELLED' : 'PARTIALLY_CANCELLED',
              }
            : item,
        ),
      })
    cancelled(1)
    wire.originator.announce(orderId, 'ITEM_CANCELLED')
    await wire.pass(storePollMs)
    expect((await wire.read()).items).toMatchObject([{ quantity: 2 }, { quantity: 1 }])
    expect((await wire.read()).totals.due).toBe(30)
    cancelled(2)
    wire.originator.announce(orderId, 'ITEM_CANCELLED')
    await wire.pass(storePollMs)
    expect((await wire.read()).items).toMatchObject([{ status: 'ACTIVE' }, { status: 'CANCELLED' }])
    expect((await wire.read()).totals.due).toBe(20)
    expect(wire.types()).toEqual([
      'ACCOUNT_OPENED',
      'ACCOUNT_ITEM_CANCELLED',
      'ACCOUNT_ITEM_CANCELLED',
    ])
    const { items } = await wire.read()
    await wire.post(`/accounts/items/${items[0]!.itemId}/cancel?${seven}`)
    await wire.pass(60_000)
    expect(wire.originator.callsOf('item-cancel')).toEqual([])
  })

  test('[IND-TEN-04] item cancellations are not mirrored when configured', async () => {
    await using wire = await openIndoorWire({ conduct: { indoor: { mirrorItemCancel: false } } })
    const orderId = await wire.order()
    const [first, second] = wire.originator.orders.get(orderId)!.items
    wire.originator.change(orderId, { items: [first!, { ...second!, status: 'CANCELLED' }] })
    wire.originator.announce(orderId, 'ITEM_CANCELLED')
    await wire.pass(storePollMs)
    expect((await wire.read()).totals.due).toBe(40)
  })

  test('a cancelled order removes its items and charges; the account stays', async () => {
    await using wire = await openIndoorWire()
    const money = (value: number) => ({ value, currency: 'BRL' })
    const total = {
      itemsPrice: money(40),
      otherFees: money(4),
      discount: money(0),
      orderAmount: money(44),
    }
    await wire.order({ id: 'stays' })
    const orderId = await wire.order({ id: 'goes', more: { total } })
    expect((await wire.read()).totals.due).toBe(84)
    wire.originator.change(orderId, { status: 'CANCELLED' })
    wire.originator.announce(orderId, 'CANCELLED')
    await wire.pass(storePollMs)
    const account = await wire.read()
    expect(account.totals).toMatchObject({ due: 40, serviceCharge: { amount: 0 } })
    expect(account.items.map(({ status }) => status)).toEqual([
      'ACTIVE',
      'ACTIVE',
      'CANCELLED',
      'CANCELLED',
    ])
    expect(account.status).toBe('IN_USE')
  })

  test('[IND-PRM-02] a locked account keeps its items until it is unlocked', async () => {
    await using wire = await openIndoorWire()
    wire.originator.script('confirm', () => ({ status: 202 }))
    const orderId = await wire.order()
    await wire.post(`/accounts/pre-close?${seven}`)
    wire.originator.change(orderId, { status: 'CANCELLED' })
    wire.originator.announce(orderId, 'CANCELLED')
    await wire.pass(storePollMs)
    expect((await wire.read()).totals.due).toBe(40)
    await wire.post(`/accounts/unlock?${seven}`)
    await wire.pass(0)
    expect((await wire.read()).totals.due).toBe(0)
  })

  test('[IND-RUL-03] a closed account keeps its items for good', async () => {
    await using wire = await openIndoorWire()
    const before = await wire.account('CLOSED')
    const [orderId] = [...wire.originator.orders.keys()]
    wire.originator.change(orderId!, { status: 'CANCELLED' })
    wire.originator.announce(orderId!, 'CANCELLED')
    await wire.pass(60_000)
    expect(await wire.read()).toEqual(before)
  })

  test('an item transferred to another table is cancelled there', async () => {
    await using wire = await openIndoorWire()
    const orderId = await wire.order()
    const { items } = await wire.read()
    await wire.order({ identifier: '8' })
    const { accountId: targetAccountId } = await wire.read('8')
    await wire.post(`/accounts/transfers?${seven}`, {
      targetAccountId,
      items: [{ itemId: items[1]!.itemId, quantity: 1 }],
    })
    wire.originator.change(orderId, { status: 'CANCELLED' })
    wire.originator.announce(orderId, 'CANCELLED')
    await wire.pass(storePollMs)
    expect((await wire.read('7')).totals.due).toBe(0)
    expect((await wire.read('8')).totals.due).toBe(40)
  })
})

describe('account events', () => {
  test('[IND-GEN-03, IND-EVR-01, IND-EVR-02, IND-EVT-04, IND-EVT-05, IND-EVT-07, IND-EVT-08, IND-EVT-11] every transition is sent, by webhook only, with the resulting status', async () => {
    await using wire = await openIndoorWire({
      counterparts: { 'ordering-application': { channel: 'both' } },
    })
    await wire.order()
    const { items } = await wire.read()
    const statuses: string[] = []
    const step = async (path: string, body?: unknown) => {
      await wire.post(path, body)
      await wire.pass(0)
      statuses.push(`${wire.types().at(-1)} ${(await wire.read()).status}`)
    }
    await step(`/accounts/items/${items[0]!.itemId}/cancel?${seven}`)
    await step(`/accounts/payments?${seven}`, cash(5))
    await step(`/accounts/pre-close?${seven}`)
    await step(`/accounts/unlock?${seven}`)
    await step(`/accounts/pre-close?${seven}`)
    await step(`/accounts/payments?${seven}`, cash(15))
    await step(`/accounts/close?${seven}`)
    expect(statuses).toEqual([
      'ACCOUNT_ITEM_CANCELLED IN_USE',
      'PAYMENT_CREATED IN_USE',
      'ACCOUNT_PRE_CLOSED IN_PAYMENT',
      'ACCOUNT_UNLOCKED IN_USE',
      'ACCOUNT_PRE_CLOSED IN_PAYMENT',
      'PAYMENT_CREATED IN_PAYMENT',
      'ACCOUNT_CLOSED CLOSED',
    ])
    // No account event is an event of Orders: none is polled here, none was sent there.
    expect((await wire.send('GET', '/events:polling')).status).toBe(404)
    expect(wire.originator.calls.every(({ path }) => !path.includes('accounts'))).toBe(true)
    expect(new Set(wire.accountEvents.map(({ event }) => event.eventId)).size).toBe(
      wire.accountEvents.length,
    )
  })

  test('[IND-UND-05, IND-OPS-12] an event identifies its account and is sent with signature and token', async () => {
    await using wire = await openIndoorWire()
    const orderId = await wire.order()
    const { accountId } = await wire.read()
    const { json } = await wire.post(`/accounts/payments?${seven}`, cash(5))
    await wire.pass(0)
    const [opened, paid] = wire.accountEvents
    expect(opened?.event).toMatchObject({
      eventId: expect.any(String),
      eventType: 'ACCOUNT_OPENED',
      occurredAt: expect.stringMatching(/Z$/),
      accountId,
      operationMode: 'TABLE',
      identifier: '7',
      orderId,
      payload: { items: [{}, {}] },
    })
    expect(paid?.event).toMatchObject({
      paymentId: (json as { paymentId: string }).paymentId,
      payload: { amount: 5, method: 'CASH' },
    })
    const { headers, text } = opened!
    expect(headers['authorization']).toMatch(/^Bearer /)
    expect(headers['x-app-merchantid']).toBe('loja-1')
    expect(headers['x-app-signature']).toBe(
      createHmac('sha256', 'secret').update(text).digest('hex'),
    )
  })

  test('[IND-UND-05] the place of the details is configurable', async () => {
    await using wire = await openIndoorWire({ conduct: { indoor: { eventDetails: 'data' } } })
    await wire.order()
    expect(wire.accountEvents[0]?.event).toMatchObject({ data: { items: [{}, {}] } })
  })

  test('[IND-OPS-12] any 2xx accepts an event; any other answer causes a retry of the same bytes, by the plan', async () => {
    await using wire = await openIndoorWire()
    wire.answerEvents(500)
    await wire.order()
    wire.answerEvents(200)
    await wire.pass(10_000)
    const tries = wire.accountEvents.map(({ text }) => text)
    expect(tries.length).toBeGreaterThan(1)
    expect(new Set(tries).size).toBe(1)
    const before = wire.accountEvents.length
    await wire.pass(600_000)
    expect(wire.accountEvents).toHaveLength(before)
  })

  test('[IND-EVR-03, IND-EVR-04] events can be dropped, repeated and reordered; the account’s lastEvent is the latest', async () => {
    await using wire = await openIndoorWire()
    await wire.order()
    const pushes = async () =>
      (await wire.session.look({ agenda: { limit: 50 } })).agenda.filter(
        ({ kind, text }) => kind === 'event.push' && !text.includes('ACCOUNT_OPENED'),
      )
    await wire.post(`/accounts/pre-close?${seven}`)
    await wire.post(`/accounts/payments?${seven}`, cash(1))
    await wire.post(`/accounts/payments?${seven}`, cash(2))
    const [locked, first, second] = await pushes()
    await wire.session.submit({ kind: 'agenda.drop', id: locked!.id })
    await wire.session.submit({ kind: 'agenda.move', id: second!.id, to: 'earlier' })
    await wire.session.submit({ kind: 'agenda.duplicate', id: first!.id })
    await wire.pass(0)
    const sentEvents = wire.accountEvents
      .slice(1)
      .map(({ event }) => (event['payload'] as { amount: number }).amount)
    expect(sentEvents).toEqual([2, 1, 1])
    const [, , again, once] = wire.accountEvents
    expect(once?.event).toEqual(again?.event)
    expect((await wire.read()).lastEvent).toBe('PAYMENT_CREATED')
    expect(wire.types()).not.toContain('ACCOUNT_PRE_CLOSED')
  })

  test('[IND-EVR-03] a hostile house repeats its events and sends them out of order', async () => {
    await using wire = await openIndoorWire({
      counterparts: { 'software-service': { temperament: 'hostile' } },
    })
    let repeated = 0
    let crossed = 0
    for (let table = 1; table <= 30; table++) {
      await wire.order({ identifier: `${table}` })
      await wire.post(`/accounts/pre-close?${accountQuery(`${table}`)}`)
      await wire.pass(6000)
      const { accountId } = await wire.read(`${table}`)
      const types = wire.types(accountId)
      const ids = wire.accountEvents
        .filter(({ event }) => event.accountId === accountId)
        .map(({ event }) => event.eventId)
      if (new Set(ids).size < ids.length) repeated++
      if (types.indexOf('ACCOUNT_PRE_CLOSED') < types.indexOf('ACCOUNT_OPENED')) crossed++
    }
    expect(repeated).toBeGreaterThan(3)
    expect(crossed).toBeGreaterThan(3)
  })

  test('[IND-EVT-03, IND-EVT-08, IND-TEN-05] optional events can be left out: then none is sent, and lastEvent is unchanged', async () => {
    await using wire = await openIndoorWire({
      conduct: {
        indoor: { omittedEvents: ['ACCOUNT_ITEM_REMOVED', 'ACCOUNT_UNLOCKED', 'PAYMENT_UPDATED'] },
      },
    })
    const { items } = await wire.account()
    const { accountId: targetAccountId } = await wire.account('IN_USE', '8')
    await wire.post(`/accounts/transfers?${seven}`, {
      targetAccountId,
      itemIds: [items[0]!.itemId],
    })
    expect((await wire.read()).lastEvent).toBe('ACCOUNT_OPENED')
    await wire.post(`/accounts/pre-close?${seven}`)
    await wire.post(`/accounts/unlock?${seven}`)
    expect(await wire.read()).toMatchObject({
      status: 'IN_USE',
      lastEvent: 'ACCOUNT_PRE_CLOSED',
    })
    await wire.pass(0)
    expect(new Set(wire.types())).toEqual(
      new Set(['ACCOUNT_OPENED', 'ACCOUNT_ITEM_ADDED', 'ACCOUNT_PRE_CLOSED']),
    )
  })

  test('no event is sent to a receiver that does not declare Indoor', async () => {
    await using wire = await openIndoorWire({ declares: { indoor: false } })
    await wire.account('CLOSED')
    await wire.pass(60_000)
    expect(wire.accountEvents).toEqual([])
    expect((await wire.read()).lastEvent).toBe('ACCOUNT_CLOSED')
  })

  test('a session without Indoor has no accounts, no operations, no declaration', async () => {
    await using wire = await openIndoorWire({
      capabilities: { indoor: false, logistics: false, customer: false },
    })
    await wire.order()
    expect((await wire.send('GET', `/accounts?${seven}`)).code).toBe('NOT_FOUND')
    const { json } = await wire.send('GET', '/.well-known/protocol')
    expect(JSON.stringify(json)).not.toContain('indoor')
    expect(wire.accountEvents).toEqual([])
  })
})

describe('fiscal documents', () => {
  test('[IND-OPS-10, IND-OPS-11, IND-RUL-06, IND-EVT-09] a request gets a receipt; the document follows later with FISCAL_ISSUED, and is listed', async () => {
    await using wire = await openIndoorWire()
    const { accountId } = await wire.account()
    const asked = await wire.post(`/accounts/fiscal?${seven}`, { printDocument: true })
    expect(asked).toMatchObject({ status: 202, json: { status: 'ACCEPTED' } })
    await wire.pass(0)
    expect(wire.types(accountId)).toEqual(['ACCOUNT_OPENED'])
    expect(await wire.documents()).toEqual([
      { documentId: expect.any(String), documentStatus: 'PENDING' },
    ])
    await wire.pass(documentIssueMs)
    const [document] = await wire.documents()
    expect(document).toMatchObject({
      documentStatus: 'ISSUED',
      documentKey: expect.stringMatching(/^\d{44}$/),
      statusCode: '100',
    })
    expect(wire.accountEvents.at(-1)?.event).toMatchObject({
      eventType: 'FISCAL_ISSUED',
      documentId: document!.documentId,
    })
    expect(await wire.read()).toMatchObject({
      status: 'IN_USE',
      fiscal: { documentIssued: true, documentId: document!.documentId },
    })
  })

  test('[IND-EVT-10, IND-RUL-07] a failed issuance is reported and does not prevent closing', async () => {
    await using wire = await openIndoorWire({ conduct: { indoor: { fiscalOutcome: 'error' } } })
    const { accountId } = await wire.account('IN_PAYMENT')
    await wire.post(`/accounts/fiscal?${seven}`)
    await wire.pass(documentIssueMs)
    expect(wire.accountEvents.at(-1)?.event).toMatchObject({
      eventType: 'FISCAL_ERROR',
      documentId: expect.any(String),
      payload: { statusCode: '999', statusReason: expect.any(String) },
    })
    expect(await wire.documents()).toMatchObject([{ documentStatus: 'ERROR' }])
    expect((await wire.read()).status).toBe('IN_PAYMENT')
    await wire.post(`/accounts/payments?${seven}`, cash(40))
    expect((await wire.post(`/accounts/close?${seven}`)).status).toBe(202)
    // Another request creates another document.
    await wire.post(`/accounts/${accountId}/fiscal`)
    expect(await wire.documents()).toHaveLength(2)
  })

  test('[IND-RUL-07, IND-TEN-03] closing does not wait for a document, which is issued all the same', async () => {
    await using wire = await openIndoorWire({ conduct: { indoor: { fiscalDelay: '1h' } } })
    const { accountId } = await wire.account('IN_PAYMENT')
    await wire.post(`/accounts/fiscal?${seven}`)
    await wire.post(`/accounts/payments?${seven}`, cash(40))
    expect((await wire.post(`/accounts/close?${seven}`)).status).toBe(202)
    await wire.pass(3_599_000)
    expect(wire.types(accountId)).not.toContain('FISCAL_ISSUED')
    await wire.pass(2000)
    expect(wire.types(accountId).at(-1)).toBe('FISCAL_ISSUED')
    expect(await wire.read()).toMatchObject({ status: 'CLOSED', lastEvent: 'FISCAL_ISSUED' })
  })

  test('repeated requests for a pending document count once; for an issued one the event is repeated', async () => {
    await using wire = await openIndoorWire()
    const { accountId } = await wire.account()
    for (let time = 0; time < 3; time++)
      expect((await wire.post(`/accounts/fiscal?${seven}`)).status).toBe(202)
    await wire.pass(documentIssueMs)
    expect(await wire.documents()).toHaveLength(1)
    await wire.post(`/accounts/fiscal?${seven}`)
    await wire.pass(documentIssueMs)
    expect(await wire.documents()).toHaveLength(1)
    expect(wire.types(accountId).filter((type) => type === 'FISCAL_ISSUED')).toHaveLength(2)
    // A request with another total is another document.
    await wire.order()
    await wire.post(`/accounts/fiscal?${seven}`)
    await wire.pass(documentIssueMs)
    expect(await wire.documents()).toHaveLength(2)
  })

  test('[IND-OPS-10] the receipt of every request has the id of its document, after the close too', async () => {
    await using wire = await openIndoorWire({
      conduct: { indoor: { invoiceIssueMoment: 'account_closing' } },
    })
    await wire.account('CLOSED')
    const receiptId = async (): Promise<unknown> =>
      ((await wire.post(`/accounts/fiscal?${seven}`)).json as { correlationId: string })
        .correlationId
    const pending = [await receiptId(), await receiptId()]
    await wire.pass(documentIssueMs)
    const [document] = await wire.documents()
    expect([...pending, await receiptId()]).toEqual(Array(3).fill(document!.documentId))
  })

  test.each([
    ['account_closing', 'when-due', 202],
    ['payment', 'when-due', 409],
    ['item_addition', 'when-due', 409],
    ['payment', 'always', 202],
    ['account_closing', 'never', 409],
  ] as const)(
    '[IND-TEN-03] invoices at %s, requested on a closed account %s: %i',
    async (invoiceIssueMoment, fiscalOnClosed, status) => {
      await using wire = await openIndoorWire({
        conduct: { indoor: { invoiceIssueMoment, fiscalOnClosed } },
      })
      await wire.account('CLOSED')
      expect((await wire.post(`/accounts/fiscal?${seven}`)).status).toBe(status)
      expect((await wire.send('GET', `/accounts/fiscal?${seven}`)).status).toBe(200)
    },
  )

  const wants = { fiscal: { shouldIssueDocument: true } }

  test.each([
    ['account_closing', ['CLOSED']],
    ['payment', ['PAYMENT']],
    ['item_addition', ['ADDED']],
  ] as const)(
    '[IND-FLD-14, DIS-IND-03] an order requests a document: the house issues it at %s',
    async (invoiceIssueMoment, when) => {
      await using wire = await openIndoorWire({ conduct: { indoor: { invoiceIssueMoment } } })
      const moments: string[] = []
      let count = 0
      const see = async (moment: string) => {
        await wire.pass(documentIssueMs)
        const now = wire.types().filter((type) => type === 'FISCAL_ISSUED').length
        if (now > count) moments.push(moment)
        count = now
      }
      await wire.order({ block: wants })
      await see('ADDED')
      await wire.post(`/accounts/pre-close?${seven}`)
      await see('LOCKED')
      await wire.post(`/accounts/payments?${seven}`, cash(40))
      await see('PAYMENT')
      await wire.post(`/accounts/close?${seven}`)
      await see('CLOSED')
      expect(moments).toEqual(when)
      expect(await wire.documents()).toHaveLength(1)
    },
  )

  test('[DIS-IND-02] the house issues none where no order requests one, or where another party issues', async () => {
    for (const [block, invoiceIssuer] of [
      [{}, 'pos'],
      [wants, 'app'],
    ] as const) {
      await using wire = await openIndoorWire({ conduct: { indoor: { invoiceIssuer } } })
      await wire.order({ block })
      await wire.post(`/accounts/pre-close?${seven}`)
      await wire.post(`/accounts/payments?${seven}`, cash(40))
      await wire.post(`/accounts/close?${seven}`)
      await wire.pass(60_000)
      expect(await wire.documents()).toEqual([])
    }
  })

  test('an operator issues a document or fails it at once', async () => {
    await using wire = await openIndoorWire({ conduct: { indoor: { fiscalDelay: '1h' } } })
    const { accountId = '' } = await wire.account()
    const conclude = (outcome: 'issued' | 'error') =>
      wire.session.submit({ kind: 'account.conclude-fiscal', accountId, outcome })
    expect(await conclude('issued')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
    await wire.post(`/accounts/fiscal?${seven}`)
    await conclude('error')
    expect(await wire.documents()).toMatchObject([{ documentStatus: 'ERROR' }])
    await wire.post(`/accounts/fiscal?${seven}`)
    await conclude('issued')
    expect(await wire.documents()).toMatchObject([{}, { documentStatus: 'ISSUED' }])
    // The planned issuance finds it done.
    await wire.pass(3_700_000)
    expect(wire.types().filter((type) => type.startsWith('FISCAL'))).toEqual([
      'FISCAL_ERROR',
      'FISCAL_ISSUED',
    ])
  })
})

describe('the manifest', () => {
  test('[DIS-IND-01, DIS-IND-02, DIS-IND-03, DIS-IND-04, IND-GEN-02] the host declares Indoor beside Orders, as configured', async () => {
    await using wire = await openIndoorWire({
      conduct: {
        indoor: {
          invoiceIssuer: 'platform',
          invoiceIssueMoment: 'payment',
          usesAccountId: false,
          omittedEvents: ['ACCOUNT_UNLOCKED'],
        },
      },
    })
    const { json } = await wire.send('GET', '/.well-known/protocol')
    const { capabilities } = json as { capabilities: Record<string, unknown>[] }
    expect(capabilities.map(({ name }) => name)).toEqual(['orders', 'indoor'])
    const indoor = capabilities[1]!
    expect(indoor).toMatchObject({
      version: 'v2',
      supported: true,
      endpoint: 'http://software-service.test',
      role: 'RECEIVER',
      invoiceIssuer: 'platform',
      invoiceIssueMoment: 'payment',
      usesAccountId: false,
      receiver: { supportsWebhook: true, supportsPolling: false },
    })
    expect(indoor['operations']).not.toContain('getAccountById')
    expect(indoor['operations']).toContain('createPayment')
    const { supportedEvents } = indoor['receiver'] as { supportedEvents: string[] }
    expect(supportedEvents).toEqual(accountEventTypes.filter((type) => type !== 'ACCOUNT_UNLOCKED'))
    expect(parseManifest(json)).toEqual(ok(expect.anything()))
  })
})

test('an order that is already delivered when first read is still assigned to its account', async () => {
  await using wire = await openIndoorWire()
  const order = minimalOrder('served', 'INDOOR')
  wire.originator.place(order)
  order.status = 'DELIVERED'
  await wire.pass(storePollMs)
  expect((await wire.read('12')).orders).toMatchObject([{ orderId: 'served' }])
})
