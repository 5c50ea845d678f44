// @module-tag slow
/** The accounts of the Software Service that we play, as an Ordering Application sees them over the wire. */
import { describe, expect, test } from 'vitest'
import type { Account, AccountPayment } from '../protocol/indoor/account.ts'
import {
  diningAccountStates,
  diningAccountStep,
  type DiningAccountTrigger,
} from '../protocol/indoor/lifecycle.ts'
import { createHostClient, type HostAnswer } from '../../../test/support/host-client.ts'
import { indoorTests } from '../../../test/support/indoor-conversation.ts'
import { accountQuery, type IndoorWire, openIndoorWire } from '../../../test/support/indoor-wire.ts'

const cash = (amount: number) => ({ amount, methodInfo: { method: 'CASH' } })
const seven = accountQuery('7')

/** An account's fields, without those that every event changes. */
const content = ({ lastEvent: _lastEvent, ...account }: Account): unknown => account

indoorTests(`
# [IND-GEN-01, IND-GEN-06, IND-RUL-01] one account groups the orders of a session, accepts several payments, and is closed
order {id: drinks}
order {id: dinner}
read => {orders: [{orderId: drinks}, {orderId: dinner}], items: [{}, {}, {}, {}]} as open
value $open.totals
=> is {itemsSubtotal: 80, serviceCharge: {amount: 0}, taxes: {amount: 0}, discount: 0, paid: 0, due: 80}
// Paid in part before the bill, the rest after it.
POST /accounts/payments?table=7 {amount: 30.5, methodInfo: {method: CASH}} => 200
read => {totals: {paid: 30.5, due: 49.5}}
POST /accounts/pre-close?table=7
POST /accounts/payments?table=7 {amount: 49.5, methodInfo: {method: CASH}}
POST /accounts/close?table=7 => 202
read => {status: CLOSED, totals: {paid: 80, due: 0}, payments: [{amount: 30.5}, {amount: 49.5}],
  items: [{status: PAID}, {status: PAID}, {status: PAID}, {status: PAID}]}
// Orders are not affected by payments, locks and closing.
stored drinks => not {paid: ANY}
stored dinner => not {paid: ANY}

# calls need a token of Orders, in the Authorization header
account
GET /accounts?table=7 with {authorization: ""} => 401
`)

describe('finding an account', () => {
  indoorTests(`
# [DIS-IND-04, IND-ACC-01] where accounts have no ids, none is shown or accepted; the key is
with {conduct: {indoor: {usesAccountId: false}}}
account => not {accountId: ANY}
entity as id
GET /accounts/$id => 404
POST /accounts/$id/pre-close => 404
POST /accounts/pre-close {accountId: $id} => 404
POST /accounts/pre-close?table=7 => 202
pass 0s
accounts => [NONE, NONE]

# [IND-UND-04, IND-OPS-01] a key without an open account means the one closed last; a new order opens another
account CLOSED as first
read => {accountId: $first.accountId, status: CLOSED}
order
read => {status: IN_USE}
read => not {accountId: $first.accountId}
GET /accounts/$first.accountId => 200 {status: CLOSED}

# [IND-UND-04] a closed account is not found by key when configured
with {conduct: {indoor: {accountLookup: open-only}}}
order
POST /accounts/pre-close?table=7
POST /accounts/payments?table=7 {amount: 40, methodInfo: {method: CASH}}
POST /accounts/close?table=7 => 202
GET /accounts?table=7 => 404

# two houses may both have a table 7; locking one leaves the other open
order {id: here, merchant: loja-1}
order {id: there, merchant: loja-2}
GET /accounts?table=7&merchantId=loja-1 => 200 {orders: [{orderId: here}]}
GET /accounts?table=7&merchantId=loja-2 => 200 {orders: [{orderId: there}]}
GET /accounts?table=7&merchantId=loja-3 => 404
POST /accounts/pre-close?table=7&merchantId=loja-1
GET /accounts?table=7&merchantId=loja-2 => 200 {status: IN_USE}

# [IND-UND-03, IND-TEN-02] flat paths name the account in query or body; the account’s own paths are equivalent
order
read as seven
POST /accounts/payments?table=7 {amount: 1, methodInfo: {method: CASH}} => 200
POST /accounts/payments {operationMode: TABLE, identifier: "7", amount: 1, methodInfo: {method: CASH}}
=> 200
POST /accounts/payments {accountId: $seven.accountId, amount: 1, methodInfo: {method: CASH}} => 200
POST /accounts/$seven.accountId/payments {amount: 1, methodInfo: {method: CASH}} => 200
POST /accounts/$seven.accountId/pre-close => 202
POST /accounts/$seven.accountId/unlock => 202
POST /accounts/$seven.accountId/pre-close => 202
GET /accounts/$seven.accountId/payments => 200 {payments: [{}, {}, {}, {}]}
POST /accounts/$seven.accountId/payments {amount: 36, methodInfo: {method: CASH}} => 200
POST /accounts/$seven.accountId/close => 202
POST /accounts/$seven.accountId/fiscal => 202
GET /accounts/$seven.accountId/fiscal => 200 {documents: [{documentStatus: PENDING}]}

# [IND-UND-03] a call that names no account gets an error with the missing field
account
POST /accounts/pre-close => 400 ~operationMode
POST /accounts/pre-close?operationMode=TABLE => 400 ~identifier
GET /accounts?operationMode=BENCH&identifier=7 => 400 ~operationMode
GET /accounts?table=8&accountId=unknown => 404

# [IND-FLR-02] legacy labels are accepted, and never written
order {mode: MESA, block: {consumptionType: CONSUMIR_NO_LOCAL}}
order {mode: COMANDA, identifier: "101", block: {consumptionType: LEVAR}}
order {mode: BALCAO, identifier: "1"}
read 7, MESA => {operationMode: TABLE}
read 101, TAB => {operationMode: TAB}
read 1, COUNTER => {operationMode: COUNTER}
POST /accounts/pre-close {operationMode: MESA, identifier: "7"} => 202
written => /^(?!.*(MESA|COMANDA|BALCAO|CONSUMIR_NO_LOCAL|LEVAR))/
`)
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
})

