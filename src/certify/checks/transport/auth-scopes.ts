/** Checks of scopes, at the service as a host and in its own calls: AUT-CUS, AUT-ORD, AUT-SCO, AUT-TEN, TRN-STA-06. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import type { Capability } from '../../../core/protocol/operation.ts'
import { roles } from '../../../core/protocol/role.ts'
import { recogniseOperation } from '../../../core/traffic/recognise-operation.ts'
import { defineChecks } from '../../judge/check.ts'
import { type Defect, wrongReply, replacedStatus } from '../../judge/defect.ts'
import { each, every, callsOf, notice } from '../../judge/look.ts'
import { hasErrorBody } from './error-body.ts'
import {
  callsHaveScope,
  eitherScope,
  fineScopeSuffices,
  insufficientScopeIsRefused,
  type OperationChoice,
} from './scope-looks.ts'
import { wrongScopes } from './token-defects.ts'
import { isDomainScope, scopesAskedIn } from './tokens.ts'

const ofCapability =
  (...capabilities: readonly Capability[]): OperationChoice =>
  ({ capability }) =>
    capabilities.includes(capability)

const ofOperations =
  (...ids: readonly OperationId[]): OperationChoice =>
  ({ id }) =>
    ids.some((one) => one === id)

const isAnyOperation: OperationChoice = () => true
const isOfOrders = ofCapability('orders', 'indoor')
const isOfCustomer = ofCapability('customer')
const readsDeliveries = ofOperations('checkDeliveryAvailability', 'getDelivery')
const handsDeliveryEventsOver = ofOperations('receiveDeliveryEvent')
const movesDeliveries: OperationChoice = (row) =>
  row.capability === 'logistics' && !readsDeliveries(row) && !handsDeliveryEventsOver(row)

/** The host refuses calls with a token whatever scope it has. */
const refusingHost = (about: string, choice: OperationChoice): Defect =>
  wrongReply(
    about,
    ({ method, url, headers }) => {
      const row = recogniseOperation(method, url)?.row
      return headers.has('authorization') && row !== undefined && choice(row)
    },
    (reply) => void (reply.status = 403),
  )

/** The host does not look at scopes: what has a token is let in, and fails by its body. */
const carelessHost: Defect = replacedStatus(
  'does not look at the scope of a token',
  'all',
  403,
  400,
)

/** The service asks for this scope in place of those that it needs. */
const wrongScope = (scope: string): Defect =>
  wrongScopes(`asks for the scope ${scope} alone`, () => scope)

/** The service does not ask for a scope that it needs. */
const missingScope = (scope: string): Defect =>
  wrongScopes(`does not ask for the scope ${scope}`, (asked) =>
    asked
      .split(' ')
      .filter((one) => one !== scope)
      .join(' '),
  )

const remedyOfCalls =
  'Ask for the scope of what you call, and send the token in the Authorization header.'

