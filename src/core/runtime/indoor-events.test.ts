// @module-tag slow
/** Account events, orders assigned to accounts, fiscal documents: the host's side beyond its calls. */
import { expect, test } from 'vitest'
import { parseManifest } from '../protocol/discovery/parse-manifest.ts'
import { accountEventTypes } from '../protocol/indoor/events.ts'
import { ok } from '../protocol/result.ts'
import { signWebhook } from '../../../test/support/host-session.ts'
import { indoorTests } from '../../../test/support/indoor-conversation.ts'
import { accountQuery, documentIssueMs, openIndoorWire } from '../../../test/support/indoor-wire.ts'

const cash = (amount: number) => ({ amount, methodInfo: { method: 'CASH' } })
const seven = accountQuery('7')
const wants = { fiscal: { shouldIssueDocument: true } }

/** Orders on accounts, and their cancellations. */
indoorTests(`
# orders of other profiles open no account
place delivery, DELIVERY
place takeout, TAKEOUT
settle
entity => null
events => is []

# [IND-PRM-01, IND-UND-06, IND-TRA-02] a locked account accepts no new order: its cancellation is requested, and no second account opens
account IN_PAYMENT as before
order {id: late}
pass 1100ms
calls cancellation, late
=> [{reason: TEXT, code: INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT, mode: AUTO}]
pass 1m
read => {accountId: $before.accountId, status: IN_PAYMENT, orders: [{}], items: [{}, {}]}
events => is [ACCOUNT_OPENED, ACCOUNT_PRE_CLOSED]
calls confirm, late => []

# [IND-UND-06] if the request is denied the order goes on, and is added when the account is unlocked
account IN_PAYMENT
order {id: late}
pass 500ms
announce late, CANCELLATION_REQUEST_DENIED
POST /accounts/unlock?table=7
pass 30s
calls cancellation, late => [{}]
calls confirm, late => [{}]
read => {orders: [{}, {orderId: late}]}

# [IND-UND-06] such an order is only left out when configured
with {conduct: {indoor: {lockedOrder: ignore}}}
account IN_PAYMENT
order {id: late}
pass 1m
calls cancellation, late => []
read => {orders: [{}]}

# an order cancelled before it was read opens no account, one already delivered does
place gone, INDOOR, CANCELLED
pass 1100ms
GET /accounts?table=12 => 404
place served, INDOOR, DELIVERED
pass 1100ms
read 12 => {orders: [{orderId: served}]}

# [IND-GEN-02] without active Orders on the other side there is no Indoor either
with {declares: {orders: false}, counterparts: {ordering-application: {channel: both}}}
place o-1, INDOOR
// It sends a webhook nevertheless, and the order is read.
announce o-1, CREATED, {lost: true} as event
POST /webhooks/orders $event => 204
pass 1m
called order, o-1 => true
GET /accounts?table=12 => 404
events => is []

# [IND-TEN-04, IND-RUL-08] an item cancelled in Orders is cancelled in its account, and never the other way
order as o
cancelled-in-orders $o, 1
pass 1100ms
read => {items: [{quantity: 2}, {quantity: 1}], totals: {due: 30}}
cancelled-in-orders $o, 2
pass 1100ms
read => {items: [{status: ACTIVE}, {status: CANCELLED}], totals: {due: 20}} as account
events => is [ACCOUNT_OPENED, ACCOUNT_ITEM_CANCELLED, ACCOUNT_ITEM_CANCELLED]
POST /accounts/items/$account.items.0.itemId/cancel?table=7
pass 1m
calls item-cancel => []

# [IND-TEN-04] item cancellations are not mirrored when configured
with {conduct: {indoor: {mirrorItemCancel: false}}}
order as o
cancelled-in-orders $o, 2
pass 1100ms
read => {totals: {due: 40}}

# a cancelled order removes its items and charges; the account stays
order {id: stays}
order {id: goes, more: {total: {itemsPrice: {value: 40, currency: BRL}, otherFees: {value: 4, currency: BRL},
  discount: {value: 0, currency: BRL}, orderAmount: {value: 44, currency: BRL}}}}
read => {totals: {due: 84}}
cancel-order goes
pass 1100ms
read => {status: IN_USE, totals: {due: 40, serviceCharge: {amount: 0}},
  items: [{status: ACTIVE}, {status: ACTIVE}, {status: CANCELLED}, {status: CANCELLED}]}

# [IND-PRM-02] a locked account keeps its items until it is unlocked
ignore-confirm
order as o
POST /accounts/pre-close?table=7
cancel-order $o
pass 1100ms
read => {totals: {due: 40}}
POST /accounts/unlock?table=7
pass 0s
read => {totals: {due: 0}}

# [IND-RUL-03] a closed account keeps its items for good
account CLOSED as before
cancel-order $before.orders.0.orderId
pass 1m
read => is $before

# an item transferred to another table is cancelled there
account as seven
account IN_USE, 8 as eight
POST /accounts/transfers?table=7 {targetAccountId: $eight.accountId, items: [{itemId: $seven.items.1.itemId, quantity: 1}]}
cancel-order $seven.orders.0.orderId
pass 1100ms
read 7 => {totals: {due: 0}}
read 8 => {totals: {due: 40}}
`)