describe('locks and closing', () => {
  indoorTests(`
# [IND-UND-06] the status code of a rejection is configurable
with {conduct: {invalidTransition: {indoor: 422}}}
account
POST /accounts/close?table=7 => 422

# [IND-PRM-06] unlocking an unlocked account is 202 without effect, or refused when configured
with {conduct: {indoor: {unlockInUse: 409}}}
account
POST /accounts/unlock?table=7 => 409 INVALID_ACCOUNT_STATE
POST /accounts/pre-close?table=7 => 202
POST /accounts/unlock?table=7 => 202

# [IND-TRA-04, IND-OPS-05, IND-PRM-07] close requires payments that cover the account
account IN_PAYMENT as seven
POST /accounts/payments?table=7 {amount: 39.99, methodInfo: {method: CASH}}
POST /accounts/close?table=7 => 409 INSUFFICIENT_PAYMENT ~0.01
read => {status: IN_PAYMENT}
POST /accounts/payments?table=7 {amount: 0.01, methodInfo: {method: CASH}}
POST /accounts/close?table=7 => 202
// It is final: nothing reopens it.
POST /accounts/$seven.accountId/unlock => 409
POST /accounts/$seven.accountId/pre-close => 409
read => {status: CLOSED}

# [IND-TRA-04] a courtesy waives that, for one account or by configuration for all
account IN_PAYMENT as seven
submit {kind: account.courtesy, accountId: $seven.accountId, reason: birthday} => {ok: true}
POST /accounts/close?table=7 => 202
read => {items: [{status: ACTIVE}, {status: ACTIVE}]}

# [IND-TRA-04] a discount waives it too, given with the close or by the house; the totals show it
account IN_PAYMENT as seven
submit {kind: account.discount, accountId: $seven.accountId, amount: 15} => {ok: true}
read => {totals: {discount: 15, due: 25}}
POST /accounts/payments?table=7 {amount: 20, methodInfo: {method: CASH}}
POST /accounts/close?table=7 {discount: 4.99} => 409
read => {totals: {discount: 15}}
POST /accounts/close?table=7 {discount: 5} => 202
read => {status: CLOSED, totals: {itemsSubtotal: 40, discount: 20, paid: 20, due: 0}}

# [IND-RUL-02, MIG-IND-02] a lock makes no payment, and no timeout unlocks an account
account IN_PAYMENT
pass 3h
read => {status: IN_PAYMENT, payments: []}
events => is [ACCOUNT_OPENED, ACCOUNT_PRE_CLOSED]
`)
})

