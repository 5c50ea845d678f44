/** Checks of the operations of the REST binding, with their tokens and scopes: CUS-BND, REV-BND. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Role } from '../../../protocol/role.ts'
import type { Check } from '../check.ts'
import {
  atSteps,
  callsOf,
  each,
  every,
  hasStatus,
  hasStatusClass,
  type Test,
  where,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { ofKnownCustomers } from './assertions.ts'
import { crm, customerRoles, served, ofApplication } from './assertions.ts'
import { lacksCustomerScope } from './assertions.ts'

/**
 * The operations of the binding: clause, operation, success, hosts; and the procedure in which an application calls it.
 */
interface BindingRow {
  readonly clause: string
  readonly operation: OperationId
  readonly hosts: readonly Role[]
  readonly calledIn?: string
}

const bindingRows: readonly BindingRow[] = [
  { clause: 'CUS-BND-02', operation: 'ingestCustomer', hosts: crm, calledIn: 'customer-orders' },
  { clause: 'CUS-BND-03', operation: 'getCustomers', hosts: customerRoles },
  {
    clause: 'CUS-BND-04',
    operation: 'ingestOrdersForCRM',
    hosts: crm,
    calledIn: 'customer-orders',
  },
  { clause: 'CUS-BND-05', operation: 'getOrdersForCRM', hosts: customerRoles },
  { clause: 'CUS-BND-06', operation: 'receiveCustomerEventByBinding', hosts: customerRoles },
  { clause: 'CUS-BND-07', operation: 'ingestLead', hosts: crm, calledIn: 'own-leads' },
  { clause: 'REV-BND-01', operation: 'ingestReview', hosts: crm, calledIn: 'own-reviews' },
]

function successOf(operation: OperationId): Test<Observed> {
  if (operation.startsWith('receive')) return hasStatusClass(2)
  return hasStatus(operation.startsWith('get') ? 200 : 202)
}

const bindingHostChecks = bindingRows.map(({ clause, operation, hosts }): Check => {
  const step = `customer-access/${operation}`
  return {
    clauses: [clause],
    roles: hosts,
    needs: ['customer'],
    procedures: ['customer-access'],
    assertion: every(
      each(
        operation === 'ingestCustomer'
          ? served(atSteps(step))
          : ofKnownCustomers(served(atSteps(step))),
        successOf(operation),
      ),
      each(served(atSteps(`${step}-none`)), hasStatus(401)),
      each(
        where(served(atSteps(`${step}-scope`)), (observed, trace) =>
          lacksCustomerScope(trace.all, observed),
        ),
        hasStatus(403),
      ),
    ),
    remedy: `Serve ${operation} with its scope only: 401 without a token, and 403 without the scope.`,
  }
})

const bindingCallChecks = bindingRows.flatMap(({ clause, operation, calledIn }): Check[] =>
  calledIn === undefined
    ? []
    : [
        {
          clauses: [clause],
          ...ofApplication,
          procedures: [calledIn],
          assertion: each(
            callsOf(operation),
            ({ requestHeader }) =>
              !/^Bearer \S/i.test(requestHeader('authorization') ?? '') &&
              `it calls ${operation} without a token`,
          ),
          remedy: `Send a Bearer token with the scope of ${operation}.`,
        },
      ],
)

export const bindingChecks: readonly Check[] = [...bindingHostChecks, ...bindingCallChecks]
