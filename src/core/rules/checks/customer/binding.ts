/** Checks of the REST binding: HTTPS and JSON, and its operations with their tokens and scopes: CUS-BND, REV-BND. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Role } from '../../../protocol/role.ts'
import { type Check, defineChecks } from '../check.ts'
import {
  atSteps,
  callsOf,
  each,
  every,
  hasStatus,
  hasStatusClass,
  observation,
  type Test,
  where,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { ofKnownCustomers } from './assertions.ts'
import { crm, customerRoles, isOfCustomer, ofCrm, served, ofApplication } from './assertions.ts'
import { perMessage } from '../live.ts'
import { customerBlockIn, manifestsShown } from './manifest.ts'
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

/** HTTPS, but for a service on a network of the one who certifies it. */
const isLocal = (host: string): boolean =>
  !host.includes('.') ||
  /\.(test|local|localhost|internal)$/.test(host) ||
  /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host)

const declaresHttps = perMessage(function* (trace) {
  for (const manifest of manifestsShown(trace)) {
    const { endpoint } = customerBlockIn(manifest.reply) ?? {}
    if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) continue
    const { protocol, hostname } = new URL(endpoint)
    yield observation(
      [manifest],
      protocol !== 'https:' &&
        !isLocal(hostname) &&
        `it declares ${endpoint} as the endpoint of Customer, which is no https`,
    )
  }
})

const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^application\/(json|[\w.+-]+\+json)\b/i.test(type)

/** Bodies of its requests and of its replies are JSON by their headers. */
const bodiesAreJson: Test<Observed> = ({ isCall, exchange, requestHeader, replyHeader }) => {
  const body = isCall ? exchange.request.body : exchange.reply?.body
  const type = isCall ? requestHeader('content-type') : replyHeader('content-type')
  const isNowhere = !isCall && (exchange.reply?.status === 404 || exchange.reply?.status === 405)
  if (body === undefined || body === '' || isJson(type) || isNowhere) return undefined
  return `it ${isCall ? 'sends' : 'answers'} a body of Customer as ${type ?? 'nothing'}, not application/json`
}

export const wireChecks = defineChecks(
  { ...ofApplication, procedures: ['customer-operations', 'own-leads'] },
  {
    'CUS-BND-01': {
      assertion: every(
        each((trace) => trace.all.filter(isOfCustomer), bodiesAreJson),
        declaresHttps,
      ),
      remedy: 'Declare an https endpoint of Customer, and label each body as application/json.',
    },
  },
  {
    'CUS-BND-01': {
      ...ofCrm,
      procedures: ['customer-operations'],
      assertion: every(
        each((trace) => trace.all.filter(isOfCustomer), bodiesAreJson),
        declaresHttps,
      ),
      remedy: 'Declare an https endpoint of Customer, and label each body as application/json.',
    },
  },
)