/** Account events. */
indoorTests(`
# [IND-UND-05] the place of the details is configurable
with {conduct: {indoor: {eventDetails: data}}}
order
bodies => [{data: {items: [{}, {}]}}]

# [IND-OPS-12] any 2xx accepts an event; any other answer causes a retry of the same bytes, by the plan
answer-events 500
order
answer-events 200
pass 10s
event-texts => 1
events => not [ACCOUNT_OPENED]
events as tries
pass 10m
events => is $tries

# [IND-EVT-03, IND-EVT-08, IND-TEN-05] optional events can be left out: then none is sent, and lastEvent is unchanged
with {conduct: {indoor: {omittedEvents: [ACCOUNT_ITEM_REMOVED, ACCOUNT_UNLOCKED, PAYMENT_UPDATED]}}}
account as a
account IN_USE, 8 as b
POST /accounts/transfers?table=7 {targetAccountId: $b.accountId, itemIds: [$a.items.0.itemId]}
read => {lastEvent: ACCOUNT_OPENED}
POST /accounts/pre-close?table=7
POST /accounts/unlock?table=7
read => {status: IN_USE, lastEvent: ACCOUNT_PRE_CLOSED}
pass 0s
events => is [ACCOUNT_OPENED, ACCOUNT_OPENED, ACCOUNT_ITEM_ADDED, ACCOUNT_PRE_CLOSED]

# no event is sent to a receiver that does not declare Indoor
with {declares: {indoor: false}}
account CLOSED
pass 1m
events => is []
read => {lastEvent: ACCOUNT_CLOSED}

# a session without Indoor has no accounts, no operations, no declaration
with {capabilities: {indoor: false, logistics: false, customer: false}}
order
GET /accounts?table=7 => 404 NOT_FOUND
GET /.well-known/protocol => 200 as manifest
text $manifest => /^(?!.*indoor)/
events => is []
`)

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
  expect(headers['x-app-signature']).toBe(signWebhook(text))
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
    counterparts: { 'software-service': { behaviour: 'hostile' } },
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

