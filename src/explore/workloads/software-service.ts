/** The workloads of a Software Service: it confirms and prepares orders of our Ordering Application. */
import { sampleNamed, sampleNames } from '../../core/partners/seed-data/samples.ts'
import { generated, placed, type RoleWorkloads } from './workload.ts'
import {
  cancelOfAnotherApp,
  cancelOfCustomer,
  whenReady,
  whileFirstRead,
  whilePreparing,
} from './cancellation-steps.ts'

/** An order document of a store that the subject does not know. */
const orderOfAnotherStore = {
  displayId: '4711',
  createdAt: '2026-01-05T15:00:00.000Z',
  merchant: { id: 'another-store', name: 'Another store' },
  fulfillment: { orderType: 'TAKEOUT', takeout: { pickupCode: '17' } },
  timing: { orderTiming: 'INSTANT' },
  items: [
    {
      id: 'soup',
      name: 'Soup',
      quantity: 1,
      pricing: {
        unitPrice: { value: 18, currency: 'BRL' },
        totalPrice: { value: 18, currency: 'BRL' },
      },
    },
  ],
  total: {
    itemsPrice: { value: 18, currency: 'BRL' },
    otherFees: { value: 0, currency: 'BRL' },
    discount: { value: 0, currency: 'BRL' },
    orderAmount: { value: 18, currency: 'BRL' },
  },
  payments: { prepaid: 18, pending: 0, methods: [] },
}

const deliverySamples = sampleNames.filter((name) => {
  const { types = ['DELIVERY'], outside } = sampleNamed(name)
  return types.includes('DELIVERY') && outside === undefined
})

const searched: RoleWorkloads = {
  delivery: {
    about: 'An order of several items is delivered.',
    orders: { o1: { type: 'DELIVERY', items: 3 } },
  },
  takeout: { about: 'An order is picked up.', orders: { o1: { type: 'TAKEOUT' } } },
  indoor: { about: 'An order is served at a table.', orders: { o1: { type: 'INDOOR' } } },
  'two-of-one-customer': {
    about: 'A customer orders twice within seconds.',
    orders: placed(['DELIVERY', 'TAKEOUT at 3s'], 'Ana Souza'),
  },
  'cancelled-at-once': {
    about: 'The customer cancels in the moment in which the order is placed.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [{ advance: '20ms' }, cancelOfCustomer],
  },
  'cancelled-early': {
    about: 'The customer cancels about when the order is read for the first time.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whileFirstRead(cancelOfCustomer),
  },
  'cancelled-while-preparing': {
    about: 'The customer cancels while the order is prepared.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whilePreparing(cancelOfCustomer),
  },
  'cancelled-when-ready': {
    about: 'The customer cancels when the order is ready.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whenReady(cancelOfCustomer),
  },
  'cancelled-on-the-way': {
    about: 'The customer cancels when the courier is under way with the order.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [{ await: { status: 'IN_DELIVERY', order: 'o1', within: '90s' } }, cancelOfCustomer],
  },
  'service-cancels': {
    about: 'The store asks to cancel, and the partner agrees.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [
      { await: { status: 'CONFIRMED', order: 'o1', within: '60s' } },
      { ask: { order: 'o1', for: 'cancellation' } },
      { await: { call: 'requestCancellation', order: 'o1', within: '60s' } },
      { advance: '2s' },
      { trigger: { order: 'o1', move: 'accept-cancellation' } },
    ],
  },
  'service-cancels-denied': {
    about: 'The store asks to cancel, and the partner says no.',
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [
      { await: { status: 'CONFIRMED', order: 'o1', within: '60s' } },
      { ask: { order: 'o1', for: 'cancellation' } },
      { await: { call: 'requestCancellation', order: 'o1', within: '60s' } },
      { trigger: { order: 'o1', move: 'deny-cancellation' } },
    ],
  },
  'several-at-once': {
    about: 'Four orders are placed in the same moment.',
    orders: placed(['TAKEOUT', 'DELIVERY', 'TAKEOUT', 'INDOOR']),
  },
  'one-after-the-other': {
    about: 'Orders come one after the other, when those before them may not be over.',
    orders: placed(['TAKEOUT', 'DELIVERY at 6s', 'TAKEOUT at 14s']),
  },
  'evening-at-tables': {
    about:
      'Guests order at open tables and at one that waits for its payment; they move, cancel, pay in parts, unlock and close.',
    needs: 'indoor',
    session: generated('6s', 8, { INDOOR: 1 }),
    steps: [{ advance: '100s' }],
  },
  'item-cancelled': {
    about: 'One item of an order is cancelled, and the order goes on.',
    orders: { o1: { type: 'TAKEOUT', items: 3 } },
    steps: [
      { await: { status: 'CONFIRMED', order: 'o1', within: '60s' } },
      { emit: { order: 'o1', event: 'ITEM_CANCELLED' } },
    ],
  },
}

