import { compact } from '../../base/compact.ts'
import { expect, test } from 'vitest'
import { plainOrder } from '../../../../test/support/plain-order.ts'
import {
  transcript,
  type Transcript,
  type TranscriptOptions,
} from '../../../../test/support/transcript.ts'
import type { OrderTrigger } from '../../protocol/orders/lifecycle.ts'
import { sumProblems } from '../../protocol/orders/totals.ts'
import type { CancellationAnswer } from './commands.ts'
import type { Command } from '../command.ts'
import { orderView } from './record.ts'

const apply = (...triggers: readonly OrderTrigger[]): readonly Command[] =>
  triggers.map((trigger) => ({ kind: 'order.apply', orderId: 'a', trigger }))
const ask: Command = { kind: 'cancellation.request', orderId: 'a', request: { code: 'OUT' } }
const answer = (reply: CancellationAnswer): Command => ({
  kind: 'cancellation.answer',
  orderId: 'a',
  answer: reply,
})
const line = (itemId: string, quantity?: number) => ({
  orderId: 'a',
  itemId,
  cancellation: { code: 'OUT', ...compact({ quantity }) },
})
const cancelItem = (...asked: Parameters<typeof line>): Command => ({
  kind: 'item.cancel',
  ...line(...asked),
})
const askItem = (...asked: Parameters<typeof line>): Command => ({
  kind: 'item.request-cancel',
  ...line(...asked),
})

const created = (options: TranscriptOptions = {}): Transcript =>
  transcript(options).given({ kind: 'order.create', order: plainOrder('a') })
const confirmed = (options?: TranscriptOptions): Transcript =>
  created(options).given(...apply('confirm'))
const delivered = (): Transcript => confirmed().given(...apply('ready-for-pickup', 'delivered'))
const document = (session: Transcript) => orderView(session.engine.world.ordering.orders.get('a')!)

test('an accepted request emits its outcome before the order is cancelled', () => {
  const session = confirmed()
  expect(session.when(ask)).toEqual([
    'cancellation asked for: OUT',
    'CANCELLATION_REQUESTED emitted',
  ])
  expect(session.when(answer('accept'))).toEqual([
    'cancellation request: accept',
    'CANCELLATION_REQUEST_ACCEPTED emitted',
  ])
  expect(document(session).status).toBe('CONFIRMED')
  expect(session.when(apply('cancel')[0]!)).toEqual(['CONFIRMED > CANCELLED', 'CANCELLED emitted'])
})

test('between the acceptance and the cancellation the order does not progress', () => {
  const session = confirmed().given(ask, answer('accept'))
  expect(session.when({ kind: 'order.request', orderId: 'a', trigger: 'preparing' })).toEqual([
    'INVALID_TRANSITION: preparing is not possible for the DELIVERY order a in CONFIRMED: its cancellation was accepted',
  ])
  expect(session.when(apply('preparing')[0]!)).toEqual(['preparing had no effect in CONFIRMED'])
})

test('a denied request changes nothing, and may be repeated', () => {
  const session = confirmed().given(ask)
  expect(session.when(answer('deny'))).toEqual([
    'cancellation request: deny',
    'CANCELLATION_REQUEST_DENIED emitted',
  ])
  expect(document(session).status).toBe('CONFIRMED')
  expect(session.when(ask)[0]).toBe('cancellation asked for: OUT')
})

test('a request left open can be answered later', () => {
  const session = confirmed().given(ask)
  expect(session.when(answer('open'))).toEqual(['cancellation request: open'])
  expect(session.when(answer('open'))).toEqual([])
  expect(session.when(answer('deny'))).toEqual([
    'cancellation request: deny',
    'CANCELLATION_REQUEST_DENIED emitted',
  ])
})

test('a repeated request has no further effect', () => {
  const session = confirmed().given(ask)
  expect(session.when(ask)).toEqual([])
  session.given(answer('accept'))
  expect(session.when(ask)).toEqual([])
  session.given(...apply('cancel'))
  expect(session.when(ask)).toEqual([])
})

test('an answer without a pending request is refused', () => {
  const session = confirmed()
  const refusal = ['CONFLICT: there is no open cancellation request for the order a']
  expect(session.when(answer('accept'))).toEqual(refusal)
  session.given(ask, answer('deny'))
  expect(session.when(answer('accept'))).toEqual(refusal)
})

test('a finished order cannot be cancelled', () => {
  for (const [session, status] of [
    [delivered(), 'DELIVERED'],
    [delivered().given(...apply('conclude')), 'CONCLUDED'],
    [confirmed().given(...apply('cancel', 'conclude')), 'CONCLUDED'],
  ] as const)
    expect(session.when(ask)).toEqual([
      `INVALID_TRANSITION: the order a cannot be cancelled in ${status}: it is over`,
    ])
})

test('a request is denied when the order can no longer be cancelled', () => {
  const session = confirmed().given(ask, ...apply('ready-for-pickup', 'delivered'))
  expect(session.when(answer('accept'))).toEqual([
    'cancellation request: deny',
    'CANCELLATION_REQUEST_DENIED emitted',
  ])
  expect(document(session).status).toBe('DELIVERED')
})

test('cancelling an order with a pending request accepts the request first', () => {
  const session = confirmed().given(ask)
  expect(session.when(apply('cancel')[0]!)).toEqual([
    'cancellation request: accept',
    'CANCELLATION_REQUEST_ACCEPTED emitted',
    'CONFIRMED > CANCELLED',
    'CANCELLED emitted',
  ])
})

