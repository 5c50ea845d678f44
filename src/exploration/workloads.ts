/** The built-in workloads, by the role that the subject plays. */
import type { Role } from '../protocol/role.ts'
import { createWorkload, type Workload, type WorkloadInput } from './workload.ts'

const cancelled = 'CONSUMER_CANCELLATION_REQUESTED'
const cancelOfCustomer = {
  trigger: {
    order: 'o1',
    move: 'cancel',
    code: cancelled,
    reason: 'the customer changed their mind',
  },
} as const

const cancelledWhilePreparing: Omit<WorkloadInput, 'subjects'> = {
  name: 'cancelled-while-preparing',
  about: 'The customer cancels while the order is prepared.',
  orders: { o1: { type: 'DELIVERY' } },
  steps: [
    { await: { status: 'PREPARING', order: 'o1', within: '60s' } },
    { advance: '300ms' },
    cancelOfCustomer,
  ],
}

/** The subject confirms and prepares orders of our Ordering Application. */
const ofSoftwareService: readonly Omit<WorkloadInput, 'subjects'>[] = [
  { name: 'delivery', about: 'An order is delivered.', orders: { o1: { type: 'DELIVERY' } } },
  { name: 'takeout', about: 'An order is picked up.', orders: { o1: { type: 'TAKEOUT' } } },
  { name: 'indoor', about: 'An order is served at a table.', orders: { o1: { type: 'INDOOR' } } },
  {
    name: 'two-of-one-customer',
    about: 'A customer orders twice within seconds.',
    orders: {
      o1: { type: 'DELIVERY', customer: { name: 'Ana Souza' } },
      o2: { type: 'TAKEOUT', customer: { name: 'Ana Souza' }, at: '3s' },
    },
  },
  {
    name: 'cancelled-at-once',
    about: 'The customer cancels in the moment in which the order is placed.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [{ advance: '20ms' }, cancelOfCustomer],
  },
  {
    name: 'cancelled-early',
    about: 'The customer cancels about when the order is read for the first time.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [{ advance: '1500ms' }, cancelOfCustomer],
  },
  cancelledWhilePreparing,
  {
    name: 'cancelled-when-ready',
    about: 'The customer cancels when the order is ready.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [{ await: { status: 'READY', order: 'o1', within: '90s' } }, cancelOfCustomer],
  },
  {
    name: 'service-cancels',
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
  {
    name: 'service-cancels-denied',
    about: 'The store asks to cancel, and the partner says no.',
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [
      { await: { status: 'CONFIRMED', order: 'o1', within: '60s' } },
      { ask: { order: 'o1', for: 'cancellation' } },
      { await: { call: 'requestCancellation', order: 'o1', within: '60s' } },
      { trigger: { order: 'o1', move: 'deny-cancellation' } },
    ],
  },
  {
    name: 'several-at-once',
    about: 'Four orders are placed in the same moment.',
    orders: {
      o1: { type: 'TAKEOUT' },
      o2: { type: 'DELIVERY' },
      o3: { type: 'TAKEOUT' },
      o4: { type: 'INDOOR' },
    },
  },
  {
    name: 'one-after-the-other',
    about: 'Orders come one after the other, when those before them may not be over.',
    orders: {
      o1: { type: 'TAKEOUT' },
      o2: { type: 'DELIVERY', at: '6s' },
      o3: { type: 'TAKEOUT', at: '14s' },
    },
  },
  {
    name: 'item-cancelled',
    about: 'One item of an order is cancelled, and the order goes on.',
    orders: { o1: { type: 'TAKEOUT', items: 3 } },
    steps: [
      { await: { status: 'CONFIRMED', order: 'o1', within: '60s' } },
      { emit: { order: 'o1', event: 'ITEM_CANCELLED' } },
    ],
  },
]

/** An order of a store that the subject does not know. */
const foreignOrder = {
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

/** What a Software Service must bear without any fault, and what is too large to be searched. */
const faultFreeOfSoftwareService: readonly Omit<WorkloadInput, 'subjects'>[] = [
  {
    name: 'rush',
    about: 'Thirty orders are placed at once.',
    steps: [{ crowd: { times: 30, type: 'TAKEOUT', items: 1 } }, { advance: '5s' }],
  },
  {
    name: 'backlog',
    about: 'More orders wait than one poll returns.',
    session: { conduct: { pollBatch: 50 } },
    steps: [{ crowd: { times: 60, type: 'TAKEOUT', items: 1 } }, { advance: '10s' }],
  },
  {
    name: 'concluded-late',
    about: 'An order is over, and CONCLUDED comes minutes later.',
    session: { counterparts: { 'ordering-application': { concludeAfter: '10m' } } },
    steps: [
      { create: 'o1' },
      { await: { status: 'DELIVERED', order: 'o1', within: '90s' } },
      { advance: '75s' },
    ],
    orders: { o1: { type: 'TAKEOUT' } },
  },
  {
    name: 'cancellation-accepted-only',
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
  {
    name: 'malformed-event',
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
  {
    name: 'order-of-another-store',
    about: 'An order comes of a store that is not served.',
    orders: { o1: { order: foreignOrder }, o2: { type: 'TAKEOUT' } },
    steps: [{ create: ['o1', 'o2'] }, { advance: '20s' }],
  },
]

/** The subject hosts orders, which it places by itself; our Software Service confirms and prepares them. */
const ofOrderingApplication: readonly Omit<WorkloadInput, 'subjects'>[] = [
  {
    name: 'own-orders',
    about: 'The orders that the service places by itself within a minute.',
    steps: [{ advance: '60s' }],
  },
]

/** The subject delivers, or keeps the customers: our other roles run the orders that concern it. */
const ofOthers: readonly Omit<WorkloadInput, 'subjects'>[] = [
  { name: 'delivery', about: 'An order is delivered.', orders: { o1: { type: 'DELIVERY' } } },
  cancelledWhilePreparing,
]

const inputs: Readonly<Record<Role, readonly Omit<WorkloadInput, 'subjects'>[]>> = {
  'software-service': ofSoftwareService,
  'ordering-application': ofOrderingApplication,
  'delivery-platform': ofOthers,
  crm: ofOthers,
}

const faultFreeInputs: Readonly<Partial<Record<Role, readonly Omit<WorkloadInput, 'subjects'>[]>>> =
  { 'software-service': faultFreeOfSoftwareService }

export const workloadsOf = (subject: Role): readonly Workload[] => [
  ...inputs[subject].map((input) => createWorkload({ ...input, subjects: [subject] })),
  ...(faultFreeInputs[subject] ?? []).map((input) =>
    createWorkload({ ...input, subjects: [subject], faultFree: true }),
  ),
]