/** What it must bear without any fault, and what is too large to be searched. */
const faultFree: RoleWorkloads = {
  rush: {
    about: 'Thirty orders are placed at once.',
    steps: [{ crowd: { times: 30, type: 'TAKEOUT', items: 1 } }, { advance: '5s' }],
  },
  'odd-orders': {
    about: 'Orders come that are valid and rare: each sample that a delivery can be.',
    steps: deliverySamples.map((sample) => ({ crowd: { times: 1, type: 'DELIVERY', sample } })),
  },
  backlog: {
    about: 'More orders wait than one poll returns.',
    session: { conduct: { pollBatch: 50 } },
    steps: [{ crowd: { times: 60, type: 'TAKEOUT', items: 1 } }, { advance: '10s' }],
  },
  'concluded-late': {
    about: 'An order is over, and CONCLUDED comes minutes later.',
    session: { counterparts: { 'ordering-application': { concludeAfter: '10m' } } },
    steps: [
      { create: 'o1' },
      { await: { status: 'DELIVERED', order: 'o1', within: '90s' } },
      { advance: '75s' },
    ],
    orders: { o1: { type: 'TAKEOUT' } },
  },
  'cancellation-accepted-only': {
    about: 'The partner says that it accepts a cancellation, and does not cancel.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [
      { create: 'o1' },
      { await: { status: 'CONFIRMED', order: 'o1', within: '60s' } },
      { advance: '2s' },
      { emit: { order: 'o1', event: 'CANCELLATION_REQUEST_ACCEPTED' } },
      { advance: '10s' },
    ],
  },
  'malformed-event': {
    about: 'One event of several has a number where its type should be.',
    orders: { o1: { type: 'TAKEOUT' }, o2: { type: 'TAKEOUT' } },
    steps: [
      { fault: { delay: { event: 'PREPARATION_REQUESTED', by: '1s' } } },
      { create: 'o1' },
      { await: { status: 'CONFIRMED', order: 'o1', within: '60s' } },
      { emit: { order: 'o1', event: 'PREPARATION_REQUESTED' } },
      { alter: { order: 'o1', event: 'PREPARATION_REQUESTED', change: { eventType: 7 } } },
      { create: 'o2' },
      { advance: '10s' },
    ],
  },
  'order-of-another-store': {
    about: 'An order comes of a store that is not served.',
    orders: { o1: { order: orderOfAnotherStore }, o2: { type: 'TAKEOUT' } },
    steps: [{ create: ['o1', 'o2'] }, { advance: '20s' }],
  },
  'another-app': {
    about:
      'Another app of the store confirms an order, and CREATED never comes: the first that is heard of it is CONFIRMED.',
    session: { conduct: { webhookRetry: 'three-more' } },
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [
      { fault: { ghost: { does: ['confirms', 'acknowledges'], event: 'CREATED' } } },
      { fault: { reset: { operation: 'receiveOrderEvent', event: 'CREATED' } } },
      { create: 'o1' },
      { advance: '30s' },
    ],
  },
  'cancellation-takes-long': {
    about:
      'Another app of the store asks to cancel a new order; the partner agrees, and refuses every step until it is cancelled.',
    session: {
      // In V1 a 422 says that the step was taken before.
      conduct: { invalidTransition: { orders: 409 } },
      counterparts: { 'ordering-application': { processing: '45s' } },
    },
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [
      { create: 'o1' },
      cancelOfAnotherApp,
      { trigger: { order: 'o1', move: 'accept-cancellation' } },
      { advance: '60s' },
    ],
  },
  stumble: {
    about: 'Eight orders are to be confirmed when the partner fails for a moment.',
    steps: [
      { fault: { fail: { operation: 'confirmOrder', burst: 1 } } },
      { crowd: { times: 8, type: 'TAKEOUT', items: 1 } },
      { advance: '20s' },
    ],
  },
}

export const softwareServiceWorkloads: RoleWorkloads = {
  ...searched,
  ...Object.fromEntries(
    Object.entries(faultFree).map(([name, each]) => [name, { ...each, faultFree: true as const }]),
  ),
}
