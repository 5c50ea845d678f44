/**
 * The workloads of a CRM: our Ordering Application shares customers, leads, orders and reviews with it, and redeems its
 * points.
 */
import { generated, placed, type RoleWorkloads } from './workload.ts'
import { cancelOfCustomer } from './cancellation-steps.ts'

const lead = {
  id: 'lead-001',
  name: 'Bia Lima',
  contact: { type: 'phone', value: '+5511900000001' },
  source: 'landing-page',
  status: 'new',
}

export const crmWorkloads: RoleWorkloads = {
  order: {
    about: 'An order of a customer is delivered, and earns points.',
    orders: { o1: { type: 'DELIVERY' } },
  },
  'two-of-one-customer': {
    about: 'A customer orders twice within seconds, and may redeem what the first order earned.',
    orders: placed(['TAKEOUT', 'DELIVERY at 3s'], 'Ana Souza'),
  },
  'regular-customer': {
    about: 'A customer orders again when the order before has earned points.',
    orders: placed(['TAKEOUT', 'TAKEOUT at 40s'], 'Ana Souza'),
  },
  'cancelled-at-once': {
    about: 'The customer cancels in the moment in which the order is placed.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [{ advance: '20ms' }, cancelOfCustomer],
  },
  'cancelled-while-preparing': {
    about: 'The customer cancels when the order is shared already.',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [{ await: { status: 'PREPARING', order: 'o1', within: '60s' } }, cancelOfCustomer],
  },
  'lead-who-orders': {
    about: 'A lead leaves a telephone number, is qualified, and another customer orders.',
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [
      { command: { kind: 'relation.enter', entry: { entity: 'lead', record: lead } } },
      { advance: '2s' },
      {
        command: {
          kind: 'relation.enter',
          entry: { entity: 'lead', record: { ...lead, status: 'qualified' } },
        },
      },
    ],
  },
  'several-at-once': {
    about: 'Four customers order in the same moment.',
    orders: placed(['TAKEOUT', 'DELIVERY', 'TAKEOUT', 'INDOOR']),
  },
  'month-of-loyal-customers': {
    about:
      'Customers order again and again: they earn, redeem, ask for too much, cancel, review, and opt out.',
    session: generated('5s', 14, { TAKEOUT: 1 }),
    steps: [{ advance: '110s' }],
  },
  pulled: {
    about: 'The CRM itself reads customers and orders, page by page; nothing is pushed to it.',
    session: { counterparts: { crm: { mode: 'pull' } } },
    orders: { o1: { type: 'TAKEOUT' }, o2: { type: 'DELIVERY', at: '5s' } },
    steps: [{ advance: '60s' }],
  },
}
