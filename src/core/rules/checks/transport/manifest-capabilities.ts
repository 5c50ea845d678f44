/** Checks of the declarations of the capabilities: ORD-GEN-08, DIS-ORD, DIS-CUS, DIS-IND, DIS-LOG, LIM-CUS, MIG-CUS, MIG-IND. */
import { operations } from '../../../protocol/catalogue.ts'
import type { Capability, Operation } from '../../../protocol/operation.ts'
import type { Role } from '../../../protocol/role.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../protocol/unknown-record.ts'
import { majorVersionOf } from '../../../protocol/version.ts'
import type { Assertion, Check } from '../check.ts'
import {
  body,
  each,
  isBoolean,
  isOneOf,
  isText,
  optional,
  required,
  type ValueTest,
} from '../assertion.ts'
import { isAbsoluteUrl, listOfTexts } from './manifest-fields.ts'
import {
  capabilitiesIn,
  type CapabilityDeclared,
  eachBlock,
  manifestReads,
  manifestsWith,
  operationNamesIn,
  versionsIn,
} from './manifests.ts'

/** The block of a role in Orders: its originator serves, its receiver calls. */
const ordersBlockOf = (role: Role): string =>
  role === 'ordering-application' ? 'originator' : 'receiver'

/** A field that the notation of a keyed object requires; an entry of a list may lack it. */
const requiredIfKeyed =
  (name: string, test: ValueTest) =>
  (block: UnknownRecord, { isKeyed }: Pick<CapabilityDeclared, 'isKeyed'>): string | undefined =>
    (isKeyed ? required : optional)(`/${name}`, test)(block)

type BlockTest = (block: UnknownRecord, declared: CapabilityDeclared) => string | undefined

const allOf =
  (...tests: readonly BlockTest[]): BlockTest =>
  (block, declared) => {
    for (const test of tests) {
      const problem = test(block, declared)
      if (problem !== undefined) return problem
    }
    return undefined
  }

const noNameTwice =
  (one: string, other: string): ValueTest =>
  (block) => {
    if (!isUnknownRecord(block)) return undefined
    const [first, second] = [block[one], block[other]]
    const both =
      Array.isArray(first) && Array.isArray(second) && first.find((name) => second.includes(name))
    return both === undefined || both === false
      ? undefined
      : `${String(both)} is in ${one} and in ${other}`
  }

const roleBlock: ValueTest = body(
  required('/supported', isBoolean),
  required('/supportsWebhook', isBoolean),
  required('/supportsPolling', isBoolean),
  required('/supportedOperations', listOfTexts),
  required('/unsupportedOperations', listOfTexts),
  noNameTwice('supportedOperations', 'unsupportedOperations'),
)

const inRoleBlock =
  (role: Role, test: ValueTest): BlockTest =>
  (block) =>
    optional(`/${ordersBlockOf(role)}`, test)(block)

const customerNames: ReadonlySet<string> = new Set(
  operations.flatMap(({ capability, id, declaredAs = id }: Operation) =>
    capability === 'customer' ? [id, declaredAs] : [],
  ),
)

const areKnown =
  (names: ReadonlySet<string>): ValueTest =>
  (value) => {
    const unknown = Array.isArray(value) && value.find((name) => !names.has(String(name)))
    return unknown === undefined || unknown === false
      ? undefined
      : `${String(unknown)} is no operation of it`
  }

const isLogisticsOperation = isOneOf('availability', 'delivery', 'tracking')

/** A manifest that declares a capability of V2 supports V2. */
const statesV2 = (capability: Capability): Assertion =>
  each(
    manifestsWith(capability),
    ({ reply }) =>
      !versionsIn(reply).some((version) => (majorVersionOf(version) ?? 0) >= 2) &&
      `it declares ${capability} and does not support V2`,
  )

/** Whose manifest is read, the block in it, and its test, which may differ by role. */
type BlockRow = readonly [
  roles: readonly Role[],
  capability: Capability,
  test: (role: Role) => BlockTest,
  remedy: string,
]

const same = (test: BlockTest) => (): BlockTest => test
const ordersRoles = ['ordering-application', 'software-service'] as const
const customerRoles = ['ordering-application', 'crm'] as const

