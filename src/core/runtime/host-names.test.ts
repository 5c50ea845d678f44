/** DNS rebinding: a web page whose name resolves to this machine reaches no role, though credentials are well known. */
import { request } from 'node:http'
import { describe, expect, test, onTestFinished } from 'vitest'
import type { ConfigurationInput } from '../session-api/configuration/schema.ts'
import type { Session } from '../session-api/session.ts'
import { openSession } from '../session/open-session.ts'
import { startControl } from './control/control.ts'
import { createHostCheck } from './server/host-names.ts'

async function started(more: ConfigurationInput = {}): Promise<Session> {
  const session = await openSession({ port: 0, clock: 'stepped', automatic: false, ...more })
  onTestFinished(() => session.close())
  return session
}

/** Asks for a token with the default credentials; fetch does not allow setting Host. */
const askToken = (url: string, host: string): Promise<{ status?: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/x-www-form-urlencoded' }
    const sent = request(`${url}/oauth/token`, { method: 'POST', headers }, (response) => {
      const { statusCode: status = 0 } = response
      response
        .setEncoding('utf8')
        .toArray()
        .then((parts) => resolve({ status, text: parts.join('') }), reject)
    })
    sent.on('error', reject)
    sent.end('client_id=subject&client_secret=secret')
  })

test('every role answers 421 to a foreign Host and 200 to its own, and the log has both', async () => {
  const session = await started()
  for (const url of session.urls.values()) {
    const refused = await askToken(url, 'evil.example:7101')
    expect(refused.status).toBe(421)
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'FORBIDDEN' } })
    expect(refused.text).toContain('evil.example')
    expect(refused.text).toContain('allowedHosts')
    expect((await askToken(url, new URL(url).host)).status).toBe(200)
  }
  const { traffic } = await session.look({ traffic: { limit: 100 } })
  const statuses = traffic?.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([421, 200]))
})

test('a name of allowedHosts is served, by the roles and by the control API', async () => {
  const allowedHosts = ['partner.test']
  const session = await started({ allowedHosts })
  const url = session.urls.get('ordering-application') ?? ''
  expect((await askToken(url, 'Partner.TEST:443')).status).toBe(200)
  expect((await askToken(url, 'not-partner.test')).status).toBe(421)
  const control = await startControl({ session, host: '127.0.0.1', port: 0, allowedHosts })
  onTestFinished(control.close)
  expect((await askToken(control.url, 'partner.test')).status).toBe(404)
  expect((await askToken(control.url, 'evil.example')).status).toBe(421)
})

test('a name with scheme or port is refused where it is configured', async () => {
  for (const name of ['http://partner.test', 'partner.test:443', 'a b'])
    await expect(started({ allowedHosts: [name] })).rejects.toThrow('allowedHosts')
})

describe('what counts as the own host', () => {
  test.each([
    ['localhost', true],
    ['LocalHost:7101', true],
    ['localhost.', true],
    ['orders.localhost:7101', true],
    ['127.0.0.1:7101', true],
    ['127.9.9.9', true],
    ['[::1]:7101', true],
    ['named.test', true],
    ['', false],
    ['evil.example', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['evil.example#localhost', false],
    ['evil.example/@localhost', false],
    ['192.168.1.20', false],
    ['0.0.0.0', false],
    ['a b', false],
  ])('at 127.0.0.1, "%s": %s', (header, allowed) => {
    expect(createHostCheck('127.0.0.1', ['named.test'])(header)).toBe(allowed)
  })

  test.each([
    ['0.0.0.0', '192.168.1.20:7101', true],
    ['0.0.0.0', 'evil.example', false],
    ['::', '[fe80::1]:7101', true],
    ['fe80::1', '[FE80:0::1]', true],
    ['mock.test', 'mock.test:7101', true],
    ['mock.test', 'evil.example', false],
  ])('at %s, "%s": %s', (address, header, allowed) => {
    expect(createHostCheck(address, [])(header)).toBe(allowed)
  })
})
