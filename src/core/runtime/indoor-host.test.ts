/** The accounts of the Software Service that we play, as an Ordering Application sees them over the wire. */
import { describe, expect, test } from 'vitest'
import type { Account, AccountPayment } from '../protocol/indoor/account.ts'
import {
  diningAccountStates,
  diningAccountStep,
  type DiningAccountTrigger,
} from '../protocol/indoor/lifecycle.ts'
import {
  accountQuery,
  type IndoorWire,
  openIndoorWire,
  storePollMs,
} from '../../../test/support/indoor-wire.ts'
import { createHostClient, type HostAnswer } from '../../../test/support/host-client.ts'

const cash = (amount: number) => ({ amount, methodInfo: { method: 'CASH' } })
const seven = accountQuery('7')

/** An account's fields, without those that every event changes. */
const content = ({ lastEvent: _lastEvent, ...account }: Account): unknown => account

describe('an account’s life', () => {
  test('[IND-GEN-01, IND-GEN-06, IND-RUL-01] one account groups the orders of a session, accepts several payments, and is closed', async () => {
    await using wire = await openIndoorWire()
    await wire.order({ id: 'drinks' })
    await wire.order({ id: 'dinner' })
    const open = await wire.read()
    expect(open.orders.map(({ orderId }) => orderId)).toEqual(['drinks', 'dinner'])
    expect(open.items).toHaveLength(4)
    expect(open.totals).toEqual({
      itemsSubtotal: 80,
      serviceCharge: { amount: 0 },
      taxes: { amount: 0 },
      discount: 0,
      paid: 0,
      due: 80,
    })
    // Paid in part before the bill, the rest after it.
    expect((await wire.post(`/accounts/payments?${seven}`, cash(30.5))).status).toBe(200)
    expect((await wire.read()).totals).toMatchObject({ paid: 30.5, due: 49.5 })
    await wire.post(`/accounts/pre-close?${seven}`)
    await wire.post(`/accounts/payments?${seven}`, cash(49.5))
    expect((await wire.post(`/accounts/close?${seven}`)).status).toBe(202)
    const closed = await wire.read()
    expect(closed).toMatchObject({ status: 'CLOSED', totals: { paid: 80, due: 0 } })
    expect(closed.items.map(({ status }) => status)).toEqual(['PAID', 'PAID', 'PAID', 'PAID'])
    expect(closed.payments.map(({ amount }) => amount)).toEqual([30.5, 49.5])
    // Orders are not affected by payments, locks and closing.
    for (const order of wire.originator.orders.values())
      expect(Object.keys(order)).not.toContain('paid')
  })

  test('[IND-GEN-03] the Software Service serves every Indoor operation', async () => {
    await using wire = await openIndoorWire()
    const { accountId, items } = await wire.account()
    await wire.account('IN_USE', '8')
    const ask = async (method: string, path: string, body?: unknown) =>
      (await wire.send(method, path, body)).status
    const eight = await wire.read('8')
    expect([
      await ask('GET', `/accounts?${seven}`),
      await ask('GET', `/accounts/${accountId}`),
      await ask('POST', `/accounts/items/${items[0]!.itemId}/cancel?${seven}`, {}),
      await ask('POST', `/accounts/transfers?${seven}`, {
        targetAccountId: eight.accountId,
        itemIds: [items[1]!.itemId],
      }),
      await ask('POST', `/accounts/payments?${accountQuery('8')}`, cash(1)),
      await ask('GET', `/accounts/payments?${seven}`),
      await ask('POST', `/accounts/fiscal?${seven}`, {}),
      await ask('GET', `/accounts/fiscal?${seven}`),
      await ask('POST', `/accounts/pre-close?${seven}`, {}),
      await ask('POST', `/accounts/unlock?${seven}`, {}),
      await ask('POST', `/accounts/pre-close?${seven}`, {}),
      await ask('POST', `/accounts/close?${seven}`, {}),
    ]).toEqual([200, 200, 200, 200, 200, 200, 202, 200, 202, 202, 202, 202])
  })

  test('[IND-GEN-09] no call creates an account', async () => {
    await using wire = await openIndoorWire()
    const made = await wire.post('/accounts', { operationMode: 'TABLE', identifier: '7' })
    expect(made).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect((await wire.send('GET', `/accounts?${seven}`)).status).toBe(404)
  })

  test('calls need a token of Orders, in the Authorization header', async () => {
    await using wire = await openIndoorWire()
    await wire.account()
    const without = await wire.send('GET', `/accounts?${seven}`, undefined, { authorization: '' })
    expect(without.status).toBe(401)
  })
})