test('[IND-GEN-05, IND-EVR-05] no change of an account affects its order', async () => {
  await using wire = await openIndoorWire()
  await wire.account('CLOSED')
  const asked = wire.originator.callNames('o-1')
  expect(asked.filter((name) => !['order', 'confirm', 'preparing'].includes(name))).toEqual([])
  const events = new Set(wire.originator.calls.map(({ path }) => path))
  expect([...events].filter((path) => path.includes('account'))).toEqual([])
})

describe('payments', () => {
  indoorTests(`
# [IND-UND-03] an amount may be a price, and a method may be a plain string
account
POST /accounts/payments?table=7 {amount: {value: 5, currency: BRL}, method: CREDIT}
=> 200 {amount: 5, methodInfo: {method: CREDIT_CARD}}

# <body> is an invalid payment: <field>
account
POST /accounts/payments?table=7 <body> => 400|422 ~<field>
read => {payments: []}
| body | field
| {methodInfo: {method: PIX}} | amount
| {amount: 10} | methodInfo
| {amount: 0, methodInfo: {method: PIX}} | amount
| {amount: -1, methodInfo: {method: PIX}} | amount
| {amount: ten, methodInfo: {method: PIX}} | amount
| {amount: 1e300, methodInfo: {method: PIX}} | amount
| {amount: {value: -1, currency: BRL}, methodInfo: {method: PIX}} | amount
| {amount: 0.000001, methodInfo: {method: PIX}} | amount
| {amount: 10, methodInfo: {method: SHELLS}} | methodInfo.method
| {amount: 10, methodInfo: {method: PIX}, items: [x]} | items
| {amount: 10, methodInfo: {method: PIX}, tip: -1} | tip

# payments over the amount due are refused
account
POST /accounts/payments?table=7 {amount: 40.01, methodInfo: {method: CASH}}
=> 409 PAYMENT_EXCEEDS_DUE

# payments over the amount due are accepted when configured
with {conduct: {indoor: {overpayment: accept}}}
account
POST /accounts/payments?table=7 {amount: 50, methodInfo: {method: CASH}} => 200
read => {totals: {paid: 50, due: 0}}

# [IND-EVT-06] the house corrects a payment: PAYMENT_UPDATED, the status stays
account IN_PAYMENT as seven
POST /accounts/payments?table=7 {amount: 40, methodInfo: {method: CASH}} => 200 as payment
submit {kind: account.adjust-payment, accountId: $seven.accountId, paymentId: $payment.paymentId, amount: 25}
=> {ok: true}
pass 0s
read => {status: IN_PAYMENT, lastEvent: PAYMENT_UPDATED, totals: {paid: 25, due: 15}}
bodies => [{}, {}, {}, {eventType: PAYMENT_UPDATED, paymentId: $payment.paymentId}]
submit {kind: account.adjust-payment, accountId: $seven.accountId, paymentId: $payment.paymentId, amount: 41}
=> {ok: false, error: {code: PAYMENT_EXCEEDS_DUE}}
submit {kind: account.adjust-payment, accountId: $seven.accountId, paymentId: unknown, amount: 1}
=> {ok: false, error: {code: NOT_FOUND}}
`)
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

describe('items', () => {
  indoorTests(`
# [IND-OPS-06, IND-RUL-08, IND-EVT-04] an item is cancelled at once, whole or in part; a repetition has no effect
account as seven
POST /accounts/items/$seven.items.0.itemId/cancel?table=7 {quantity: 1, reason: frio}
=> 200 {quantity: 1, totalPrice: 10}
read => {totals: {due: 30}}
POST /accounts/items/$seven.items.1.itemId/cancel?table=7 => 200 {status: CANCELLED}
read => {totals: {itemsSubtotal: 10, due: 10}}
POST /accounts/items/$seven.items.1.itemId/cancel?table=7 => 200
pass 0s
events => is [ACCOUNT_OPENED, ACCOUNT_ITEM_CANCELLED, ACCOUNT_ITEM_CANCELLED]
// The order is separate: nothing of it was cancelled (IND-TEN-04).
calls item-cancel => []

# an item identifies its account, where nothing else does
account as seven
POST /accounts/items/$seven.items.0.itemId/cancel => 200

# more than the quantity, and unknown items, are refused
account as seven
POST /accounts/items/$seven.items.0.itemId/cancel?table=7 {quantity: 3} => 422 ~quantity
POST /accounts/items/none/cancel?table=7 => 404
read => {totals: {due: 40}}

# [IND-OPS-07, IND-UND-03] part of a line is transferred, by the standard’s names, to a key; then all that is left
account as seven
account IN_USE, 8
POST /accounts/transfers?table=7 {transferType: ITEMS, items: [{itemId: $seven.items.0.itemId, quantity: 1}],
  target: {operationMode: TABLE, identifier: "8"}} => 200
read 7 => {items: [{quantity: 1, totalPrice: 10}, {}]}
read 8 => {items: [{}, {}, {quantity: 1, totalPrice: 10, name: x-burger}]} as eight
value $eight.items.2.itemId => not $seven.items.0.itemId
POST /accounts/transfers?table=7 {transferType: FULL_ACCOUNT, target: {operationMode: TABLE, identifier: "8"}}
=> 200
read 7 => {totals: {due: 0}}
read 8 => {totals: {due: 80}}

# an order’s charges are transferred with its last item
order {more: {total: {itemsPrice: {value: 40, currency: BRL}, otherFees: {value: 4, currency: BRL},
  discount: {value: 1, currency: BRL}, orderAmount: {value: 43, currency: BRL}}}}
account IN_USE, 8
read 7 => {totals: {serviceCharge: {amount: 4}, discount: 1, due: 43}}
POST /accounts/transfers?table=7 {transferType: FULL_ACCOUNT, target: {operationMode: TABLE, identifier: "8"}}
read 7 => {totals: {due: 0}}
read 8 => {totals: {due: 83}}

# [IND-RUL-05] nothing can be transferred to an account that is <status>
account as seven
account <status>, 8 as eight
POST /accounts/transfers?table=7 {targetAccountId: $eight.accountId, itemIds: [$seven.items.0.itemId]}
=> 409 INVALID_ACCOUNT_STATE
read 7 => {items: [{}, {}]}
read 8 => {items: [{}, {}]}
| status
| IN_PAYMENT
| CLOSED

# <body> is an invalid transfer: <status>, <field>
account as seven
account IN_USE, 8 as eight
POST /accounts/transfers?table=7 <body> => <status> ~<field>
read 7 => {items: [{}, {}]}
| body | status | field
| {itemIds: [x-burger]} | 400 | targetAccountId
| {targetAccountId: $eight.accountId} | 400 | itemIds
| {targetAccountId: $eight.accountId, itemIds: []} | 400 | itemIds
| {targetAccountId: $eight.accountId, itemIds: [x-burger, x-burger]} | 400 | itemIds
| {targetAccountId: $eight.accountId, itemIds: [nothing]} | 404 | nothing
| {targetAccountId: $eight.accountId, items: [{itemId: x-burger, quantity: 9}]} | 422 | quantity
| {targetAccountId: $seven.accountId, itemIds: [x-burger]} | 422 | targetAccountId
| {targetAccountId: unknown, itemIds: [x-burger]} | 404 | unknown
`)
})

const lines = [0.3333, 10.005, 7.7777].map(
  (value, index) =>
    `{id: line-${index}, name: peso, quantity: 0.333, pricing: {unitPrice: {value: 1, currency: BRL},
      totalPrice: {value: ${value}, currency: BRL}}}`,
)

indoorTests(`
# an account’s total has whole cents, whatever its orders say, so it can be paid exactly
order {more: {items: [${lines.join(', ')}]}}
read => {totals: {due: 18.12}}
POST /accounts/pre-close?table=7
POST /accounts/payments?table=7 {amount: 6.04, methodInfo: {method: CASH}} => 200
POST /accounts/payments?table=7 {amount: 6.04, methodInfo: {method: CASH}} => 200
POST /accounts/payments?table=7 {amount: 6.04, methodInfo: {method: CASH}} => 200
POST /accounts/close?table=7 => 202
read => {totals: {paid: 18.12, due: 0}}

# [IND-UND-01] the shape of an account is configurable
with {conduct: {indoor: {accountShape: summary}}}
order
POST /accounts/payments?table=7 {amount: 10, methodInfo: {method: CASH}}
read
=> {status: IN_USE, lastEvent: PAYMENT_CREATED, items: [{}, {}], payments: [{}], fiscalDocuments: [],
  total: 40, paidTotal: 10}
`)
