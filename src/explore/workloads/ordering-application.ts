/**
 * The workloads of an Ordering Application: it places orders when it is asked to, hosts them for our Software Service, pays at
 * our tables, and has them delivered by our Delivery Platform.
 */
import { placed, type RoleWorkloads } from './workload.ts'
import {
  cancelOfStore,
  whenReady,
  whileDeliveryIsRequested,
  whilePreparing,
} from './cancellation-steps.ts'

const cancelAsked = { ask: { order: 'o1', for: 'cancellation' } } as const

export const orderingApplicationWorkloads: RoleWorkloads = {
  delivery: { about: 'An order is delivered.', orders: { o1: { type: 'DELIVERY' } } },
  takeout: { about: 'An order is picked up.', orders: { o1: { type: 'TAKEOUT' } } },
  indoor: {
    about: 'An order is served at a table, and its account is paid and closed.',
    orders: { o1: { type: 'INDOOR' } },
  },
  'two-of-one-customer': {
    about: 'A customer orders twice within seconds.',
    orders: placed(['DELIVERY', 'DELIVERY at 3s'], 'Ana Souza'),
  },
  'cancelled-at-once': {
    about: 'The customer cancels in the moment in which the order is placed.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [cancelAsked],
  },
  'cancelled-early': {
    about: 'The customer cancels while the delivery is requested.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whileDeliveryIsRequested(cancelAsked),
  },
  'cancelled-while-preparing': {
    about: 'The customer cancels while the order is prepared and its delivery is under way.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whilePreparing(cancelAsked),
  },
  'cancelled-when-ready': {
    about: 'The customer cancels when the order is ready.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whenReady(cancelAsked),
  },
  'store-cancels': {
    about: 'The store asks to cancel an order that it has confirmed; your service agrees or not.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [{ await: { status: 'CONFIRMED', order: 'o1', within: '60s' } }, cancelOfStore],
  },
  'store-cancels-when-ready': {
    about: 'The store asks to cancel an order that is ready; your service agrees or not.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: whenReady(cancelOfStore),
  },
  'several-at-once': {
    about: 'Four orders are placed in the same moment.',
    orders: placed(['DELIVERY', 'TAKEOUT', 'DELIVERY', 'INDOOR']),
  },
  'indoor-evening': {
    about: 'Guests order at three tables, one after the other.',
    orders: placed(['INDOOR', 'INDOOR at 5s', 'INDOOR at 12s']),
  },
  'own-orders': {
    about: 'The orders that the service places by itself within half a minute.',
    steps: [{ await: { call: 'confirmOrder', within: '20s' } }, { advance: '30s' }],
  },
}
