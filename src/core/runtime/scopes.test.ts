/** Scopes of every operation on every host, and the scopes that we request. */
import { describe, expect, test } from 'vitest'
import { fineScopes, type FineScope } from '../protocol/auth/scopes.ts'
import { type CatalogueRow, operationsHostedBy } from '../protocol/catalogue.ts'
import { Conduct } from '../protocol/conduct.ts'
import { pathsAtHost } from '../protocol/operation.ts'
import { type Role, roles } from '../protocol/role.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

const everything = {
  'ordering-application': { channel: 'both' },
  crm: { mode: 'hybrid' },
} as const

const open = (options: SessionOptions = {}): Promise<Session> =>
  openSession({
    listen: false,
    clock: 'stepped',
    counterparts: everything,
    clients: roles.map((role) => ({ clientId: `as-${role}`, clientSecret: 's', role })),
    ...options,
  })

const urlOf = (session: Session, role: Role): string => session.urls.get(role) ?? ''

function tokenFor(session: Session, host: Role, scope: string): Promise<string> {
  const clientId = `as-${roles.find((role) => role !== host)}`
  const base = urlOf(session, host)
  return createHostClient({ fetch: session.fetch, base, clientId, clientSecret: 's' }).token(scope)
}

interface Door {
  readonly host: Role
  readonly row: CatalogueRow
  readonly scope: string
  readonly fine?: FineScope
}

const conduct = Conduct.parse({})

/** All operations of all hosts that require a scope. */
const doors: readonly Door[] = roles.flatMap((host) =>
  operationsHostedBy(host)
    .filter((row) => row.when?.(conduct) ?? true)
    .flatMap((row) =>
      typeof row.access === 'object'
        ? [{ host, row, ...row.access, scope: `proto.${row.access.scope}` }]
        : [],
    ),
)

/** Whether a token with this scope is accepted; the answer beyond that does not matter here. */
async function opens(session: Session, { host, row }: Door, token: string): Promise<boolean> {
  const [path = ''] = pathsAtHost(row, host)
  const response = await session.fetch(
    new Request(`${urlOf(session, host)}${path.replaceAll(/\{\w+\}/g, 'x')}`, {
      method: row.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(row.method === 'POST' ? { body: '{}' } : {}),
    }),
  )
  if (response.status === 403)
    expect(await response.json()).toMatchObject({
      error: { code: 'FORBIDDEN', message: expect.stringContaining(row.id) },
    })
  expect(response.status).not.toBe(401)
  return response.status !== 403
}

describe('every operation of every host', () => {
  test('[AUT-SCO-01, AUT-TEN-01, AUT-TEN-03, AUT-ORD-01, AUT-UND-01, AUT-CUS-01, TRN-STA-06] accepts its domain’s scope and proto.all, and no other domain’s', async () => {
    await using session = await open()
    expect(doors.length).toBeGreaterThan(40)
    for (const host of roles) {
      const own = doors.filter((door) => door.host === host)
      for (const scope of [
        'proto.orders',
        'proto.menu',
        'proto.logistics',
        'proto.crm',
        'proto.all',
      ]) {
        const token = await tokenFor(session, host, scope)
        for (const door of own)
          expect([door.row.id, scope, await opens(session, door, token)]).toEqual([
            door.row.id,
            scope,
            scope === door.scope || scope === 'proto.all',
          ])
      }
    }
  })

  test('[AUT-CUS-02, AUT-SCO-02, AUT-SCO-03, AUT-SCO-04, AUT-TEN-01, AUT-TEN-03] accepts its own fine scope and no other', async () => {
    await using session = await open()
    const seen = new Set<string>()
    for (const host of roles)
      for (const fine of Object.keys(fineScopes)) {
        const token = await tokenFor(session, host, fine)
        for (const door of doors.filter((each) => each.host === host)) {
          const does = await opens(session, door, token)
          expect([door.row.id, fine, does]).toEqual([door.row.id, fine, fine === door.fine])
          if (does) seen.add(fine)
        }
      }
    // Each of the ten gives access to an operation.
    expect(seen).toEqual(new Set(Object.keys(fineScopes)))
  })

  test('[AUT-TEN-01, AUT-TEN-03] in strict mode rejects the domain’s scope where it has a fine one', async () => {
    await using session = await open({ conduct: { strict: true } })
    for (const host of roles) {
      const token = await tokenFor(session, host, 'proto.all')
      for (const door of doors.filter((each) => each.host === host))
        expect([door.row.id, await opens(session, door, token)]).toEqual([
          door.row.id,
          door.fine === undefined,
        ])
    }
  })
})

describe('the scopes that we request', () => {
  /** The scopes that our roles requested from each other, in a session of all roles. */
  async function asked(options: SessionOptions): Promise<Readonly<Record<string, string>>> {
    await using session = await open({ clock: 'virtual', ...options })
    const scopes: Record<string, string> = {}
    session.onExchange(({ operation, from, to, request }) => {
      if (operation !== 'issueToken') return
      const form = new URLSearchParams(request.body)
      const caller = form.get('client_id')?.replace('sparring-', '') ?? from.role
      scopes[`${caller} > ${to.role}`] = form.get('scope') ?? ''
    })
    await session.advance(5000)
    return scopes
  }

  test('[AUT-SCO-01, AUT-SCO-04, AUT-CUS-01, AUT-TEN-03, AUT-ORD-01] cover what we may call and no more: the domain for Orders and Customer, the fine scopes for Logistics; never proto.all', async () => {
    const scopes = await asked({})
    expect(scopes['software-service > ordering-application']).toContain('proto.orders')
    expect(scopes['ordering-application > software-service']).toBe('proto.orders')
    expect(scopes['ordering-application > delivery-platform']?.split(' ').sort()).toEqual([
      'logistics.read',
      'logistics.write',
    ])
    expect(scopes['delivery-platform > ordering-application']).toBe('logistics.events.write')
    expect(scopes['ordering-application > crm']).toBe('proto.crm')
    for (const scope of Object.values(scopes)) expect(scope).not.toContain('proto.all')
  })

  test('[AUT-TEN-03, AUT-TEN-01] are both kinds, or the other, when configured; the fine ones in strict mode', async () => {
    const both = await asked({
      conduct: { scopesAsked: { logistics: 'both', crm: 'domain' } },
    })
    expect(both['ordering-application > delivery-platform']).toContain('logistics.read')
    expect(both['ordering-application > delivery-platform']).toContain('proto.logistics')
    const domain = await asked({ conduct: { scopesAsked: { logistics: 'domain' } } })
    expect(domain['ordering-application > delivery-platform']).toBe('proto.logistics')
    const strict = await asked({ conduct: { strict: true } })
    expect(strict['ordering-application > crm']).toContain('customer.write')
    expect(strict['software-service > ordering-application']).toContain('proto.orders')
  })

  test('[AUT-SCO-01] omit what is switched off', async () => {
    const scopes = await asked({ capabilities: { logistics: false, customer: false } })
    expect(Object.keys(scopes).sort()).toEqual([
      'ordering-application > software-service',
      'software-service > ordering-application',
    ])
    expect(new Set(Object.values(scopes))).toEqual(new Set(['proto.orders']))
  })
})
