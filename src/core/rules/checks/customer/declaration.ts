/** Checks of what a manifest says about Customer: CUS-GEN, the names of CUS-MAP, REV-MAP and LOY-MAP, CUS-TEN. */
import type { Role } from '../../../protocol/role.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import { customerMapNames } from '../../../protocol/customer/operations.ts'
import { loyaltyMapNames } from '../../../protocol/loyalty/operations.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import { type Deviation, each, every, notice, observation } from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { callsWell, customerRoles, ofCrm, ofApplication, ofCustomer } from './assertions.ts'
import { capabilitiesIn, operationNamesIn } from '../transport/manifests.ts'
import { perMessage } from '../live.ts'
import { customerBlockIn, extensionsIn, manifestsAt, manifestsShown } from './manifest.ts'

export interface HostedOperation {
  /** Its names: of the operation map first, then of the binding catalog (CUS-TEN-04). */
  readonly names: readonly [string, ...string[]]
  /** The same operation at each of its paths. */
  readonly calls: readonly [OperationId, ...OperationId[]]
  readonly hosts: readonly Role[]
  /** The documents show no path of it, so that one that is not found proves nothing. */
  readonly isPathOpen?: true
  /** What its call names is not there, so that 404 may be about that (LOY-UND-05). */
  readonly namesNothing?: true
}

const crm = ['crm'] as const satisfies readonly Role[]

const both = ['ordering-application', 'crm'] as const satisfies readonly Role[]

export const hostedCustomerOperations: readonly HostedOperation[] = [
  {
    names: ['upsertCustomers', 'ingestCustomer'],
    calls: ['ingestCustomer', 'upsertCustomers'],
    hosts: crm,
  },
  {
    names: ['listCustomers', 'getCustomers'],
    calls: ['getCustomers', 'listCustomers'],
    hosts: both,
  },
  { names: ['upsertLeads', 'ingestLead'], calls: ['ingestLead', 'upsertLeads'], hosts: crm },
  { names: ['listLeads'], calls: ['listLeads', 'getLeads'], hosts: both, isPathOpen: true },
  {
    names: ['upsertOrders', 'ingestOrdersForCRM'],
    calls: ['ingestOrdersForCRM', 'upsertOrders'],
    hosts: crm,
  },
  {
    names: ['listOrders', 'getOrdersForCRM'],
    calls: ['getOrdersForCRM', 'listOrders'],
    hosts: both,
  },
  { names: ['getOrderById'], calls: ['getOrderById'], hosts: both, isPathOpen: true },
  {
    names: ['createReviews', 'ingestReview'],
    calls: ['ingestReview', 'createReviews'],
    hosts: crm,
    isPathOpen: true,
  },
  { names: ['listReviews'], calls: ['listReviews', 'getReviews'], hosts: both, isPathOpen: true },
  { names: ['getReviewById'], calls: ['getReviewById'], hosts: both, isPathOpen: true },
  {
    names: ['receiveCustomerEvent'],
    calls: ['receiveCustomerEvent', 'receiveCustomerEventByBinding', 'receiveCustomerEventByFlow'],
    hosts: both,
  },
  {
    names: ['receiveLoyaltyEvent'],
    calls: ['receiveLoyaltyEvent', 'receiveLoyaltyEventByFlow'],
    hosts: both,
    isPathOpen: true,
  },
  {
    names: ['listLoyaltyPrograms'],
    calls: ['listLoyaltyPrograms'],
    hosts: crm,
    isPathOpen: true,
  },
  { names: ['listLoyaltyRewards'], calls: ['listLoyaltyRewards'], hosts: crm },
  { names: ['listLoyaltyCoupons'], calls: ['listLoyaltyCoupons'], hosts: crm },
  {
    names: ['createLoyaltyRedemption'],
    calls: ['createLoyaltyRedemption'],
    hosts: crm,
    namesNothing: true,
  },
]

const mapNames: ReadonlySet<string> = new Set([...customerMapNames, ...loyaltyMapNames])
const catalogNames: ReadonlySet<string> = new Set([
  'ingestCustomer',
  'getCustomers',
  'ingestOrdersForCRM',
  'getOrdersForCRM',
  'ingestLead',
  'ingestReview',
])