test('cancelling the last line of an order with a pending request accepts the request too', () => {
  const session = confirmed().given(ask, cancelItem('lemonade'))
  expect(session.when(cancelItem('burger'))).toEqual([
    '2 of item burger cancelled',
    'ITEM_CANCELLED emitted',
    'cancellation request: accept',
    'CANCELLATION_REQUEST_ACCEPTED emitted',
    'CONFIRMED > CANCELLED',
    'CANCELLED emitted',
  ])
})

test('cancelling a part of a line keeps the rest and the status, and adjusts the totals', () => {
  const session = confirmed()
  expect(session.when(cancelItem('burger', 1))).toEqual([
    '1 of item burger cancelled',
    'ITEM_CANCELLED emitted',
  ])
  const order = document(session)
  expect(order.status).toBe('CONFIRMED')
  expect(order.items.map(({ status, quantityCancelled }) => [status, quantityCancelled])).toEqual([
    ['PARTIALLY_CANCELLED', 1],
    [undefined, undefined],
  ])
  expect(order.total.itemsPrice.value).toBe(34.9)
  expect(order.total.orderAmount.value).toBe(37.9)
  expect(sumProblems(order)).toEqual([])
})

test('a reduction lowers the pending amount first, then refunds the prepaid one', () => {
  const session = confirmed().given(cancelItem('burger', 1))
  const { payments } = document(session)
  expect(payments).toMatchObject({ prepaid: 37.9, pending: 0 })
  expect(payments.methods.map(({ type, value }) => [type, value])).toEqual([['PREPAID', 37.9]])
})

test('two cancellations of one line together cancel no more than its quantity', () => {
  const session = confirmed().given(askItem('burger', 2), askItem('burger', 1))
  session.given(cancelItem('burger', 1))
  expect(session.when(cancelItem('burger', 2))[0]).toBe('1 of item burger cancelled')
  expect(document(session).items[0]).toMatchObject({ status: 'CANCELLED', quantityCancelled: 2 })
  expect(session.when(cancelItem('burger', 1))).toEqual(['cancel had no effect in CONFIRMED'])
  expect(sumProblems(document(session))).toEqual([])
})

test('cancelling the last line cancels the order', () => {
  const session = confirmed().given(cancelItem('burger'))
  expect(session.when(cancelItem('lemonade'))).toEqual([
    '1 of item lemonade cancelled',
    'ITEM_CANCELLED emitted',
    'CONFIRMED > CANCELLED',
    'CANCELLED emitted',
  ])
  expect(sumProblems(document(session))).toEqual([])
})

test('a discount larger than the remaining amount does not make it negative', () => {
  const order = { ...plainOrder('a'), otherFees: [] }
  order.total = {
    ...order.total,
    otherFees: { value: 0, currency: 'BRL' },
    discount: { value: 55, currency: 'BRL' },
    orderAmount: { value: 4.9, currency: 'BRL' },
  }
  order.discounts = [
    { amount: { value: 55, currency: 'BRL' }, target: 'CART', sponsorshipValues: [] },
  ]
  order.payments = {
    prepaid: 4.9,
    pending: 0,
    methods: [{ type: 'PREPAID', method: 'PIX', value: 4.9, currency: 'BRL' }],
  }
  expect(sumProblems(order)).toEqual([])
  const session = transcript().given({ kind: 'order.create', order }, ...apply('confirm'))
  session.given(cancelItem('burger', 1))
  expect(document(session).total.orderAmount.value).toBe(0)
  expect(document(session).payments.methods).toEqual([])
  expect(sumProblems(document(session))).toEqual([])
})

test('totals that were wrong from the beginning keep the same difference', () => {
  const order = plainOrder('a')
  order.total = { ...order.total, orderAmount: { value: 100, currency: 'BRL' } }
  const session = transcript().given({ kind: 'order.create', order }, ...apply('confirm'))
  session.given(cancelItem('burger', 1))
  expect(document(session).total.orderAmount.value).toBe(75)
})

test('before confirmation a line cannot be cancelled, neither by request nor directly', () => {
  const early = [
    'UNPROCESSABLE: an item of the order a cannot be cancelled before it is confirmed: cancel the order with UNAVAILABLE_ITEM',
  ]
  expect(created().when(askItem('burger'))).toEqual(early)
  expect(created().when(cancelItem('burger'))).toEqual(early)
})

test('a line can be cancelled only while quantity is left and the order is open', () => {
  expect(confirmed().when(askItem('pizza'))).toEqual(['NOT_FOUND: the order a has no item pizza'])
  expect(confirmed().when(askItem('burger', 3))).toEqual([
    'UNPROCESSABLE: of item burger only 2 are left, not 3',
  ])
  expect(confirmed().given(cancelItem('burger')).when(askItem('burger'))).toEqual([])
  expect(
    confirmed()
      .given(...apply('cancel'))
      .when(askItem('burger')),
  ).toEqual([])
  expect(delivered().when(askItem('burger'))).toEqual([
    'INVALID_TRANSITION: an item of the order a cannot be cancelled in DELIVERED',
  ])
  expect(delivered().when(cancelItem('burger'))).toEqual(['cancel had no effect in DELIVERED'])
})

test('a session without outcome events answers without an event', () => {
  const session = confirmed({ conduct: { cancellationOutcome: false } }).given(ask)
  expect(session.when(answer('accept'))).toEqual(['cancellation request: accept'])
})