describe('finding an account', () => {
  test('[IND-OPS-01, IND-ACC-01, IND-ACC-02] by its operational key, in every mode; 404 if there was none', async () => {
    await using wire = await openIndoorWire()
    for (const mode of ['TABLE', 'TAB', 'COUNTER']) await wire.order({ mode, identifier: '7' })
    for (const mode of ['TABLE', 'TAB', 'COUNTER'])
      expect(await wire.read('7', mode)).toMatchObject({ operationMode: mode, identifier: '7' })
    expect(await wire.send('GET', `/accounts?${accountQuery('8')}`)).toMatchObject({
      status: 404,
      code: 'ACCOUNT_NOT_FOUND',
    })
  })

  test('[IND-OPS-02, IND-ACC-01, DIS-IND-04] by its id, in the path, the query or the body', async () => {
    await using wire = await openIndoorWire()
    const { accountId } = await wire.account()
    const found = await wire.send('GET', `/accounts/${accountId}`)
    expect(found).toMatchObject({ status: 200, json: { accountId, identifier: '7' } })
    expect((await wire.send('GET', `/accounts?accountId=${accountId}`)).status).toBe(200)
    expect((await wire.post('/accounts/payments', { accountId, ...cash(1) })).status).toBe(200)
    expect(await wire.send('GET', '/accounts/nobody')).toMatchObject({
      status: 404,
      code: 'ACCOUNT_NOT_FOUND',
    })
  })

  test('[DIS-IND-04, IND-ACC-01] where accounts have no ids, none is shown or accepted; the key is', async () => {
    await using wire = await openIndoorWire({ conduct: { indoor: { usesAccountId: false } } })
    const account = await wire.account()
    expect(account).not.toHaveProperty('accountId')
    const { entities } = await wire.session.look({ entities: { kind: 'account', limit: 1 } })
    const { id } = entities[0]!
    expect((await wire.send('GET', `/accounts/${id}`)).status).toBe(404)
    expect((await wire.post(`/accounts/${id}/pre-close`)).status).toBe(404)
    expect((await wire.post('/accounts/pre-close', { accountId: id })).status).toBe(404)
    expect((await wire.post(`/accounts/pre-close?${seven}`)).status).toBe(202)
    expect(wire.accountEvents.every(({ event }) => event.accountId === undefined)).toBe(true)
  })

  test('[IND-UND-04, IND-OPS-01] a key without an open account means the one closed last; a new order opens another', async () => {
    await using wire = await openIndoorWire()
    const first = await wire.account('CLOSED')
    expect(await wire.read()).toMatchObject({ accountId: first.accountId, status: 'CLOSED' })
    await wire.order()
    const second = await wire.read()
    expect(second.status).toBe('IN_USE')
    expect(second.accountId).not.toBe(first.accountId)
    expect((await wire.send('GET', `/accounts/${first.accountId}`)).json).toMatchObject({
      status: 'CLOSED',
    })
  })

  test('[IND-UND-04] a closed account is not found by key when configured', async () => {
    await using wire = await openIndoorWire({ conduct: { indoor: { accountLookup: 'open-only' } } })
    await wire.order()
    await wire.post(`/accounts/pre-close?${seven}`)
    await wire.post(`/accounts/payments?${seven}`, cash(40))
    expect((await wire.post(`/accounts/close?${seven}`)).status).toBe(202)
    expect((await wire.send('GET', `/accounts?${seven}`)).status).toBe(404)
  })

  test('two houses may both have a table 7', async () => {
    await using wire = await openIndoorWire()
    await wire.order({ id: 'here', merchant: 'loja-1' })
    await wire.order({ id: 'there', merchant: 'loja-2' })
    const of = async (merchantId: string) =>
      (await wire.send('GET', `/accounts?${seven}&merchantId=${merchantId}`)).json as Account
    expect((await of('loja-1')).orders).toMatchObject([{ orderId: 'here' }])
    expect((await of('loja-2')).orders).toMatchObject([{ orderId: 'there' }])
    expect((await wire.send('GET', `/accounts?${seven}&merchantId=loja-3`)).status).toBe(404)
    // Closing one leaves the other open.
    await wire.post(`/accounts/pre-close?${seven}&merchantId=loja-1`)
    expect((await of('loja-2')).status).toBe('IN_USE')
  })

  test('a credential of one house sees no account of another', async () => {
    await using wire = await openIndoorWire({
      clients: [
        {
          clientId: 'one',
          clientSecret: 's',
          role: 'ordering-application',
          merchants: ['loja-2'],
        },
      ],
    })
    const { accountId } = await wire.account()
    const { fetch } = wire.session
    const { send } = createHostClient({
      fetch,
      base: wire.base,
      clientId: 'one',
      clientSecret: 's',
    })
    const see = async (path: string) => (await send('GET', path)).status
    expect(await see(`/accounts?${seven}`)).toBe(404)
    expect(await see(`/accounts/${accountId}`)).toBe(404)
    await wire.order({ merchant: 'loja-2' })
    expect(await see(`/accounts?${seven}`)).toBe(200)
  })

  test('[IND-UND-03, IND-TEN-02] flat paths name the account in query or body; the account’s own paths are equivalent', async () => {
    await using wire = await openIndoorWire()
    await wire.order()
    const { accountId } = await wire.read()
    const key = { operationMode: 'TABLE', identifier: '7' }
    const pay = (path: string, more = {}) => wire.post(path, { ...cash(1), ...more })
    const answers: HostAnswer[] = [
      await pay(`/accounts/payments?${seven}`),
      await pay('/accounts/payments', key),
      await pay('/accounts/payments', { accountId }),
      await pay(`/accounts/${accountId}/payments`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const path of ['pre-close', 'unlock', 'pre-close'])
      expect((await wire.post(`/accounts/${accountId}/${path}`)).status).toBe(202)
    expect((await wire.send('GET', `/accounts/${accountId}/payments`)).json).toMatchObject({
      payments: [{}, {}, {}, {}],
    })
    expect((await wire.post(`/accounts/${accountId}/payments`, cash(36))).status).toBe(200)
    expect((await wire.post(`/accounts/${accountId}/close`)).status).toBe(202)
    expect((await wire.post(`/accounts/${accountId}/fiscal`)).status).toBe(202)
    expect((await wire.send('GET', `/accounts/${accountId}/fiscal`)).json).toMatchObject({
      documents: [{ documentStatus: 'PENDING' }],
    })
  })

  test('[IND-TEN-02] fixed path segments take precedence over account ids', async () => {
    await using wire = await openIndoorWire()
    await wire.account()
    expect((await wire.send('GET', `/accounts/payments?${seven}`)).json).toEqual({ payments: [] })
    expect((await wire.send('GET', `/accounts/fiscal?${seven}`)).json).toEqual({ documents: [] })
  })

  test('[IND-UND-03] a call that names no account gets an error with the missing field', async () => {
    await using wire = await openIndoorWire()
    await wire.account()
    const nothing = await wire.post('/accounts/pre-close')
    expect(nothing.status).toBe(400)
    expect(nothing.message).toContain('operationMode')
    const half = await wire.post('/accounts/pre-close?operationMode=TABLE')
    expect(half.status).toBe(400)
    expect(half.message).toContain('identifier')
    const odd = await wire.send('GET', '/accounts?operationMode=BENCH&identifier=7')
    expect(odd.status).toBe(400)
    expect(odd.message).toContain('operationMode')
    const crossed = await wire.send('GET', `/accounts?${accountQuery('8')}&accountId=nobody`)
    expect(crossed.status).toBe(404)
  })

  test('[IND-FLR-02] legacy labels are accepted, and never written', async () => {
    await using wire = await openIndoorWire()
    await wire.order({ mode: 'MESA', block: { consumptionType: 'CONSUMIR_NO_LOCAL' } })
    await wire.order({ mode: 'COMANDA', identifier: '101', block: { consumptionType: 'LEVAR' } })
    await wire.order({ mode: 'BALCAO', identifier: '1' })
    expect((await wire.read('7', 'MESA')).operationMode).toBe('TABLE')
    expect((await wire.read('101', 'TAB')).operationMode).toBe('TAB')
    expect((await wire.read('1', 'COUNTER')).operationMode).toBe('COUNTER')
    expect(
      (await wire.post('/accounts/pre-close', { operationMode: 'MESA', identifier: '7' })).status,
    ).toBe(202)
    const stateBefore = JSON.stringify([wire.accountEvents, await wire.read()])
    expect(stateBefore).not.toMatch(/MESA|COMANDA|BALCAO|CONSUMIR_NO_LOCAL|LEVAR/)
  })
})

/** Every call that may change an account, by its trigger in the lifecycle. */
const calls: Readonly<
  Partial<Record<DiningAccountTrigger, (wire: IndoorWire, account: Account) => Promise<HostAnswer>>>
> = {
  'cancel-item': (wire, { items }) =>
    wire.post(`/accounts/items/${items[0]!.itemId}/cancel?${seven}`),
  transfer: async (wire, { items }) =>
    wire.post(`/accounts/transfers?${seven}`, {
      targetAccountId: (await wire.read('8')).accountId,
      items: [{ itemId: items[0]!.itemId }],
    }),
  pay: (wire) => wire.post(`/accounts/payments?${seven}`, cash(1)),
  'pre-close': (wire) => wire.post(`/accounts/pre-close?${seven}`),
  unlock: (wire) => wire.post(`/accounts/unlock?${seven}`),
  close: (wire) => wire.post(`/accounts/close?${seven}`),
  'request-fiscal': (wire) => wire.post(`/accounts/fiscal?${seven}`),
}

const cells = diningAccountStates
  .filter((state) => state !== 'NONE')
  .flatMap((state) =>
    (Object.keys(calls) as DiningAccountTrigger[]).map((trigger) => [state, trigger] as const),
  )

describe('the lifecycle over the wire', () => {
  test.each(cells)(
    '[IND-PRM-02, IND-PRM-03, IND-PRM-04, IND-PRM-05, IND-PRM-06, IND-PRM-07, IND-RUL-03, IND-RUL-04, IND-TEN-01, IND-UND-06] an account that is %s answers %s as the transition table says',
    async (state, trigger) => {
      // No payment covers it in IN_PAYMENT: with the courtesy only the lifecycle decides.
      await using wire = await openIndoorWire({ conduct: { indoor: { courtesy: true } } })
      await wire.account('IN_USE', '8')
      const before = await wire.account(state)
      const eventCount = wire.types(before.accountId).length
      const answer = await calls[trigger]!(wire, before)
      await wire.pass(0)
      const after = await wire.read()
      const step = diningAccountStep(state, trigger)
      if (step.kind === 'moves') {
        expect([200, 202]).toContain(answer.status)
        expect(after.status).toBe(step.row.to)
        if (step.row.emits)
          expect(wire.types(before.accountId).slice(eventCount)).toEqual([step.row.emits])
        return
      }
      // No change, and no event.
      expect(content(after)).toEqual(content(before))
      expect(wire.types(before.accountId)).toHaveLength(eventCount)
      if (step.kind === 'applied') expect(answer.status).toBe(202)
      else {
        expect(answer).toMatchObject({ status: 409, code: 'INVALID_ACCOUNT_STATE' })
        expect(answer.message).toContain(state)
      }
    },
  )

  test('[IND-UND-06] the status code of a rejection is configurable', async () => {
    await using wire = await openIndoorWire({ conduct: { invalidTransition: { indoor: 422 } } })
    await wire.account()
    expect((await wire.post(`/accounts/close?${seven}`)).status).toBe(422)
  })

  test('[IND-PRM-06] unlocking an unlocked account is 202 without effect, or refused when configured', async () => {
    await using wire = await openIndoorWire({ conduct: { indoor: { unlockInUse: 409 } } })
    await wire.account()
    expect(await wire.post(`/accounts/unlock?${seven}`)).toMatchObject({
      status: 409,
      code: 'INVALID_ACCOUNT_STATE',
    })
    await wire.post(`/accounts/pre-close?${seven}`)
    expect((await wire.post(`/accounts/unlock?${seven}`)).status).toBe(202)
  })

  test('[IND-TRA-02, IND-TRA-03, IND-OPS-03, IND-OPS-04] pre-close locks and unlock releases the account, at once', async () => {
    await using wire = await openIndoorWire()
    await wire.account()
    const locked = await wire.post(`/accounts/pre-close?${seven}`, { requestedBy: 'waiter' })
    expect(locked).toMatchObject({ status: 202, json: { status: 'ACCEPTED' } })
    expect((await wire.read()).status).toBe('IN_PAYMENT')
    expect((await wire.post(`/accounts/unlock?${seven}`)).status).toBe(202)
    expect((await wire.read()).status).toBe('IN_USE')
  })

  test('[IND-TRA-04, IND-OPS-05, IND-PRM-07] close requires payments that cover the account', async () => {
    await using wire = await openIndoorWire()
    const { accountId } = await wire.account('IN_PAYMENT')
    await wire.post(`/accounts/payments?${seven}`, cash(39.99))
    const early = await wire.post(`/accounts/close?${seven}`)
    expect(early).toMatchObject({ status: 409, code: 'INSUFFICIENT_PAYMENT' })
    expect(early.message).toContain('0.01')
    expect((await wire.read()).status).toBe('IN_PAYMENT')
    await wire.post(`/accounts/payments?${seven}`, cash(0.01))
    expect((await wire.post(`/accounts/close?${seven}`)).status).toBe(202)
    // It is final: nothing reopens it.
    for (const path of ['unlock', 'pre-close'])
      expect((await wire.post(`/accounts/${accountId}/${path}`)).status).toBe(409)
    expect((await wire.read()).status).toBe('CLOSED')
  })

  test('[IND-TRA-04] a courtesy waives that, for one account or by configuration for all', async () => {
    await using wire = await openIndoorWire()
    const { accountId = '' } = await wire.account('IN_PAYMENT')
    await wire.session.submit({ kind: 'account.courtesy', accountId, reason: 'birthday' })
    expect((await wire.post(`/accounts/close?${seven}`)).status).toBe(202)
    expect((await wire.read()).items.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE'])
  })

  test('[IND-TRA-04] a discount waives it too, given with the close or by the house; the totals show it', async () => {
    await using wire = await openIndoorWire()
    const { accountId = '' } = await wire.account('IN_PAYMENT')
    await wire.session.submit({ kind: 'account.discount', accountId, amount: 15 })
    expect((await wire.read()).totals).toMatchObject({ discount: 15, due: 25 })
    await wire.post(`/accounts/payments?${seven}`, cash(20))
    expect((await wire.post(`/accounts/close?${seven}`, { discount: 4.99 })).status).toBe(409)
    expect((await wire.read()).totals.discount).toBe(15)
    expect((await wire.post(`/accounts/close?${seven}`, { discount: 5 })).status).toBe(202)
    expect(await wire.read()).toMatchObject({
      status: 'CLOSED',
      totals: { itemsSubtotal: 40, discount: 20, paid: 20, due: 0 },
    })
  })

  test('[IND-RUL-02] a lock makes no payment', async () => {
    await using wire = await openIndoorWire()
    await wire.account('IN_PAYMENT')
    await wire.pass(60_000)
    expect((await wire.read()).payments).toEqual([])
    expect(wire.types()).not.toContain('PAYMENT_CREATED')
  })

  test('[MIG-IND-02] an account is never unlocked by a timeout', async () => {
    await using wire = await openIndoorWire()
    await wire.account('IN_PAYMENT')
    await wire.pass(3 * 3_600_000)
    expect((await wire.read()).status).toBe('IN_PAYMENT')
  })

  test('[IND-GEN-05, IND-EVR-05] no change of an account affects its order', async () => {
    await using wire = await openIndoorWire()
    await wire.account('CLOSED')
    const asked = wire.originator.callNames('o-1')
    expect(asked.filter((name) => !['order', 'confirm', 'preparing'].includes(name))).toEqual([])
    const events = new Set(wire.originator.calls.map(({ path }) => path))
    expect([...events].filter((path) => path.includes('account'))).toEqual([])
  })
})

describe('payments', () => {
  test('[IND-OPS-08, IND-OPS-09, IND-UND-01] a payment is answered with its record and listed', async () => {
    await using wire = await openIndoorWire()
    const { items } = await wire.account()
    const made = await wire.post(`/accounts/payments?${seven}`, {
      amount: 12.34,
      methodInfo: { method: 'CREDIT_CARD', brand: 'VISA', nsu: '42' },
      serviceCharge: { rate: 10, amount: 1.12 },
      tip: 2,
      items: [items[0]!.itemId],
      seat: 'Lugar 1',
    })
    expect(made).toMatchObject({
      status: 200,
      json: {
        paymentId: expect.any(String),
        paidAt: expect.any(String),
        amount: 12.34,
        methodInfo: { method: 'CREDIT_CARD', brand: 'VISA', nsu: '42' },
        serviceCharge: { rate: 10, amount: 1.12 },
        tip: 2,
        items: [items[0]!.itemId],
        seat: 'Lugar 1',
      },
    })
    const listed = await wire.send('GET', `/accounts/payments?${seven}`)
    expect(listed).toMatchObject({ status: 200, json: { payments: [made.json] } })
    // A tip does not count towards the total.
    expect((await wire.read()).totals).toMatchObject({ paid: 12.34, due: 27.66 })
  })

  test('[IND-UND-03] an amount may be a price, and a method may be a plain string', async () => {
    await using wire = await openIndoorWire()
    await wire.account()
    const amount = { value: 5, currency: 'BRL' }
    const made = await wire.post(`/accounts/payments?${seven}`, { amount, method: 'CREDIT' })
    expect(made).toMatchObject({
      status: 200,
      json: { amount: 5, methodInfo: { method: 'CREDIT_CARD' } },
    })
  })

  test.each([
    [{ methodInfo: { method: 'PIX' } }, 'amount'],
    [{ amount: 10 }, 'methodInfo'],
    [{ amount: 0, methodInfo: { method: 'PIX' } }, 'amount'],
    [{ amount: -1, methodInfo: { method: 'PIX' } }, 'amount'],
    [{ amount: 'ten', methodInfo: { method: 'PIX' } }, 'amount'],
    [{ amount: 1e300, methodInfo: { method: 'PIX' } }, 'amount'],
    [{ amount: { value: -1, currency: 'BRL' }, methodInfo: { method: 'PIX' } }, 'amount'],
    [{ amount: 0.000001, methodInfo: { method: 'PIX' } }, 'amount'],
    [{ amount: 10, methodInfo: { method: 'SHELLS' } }, 'methodInfo.method'],
    [{ amount: 10, methodInfo: { method: 'PIX' }, items: ['x'] }, 'items'],
    [{ amount: 10, methodInfo: { method: 'PIX' }, tip: -1 }, 'tip'],
  ])('%j is an invalid payment: %s', async (body, field) => {
    await using wire = await openIndoorWire()
    await wire.account()
    const answer = await wire.post(`/accounts/payments?${seven}`, body)
    expect([400, 422]).toContain(answer.status)
    expect(answer.message).toContain(field)
    expect((await wire.read()).payments).toEqual([])
  })

  test('payments over the amount due are refused, unless the session accepts them', async () => {
    await using wire = await openIndoorWire()
    await wire.account()
    expect(await wire.post(`/accounts/payments?${seven}`, cash(40.01))).toMatchObject({
      status: 409,
      code: 'PAYMENT_EXCEEDS_DUE',
    })
    await using generous = await openIndoorWire({ conduct: { indoor: { overpayment: 'accept' } } })
    await generous.account()
    expect((await generous.post(`/accounts/payments?${seven}`, cash(50))).status).toBe(200)
    expect((await generous.read()).totals).toMatchObject({ paid: 50, due: 0 })
  })

  test('[IND-PRM-04] fifty concurrent payments: each counted once, none over the amount due', async () => {
    await using wire = await openIndoorWire({ listen: true })
    await wire.account()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => wire.post(`/accounts/payments?${seven}`, cash(1))),
    )
    const taken = answers.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(40)
    expect(answers.filter(({ code }) => code === 'PAYMENT_EXCEEDS_DUE')).toHaveLength(10)
    const ids = taken.map(({ json }) => (json as AccountPayment).paymentId)
    expect(new Set(ids).size).toBe(40)
    const { payments, totals } = await wire.read()
    expect(payments.map(({ paymentId }) => paymentId).toSorted()).toEqual(ids.toSorted())
    expect(totals).toMatchObject({ paid: 40, due: 0 })
    await wire.pass(0)
    expect(wire.types().filter((type) => type === 'PAYMENT_CREATED')).toHaveLength(40)
  })

  test('[IND-PRM-04] fifty attempts of one payment, under one X-Request-Id, are one payment', async () => {
    await using wire = await openIndoorWire({ listen: true })
    await wire.account()
    const headers = { 'x-request-id': 'the-same' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => wire.post(`/accounts/payments?${seven}`, cash(30), headers)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ json }) => (json as AccountPayment).paymentId)).size).toBe(1)
    expect((await wire.read()).totals.paid).toBe(30)
  })

  test('[IND-EVT-06] the house corrects a payment: PAYMENT_UPDATED, the status stays', async () => {
    await using wire = await openIndoorWire()
    const { accountId = '' } = await wire.account('IN_PAYMENT')
    await wire.post(`/accounts/payments?${seven}`, cash(40))
    const [payment] = (await wire.read()).payments
    const { paymentId } = payment!
    const adjust = (amount: number, id = paymentId) =>
      wire.session.submit({ kind: 'account.adjust-payment', accountId, paymentId: id, amount })
    expect((await adjust(25)).ok).toBe(true)
    await wire.pass(0)
    expect(await wire.read()).toMatchObject({
      status: 'IN_PAYMENT',
      lastEvent: 'PAYMENT_UPDATED',
      totals: { paid: 25, due: 15 },
    })
    expect(wire.accountEvents.at(-1)?.event).toMatchObject({
      eventType: 'PAYMENT_UPDATED',
      paymentId,
    })
    expect(await adjust(41)).toMatchObject({ ok: false, error: { code: 'PAYMENT_EXCEEDS_DUE' } })
    expect(await adjust(1, 'nobody’s')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  })
})