const eachManifest = (test: (manifest: unknown) => Deviation): Assertion =>
  each(manifestsShown, ({ reply }) => test(reply))

const declaredNames = (manifest: Observed | undefined): readonly string[] => {
  const block = customerBlockIn(manifest?.reply)
  return block ? operationNamesIn(block) : []
}

/** Each declared name about a subject is one of the map, or of the catalog. */
const namesAreKnown = (about: RegExp): Assertion =>
  perMessage(function* (trace) {
    for (const manifest of manifestsShown(trace))
      for (const name of declaredNames(manifest).filter((one) => about.test(one)))
        yield observation([manifest], nameProblem(name))
  })

const nameProblem = (name: string): Deviation =>
  mapNames.has(name) || catalogNames.has(name)
    ? undefined
    : `it declares ${name}, which is no operation of customer`

interface ServedRow {
  readonly row: HostedOperation
  readonly manifest: Observed
  readonly isDeclared: boolean
  /** The calls at each of its paths. */
  readonly calls: readonly Observed[]
}

function* servedRows(trace: Trace): Iterable<ServedRow> {
  const [manifest] = manifestsAt(trace, 'customer-operations/manifest')
  if (!manifest) return
  const names = declaredNames(manifest)
  for (const row of hostedCustomerOperations) {
    if (!row.hosts.some((host) => host === trace.role)) continue
    const calls = row.calls.flatMap((id) => trace.at(`customer-operations/${id}`))
    const isDeclared = row.names.some((name) => names.includes(name))
    if (calls.length > 0) yield { row, manifest, isDeclared, calls }
  }
}

const hasPath = ({ status }: Observed): boolean => status !== 404 && status !== 405

const mayLackRecord = ({ row, calls }: ServedRow): boolean =>
  row.namesNothing === true && calls.every(({ status }) => status === 404)

/** A declared operation has a path that is found. */
function missingPath({ row, calls }: ServedRow): Deviation {
  if (calls.some(hasPath)) return undefined
  const text = `it declares ${row.names[0]} and does not find it at ${calls.map(({ url }) => url.pathname).join(' or ')}`
  return row.isPathOpen ? notice(text) : text
}

const declaredAreServed = (isAsked: (row: HostedOperation) => boolean): Assertion =>
  function* (trace) {
    for (const served of servedRows(trace))
      if (served.isDeclared && isAsked(served.row) && !mayLackRecord(served))
        yield observation([served.manifest, ...served.calls], missingPath(served))
  }

/** What it serves it also declares. */
const servedAreDeclared: Assertion = function* (trace) {
  for (const { row, manifest, isDeclared, calls } of servedRows(trace)) {
    const found = calls.filter(({ status }) => status >= 200 && status < 300)
    if (found.length === 0) continue
    const problem = isDeclared ? undefined : `it serves ${row.names[0]} and does not declare it`
    yield observation([manifest, ...found], problem)
  }
}

const names: readonly (readonly [clause: string, about: RegExp])[] = [
  ['CUS-MAP-01', /customers?$/i],
  ['CUS-MAP-02', /leads?$/i],
  ['CUS-MAP-03', /order/i],
  ['REV-MAP-01', /review/i],
]

const nameChecks = names.map(([clause, about]): Check => ({
  clauses: [clause],
  ...ofCustomer,
  procedures: ['customer-operations'],
  assertion: namesAreKnown(about),
  remedy: 'Declare the operations of capability customer by the names of the operation map.',
}))

const loyaltyCalls: Readonly<Record<string, readonly OperationId[]>> = {
  'LOY-MAP-01': [
    'listLoyaltyPrograms',
    'listCustomerLoyaltyAccounts',
    'getLoyaltyAccountById',
    'listLoyaltyTransactions',
  ],
  'LOY-MAP-02': ['listLoyaltyRewards', 'createLoyaltyRedemption', 'listLoyaltyCoupons'],
}

