// @module-tag slow
/**
 * Bad input for every operation of the catalogue, generated from its schema: missing or unknown fields, wrong types,
 * too long values and malformed JSON get 400 or 422 with the error body that names the field, never 500, and have no
 * effect.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationsHostedInDialect } from '../protocol/catalogue.ts'
import { Conduct } from '../protocol/conduct.ts'
import { pathsAtHost } from '../protocol/operation.ts'
import { type Role, roles } from '../protocol/role.ts'
import { sampleBody, invalidBodies } from '../../../test/support/schema-bodies.ts'
import type { Session } from '../session-api/session.ts'
import { openSession } from '../session/open-session.ts'

const loyaltyEvent = {
  eventId: 'e-1',
  eventType: 'loyalty.points_accrued',
  occurredAt: '2026-01-05T15:00:00.000Z',
}

/** Valid bodies for schemas with demands beyond their JSON Schema. */
const samples: Readonly<Record<string, unknown>> = {
  receiveLoyaltyEvent: loyaltyEvent,
  receiveLoyaltyEventByFlow: loyaltyEvent,
  upsertLoyaltyPrograms: { id: 'p-1', name: 'Clube' },
  createLoyaltyRedemption: { accountId: 'a-1', rewardId: 'r-1' },
}

/** Operations that accept any body have no invalid one (ORD-UND-08). */
const checked = (host: Role) =>
  operationsHostedInDialect(host, Conduct.parse({})).flatMap((row) => {
    if (!row.request || row.method === 'GET') return []
    const request = row.request()
    const good = samples[row.id] ?? sampleBody(request)
    const wrongs = invalidBodies(request, good)
    return wrongs.length === 0 ? [] : [{ row, request, good, wrongs }]
  })

const caller = 'somebody'

describe.each(roles)('the %s', (host) => {
  let session: Session
  let base: string
  let token: string
  const operations = checked(host)

  beforeAll(async () => {
    session = await openSession({
      port: 0,
      clock: 'virtual',
      automatic: false,
      only: [host],
      clients: roles.map((role) => ({ clientId: `${caller}-${role}`, clientSecret: 's', role })),
      counterparts: { 'ordering-application': { channel: 'both' }, crm: { mode: 'hybrid' } },
      // More requests at one instant than the declared rate allows, since virtual time stands still.
      conduct: { webhookAccess: 'bearer', customer: { enforceLimits: false } },
    })
    base = session.urls.get(host) ?? ''
    const client = roles.find((role) => role !== host) ?? 'crm'
    const answer = await fetch(`${base}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: `${caller}-${client}`,
        client_secret: 's',
      }),
    })
    token = ((await answer.json()) as { access_token: string }).access_token
  })
  afterAll(() => session.close())

  const send = async (path: string, text: string, type = 'application/json') => {
    const answer = await fetch(`${base}${path.replaceAll(/\{\w+\}/g, 'some-id')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: text,
    })
    const body = (await answer.json().catch(() => ({}))) as {
      error?: { code: string; message: string }
    }
    return { status: answer.status, error: body.error }
  }

  const before = () => session.facts().length

  test.each(operations)('$row.id: $wrongs.length invalid bodies', async ({ row, wrongs }) => {
    const facts = before()
    for (const path of pathsAtHost(row, host))
      for (const { what, field, body } of wrongs) {
        const { status, error } = await send(path, JSON.stringify(body))
        const outcome = { path, what, status, message: error?.message ?? '' }
        expect(outcome).toEqual({ ...outcome, status: status === 422 ? 422 : 400 })
        if (!/^\d*$/.test(field))
          expect(outcome).toEqual({ ...outcome, message: expect.stringContaining(field) })
        expect(error?.code).toBeTypeOf('string')
      }
    expect(session.facts().length).toBe(facts)
  })

  test.each(operations)(
    '$row.id: malformed JSON, truncated JSON, another content type',
    async ({ row, request, good: body }) => {
      const facts = before()
      expect(request.safeParse(body).error?.issues ?? []).toEqual([])
      const good = JSON.stringify(body)
      for (const path of pathsAtHost(row, host)) {
        for (const text of ['{', '[1,', 'nothing', good.slice(0, -1), `${good}}`])
          expect([text, (await send(path, text)).status]).toEqual([text, 400])
        const typed = await send(path, good, 'text/plain')
        expect(typed).toMatchObject({
          status: 400,
          error: { message: /Content-Type is text\/plain/ },
        })
      }
      expect(session.facts().length).toBe(facts)
    },
  )
})

test('the catalogue has bad input for more than the token endpoint', () => {
  expect(roles.flatMap(checked).length).toBeGreaterThan(roles.length + 5)
})
