import { describe, expect, test } from 'vitest'
import { Account } from './account.ts'
import { ConsumptionType, OperationMode } from './labels.ts'
import { readAccount, readAccountList } from './read.ts'

const item = (itemId: string, totalPrice: number, status = 'ACTIVE') => ({
  itemId,
  name: itemId,
  quantity: 1,
  totalPrice,
  addedAt: '2026-01-05T15:00:00.000Z',
  status,
})

const standard = {
  accountId: 'a',
  operationMode: 'TABLE',
  identifier: '7',
  status: 'IN_USE',
  lastEvent: 'PAYMENT_CREATED',
  openedAt: '2026-01-05T15:00:00.000Z',
  orders: [{ orderId: 'o', createdAt: '2026-01-05T15:00:00.000Z' }],
  items: [item('x', 30.3), item('y', 9.7, 'CANCELLED')],
  payments: [
    {
      paymentId: 'p',
      paidAt: '2026-01-05T15:00:00.000Z',
      amount: 10.1,
      methodInfo: { method: 'PIX' },
    },
  ],
  totals: {
    itemsSubtotal: 30.3,
    serviceCharge: { amount: 3 },
    taxes: { amount: 0 },
    discount: 1,
    paid: 10.1,
    due: 22.2,
  },
}

test('reads an account in the standard’s shape', () => {
  expect(Account.safeParse(standard).success).toBe(true)
  expect(readAccount(standard)).toEqual({
    ok: true,
    value: {
      accountId: 'a',
      operationMode: 'TABLE',
      identifier: '7',
      status: 'IN_USE',
      lastEvent: 'PAYMENT_CREATED',
      orders: ['o'],
      items: [
        { itemId: 'x', name: 'x', quantity: 1, price: 30.3, status: 'ACTIVE', isActive: true },
        { itemId: 'y', name: 'y', quantity: 1, price: 9.7, status: 'CANCELLED', isActive: false },
      ],
      payments: [{ paymentId: 'p', amount: 10.1, method: 'PIX' }],
      amount: 32.3,
      paid: 10.1,
      due: 22.2,
      isIssued: false,
    },
  })
})

test('[IND-UND-01] reads total and paidTotal, as numbers or as prices', () => {
  const { totals: _totals, ...rest } = standard
  for (const money of [(value: number) => value, (value: number) => ({ value, currency: 'BRL' })])
    expect(readAccount({ ...rest, total: money(50), paidTotal: money(20.1) })).toMatchObject({
      value: { amount: 50, paid: 20.1, due: 29.9 },
    })
})

test('[IND-UND-01] sums items and payments where there are no totals', () => {
  const { totals: _totals, ...rest } = standard
  const payments = [{ amount: 0.1 }, { amount: 0.2 }]
  expect(readAccount({ ...rest, payments })).toMatchObject({
    value: { amount: 30.3, paid: 0.3, due: 30 },
  })
})

test('[IND-UND-01] ignores unknown fields and fields of the wrong type', () => {
  const odd = {
    status: 'CLOSED',
    lastEvent: 7,
    items: 'none',
    orders: [{}],
    payments: null,
    totals: 'later',
    operationMode: 'BENCH',
    extra: [{}],
  }
  expect(readAccount(odd)).toEqual({
    ok: true,
    value: {
      status: 'CLOSED',
      items: [],
      payments: [],
      orders: [],
      amount: 0,
      paid: 0,
      due: 0,
      isIssued: false,
    },
  })
})

test.each([
  [{ ...standard, status: 'OPEN' }, 'status'],
  [{ ...standard, status: undefined }, 'status'],
  ['an account', 'its root'],
  [null, 'its root'],
])('%j is not an account', (value, where) => {
  const read = readAccount(value)
  expect(read.ok).toBe(false)
  if (!read.ok) expect(read.error).toContain(where)
})