const loyaltyCallChecks = Object.entries(loyaltyCalls).map(([clause, operations]): Check => ({
  clauses: [clause],
  ...ofApplication,
  procedures: ['loyalty-reading'],
  assertion: callsWell(operations, /\/(loyalty|loyalty-accounts)(\/|$)/),
  remedy:
    'Call the Loyalty operations by their methods and paths, with the parameters that they need.',
}))

/** Reads of the accounts of a customer who has one. */
const accountOperations: Assertion = function* (trace) {
  const [manifest] = manifestsAt(trace, 'loyalty-accrual/manifest')
  const steps = {
    listCustomerLoyaltyAccounts: 'before',
    listLoyaltyPrograms: 'programs',
    getLoyaltyAccountById: 'opened-account',
    listLoyaltyTransactions: 'opened-transactions',
  }
  for (const [name, step] of Object.entries(steps)) {
    const [call] = trace.at(`loyalty-accrual/${step}`)
    if (!call || !declaredNames(manifest).includes(name)) continue
    const text = `it declares ${name} and answers ${call.status} at ${call.url.pathname}`
    const problem = name === 'listCustomerLoyaltyAccounts' ? text : notice(text)
    yield observation([call], hasPath(call) ? undefined : problem)
  }
}

const loyaltyActions: ReadonlySet<string> = new Set(loyaltyCalls['LOY-MAP-02'])

export const declarationChecks = defineChecks(
  { ...ofCustomer, procedures: ['customer-operations'] },
  {
    'CUS-GEN-01': {
      needs: [],
      roles: customerRoles,
      procedures: ['customer-operations'],
      assertion: eachManifest((manifest) => {
        for (const { name, block } of capabilitiesIn(manifest)) {
          if (/^crm$/i.test(name)) return `it declares a capability named ${name}`
          const foreign = operationNamesIn(block).find((one) => mapNames.has(one))
          if (name !== 'customer' && foreign !== undefined)
            return `it declares ${foreign} under ${name}`
        }
        return undefined
      }),
      remedy: 'Name the capability customer, and declare all its operations there.',
    },
    'CUS-GEN-04': {
      needs: [],
      roles: customerRoles,
      procedures: ['customer-operations'],
      assertion: eachManifest((manifest) => {
        const all = [...capabilitiesIn(manifest).map(({ name }) => name), ...extensionsIn(manifest)]
        const found = all.find((name) => /^(reviews?|loyalty)$/i.test(name))
        return found === undefined ? undefined : `it declares ${found} beside customer`
      }),
      remedy: 'Declare the operations of Reviews and Loyalty under capability customer.',
    },
    'CUS-GEN-05': {
      assertion: every(
        declaredAreServed(() => true),
        servedAreDeclared,
      ),
      remedy: 'Declare exactly the operations of Customer that you serve.',
    },
    'CUS-TEN-03': {
      assertion: every(
        declaredAreServed(({ calls, isPathOpen }) => calls.length > 1 && !isPathOpen),
        callsWell([]),
      ),
      remedy: 'Serve each operation at its path of the binding or at that of the flows.',
    },
    'CUS-TEN-04': {
      assertion: perMessage(function* (trace) {
        for (const manifest of manifestsShown(trace))
          for (const name of declaredNames(manifest)) {
            const isOfCatalog = catalogNames.has(name) && !mapNames.has(name)
            const text = `it declares ${name} by the name of the binding, not of the operation map`
            // What the name of an operation of these is about has a clause of its own.
            const isOfOther = names.some(([, about]) => about.test(name))
            yield observation(
              [manifest],
              isOfCatalog ? notice(text) : isOfOther ? undefined : nameProblem(name),
            )
          }
      }),
      remedy: 'Declare operations by the names of the operation map.',
    },
  },
  nameChecks,
  loyaltyCallChecks,
  {
    'LOY-MAP-01': {
      ...ofCrm,
      procedures: ['loyalty-accrual'],
      assertion: accountOperations,
      remedy: 'Serve the programs, accounts and transactions that you declare.',
    },
    'LOY-MAP-02': {
      ...ofCrm,
      procedures: ['customer-operations'],
      assertion: declaredAreServed(({ names: [name] }) => loyaltyActions.has(name)),
      remedy: 'Serve the rewards, redemptions and coupons that you declare.',
    },
  },
)
