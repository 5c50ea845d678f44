/**
 * Each role's manifest against its behaviour: every declared operation is served and every served one declared, with
 * any capabilities switched off.
 */
import { describe, expect, test } from 'vitest'
import type { CapabilityEntry, Manifest } from '../protocol/discovery/manifest.ts'
import { parseManifest } from '../protocol/discovery/parse-manifest.ts'
import { type CatalogueRow, operationsHostedBy } from '../protocol/catalogue.ts'
import { Conduct } from '../protocol/conduct.ts'
import {
  type Capability,
  pathsAtHost,
  type FeatureSwitch,
  featureSwitches,
} from '../protocol/operation.ts'
import { type Role, roles } from '../protocol/role.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

const open = (options: SessionOptions = {}): Promise<Session> =>
  openSession({
    listen: false,
    clock: 'stepped',
    ...options,
    counterparts: {
      'ordering-application': { channel: 'both' },
      crm: { mode: 'hybrid' },
      ...options.counterparts,
    },
  })

const urlOf = (session: Session, role: Role): string => session.urls.get(role) ?? ''

async function manifestOf(session: Session, role: Role): Promise<Manifest> {
  const request = new Request(`${urlOf(session, role)}/.well-known/protocol`)
  const response = await session.fetch(request)
  expect([role, response.status]).toEqual([role, 200])
  return (await response.json()) as Manifest
}

/** Whether a role serves an operation: without a token it answers 401, an unknown operation 404. */
async function isThere(session: Session, role: Role, row: CatalogueRow): Promise<boolean> {
  for (const path of pathsAtHost(row, role)) {
    const url = `${urlOf(session, role)}${path.replaceAll(/\{\w+\}/g, 'x')}`
    const { status } = await session.fetch(new Request(url, { method: row.method }))
    expect([401, 404]).toContain(status)
    if (status === 401) return true
  }
  return false
}

const conduct = Conduct.parse({})
const business: readonly Capability[] = ['orders', 'indoor', 'logistics', 'customer']

/** A manifest's entry for an operation. */
const nameOf = ({ declaredAs, id }: CatalogueRow): string => declaredAs ?? id

/** Which roles host a capability, and which only call it. */
const hosts: Readonly<Record<string, readonly Role[]>> = {
  orders: ['ordering-application'],
  indoor: ['software-service'],
  logistics: ['delivery-platform'],
  customer: ['crm', 'ordering-application'],
}

/** The operations of a capability that a role could serve; webhooks are events, which are declared as such. */
const rowsOf = (role: Role, capability: Capability): readonly CatalogueRow[] =>
  operationsHostedBy(role).filter(
    (row) => row.capability === capability && !row.webhook && (row.when?.(conduct) ?? true),
  )

/** Names in the binding catalog and not in the operation map: served under both, declared by the map (CUS-TEN-04). */
const isUnmapped = (row: CatalogueRow, declared: ReadonlySet<string>): boolean =>
  row.capability === 'customer' && row.declaredAs === undefined && !declared.has(row.id)

async function declaresWhatItServes(session: Session, role: Role): Promise<number> {
  const { capabilities } = await manifestOf(session, role)
  const entries = new Map((capabilities as CapabilityEntry[]).map((each) => [each.name, each]))
  let compared = 0
  for (const capability of business) {
    const entry = entries.get(capability)
    const declared = new Set(entry?.operations)
    expect([...(entry?.operations ?? [])].length).toBe(declared.size)
    const there = new Set<string>()
    for (const row of rowsOf(role, capability)) {
      if (!(await isThere(session, role, row))) continue
      if (isUnmapped(row, declared)) continue
      there.add(nameOf(row))
    }
    if (hosts[capability]?.includes(role)) {
      expect([role, capability, [...declared].sort()]).toEqual([
        role,
        capability,
        [...there].sort(),
      ])
      compared += there.size
    } else {
      // A client declares what it calls: each is an operation that a counterpart serves to it.
      const callable = roles
        .filter((other) => other !== role)
        .flatMap((other) => rowsOf(other, capability))
        .filter(({ callers }) => callers.includes(role))
      for (const name of declared)
        expect([role, capability, name, callable.some((row) => nameOf(row) === name)]).toEqual([
          role,
          capability,
          name,
          true,
        ])
      compared += declared.size
    }
  }
  return compared
}