const rows: Readonly<Record<string, BlockRow>> = {
  'DIS-ORD-01': [
    ordersRoles,
    'orders',
    (role) =>
      allOf(
        requiredIfKeyed('version', isText),
        requiredIfKeyed('supported', isBoolean),
        requiredIfKeyed(ordersBlockOf(role), (value) =>
          isUnknownRecord(value) ? undefined : 'it is no object',
        ),
      ),
    'Declare Orders with version, supported, and the block of your role.',
  ],
  'DIS-ORD-02': [
    ordersRoles,
    'orders',
    (role) => inRoleBlock(role, roleBlock),
    'Write supported, supportedOperations, unsupportedOperations, supportsWebhook and supportsPolling into the block of your role.',
  ],
  'DIS-CUS-01': [
    customerRoles,
    'customer',
    same(
      allOf(
        requiredIfKeyed('endpoint', isText),
        requiredIfKeyed('supportedOperations', listOfTexts),
        optional('/supportedOperations', areKnown(customerNames)),
      ),
    ),
    'Declare Customer with endpoint and supportedOperations, by the names of the protocol.',
  ],
  'DIS-IND-01': [
    ordersRoles,
    'indoor',
    same(
      allOf(
        requiredIfKeyed('version', isText),
        requiredIfKeyed('supported', isBoolean),
        requiredIfKeyed('endpoint', isText),
      ),
    ),
    'Declare Indoor with version, supported and endpoint.',
  ],
  'DIS-IND-02': [
    ['software-service'],
    'indoor',
    same(optional('/invoiceIssuer', isOneOf('pos', 'app', 'platform'))),
    'Declare invoiceIssuer as pos, app or platform.',
  ],
  'DIS-IND-03': [
    ['software-service'],
    'indoor',
    same(optional('/invoiceIssueMoment', isOneOf('account_closing', 'item_addition', 'payment'))),
    'Declare invoiceIssueMoment as account_closing, item_addition or payment.',
  ],
  'DIS-LOG-01': [
    ['delivery-platform'],
    'logistics',
    same(requiredIfKeyed('baseUrl', isAbsoluteUrl)),
    'Write baseUrl of Logistics as an absolute URL.',
  ],
  'DIS-LOG-02': [
    ['delivery-platform'],
    'logistics',
    same(required('/operations/*', isLogisticsOperation)),
    'List availability, delivery and tracking in operations, as far as you serve them.',
  ],
  'DIS-LOG-03': [
    ['delivery-platform'],
    'logistics',
    same(required('/trackingMode', isOneOf('push', 'pull'))),
    'Declare trackingMode as push or pull.',
  ],
}

const v2Row = (clause: string, roles: readonly Role[], capability: Capability): Check => ({
  clauses: [clause],
  roles,
  needs: [capability],
  procedures: ['introduction'],
  assertion: statesV2(capability),
  remedy: `Declare V2 in protocol.supportedVersions, since ${capability} is new in it.`,
})

/** Indoor is an extension of Orders. */
const ordersBesideIndoor = (clauses: Check['clauses'], roles: readonly Role[]): Check => ({
  clauses,
  roles,
  procedures: ['introduction'],
  assertion: each(manifestReads, ({ reply }) => {
    const names = capabilitiesIn(reply).map(({ name }) => name)
    return (
      names.includes('indoor') &&
      !names.includes('orders') &&
      'its manifest declares indoor without orders'
    )
  }),
  remedy: 'Declare orders wherever you declare indoor, and implement it first.',
})

/** V1 names of operations, and the one that V2 has not; none may be declared. */
const noNames = (clause: string, names: readonly string[], remedy: string): Check => ({
  clauses: [clause],
  roles: ordersRoles,
  needs: ['orders'],
  procedures: ['introduction'],
  assertion: eachBlock('orders', (block) => {
    const found = operationNamesIn(block).find((name) => names.includes(name))
    return found === undefined ? undefined : `${found} is a name of V1`
  }),
  remedy,
})

export const manifestCapabilityChecks: readonly Check[] = [
  ...Object.entries(rows).flatMap(([clause, [roles, capability, test, remedy]]) =>
    roles.map((role): Check => ({
      clauses: [clause],
      roles: [role],
      needs: [capability],
      procedures: ['introduction'],
      assertion: eachBlock(capability, test(role)),
      remedy,
    })),
  ),
  ordersBesideIndoor(['ORD-GEN-08', 'IND-GEN-02'], ordersRoles),
  ordersBesideIndoor(['ORD-GEN-08'], ['delivery-platform', 'crm']),
  v2Row('MIG-CUS-01', customerRoles, 'customer'),
  v2Row('MIG-IND-01', ordersRoles, 'indoor'),
  noNames(
    'MIG-ORD-10',
    ['sendPreparing', 'sendReadyForPickup', 'sendDispatch', 'sendDelivered', 'sendTracking'],
    'Declare operations by their names of V2: setOrderPreparing, setOrderReadyForPickup, dispatchOrder, setOrderDelivered, sendOrderTracking.',
  ),
  noNames('MIG-ORD-11', ['sendPickedUp'], 'Do not declare sendPickedUp, which V2 has not.'),
]