describe('items', () => {
  test('[IND-OPS-06, IND-RUL-08, IND-EVT-04] an item is cancelled at once, whole or in part; a repetition has no effect', async () => {
    await using wire = await openIndoorWire()
    const { items } = await wire.account()
    const [burger, juice] = items
    const part = await wire.post(`/accounts/items/${burger!.itemId}/cancel?${seven}`, {
      quantity: 1,
      reason: 'frio',
    })
    expect(part).toMatchObject({ status: 200, json: { quantity: 1, totalPrice: 10 } })
    expect((await wire.read()).totals.due).toBe(30)
    const whole = await wire.post(`/accounts/items/${juice!.itemId}/cancel?${seven}`)
    expect(whole).toMatchObject({ status: 200, json: { status: 'CANCELLED' } })
    expect((await wire.read()).totals).toMatchObject({ itemsSubtotal: 10, due: 10 })
    expect((await wire.post(`/accounts/items/${juice!.itemId}/cancel?${seven}`)).status).toBe(200)
    await wire.pass(0)
    expect(wire.types().filter((type) => type === 'ACCOUNT_ITEM_CANCELLED')).toHaveLength(2)
    // The order is separate: nothing of it was cancelled (IND-TEN-04).
    expect(wire.originator.callsOf('item-cancel')).toEqual([])
  })

  test('an item identifies its account, where nothing else does', async () => {
    await using wire = await openIndoorWire()
    const { items } = await wire.account()
    expect((await wire.post(`/accounts/items/${items[0]!.itemId}/cancel`)).status).toBe(200)
  })

  test('more than the quantity, and unknown items, are refused', async () => {
    await using wire = await openIndoorWire()
    const { items } = await wire.account()
    const { itemId } = items[0]!
    const more = await wire.post(`/accounts/items/${itemId}/cancel?${seven}`, { quantity: 3 })
    expect(more.status).toBe(422)
    expect(more.message).toContain('quantity')
    expect((await wire.post(`/accounts/items/none/cancel?${seven}`)).status).toBe(404)
    expect((await wire.read()).totals.due).toBe(40)
  })

  test('[IND-OPS-07, IND-EVT-02, IND-EVT-03, IND-RUL-08] items are transferred to another account at once', async () => {
    await using wire = await openIndoorWire()
    const { items, accountId } = await wire.account()
    const target = await wire.account('IN_USE', '8')
    const moved = await wire.post(`/accounts/transfers?${seven}`, {
      targetAccountId: target.accountId,
      items: [items[0]!.itemId],
      reason: 'mudou de mesa',
    })
    expect(moved).toMatchObject({
      status: 200,
      json: {
        sourceAccountId: accountId,
        targetAccountId: target.accountId,
        transferredItemIds: [items[0]!.itemId],
      },
    })
    const [source, there] = [await wire.read('7'), await wire.read('8')]
    expect(source.items.map(({ itemId }) => itemId)).toEqual([items[1]!.itemId])
    expect(there.items).toHaveLength(3)
    expect([source.totals.due, there.totals.due]).toEqual([20, 60])
    await wire.pass(0)
    expect(wire.types(accountId).at(-1)).toBe('ACCOUNT_ITEM_REMOVED')
    expect(wire.types(target.accountId).at(-1)).toBe('ACCOUNT_ITEM_ADDED')
  })

  test('[IND-OPS-07, IND-UND-03] part of a line is transferred, by the standard’s names, to a key; then all that is left', async () => {
    await using wire = await openIndoorWire()
    const { items } = await wire.account()
    await wire.account('IN_USE', '8')
    const target = { operationMode: 'TABLE', identifier: '8' }
    const part = await wire.post(`/accounts/transfers?${seven}`, {
      transferType: 'ITEMS',
      items: [{ itemId: items[0]!.itemId, quantity: 1 }],
      target,
    })
    expect(part.status).toBe(200)
    expect((await wire.read('7')).items[0]).toMatchObject({ quantity: 1, totalPrice: 10 })
    const [, , third] = (await wire.read('8')).items
    expect(third).toMatchObject({ quantity: 1, totalPrice: 10, name: 'x-burger' })
    expect(third!.itemId).not.toBe(items[0]!.itemId)
    const rest = { transferType: 'FULL_ACCOUNT', target }
    expect((await wire.post(`/accounts/transfers?${seven}`, rest)).status).toBe(200)
    expect((await wire.read('7')).totals.due).toBe(0)
    expect((await wire.read('8')).totals.due).toBe(80)
  })

  test('an order’s charges are transferred with its last item', async () => {
    await using wire = await openIndoorWire()
    const money = (value: number) => ({ value, currency: 'BRL' })
    await wire.order({
      more: {
        total: {
          itemsPrice: money(40),
          otherFees: money(4),
          discount: money(1),
          orderAmount: money(43),
        },
      },
    })
    await wire.account('IN_USE', '8')
    expect((await wire.read('7')).totals).toMatchObject({
      serviceCharge: { amount: 4 },
      discount: 1,
      due: 43,
    })
    await wire.post(`/accounts/transfers?${seven}`, {
      transferType: 'FULL_ACCOUNT',
      target: { operationMode: 'TABLE', identifier: '8' },
    })
    expect((await wire.read('7')).totals.due).toBe(0)
    expect((await wire.read('8')).totals.due).toBe(83)
  })

  test.each(['IN_PAYMENT', 'CLOSED'] as const)(
    '[IND-RUL-05] nothing can be transferred to an account that is %s',
    async (status) => {
      await using wire = await openIndoorWire()
      const { items } = await wire.account()
      const target = await wire.account(status, '8')
      const refused = await wire.post(`/accounts/transfers?${seven}`, {
        targetAccountId: target.accountId,
        itemIds: [items[0]!.itemId],
      })
      expect(refused).toMatchObject({ status: 409, code: 'INVALID_ACCOUNT_STATE' })
      expect((await wire.read('7')).items).toHaveLength(2)
      expect((await wire.read('8')).items).toHaveLength(2)
    },
  )

  test.each([
    [{ itemIds: ['x-burger'] }, 400, 'targetAccountId'],
    [{ targetAccountId: '8' }, 400, 'itemIds'],
    [{ targetAccountId: '8', itemIds: [] }, 400, 'itemIds'],
    [{ targetAccountId: '8', itemIds: ['x-burger', 'x-burger'] }, 400, 'itemIds'],
    [{ targetAccountId: '8', itemIds: ['nothing'] }, 404, 'nothing'],
    [{ targetAccountId: '8', items: [{ itemId: 'x-burger', quantity: 9 }] }, 422, 'quantity'],
    [{ targetAccountId: '7', itemIds: ['x-burger'] }, 422, 'targetAccountId'],
    [{ targetAccountId: 'nobody', itemIds: ['x-burger'] }, 404, 'nobody'],
  ])('%j is an invalid transfer: %i, %s', async (body, status, field) => {
    await using wire = await openIndoorWire()
    await wire.account()
    await wire.account('IN_USE', '8')
    const ids = new Map([
      ['7', (await wire.read('7')).accountId],
      ['8', (await wire.read('8')).accountId],
    ])
    const target = 'targetAccountId' in body ? body.targetAccountId : undefined
    const named = target === undefined ? {} : { targetAccountId: ids.get(target) ?? target }
    const answer = await wire.post(`/accounts/transfers?${seven}`, { ...body, ...named })
    expect(answer.status).toBe(status)
    expect(answer.message).toContain(field)
    expect((await wire.read('7')).items).toHaveLength(2)
  })
})