/** Fiscal documents. */
indoorTests(`
# [IND-EVT-10, IND-RUL-07] a failed issuance is reported and does not prevent closing
with {conduct: {indoor: {fiscalOutcome: error}}}
account IN_PAYMENT as a
POST /accounts/fiscal?table=7
pass 3s
bodies
=> [{}, {}, {eventType: FISCAL_ERROR, documentId: TEXT, payload: {statusCode: "999", statusReason: TEXT}}]
documents => [{documentStatus: ERROR}]
read => {status: IN_PAYMENT}
POST /accounts/payments?table=7 {amount: 40, methodInfo: {method: CASH}}
POST /accounts/close?table=7 => 202
// Another request creates another document.
POST /accounts/$a.accountId/fiscal
documents => [{}, {}]

# [IND-RUL-07, IND-TEN-03] closing does not wait for a document, which is issued all the same
with {conduct: {indoor: {fiscalDelay: 1h}}}
account IN_PAYMENT
POST /accounts/fiscal?table=7
POST /accounts/payments?table=7 {amount: 40, methodInfo: {method: CASH}}
POST /accounts/close?table=7 => 202
pass 3599s
read => {status: CLOSED, lastEvent: ACCOUNT_CLOSED}
pass 2s
read => {status: CLOSED, lastEvent: FISCAL_ISSUED}
events => is [ACCOUNT_OPENED, ACCOUNT_PRE_CLOSED, PAYMENT_CREATED, ACCOUNT_CLOSED, FISCAL_ISSUED]

# repeated requests for a pending document count once; for an issued one the event is repeated
account
POST /accounts/fiscal?table=7 => 202
POST /accounts/fiscal?table=7 => 202
POST /accounts/fiscal?table=7 => 202
pass 3s
documents => [{}]
POST /accounts/fiscal?table=7
pass 3s
documents => [{}]
events => is [ACCOUNT_OPENED, FISCAL_ISSUED, FISCAL_ISSUED]
// A request with another total is another document.
order
POST /accounts/fiscal?table=7
pass 3s
documents => [{}, {}]

# [IND-OPS-10] the receipt of every request has the id of its document, after the close too
with {conduct: {indoor: {invoiceIssueMoment: account_closing}}}
account CLOSED
POST /accounts/fiscal?table=7 => 202 {correlationId: TEXT} as receipt
POST /accounts/fiscal?table=7 => 202 {correlationId: $receipt.correlationId}
pass 3s
documents => [{documentId: $receipt.correlationId}]
POST /accounts/fiscal?table=7 => 202 {correlationId: $receipt.correlationId}

# [IND-TEN-03] invoices at <moment>, requested on a closed account <when>: <status>
with {conduct: {indoor: {invoiceIssueMoment: <moment>, fiscalOnClosed: <when>}}}
account CLOSED
POST /accounts/fiscal?table=7 => <status>
GET /accounts/fiscal?table=7 => 200
| moment | when | status
| account_closing | when-due | 202
| payment | when-due | 409
| item_addition | when-due | 409
| payment | always | 202
| account_closing | never | 409

# [DIS-IND-02] the house issues none where no order requests one, or where another party issues: <issuer>
with {conduct: {indoor: {invoiceIssuer: <issuer>}}}
order {block: <block>}
POST /accounts/pre-close?table=7
POST /accounts/payments?table=7 {amount: 40, methodInfo: {method: CASH}}
POST /accounts/close?table=7
pass 1m
documents => []
| issuer | block
| pos | {}
| app | {fiscal: {shouldIssueDocument: true}}

# an operator issues a document or fails it at once
with {conduct: {indoor: {fiscalDelay: 1h}}}
account as a
submit {kind: account.conclude-fiscal, accountId: $a.accountId, outcome: issued}
=> {ok: false, error: {code: NOT_FOUND}}
POST /accounts/fiscal?table=7
submit {kind: account.conclude-fiscal, accountId: $a.accountId, outcome: error}
documents => [{documentStatus: ERROR}]
POST /accounts/fiscal?table=7
submit {kind: account.conclude-fiscal, accountId: $a.accountId, outcome: issued}
documents => [{}, {documentStatus: ISSUED}]
// The planned issuance finds it done.
pass 3700s
events => is [ACCOUNT_OPENED, FISCAL_ERROR, FISCAL_ISSUED]
`)

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
