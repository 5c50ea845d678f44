import { compact } from '../../compact.ts'
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import {
  transcript,
  type Transcript,
  type TranscriptOptions,
} from '../../../test/support/transcript.ts'
import type { OrderTrigger } from '../../protocol/orders/lifecycle.ts'
import { sumProblems } from '../../protocol/orders/totals.ts'
import type { CancellationAnswer, Command } from '../command.ts'
import { orderView } from './record.ts'

const apply = (...triggers: readonly OrderTrigger[]): readonly Command[] =>
  triggers.map((trigger) => ({ kind: 'order.apply', orderId: 'a', trigger }))
const ask: Command = { kind: 'cancellation.request', orderId: 'a', request: { code: 'OUT' } }
const answer = (given: CancellationAnswer): Command => ({
  kind: 'cancellation.answer',
  orderId: 'a',
  answer: given,
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
const document = (told: Transcript) => orderView(told.engine.world.ordering.orders.get('a')!)

test('a request that is accepted is announced, and only then is the order cancelled', () => {
  const told = confirmed()
  expect(told.when(ask)).toEqual(['cancellation asked for: OUT', 'CANCELLATION_REQUESTED emitted'])
  expect(told.when(answer('accept'))).toEqual([
    'cancellation request: accept',
    'CANCELLATION_REQUEST_ACCEPTED emitted',
  ])
  expect(document(told).status).toBe('CONFIRMED')
  expect(told.when(apply('cancel')[0]!)).toEqual(['CONFIRMED > CANCELLED', 'CANCELLED emitted'])
})

test('between the acceptance and the cancellation the order does not progress', () => {
  const told = confirmed().given(ask, answer('accept'))
  expect(told.when({ kind: 'order.request', orderId: 'a', trigger: 'preparing' })).toEqual([
    'CONFLICT: preparing is not possible for the DELIVERY order a in CONFIRMED: its cancellation was accepted',
  ])
  expect(told.when(apply('preparing')[0]!)).toEqual(['preparing came to nothing in CONFIRMED'])
})

test('a request that is denied leaves everything as it was, and one may ask again', () => {
  const told = confirmed().given(ask)
  expect(told.when(answer('deny'))).toEqual([
    'cancellation request: deny',
    'CANCELLATION_REQUEST_DENIED emitted',
  ])
  expect(document(told).status).toBe('CONFIRMED')
  expect(told.when(ask)[0]).toBe('cancellation asked for: OUT')
})

test('a request that is left open waits for somebody to answer it', () => {
  const told = confirmed().given(ask)
  expect(told.when(answer('open'))).toEqual(['cancellation request: open'])
  expect(told.when(answer('open'))).toEqual([])
  expect(told.when(answer('deny'))).toEqual([
    'cancellation request: deny',
    'CANCELLATION_REQUEST_DENIED emitted',
  ])
})

test('asking twice is asking once', () => {
  const told = confirmed().given(ask)
  expect(told.when(ask)).toEqual([])
  told.given(answer('accept'))
  expect(told.when(ask)).toEqual([])
  told.given(...apply('cancel'))
  expect(told.when(ask)).toEqual([])
})

test('nobody waits for an answer: not before a request, and not after its answer', () => {
  const told = confirmed()
  const nobody = ['CONFLICT: nobody waits for an answer about cancelling the order a']
  expect(told.when(answer('accept'))).toEqual(nobody)
  told.given(ask, answer('deny'))
  expect(told.when(answer('accept'))).toEqual(nobody)
})

test('what is over cannot be cancelled', () => {
  for (const [told, status] of [
    [delivered(), 'DELIVERED'],
    [delivered().given(...apply('conclude')), 'CONCLUDED'],
    [confirmed().given(...apply('cancel', 'conclude')), 'CONCLUDED'],
  ] as const)
    expect(told.when(ask)).toEqual([
      `INVALID_TRANSITION: the order a cannot be cancelled in ${status}: it is over`,
    ])
})

test('a request that the order has outrun can only be denied: accepted, it would promise what cannot come', () => {
  const told = confirmed().given(ask, ...apply('ready-for-pickup', 'delivered'))
  expect(told.when(answer('accept'))).toEqual([
    'cancellation request: deny',
    'CANCELLATION_REQUEST_DENIED emitted',
  ])
  expect(document(told).status).toBe('DELIVERED')
})

test('an order that is cancelled while a request waits has granted it: first the outcome, then the end', () => {
  const told = confirmed().given(ask)
  expect(told.when(apply('cancel')[0]!)).toEqual([
    'cancellation request: accept',
    'CANCELLATION_REQUEST_ACCEPTED emitted',
    'CONFIRMED > CANCELLED',
    'CANCELLED emitted',
  ])
})

test('an order whose last line goes while a request waits has granted it too', () => {
  const told = confirmed().given(ask, cancelItem('lemonade'))
  expect(told.when(cancelItem('burger'))).toEqual([
    '2 of item burger cancelled',
    'ITEM_CANCELLED emitted',
    'cancellation request: accept',
    'CANCELLATION_REQUEST_ACCEPTED emitted',
    'CONFIRMED > CANCELLED',
    'CANCELLED emitted',
  ])
})

test('a part of a line goes: the rest stays, the sums follow, the status does not', () => {
  const told = confirmed()
  expect(told.when(cancelItem('burger', 1))).toEqual([
    '1 of item burger cancelled',
    'ITEM_CANCELLED emitted',
  ])
  const order = document(told)
  expect(order.status).toBe('CONFIRMED')
  expect(order.items.map(({ status, quantityCancelled }) => [status, quantityCancelled])).toEqual([
    ['PARTIALLY_CANCELLED', 1],
    [undefined, undefined],
  ])
  expect(order.total.itemsPrice.value).toBe(34.9)
  expect(order.total.orderAmount.value).toBe(37.9)
  expect(sumProblems(order)).toEqual([])
})

test('what is not yet paid is lowered first, then what was paid is given back', () => {
  const told = confirmed().given(cancelItem('burger', 1))
  const { payments } = document(told)
  expect(payments).toMatchObject({ prepaid: 37.9, pending: 0 })
  expect(payments.methods.map(({ type, value }) => [type, value])).toEqual([['PREPAID', 37.9]])
})

test('two cancels of one line take what is left, and no more than there is', () => {
  const told = confirmed().given(askItem('burger', 2), askItem('burger', 1))
  told.given(cancelItem('burger', 1))
  expect(told.when(cancelItem('burger', 2))[0]).toBe('1 of item burger cancelled')
  expect(document(told).items[0]).toMatchObject({ status: 'CANCELLED', quantityCancelled: 2 })
  expect(told.when(cancelItem('burger', 1))).toEqual(['cancel came to nothing in CONFIRMED'])
  expect(sumProblems(document(told))).toEqual([])
})

test('when the last line goes, the order goes', () => {
  const told = confirmed().given(cancelItem('burger'))
  expect(told.when(cancelItem('lemonade'))).toEqual([
    '1 of item lemonade cancelled',
    'ITEM_CANCELLED emitted',
    'CONFIRMED > CANCELLED',
    'CANCELLED emitted',
  ])
  expect(sumProblems(document(told))).toEqual([])
})

test('a discount that is more than what is left to pay for does not make the amount negative', () => {
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
  const told = transcript().given({ kind: 'order.create', order }, ...apply('confirm'))
  told.given(cancelItem('burger', 1))
  expect(document(told).total.orderAmount.value).toBe(0)
  expect(document(told).payments.methods).toEqual([])
  expect(sumProblems(document(told))).toEqual([])
})

test('sums that were wrong from the beginning stay wrong by the same difference', () => {
  const order = plainOrder('a')
  order.total = { ...order.total, orderAmount: { value: 100, currency: 'BRL' } }
  const told = transcript().given({ kind: 'order.create', order }, ...apply('confirm'))
  told.given(cancelItem('burger', 1))
  expect(document(told).total.orderAmount.value).toBe(75)
})

test('before confirmation a line cannot be cancelled: not when asked for, and not by our own hand', () => {
  const early = [
    'UNPROCESSABLE: an item of the order a cannot be cancelled before it is confirmed: cancel the order with UNAVAILABLE_ITEM',
  ]
  expect(created().when(askItem('burger'))).toEqual(early)
  expect(created().when(cancelItem('burger'))).toEqual(early)
})

test('a line can be cancelled only while there is something to cancel', () => {
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
  expect(delivered().when(cancelItem('burger'))).toEqual(['cancel came to nothing in DELIVERED'])
})

test('a session without outcome events answers in silence', () => {
  const told = confirmed({ conduct: { cancellationOutcome: false } }).given(ask)
  expect(told.when(answer('accept'))).toEqual(['cancellation request: accept'])
})
