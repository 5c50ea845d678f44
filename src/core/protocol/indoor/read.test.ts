import { expect, test } from 'vitest'
import { Account } from './account.ts'
import { ConsumptionType, OperationMode } from './labels.ts'
import { readAccount, readAccountLists } from './read.ts'

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
  payments: [],
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
        { itemId: 'x', quantity: 1, isActive: true },
        { itemId: 'y', quantity: 1, isActive: false },
      ],
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
    value: { status: 'CLOSED', items: [], orders: [], amount: 0, paid: 0, due: 0, isIssued: false },
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

test('reads lists of documents and payments, bare or wrapped in an object', () => {
  const documents = [{ documentStatus: 'ERROR' }, { other: 1 }, { documentStatus: 'ISSUED' }]
  expect(readAccountLists({ documents }).documents).toEqual(['ERROR', 'ISSUED'])
  expect(readAccountLists(documents).documents).toEqual(['ERROR', 'ISSUED'])
  expect(readAccountLists({ payments: [1, 2] }).payments).toBe(2)
  for (const none of [undefined, 7, 'x', { documents: 'x' }])
    expect(readAccountLists(none)).toEqual({ documents: [], payments: 0 })
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
