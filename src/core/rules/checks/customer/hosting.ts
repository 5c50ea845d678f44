/** Checks of the operations that a host of Customer serves: CUS-FLW, CUS-PAY, CUS-BND, REV-BND, LOY-FLW. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { pullOperations } from '../../../engine/customer/partner.ts'
import { recordKinds } from '../../../protocol/customer/batch.ts'
import { Order } from '../../../protocol/orders/order.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import {
  allTests,
  atSteps,
  each,
  every,
  fits,
  hasStatus,
  hasStatusClass,
  observation,
  type Test,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { customerProblem } from './fields.ts'
import { ofKnownCustomers } from './assertions.ts'
import { callsWell, served, ofCrm, ofApplication, ofCustomer, succeedsWith } from './assertions.ts'
import { recordsAt, servedAt } from './records.ts'

const at = (step: string): string => `customer-operations/${step}`

/** The answer at one path, where the service has it. */
const answers = (step: string, ...tests: readonly Test<Observed>[]): Assertion =>
  each(served(atSteps(at(step))), allTests(...tests))

/** The answer at whichever path the service has. */
const answersSomewhere = (steps: readonly OperationId[], test: Test<Observed>): Assertion =>
  each(served(servedAt(...steps.map(at))), test)

/** Its answers to records of customers. */
const takesRecords = (...steps: readonly OperationId[]): Assertion =>
  each(ofKnownCustomers(served(servedAt(...steps.map(at)))), hasStatus(202))

const recordProblem =
  (
    kind: 'customer' | 'order',
    problemOf: (record: unknown) => string | undefined,
  ): Test<Observed> =>
  (observed, trace) => {
    for (const { record } of recordsAt(trace, observed.step ?? '', kind)) {
      const problem = problemOf(record)
      if (problem !== undefined) return `a ${kind} that it lists is wrong: ${problem}`
    }
    return undefined
  }

const orderProblem = fits(() => Order)

/** A path of the flows, and its calls by the Ordering Application. */
const pushes = [
  ['CUS-FLW-04', 'upsertLeads', 'ingestLead', 'own-leads', 'lead'],
  ['CUS-FLW-05', 'upsertOrders', 'ingestOrdersForCRM', 'customer-orders', 'order'],
  ['CUS-PAY-02', 'upsertLeads', 'ingestLead', 'own-leads', 'lead'],
  ['CUS-PAY-04', 'upsertOrders', 'ingestOrdersForCRM', 'customer-orders', 'order'],
] as const

const pushCallChecks = pushes.map(([clause, flow, binding, procedure, kind]): Check => ({
  clauses: [clause],
  ...ofApplication,
  procedures: [procedure],
  assertion: callsWell([flow, binding], new RegExp(`/${kind}s(:|$)`)),
  remedy: `Send each ${kind} with POST, whole, to the path of the flows or of the binding.`,
}))

const loyaltyReads = [
  ['LOY-FLW-01', 'listCustomerLoyaltyAccounts'],
  ['LOY-FLW-02', 'listLoyaltyRewards'],
  ['LOY-FLW-03', 'createLoyaltyRedemption'],
  ['LOY-FLW-04', 'listLoyaltyCoupons'],
] as const

const loyaltyCallChecks = loyaltyReads.map(([clause, operation]): Check => ({
  clauses: [clause],
  ...ofApplication,
  procedures: ['loyalty-reading'],
  assertion: callsWell([operation], /$^/),
  remedy: `Call ${operation} by its method and path, with a token and what it needs.`,
}))

/** Each customer of an order that it pushes is pushed as well. */
const pushesCustomersOfOrders: Assertion = function* (trace) {
  const customers = trace.calls('ingestCustomer', 'upsertCustomers')
  for (const order of trace.calls('ingestOrdersForCRM', 'upsertOrders')) {
    const phone = /"phone":\{"number":"([^"]+)"/.exec(order.exchange.request.body ?? '')?.[1]
    if (phone === undefined) continue
    const known = customers.find(({ exchange }) => exchange.request.body?.includes(phone))
    yield observation(
      known ? [known, order] : [order],
      !known && 'it sends an order and not its customer',
    )
  }
}

export const hostingChecks = defineChecks(
  { ...ofCrm, procedures: ['customer-operations'] },
  {
    'CUS-FLW-01': {
      assertion: answers('upsertCustomers', hasStatus(202)),
      remedy: 'Answer POST /customers with 202.',
    },
    'CUS-PAY-01': {
      assertion: answersSomewhere(['ingestCustomer', 'upsertCustomers'], hasStatus(202)),
      remedy: 'Answer a valid customer with 202.',
    },
    'CUS-FLW-01 CUS-PAY-01': {
      ...ofApplication,
      procedures: ['customer-orders'],
      assertion: every(callsWell(['ingestCustomer', 'upsertCustomers']), pushesCustomersOfOrders),
      remedy: 'Send the customer of an order before the order, at the first order of a lead too.',
    },
    'CUS-FLW-02': {
      ...ofCustomer,
      procedures: ['customer-operations'],
      assertion: answers(
        'listCustomers',
        hasStatus(200),
        recordProblem('customer', customerProblem),
      ),
      remedy: 'Answer GET /customers with 200 and your customers.',
    },
    'CUS-FLW-03': {
      ...ofCustomer,
      procedures: ['customer-consents', 'customer-errors'],
      assertion: every(
        each(served(atSteps('customer-consents/known-by-id')), hasStatus(200)),
        each(atSteps('customer-errors/unknown-customer'), hasStatus(404)),
      ),
      remedy:
        'Answer GET /customers/{id} with 200 for a customer that you list, and else with 404.',
    },
    'CUS-FLW-04': {
      assertion: takesRecords('upsertLeads'),
      remedy: 'Answer POST /leads with 202.',
    },
    'CUS-FLW-05': {
      assertion: takesRecords('upsertOrders'),
      remedy: 'Answer POST /orders below the base of Customer with 202.',
    },
    'CUS-FLW-06': {
      ...ofCustomer,
      procedures: ['customer-operations'],
      assertion: answers('listOrders', hasStatus(200), recordProblem('order', orderProblem)),
      remedy: 'Answer GET /orders below the base of Customer with 200 and the whole history.',
    },
    'CUS-PAY-02': {
      procedures: ['customer-operations', 'customer-errors'],
      assertion: every(
        takesRecords('ingestLead', 'upsertLeads'),
        each(served(servedAt('customer-errors/incomplete-lead')), hasStatusClass(4)),
      ),
      remedy: 'Answer a lead with 202, and one without id, source or status with 400.',
    },
    'CUS-PAY-04': {
      assertion: takesRecords('ingestOrdersForCRM', 'upsertOrders'),
      remedy: 'Answer a valid order in relationship context with 202.',
    },
    'CUS-PAY-05': {
      ...ofCustomer,
      procedures: ['customer-operations'],
      assertion: every(
        succeedsWith(200, ...recordKinds.flatMap((kind) => Object.values(pullOperations[kind]))),
        each(
          served(
            servedAt(...['getCustomers', 'listCustomers', 'getOrdersForCRM', 'listOrders'].map(at)),
          ),
          hasStatus(200),
        ),
      ),
      remedy: 'Answer a query without a body with 200.',
    },
  },
  pushCallChecks,
  loyaltyCallChecks,
)
