/**
 * What a session tells a service that wants to connect: addresses and credentials, and a first call that works as it is
 * printed.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { contactStatus, firstContact } from '../session-api/first-contact.ts'
import { dialectNames } from '../protocol/dialects/catalogue.ts'
import { roles } from '../protocol/role.ts'
import { prepareSession } from './session.ts'
import type { SessionOptions } from './options.ts'

const run = promisify(execFile)

async function contactWith(options: SessionOptions) {
  const session = await prepareSession({ port: 0, clock: 'stepped', ...options })
  const info = async () => (await session.look({})).info
  const rows = async () =>
    Object.fromEntries(firstContact(await info()).map(({ label, value }) => [label, value]))
  return { session, info, rows, [Symbol.asyncDispose]: () => session.close() }
}

test('a polling store is told where to poll, and with which credentials', async () => {
  await using contact = await contactWith({ as: 'software-service' })
  const base = contact.session.urls.get('ordering-application')
  expect(await contact.rows()).toMatchObject({
    'Your service': 'Software Service',
    'Base URL': `${base} (Ordering Application)`,
    'Token URL': `${base}/oauth/token`,
    'Client id': 'subject (scope proto.orders)',
    'Client secret': 'secret',
    Events: `GET ${base}/events:polling`,
    'First order': 'npx sparring orders create',
  })
  expect(contactStatus(await contact.info())).toBe('Waiting for your service to connect …')
})

const ownDialect = './examples/dialects/three-letter-codes.yaml'

test.for([
  { options: {} },
  ...[...dialectNames, ownDialect].map((dialect) => ({ options: { dialect } })),
])(
  'the curl line works as it is printed, and calls the URLs that are printed: $options',
  async ({ options }) => {
    await using contact = await contactWith({ as: 'software-service', ...options })
    const rows = await contact.rows()
    const { 'Try it': line = '', 'Token URL': token = '', Events: polls } = rows
    const { stdout } = await run('sh', ['-c', line])
    expect(stdout).toMatch(/^HTTP\/1\.1 20[04] /)
    const base = contact.session.urls.get('ordering-application') ?? ''
    expect(line.includes('scope=')).toBe(rows['Client id']?.includes('(scope '))
    expect(contactStatus(await contact.info())).toBe(
      `Your service has connected: it called POST ${token.slice(base.length)}`,
    )
    if (polls !== undefined) expect(line.split(' ').at(-1)).toBe(polls.slice('GET '.length))
  },
)

test.for(
  roles.flatMap((as) =>
    (['opendelivery-v2', 'v1', '99food'] as const).map((dialect) => ({ as, dialect })),
  ),
)('it works for a service of every role: $as in $dialect', async ({ as, dialect }) => {
  await using contact = await contactWith({ as, dialect })
  const { 'Try it': line = '' } = await contact.rows()
  const { stdout } = await run('sh', ['-c', line])
  expect(stdout).toMatch(/^HTTP\/1\.1 20[04] /)
})

test('it follows the paths of a configuration, wherever they are', async () => {
  await using contact = await contactWith({
    as: 'software-service',
    conduct: {
      paths: { issueToken: '/auth/login', pollingEvents: '/pedidos:novos' },
      colon: 'encoded',
    },
  })
  const base = contact.session.urls.get('ordering-application') ?? ''
  const rows = await contact.rows()
  expect(rows).toMatchObject({
    'Token URL': `${base}/auth/login`,
    Events: `GET ${base}/pedidos%3Anovos`,
  })
  const { stdout } = await run('sh', ['-c', rows['Try it'] ?? ''])
  expect(stdout).toMatch(/^HTTP\/1\.1 204 /)
})

test('for a store that polls there are neither events that are sent nor a signature', async () => {
  await using contact = await contactWith({ as: 'software-service' })
  const rows = await contact.rows()
  expect(rows['Events']).toMatch(/^GET .*polling$/)
  expect(rows).not.toHaveProperty('Events sent to')
  expect(rows).not.toHaveProperty('Signed with')
})

test('the control URL is named in the command for an order unless it is the default one', async () => {
  await using contact = await contactWith({ as: 'software-service' })
  const info = await contact.info()
  const command = (control: string) =>
    firstContact({ ...info, control }).find(({ label }) => label === 'First order')?.value
  expect(command('http://127.0.0.1:7100')).toBe('npx sparring orders create')
  expect(command('http://127.0.0.1:9')).toBe(
    'npx sparring orders create --control http://127.0.0.1:9',
  )
})

test('a store with webhooks is told where events are sent and how they are signed', async () => {
  await using contact = await contactWith({
    as: 'software-service',
    subject: 'http://127.0.0.1:1/',
    counterparts: { 'ordering-application': { channel: 'webhook' } },
  })
  const rows = await contact.rows()
  expect(rows).toMatchObject({
    'Events sent to': 'http://127.0.0.1:1/webhooks/orders http://127.0.0.1:1/webhooks/delivery',
    'Signed with': 'X-App-Signature: hmac-sha256-hex of the body, keyed with the client secret',
    'Calls you as': 'sparring-ordering-application / secret-of-ordering-application',
  })
  expect(rows).not.toHaveProperty('Events')
})

test('each role that hosts is told who calls it, and where its events go', async () => {
  const at = 'http://127.0.0.1:1'
  await using oa = await contactWith({ as: 'ordering-application', subject: at })
  expect(await oa.rows()).toMatchObject({
    'Base URL': `${oa.session.urls.get('software-service')} (Software Service)`,
    'Calls you as': 'sparring-software-service / secret-of-software-service',
    'First order': `create one in your service; this session polls GET ${at}/events:polling`,
  })
  await using dp = await contactWith({ as: 'delivery-platform', subject: at })
  expect(await dp.rows()).toMatchObject({
    'Calls you as': 'sparring-ordering-application / secret-of-ordering-application',
    'First delivery': 'npx sparring orders create --type DELIVERY',
  })
  await using crm = await contactWith({ as: 'crm', subject: at })
  expect(await crm.rows()).toMatchObject({
    'Events sent to': `${at}/webhooks/customer ${at}/webhooks/loyalty`,
    'Calls you as': 'sparring-ordering-application / secret-of-ordering-application',
  })
})

test.for([
  { as: 'delivery-platform', label: 'First delivery' },
  { as: 'crm', label: 'First customer' },
] as const)(
  'without a URL, the $as learns that it must say one to be called',
  async ({ as, label }) => {
    await using contact = await contactWith({ as })
    expect((await contact.rows())[label]).toContain('begin again with --subject <its URL>')
  },
)

test('a secret that the user configured is not repeated', async () => {
  await using contact = await contactWith({
    subject: { role: 'software-service', credentials: { clientId: 'me', clientSecret: 'xyzzy' } },
  })
  expect(JSON.stringify([await contact.info(), await contact.rows()])).not.toContain('xyzzy')
  const { 'Client secret': secret, 'Try it': line = '' } = await contact.rows()
  expect(secret).toBe('(as in your configuration)')
  const { stdout } = await run('sh', ['-c', line], {
    env: { ...process.env, CLIENT_SECRET: 'xyzzy' },
  })
  expect(stdout).toMatch(/^HTTP\/1\.1 204 /)
})

test('without a service of the user the rows say how to connect one, and nobody waits', async () => {
  await using contact = await contactWith({})
  expect((await contact.rows())['Your service']).toMatch(/--as software-service/)
  expect(contactStatus(await contact.info())).toBeUndefined()
})

test('a session without a role that a service could talk to tells nothing', async () => {
  await using contact = await contactWith({ as: 'software-service', only: ['crm'] })
  expect(await contact.rows()).toEqual({})
})

test('a service that does not answer is told in one sentence', async () => {
  await using contact = await contactWith({
    as: 'ordering-application',
    subject: 'http://127.0.0.1:1',
    clock: 'virtual',
    automatic: false,
  })
  await contact.session.begin()
  await contact.session.settle()
  expect(contactStatus(await contact.info())).toBe(
    'Your service does not answer: nothing listens at http://127.0.0.1:1: start your service, or name its address with --subject <url>',
  )
})