const off = (...names: readonly FeatureSwitch[]): Partial<Record<FeatureSwitch, false>> =>
  Object.fromEntries(names.map((name) => [name, false]))

const sessions: readonly (readonly [string, SessionOptions])[] = [
  ['everything', {}],
  // Indoor requires Orders (ORD-GEN-08).
  ...featureSwitches.map(
    (each) =>
      [
        `all but ${each}`,
        { capabilities: each === 'orders' ? off('orders', 'indoor') : off(each) },
      ] as const,
  ),
  ['Orders alone', { capabilities: off('indoor', 'logistics', 'customer') }],
  ['no module of Customer', { capabilities: off('reviews', 'loyalty') }],
  [
    'no optional operation',
    { conduct: { withheldOperations: ['sendOrderTracking', 'partialItemCancellation'] } },
  ],
  ['webhooks alone', { counterparts: { 'ordering-application': { channel: 'webhook' } } }],
  ['polling alone', { counterparts: { 'ordering-application': { channel: 'polling' } } }],
  ['customer data pushed', { counterparts: { crm: { mode: 'push' } } }],
  ['customer data pulled', { counterparts: { crm: { mode: 'pull' } } }],
  [
    'deliveries followed by GET',
    { counterparts: { 'delivery-platform': { trackingMode: 'pull' } } },
  ],
]

describe.each(sessions)('with %s', (_what, options) => {
  test('[DIS-GEN-01, DIS-FLD-06, DIS-UND-03, MIG-ACP-01, DIS-LOG-02, DIS-CUS-01] every role declares what it serves or calls, and serves what it declares', async () => {
    await using session = await open(options)
    let compared = 0
    for (const role of session.urls.keys()) compared += await declaresWhatItServes(session, role)
    expect(compared).toBeGreaterThan(15)
  })

  test('[DIS-FLD-03, DIS-FLD-04, DIS-FLD-05, DIS-FLD-08, DIS-TEN-01, DIS-TEN-02] each manifest can be read in either notation, with equal content', async () => {
    await using array = await open(options)
    await using keyed = await open({
      ...options,
      conduct: { ...options.conduct, manifestNotation: 'keyed' },
    })
    for (const role of array.urls.keys()) {
      const [one, other] = await Promise.all(
        [array, keyed].map(async (session) => parseManifest(await manifestOf(session, role))),
      )
      if (!one?.ok || !other?.ok) throw new Error(`${role}: ${JSON.stringify([one, other])}`)
      expect(other.value).toEqual(one.value)
      for (const { endpoint } of Object.values(one.value.capabilities))
        expect(URL.canParse(endpoint ?? '')).toBe(true)
      expect((await manifestOf(array, role)).capabilities).toBeInstanceOf(Array)
      expect((await manifestOf(keyed, role)).capabilities).not.toBeInstanceOf(Array)
    }
  })

  test('[DIS-GEN-01] a capability that is switched off is neither declared nor served, by any role', async () => {
    await using session = await open(options)
    for (const role of session.urls.keys()) {
      const { capabilities } = await manifestOf(session, role)
      const names = new Set((capabilities as CapabilityEntry[]).map(({ name }) => name))
      for (const capability of ['orders', 'indoor', 'logistics', 'customer'] as const) {
        if (options.capabilities?.[capability] !== false) continue
        expect([role, capability, names.has(capability)]).toEqual([role, capability, false])
        for (const row of operationsHostedBy(role).filter((each) => each.capability === capability))
          expect([row.id, await isThere(session, role, row)]).toEqual([row.id, false])
      }
    }
  })
})

