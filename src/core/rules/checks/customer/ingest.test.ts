/** What checks of Customer say of the answers at steps of procedures: customers who are found again, and what is served. */
import { expect, test } from 'vitest'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import { customerChecks } from '../catalogue.ts'
import { createTrace } from '../trace.ts'

interface Step {
  readonly step: string
  readonly operation: OperationId
  readonly body?: unknown
  readonly status?: number
  readonly shows?: unknown
  readonly params?: Readonly<Record<string, string>>
  readonly isCall?: true
}

/** What the check of a clause says of a CRM that was called at these steps; nothing where it has not come up. */
const crm = { role: 'crm', party: 'subject' } as const
const application = { role: 'ordering-application', party: 'sparring' } as const

function says(clause: string, steps: readonly Step[]): readonly (string | undefined)[] {
  const exchanges = steps.map(
    ({ operation, body, status = 202, shows, params, isCall }, index): Exchange => ({
      seq: index + 1,
      startedAt: index,
      tookMs: 1,
      from: isCall ? crm : application,
      to: isCall ? application : crm,
      operation,
      ...(params ? { params } : {}),
      request: {
        method: 'POST',
        url: 'http://crm.test/x',
        headers: [],
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      reply: { status, headers: [], body: JSON.stringify(shows ?? {}) },
    }),
  )
  const trace = createTrace({
    role: 'crm',
    speaks: 'v2',
    capabilities: ['customer'],
    exchanges,
    steps: Object.fromEntries(steps.map(({ step }, index) => [index + 1, step])),
    notes: [{ procedure: 'loyalty-accrual', name: 'order-completed', text: 'o1', after: 0 }],
    skipped: {},
  })
  return customerChecks
    .filter(({ clauses, roles }) => clauses.includes(clause) && roles.includes('crm'))
    .flatMap(({ assertion }) => [...assertion(trace)].map(({ problem }) => problem))
}

const phone = { type: 'phone', value: '+5511900000' }
const pushed = (step: string, customer: unknown, status?: number): Step => ({
  step: `customer-ingest/${step}`,
  operation: 'upsertCustomers',
  body: { customer },
  ...(status === undefined ? {} : { status }),
})
const listed = (...items: readonly unknown[]): Step => ({
  step: 'customer-ingest/after-repeated',
  operation: 'listCustomers',
  status: 200,
  shows: { items },
})

const known = { id: '1', identifier: phone, externalIds: ['app:1'] }
const sharesIdentifier = pushed('shared-identifier', { identifier: phone, externalIds: ['app:2'] })
const sharesExternalId = pushed('shared-external-id', {
  identifier: { type: 'custom', value: 'x' },
  externalIds: ['app:1'],
})

test('[CUS-OVR-09] [CUS-TEN-06] a known identifier with another external id is the same customer', () => {
  const again = { ...known, externalIds: ['app:1', 'app:2'] }
  const second = {
    id: '2',
    identifier: { ...phone, value: ' +5511900000' },
    externalIds: ['app:2'],
  }
  for (const clause of ['CUS-OVR-09', 'CUS-TEN-06']) {
    const one = says(clause, [sharesIdentifier, listed(again)])
    expect(one.length).toBeGreaterThan(0)
    expect(one.filter(Boolean)).toEqual([])
    expect(says(clause, [sharesIdentifier, listed(known, second)])).toContain(
      'it has 2 records of customers who share an identifier or an external id',
    )
  }
})

test('[CUS-OVR-09] [CUS-TEN-06] another identifier with a known external id is the same customer', () => {
  const second = { id: '2', identifier: { type: 'custom', value: 'x' }, externalIds: [] }
  for (const clause of ['CUS-OVR-09', 'CUS-TEN-06']) {
    expect(says(clause, [sharesExternalId, listed(known)]).filter(Boolean)).toEqual([])
    expect(says(clause, [sharesExternalId, listed(known, second)])).toContain(
      'it has 2 records of customers who share an identifier or an external id',
    )
  }
  // What was refused is no second record.
  const refused = { ...sharesExternalId, status: 409 }
  expect(says('CUS-TEN-06', [refused, listed(known)]).filter(Boolean)).toEqual([])
})

test('[LOY-MAP-02] [CUS-GEN-05] a redemption of nothing that is answered 404 shows no missing path', () => {
  const manifest: Step = {
    step: 'customer-operations/manifest',
    operation: 'getManifest',
    status: 200,
    shows: { capabilities: [{ name: 'customer', operations: ['createLoyaltyRedemption'] }] },
  }
  const redemption = (status: number): Step => ({
    step: 'customer-operations/createLoyaltyRedemption',
    operation: 'createLoyaltyRedemption',
    status,
  })
  for (const clause of ['LOY-MAP-02', 'CUS-GEN-05']) {
    expect(says(clause, [manifest, redemption(404)])).toEqual([])
    expect(says(clause, [manifest, redemption(400)])).toEqual([undefined])
    expect(says(clause, [manifest, redemption(405)])).toEqual([
      'it declares createLoyaltyRedemption and does not find it at /x',
    ])
  }
})

/** A read of the balance of a customer, with an account where one is shown. */
const balance = (step: string, status: number, ...items: readonly unknown[]): Step => ({
  step: `loyalty-suspension/${step}`,
  operation: 'listCustomerLoyaltyAccounts',
  status,
  shows: { items },
})
const account = { id: 'a1', customerId: 'c1', status: 'SUSPENDED' }

test.each<[story: string, steps: readonly Step[], says: readonly (string | undefined)[]]>([
  ['never shown', [balance('opening', 404), balance('opening', 404)], []],
  [
    'that is opened at last',
    [balance('opening', 404), balance('opening', 200, account)],
    [undefined],
  ],
  [
    'that was shown and is no longer',
    [balance('opening', 200, account), balance('suspended', 404)],
    [undefined, 'it answered 404, not 200'],
  ],
  [
    'that is not shown while it is SUSPENDED',
    [balance('opening', 200), balance('opening', 200, account), balance('blocked', 409)],
    [undefined, 'it answered 409, not 200'],
  ],
])('[LOY-PRM-01] the balance of an account %s', (_, steps, problems) => {
  expect(says('LOY-PRM-01', steps)).toEqual(problems)
})

const accountsOf = (step: string, customerId: string, status: number): Step => ({
  ...balance('opening', status),
  step,
  params: { customerId },
})

test.each<[story: string, steps: readonly Step[], says: readonly (string | undefined)[]]>([
  ['whom nobody knows', [accountsOf('activity/read', 'c9', 400)], []],
  [
    'whom it has shown',
    [listed({ id: 'c1' }), accountsOf('activity/read', 'c1', 400)],
    ['it answered 400, not 200'],
  ],
  [
    'of a procedure of Loyalty',
    [accountsOf('loyalty-accrual/opened', 'c1', 400)],
    ['it answered 400, not 200'],
  ],
])('[LOY-FLW-01] the accounts of a customer %s are refused', (_, steps, problems) => {
  expect(says('LOY-FLW-01', steps)).toEqual(problems)
})

const transactions = (step: string, count: number): Step => ({
  step: `loyalty-accrual/${step}`,
  operation: 'listLoyaltyTransactions',
  status: 200,
  shows: {
    items: Array.from({ length: count }, (_, index) => ({ id: `t${index}`, type: 'earn' })),
  },
})
const accrued = (eventId: string): Step => ({
  step: 'loyalty-accrual/event',
  operation: 'receiveLoyaltyEvent',
  status: 204,
  isCall: true,
  body: {
    event: {
      eventId,
      eventType: 'loyalty.points_accrued',
      payload: { accountId: 'a1', orderId: 'o1' },
    },
  },
})

test.each<[story: string, ids: readonly string[], count: number, problem: string | undefined]>([
  ['announced once', ['e1'], 1, undefined],
  ['announced again under its id', ['e1', 'e1'], 1, undefined],
  [
    'announced twice',
    ['e1', 'e2'],
    1,
    'it announces the points of one order twice, with two event ids',
  ],
  ['accrued twice', ['e1', 'e2'], 2, 'it accrues points twice for one order'],
])('[CUS-EVT-02] the points of an order are %s', (_, ids, count, problem) => {
  const steps = [
    transactions('opened-transactions', 0),
    ...ids.map(accrued),
    transactions('completed-transactions', count),
    transactions('repeated-transactions', count),
  ]
  expect(says('CUS-EVT-02', steps)).toContain(problem)
  expect(says('CUS-EVT-02', steps).filter((text) => text !== undefined)).toHaveLength(
    problem === undefined ? 0 : 1,
  )
})