test('recognises an issued fiscal document in either shape', () => {
  expect(readAccount({ ...standard, fiscal: { documentIssued: true } })).toMatchObject({
    value: { isIssued: true },
  })
  expect(
    readAccount({ ...standard, fiscalDocuments: [{ documentStatus: 'ISSUED' }] }),
  ).toMatchObject({ value: { isIssued: true } })
})

test('reads lists of documents and payments, bare or in a member of their name', () => {
  const documents = [{ documentStatus: 'ERROR' }, { other: 1 }, { documentStatus: 'ISSUED' }]
  for (const body of [documents, { documents }])
    expect(readAccountList(body, 'documents')).toEqual({ ok: true, value: documents })
  expect(readAccountList({ payments: [{}, {}] }, 'payments')).toMatchObject({ value: [{}, {}] })
  for (const none of [undefined, 7, 'x', {}, { documents: 'x' }])
    expect(readAccountList(none, 'documents').ok).toBe(false)
})

describe('the sums that an account says are held against what it lists', () => {
  const read = (change: object) => {
    const account = readAccount({ ...standard, payments: [{ amount: 10.1 }], ...change })
    return account.ok ? account.value : undefined
  }
  const withTotals = (change: object) => read({ totals: { ...standard.totals, ...change } })

  test('the right ones have no difference, with service charges, tips and discounts in either sum', () => {
    expect(read({})?.differences).toBeUndefined()
    expect(withTotals({ due: 19.2 })?.differences).toBeUndefined()
    const tipped = [{ amount: 10, tip: 0.1 }]
    expect(read({ payments: tipped })?.differences).toBeUndefined()
    expect(read({ items: [{ ...item('x', 31.3), discount: 1 }] })?.differences).toBeUndefined()
    const courtesy = { status: 'CLOSED', totals: { ...standard.totals, due: 0 } }
    expect(read(courtesy)?.differences).toBeUndefined()
  })

  test('[IND-RUL-08] a total stays what the host says, and the difference is a sentence', () => {
    expect(withTotals({ itemsSubtotal: 40, due: 31.9 })).toMatchObject({
      amount: 42,
      due: 31.9,
      differences: ['totals.itemsSubtotal is 40.00, and its items come to 30.30'],
    })
    expect(withTotals({ due: 32.3 })?.differences).toEqual([
      'totals.due is 32.30, and its other totals leave 22.20',
    ])
    expect(read({ payments: [] })?.differences).toEqual([
      'totals.paid is 10.10, and its payments come to 0.00',
    ])
    const summary = { totals: undefined, total: 50, paidTotal: 20 }
    expect(read(summary)).toMatchObject({
      amount: 50,
      differences: ['paidTotal is 20.00, and its payments come to 10.10'],
    })
  })
})

test.each([
  ['MESA', 'TABLE'],
  ['COMANDA', 'TAB'],
  ['BALCAO', 'COUNTER'],
  ['TABLE', 'TABLE'],
])('[IND-FLR-02] the label %s is read as %s', (label, mode) => {
  expect(OperationMode.parse(label)).toBe(mode)
})

test('[IND-FLR-02] CONSUMIR_NO_LOCAL is DINE_IN, LEVAR is TAKEAWAY, and other labels are rejected', () => {
  expect(ConsumptionType.parse('CONSUMIR_NO_LOCAL')).toBe('DINE_IN')
  expect(ConsumptionType.parse('LEVAR')).toBe('TAKEAWAY')
  for (const label of ['mesa', 'toString', '', 'DELIVERY'])
    expect([
      OperationMode.safeParse(label).success,
      ConsumptionType.safeParse(label).success,
    ]).toEqual([false, false])
})

test('[IND-FLR-02] no error recommends a legacy label', () => {
  expect(OperationMode.safeParse('SEAT').error?.message).toContain('must be TABLE, TAB or COUNTER')
  expect(ConsumptionType.safeParse('EAT').error?.message).toContain('must be DINE_IN or TAKEAWAY')
})