export const scopeChecks = defineChecks([
  {
    clauses: ['AUT-CUS-01'],
    roles: ['ordering-application', 'crm'],
    needs: ['customer'],
    procedures: ['activity'],
    look: callsHaveScope(isOfCustomer),
    remedy: remedyOfCalls,
    defect: wrongScope('proto.menu'),
  },
  {
    clauses: ['AUT-CUS-02'],
    roles: ['ordering-application', 'crm'],
    needs: ['customer'],
    procedures: ['scopes'],
    look: every(fineScopeSuffices(isOfCustomer), insufficientScopeIsRefused(isOfCustomer)),
    remedy:
      'Accept at each endpoint of Customer the scope of that endpoint, and answer 403 to the other ones.',
    defect: carelessHost,
  },
  {
    clauses: ['AUT-TEN-01'],
    roles: ['ordering-application', 'crm'],
    needs: ['customer'],
    procedures: ['scopes'],
    look: eitherScope(isOfCustomer),
    remedy:
      'Accept at each endpoint of Customer the scope of the domain, that of the endpoint, or both.',
    defect: refusingHost('refuses every scope at Customer', isOfCustomer),
  },
  {
    clauses: ['AUT-ORD-01'],
    roles: ['ordering-application'],
    needs: ['orders'],
    procedures: ['scopes'],
    look: eitherScope(isOfOrders),
    remedy: 'Accept a token with the scope of the domain orders at every endpoint of Orders.',
    defect: refusingHost('refuses the scope of Orders', isOfOrders),
  },
  {
    clauses: ['AUT-ORD-01'],
    roles: ['software-service'],
    needs: ['orders'],
    procedures: ['activity'],
    look: callsHaveScope(isOfOrders),
    remedy: remedyOfCalls,
    defect: wrongScope('proto.menu'),
  },
  {
    clauses: ['AUT-SCO-01'],
    roles,
    procedures: ['introduction', 'scopes'],
    look: every(
      eitherScope(isAnyOperation),
      each(callsOf('issueToken'), (asked) =>
        scopesAskedIn(asked).some((scope) => isDomainScope(scope, 'all'))
          ? notice('it asks for the scope of all domains')
          : undefined,
      ),
    ),
    remedy: 'Accept the scope of each domain, and ask for the domains that you need, not for all.',
    defect: wrongScope('proto.all'),
  },
  {
    clauses: ['AUT-SCO-02'],
    roles: ['delivery-platform'],
    needs: ['logistics'],
    procedures: ['scopes'],
    look: every(eitherScope(readsDeliveries), insufficientScopeIsRefused(movesDeliveries)),
    remedy: 'Accept logistics.read at availability and status, and answer 403 to it elsewhere.',
    defect: carelessHost,
  },
  {
    clauses: ['AUT-SCO-02'],
    roles: ['ordering-application', 'software-service'],
    needs: ['logistics'],
    procedures: ['activity'],
    look: callsHaveScope(readsDeliveries),
    remedy:
      'Ask for logistics.read, or for the scope of Logistics, to read availability and status.',
    defect: missingScope('logistics.read'),
  },
  {
    clauses: ['AUT-SCO-03'],
    roles: ['delivery-platform'],
    needs: ['logistics'],
    procedures: ['scopes'],
    look: eitherScope(movesDeliveries),
    remedy: 'Accept logistics.write at the creation of deliveries and at every step of them.',
    defect: refusingHost('refuses logistics.write', movesDeliveries),
  },
  {
    clauses: ['AUT-SCO-03'],
    roles: ['ordering-application', 'software-service'],
    needs: ['logistics'],
    procedures: ['activity'],
    look: callsHaveScope(movesDeliveries),
    remedy:
      'Ask for logistics.write, or for the scope of Logistics, to create and move deliveries.',
    defect: missingScope('logistics.write'),
  },
  {
    clauses: ['AUT-SCO-04'],
    roles: ['delivery-platform'],
    needs: ['logistics'],
    procedures: ['activity'],
    look: callsHaveScope(handsDeliveryEventsOver),
    remedy: 'Ask for logistics.events.write to hand delivery events over.',
    defect: missingScope('logistics.events.write'),
  },
  {
    clauses: ['AUT-TEN-03'],
    roles: ['delivery-platform'],
    needs: ['logistics'],
    procedures: ['scopes'],
    look: eitherScope(ofCapability('logistics')),
    remedy: 'Accept the scope of Logistics, or the three finer ones, or both.',
    defect: refusingHost('refuses every scope of Logistics', ofCapability('logistics')),
  },
  {
    clauses: ['AUT-TEN-03'],
    roles: ['ordering-application', 'software-service'],
    needs: ['logistics'],
    procedures: ['scopes'],
    look: eitherScope(handsDeliveryEventsOver),
    remedy: 'Accept delivery events with the scope of Logistics or with logistics.events.write.',
    defect: refusingHost('refuses every scope for delivery events', handsDeliveryEventsOver),
  },
  {
    clauses: ['TRN-STA-06'],
    roles,
    procedures: ['scopes'],
    look: insufficientScopeIsRefused(isAnyOperation, hasErrorBody),
    remedy: 'Answer 403 with the error object to a valid token without the scope.',
    defect: carelessHost,
  },
])