describe('other declarations', () => {
  test('[DIS-FLD-13] of Merchant are absent, or say that it is not supported, with its three fields', async () => {
    await using silent = await open()
    expect(JSON.stringify(await manifestOf(silent, 'ordering-application'))).not.toContain(
      '"merchant"',
    )
    await using session = await open({
      conduct: { merchantBlock: true, manifestNotation: 'keyed' },
    })
    for (const role of ['ordering-application', 'software-service'] as const) {
      const manifest = await manifestOf(session, role)
      expect((manifest.capabilities as Record<string, unknown>)['merchant']).toMatchObject({
        supported: false,
        supportsPartialUpdate: false,
        supportsFullGetByOriginator: false,
      })
      const read = parseManifest(manifest)
      expect(read.ok && 'merchant' in read.value.capabilities).toBe(false)
    }
    expect(JSON.stringify(await manifestOf(session, 'crm'))).not.toContain('merchant')
  })

  test('[DIS-FLD-09] of compatibility are the default statement, another one, or none', async () => {
    const said = async (compatibility?: string) => {
      await using session = await open({
        conduct: compatibility === undefined ? {} : { compatibility },
      })
      return (await manifestOf(session, 'crm')).compatibility
    }
    expect(await said()).toBe('speaks v2')
    expect(await said('speaks nothing else')).toBe('speaks nothing else')
    expect(await said('')).toBeUndefined()
  })

  test('[AUT-CRE-01, AUT-CRE-02, DIS-FLD-12] of credentials are as configured: the Delivery Platform requires those of applications', async () => {
    await using session = await open({
      clients: [
        { clientId: 'loja', clientSecret: 's', role: 'software-service', merchants: ['m-1'] },
      ],
    })
    const modelsOf = async (role: Role) =>
      (await manifestOf(session, role)).authentication.clientIdGeneration
    expect(await modelsOf('ordering-application')).toEqual(['by_app', 'by_merchant'])
    expect(await modelsOf('delivery-platform')).toEqual(['by_app'])
    const ask = (role: Role): Promise<Response> =>
      session.fetch(
        new Request(`${urlOf(session, role)}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: 'loja', client_secret: 's' }),
        }),
      )
    expect((await ask('ordering-application')).status).toBe(200)
    const refused = await ask('delivery-platform')
    expect(refused.status).toBe(401)
    expect(await refused.text()).toContain('per application here')
  })

  test('[MIG-VER-03, DIS-GEN-02] of the version may be one that no counterpart supports, to test their reaction', async () => {
    await using session = await open({
      conduct: { publishManifest: 'other-version' },
      clock: 'virtual',
      automatic: false,
    })
    expect(await manifestOf(session, 'ordering-application')).toMatchObject({
      protocolVersion: 'v999',
      protocol: { supportedVersions: ['v999'] },
    })
    await session.advance(60_000)
    const facts = session.facts().map(({ fact }) => fact)
    expect(facts.some(({ kind }) => kind === 'partner.accepted')).toBe(false)
    const called = facts.flatMap((fact) =>
      fact.kind === 'call.placed' ? [fact.call.operation] : [],
    )
    expect(new Set(called)).toEqual(new Set(['getManifest']))
  })

  test('[MIG-CUS-01, MIG-IND-01] of V2’s additions are made and served with V2 only', async () => {
    await using session = await open({ protocol: { version: '1.7.0' } })
    for (const role of session.urls.keys()) {
      const { capabilities } = await manifestOf(session, role)
      const names = (capabilities as CapabilityEntry[]).map(({ name }) => name)
      expect(names).not.toContain('customer')
      expect(names).not.toContain('indoor')
    }
    expect(session.urls.has('crm')).toBe(false)
    const accounts = new Request(`${urlOf(session, 'software-service')}/accounts`)
    expect((await session.fetch(accounts)).status).toBe(404)
  })
})
