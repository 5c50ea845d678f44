/** Checks of scopes, at the service as a host and in its own calls: AUT-CUS, AUT-ORD, AUT-SCO, AUT-TEN, TRN-STA-06. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Capability } from '../../../protocol/operation.ts'
import { roles } from '../../../protocol/role.ts'
import { defineChecks } from '../check.ts'
import { each, every, callsOf, notice } from '../assertion.ts'
import { hasErrorBody } from './error-body.ts'
import {
  callsHaveScope,
  eitherScope,
  fineScopeSuffices,
  insufficientScopeIsRefused,
  type OperationChoice,
} from './scope-assertions.ts'
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

const remedyOfCalls =
  'Ask for the scope of what you call, and send the token in the Authorization header.'

export const scopeChecks = defineChecks(
  { roles: ['delivery-platform'], needs: ['logistics'], procedures: ['scopes'] },
  {
    'AUT-CUS-01': {
      roles: ['ordering-application', 'crm'],
      needs: ['customer'],
      procedures: ['activity'],
      assertion: callsHaveScope(isOfCustomer),
      remedy: remedyOfCalls,
    },
    'AUT-CUS-02': {
      roles: ['ordering-application', 'crm'],
      needs: ['customer'],
      assertion: every(fineScopeSuffices(isOfCustomer), insufficientScopeIsRefused(isOfCustomer)),
      remedy:
        'Accept at each endpoint of Customer the scope of that endpoint, and answer 403 to the other ones.',
    },
    'AUT-TEN-01': {
      roles: ['ordering-application', 'crm'],
      needs: ['customer'],
      assertion: eitherScope(isOfCustomer),
      remedy:
        'Accept at each endpoint of Customer the scope of the domain, that of the endpoint, or both.',
    },
    'AUT-ORD-01': {
      roles: ['ordering-application'],
      needs: ['orders'],
      assertion: eitherScope(isOfOrders),
      remedy: 'Accept a token with the scope of the domain orders at every endpoint of Orders.',
    },
  },
  {
    'AUT-ORD-01': {
      roles: ['software-service'],
      needs: ['orders'],
      procedures: ['activity'],
      assertion: callsHaveScope(isOfOrders),
      remedy: remedyOfCalls,
    },
    'AUT-SCO-01': {
      needs: [],
      roles,
      procedures: ['introduction', 'scopes'],
      assertion: every(
        eitherScope(isAnyOperation),
        each(
          callsOf('issueToken'),
          (asked) =>
            scopesAskedIn(asked).some((scope) => isDomainScope(scope, 'all')) &&
            notice('it asks for the scope of all domains'),
        ),
      ),
      remedy:
        'Accept the scope of each domain, and ask for the domains that you need, not for all.',
    },
    'AUT-SCO-02': {
      assertion: every(eitherScope(readsDeliveries), insufficientScopeIsRefused(movesDeliveries)),
      remedy: 'Accept logistics.read at availability and status, and answer 403 to it elsewhere.',
    },
  },
  {
    'AUT-SCO-02': {
      roles: ['ordering-application', 'software-service'],
      procedures: ['activity'],
      assertion: callsHaveScope(readsDeliveries),
      remedy:
        'Ask for logistics.read, or for the scope of Logistics, to read availability and status.',
    },
    'AUT-SCO-03': {
      assertion: eitherScope(movesDeliveries),
      remedy: 'Accept logistics.write at the creation of deliveries and at every step of them.',
    },
  },
  {
    'AUT-SCO-03': {
      roles: ['ordering-application', 'software-service'],
      procedures: ['activity'],
      assertion: callsHaveScope(movesDeliveries),
      remedy:
        'Ask for logistics.write, or for the scope of Logistics, to create and move deliveries.',
    },
    'AUT-SCO-04': {
      procedures: ['activity'],
      assertion: callsHaveScope(handsDeliveryEventsOver),
      remedy: 'Ask for logistics.events.write to hand delivery events over.',
    },
    'AUT-TEN-03': {
      assertion: eitherScope(ofCapability('logistics')),
      remedy: 'Accept the scope of Logistics, or the three finer ones, or both.',
    },
  },
  {
    'AUT-TEN-03': {
      roles: ['ordering-application', 'software-service'],
      assertion: eitherScope(handsDeliveryEventsOver),
      remedy: 'Accept delivery events with the scope of Logistics or with logistics.events.write.',
    },
    'TRN-STA-06': {
      needs: [],
      roles,
      procedures: ['scopes'],
      assertion: insufficientScopeIsRefused(isAnyOperation, hasErrorBody),
      remedy: 'Answer 403 with the error object to a valid token without the scope.',
    },
  },
)
