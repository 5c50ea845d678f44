/** The workloads of a Delivery Platform: it delivers the orders of our Ordering Application. */
import { generated, placed, type RoleWorkloads } from './workload.ts'
import {
  cancelOfCustomer,
  cancelOfStore,
  whenReady,
  whileDeliveryIsRequested,
  whilePreparing,
} from './cancellation-steps.ts'

export const deliveryPlatformWorkloads: RoleWorkloads = {
  delivery: { about: 'An order is delivered.', orders: { o1: { type: 'DELIVERY' } } },
  'two-of-one-customer': {
    about: 'A customer orders twice within seconds, and both orders are delivered.',
    orders: placed(['DELIVERY', 'DELIVERY at 3s'], 'Ana Souza'),
  },
  'cancelled-early': {
    about: 'The customer cancels while the delivery is requested.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whileDeliveryIsRequested(cancelOfCustomer),
  },
  'cancelled-while-preparing': {
    about: 'The customer cancels while the order is prepared and its courier is under way.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whilePreparing(cancelOfCustomer),
  },
  'cancelled-when-ready': {
    about: 'The customer cancels when the order is ready, when the courier may have it already.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whenReady(cancelOfCustomer),
  },
  'store-cancels': {
    about: 'The store asks to cancel while the courier is under way, and the order is cancelled.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [
      { await: { status: 'PREPARING', order: 'o1', within: '60s' } },
      { advance: '1s' },
      cancelOfStore,
    ],
  },
  'several-at-once': {
    about: 'Four deliveries are requested in the same moment.',
    orders: placed(['DELIVERY', 'DELIVERY', 'DELIVERY', 'DELIVERY']),
  },
  'evening-of-deliveries': {
    about: 'Deliveries come all the time: problems are reported, and some are cancelled.',
    session: generated('5s', 8, { DELIVERY: 1 }),
    steps: [{ advance: '90s' }],
  },
  'one-after-the-other': {
    about: 'Deliveries are requested one after the other, when those before may not be over.',
    orders: placed(['DELIVERY', 'DELIVERY at 6s', 'DELIVERY at 14s']),
  },
}
