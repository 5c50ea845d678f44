/** What a wrong path was probably meant to be, in several dialects. */
import { describe, expect, test } from 'vitest'
import { openSession } from '../../../session/open-session.ts'
import type { SessionOptions } from '../../../session/options.ts'

/** The reasons of requests to the Ordering Application, by the calls; the role and base URL stand for themselves. */
async function reasonsOf(calls: readonly string[], options: SessionOptions) {
  await using session = await openSession({
    clock: 'virtual',
    automatic: false,
    listen: false,
    as: 'software-service',
    ...options,
  })
  const base = session.urls.get('ordering-application') ?? ''
  for (const call of calls) {
    const [method = '', path = ''] = call.split(' ')
    await session.fetch(new Request(`${base}${path}`, { method }))
  }
  const { traffic } = await session.look({ traffic: { limit: 100 } })
  return traffic.map(({ reason }) => reason?.replaceAll(base, '<base>'))
}

interface Case {
  readonly dialect: string
  readonly options: SessionOptions
  readonly meant: Readonly<Record<string, string>>
}

const cases: readonly Case[] = [
  {
    dialect: 'the specification',
    options: {},
    meant: {
      'GET /v1/orders/o1': 'looks like V1: start with --dialect v1, or send GET /orders/{orderId}',
      'POST /v1/orders/o1/readyForPickup': 'looks like V1: start with --dialect v1',
      'POST /orders/o1/ready-for-pickups':
        'unknown here; did you mean POST /orders/{orderId}/ready-for-pickup?',
      'POST /orders/o1/Confirm/':
        'unknown here; did you mean POST /orders/{orderId}/confirm? The path has a slash at its end',
      'PUT /orders/o1/confirm': 'send POST /orders/{orderId}/confirm, not PUT (TRN-CON-04)',
      'POST /orders':
        'no operation of the protocol creates an order; sparring orders create does (ORD-GEN-03)',
      'GET /events:polling/events:polling':
        'unknown here; did you mean GET /events:polling? Leave out /events:polling: the base URL is <base>',
      'POST /webhooks/orders':
        'an operation of the Software Service, which your service plays; this is the Ordering Application',
    },
  },
  {
    dialect: 'the specification, where a CRM pulls',
    options: { as: 'crm', counterparts: { crm: { mode: 'pull' } } },
    meant: {
      'GET /v1/customer/customers':
        'an operation of the CRM, which your service plays; this is the Ordering Application, which serves GET /customer/customers',
      'GET /orders':
        'an operation of the CRM, which your service plays; this is the Ordering Application, which serves GET /customer/orders',
      'GET /v1/customers': 'unknown here; did you mean GET /customer/customers?',
      'GET /nothing':
        'unknown here; the Ordering Application serves GET /events:polling, POST /events/acknowledgment, GET /orders/{orderId} and 8 more (all of them: sparring list operations)',
    },
  },
  {
    dialect: 'V1',
    options: { dialect: 'v1' },
    meant: {
      'GET /events:polling':
        'looks like V2: start without --dialect, or send GET /v1/events:polling',
      'GET /v1/v1/events:polling':
        'unknown here; did you mean GET /v1/events:polling? Leave out /v1: the base URL is <base>',
      'POST /v1/orders/o1/ready-for-pickup':
        'unknown here; did you mean POST /v1/orders/{orderId}/readyForPickup?',
    },
  },
  {
    dialect: 'the dialect of a partner who issues tokens elsewhere',
    options: { dialect: 'loocal' },
    meant: {
      'POST /oauth/token':
        'unknown here; did you mean POST /api/authentication/oauth/token? That is its path in this session (conduct.paths.issueToken)',
      'POST /v1/oauth/token/':
        'unknown here; did you mean POST /api/authentication/oauth/token? That is its path in this session (conduct.paths.issueToken)',
      'POST /auth/token':
        'unknown here; did you mean POST /api/authentication/oauth/token? Tokens are issued there',
      'POST /v4/opendelivery/oauth/token':
        'unknown here; did you mean POST /api/authentication/oauth/token? That is its path in this session (conduct.paths.issueToken)',
      'POST /api/login':
        'unknown here; did you mean POST /api/authentication/oauth/token? Tokens are issued there',
      'GET /events:polling':
        'looks like V2: start without --dialect, or send GET /v1/events:polling',
    },
  },
  {
    dialect: 'paths of one’s own',
    options: { conduct: { paths: { issueToken: '/auth/token', getOrder: '/pedidos/{orderId}' } } },
    meant: {
      'POST /oauth/token':
        'unknown here; did you mean POST /auth/token? That is its path in this session (conduct.paths.issueToken)',
      'GET /orders/o1':
        'unknown here; did you mean GET /pedidos/{orderId}? That is its path in this session (conduct.paths.getOrder)',
      'GET /v1/orders/o1':
        'unknown here; did you mean GET /pedidos/{orderId}? That is its path in this session (conduct.paths.getOrder)',
    },
  },
  {
    dialect: 'the specification, where tokens are asked for at a path of another partner',
    options: {},
    meant: {
      'POST /api/authentication/oauth/token':
        'looks like the dialect loocal: start with --dialect loocal, or send POST /oauth/token',
      'POST /v1/oauth/token':
        'unknown here; did you mean POST /oauth/token? Tokens are issued there',
      'POST /connect/token':
        'unknown here; did you mean POST /oauth/token? Tokens are issued there',
    },
  },
  {
    dialect: 'a base path',
    options: { conduct: { basePath: '/partner' } },
    meant: {
      'GET /events/polling':
        'unknown here; the Ordering Application serves GET /partner/events:polling, POST /partner/events/acknowledgment, GET /partner/orders/{orderId} and 8 more (all of them: sparring list operations)',
      'GET /partner/event:poling': 'unknown here; did you mean GET /partner/events:polling?',
    },
  },
  {
    dialect: 'a colon that is encoded',
    options: { conduct: { colon: 'encoded' } },
    meant: {
      'GET /events:polling':
        'this partner takes the colon of a path as %3A only; send /events%3Apolling',
      'GET /events%3Apollin': 'unknown here; did you mean GET /events%3Apolling?',
    },
  },
  {
    dialect: 'events by webhook, without Indoor',
    options: {
      capabilities: { indoor: false },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
    },
    meant: {
      'GET /events:polling':
        'not served: this session delivers events by webhook: start it with --channel polling, or both',
      'POST /webhooks/accounts':
        'not served: indoor is off in this session: set capabilities.indoor: true in the configuration',
    },
  },
]

describe('a path that is unknown', () => {
  test.for(cases)('in $dialect', async ({ options, meant }) => {
    const reasons = await reasonsOf(Object.keys(meant), options)
    expect(reasons).toEqual(Object.values(meant))
  })
})