test('an account’s total has whole cents, whatever its orders say, so it can be paid exactly', async () => {
  await using wire = await openIndoorWire()
  const money = (value: number) => ({ value, currency: 'BRL' })
  const lines = [0.3333, 10.005, 7.7777].map((value, index) => ({
    id: `line-${index}`,
    name: 'peso',
    quantity: 0.333,
    pricing: { unitPrice: money(1), totalPrice: money(value) },
  }))
  await wire.order({ more: { items: lines } })
  const { totals } = await wire.read()
  expect(totals.due).toBe(18.12)
  await wire.post(`/accounts/pre-close?${seven}`)
  for (const amount of [6.04, 6.04, 6.04])
    expect((await wire.post(`/accounts/payments?${seven}`, cash(amount))).status).toBe(200)
  expect((await wire.post(`/accounts/close?${seven}`)).status).toBe(202)
  expect((await wire.read()).totals).toMatchObject({ paid: 18.12, due: 0 })
})

test('[IND-UND-01] the shape of an account is configurable', async () => {
  await using wire = await openIndoorWire({ conduct: { indoor: { accountShape: 'summary' } } })
  await wire.order()
  await wire.post(`/accounts/payments?${seven}`, cash(10))
  expect(await wire.read()).toMatchObject({
    status: 'IN_USE',
    lastEvent: 'PAYMENT_CREATED',
    items: [{}, {}],
    payments: [{}],
    fiscalDocuments: [],
    total: 40,
    paidTotal: 10,
  })
})

test('[IND-ACC-03] an account always has its last event', async () => {
  await using wire = await openIndoorWire()
  await wire.order()
  const seen = [(await wire.read()).lastEvent]
  await wire.order({ id: 'more' })
  seen.push((await wire.read()).lastEvent)
  for (const path of ['pre-close', 'unlock', 'pre-close']) {
    await wire.post(`/accounts/${path}?${seven}`)
    seen.push((await wire.read()).lastEvent)
  }
  await wire.post(`/accounts/payments?${seven}`, cash(80))
  seen.push((await wire.read()).lastEvent)
  await wire.post(`/accounts/close?${seven}`)
  seen.push((await wire.read()).lastEvent)
  await wire.pass(storePollMs)
  expect(seen).toEqual([
    'ACCOUNT_OPENED',
    'ACCOUNT_ITEM_ADDED',
    'ACCOUNT_PRE_CLOSED',
    'ACCOUNT_UNLOCKED',
    'ACCOUNT_PRE_CLOSED',
    'PAYMENT_CREATED',
    'ACCOUNT_CLOSED',
  ])
  expect(wire.types()).toEqual(seen)
})
