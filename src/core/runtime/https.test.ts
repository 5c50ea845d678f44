/** A session over HTTPS: its servers' certificates, its client's trust, and verification that stays on. */
import { compact } from '../base/compact.ts'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpsRequest } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createSecureContext } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { createOriginator } from '../../../test/support/scripted-ordering-application.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { createSocketTransport } from './client/transport.ts'
import { makeAuthority, makeServerCertificate } from './tls/certificate.ts'
import { createSessionTls } from './tls/session-tls.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

let folder = ''
const before = process.env['XDG_CONFIG_HOME']

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sparring-https-'))
  process.env['XDG_CONFIG_HOME'] = folder
})
afterAll(() => {
  if (before === undefined) delete process.env['XDG_CONFIG_HOME']
  else process.env['XDG_CONFIG_HOME'] = before
  rmSync(folder, { recursive: true, force: true })
})

const open = (options: SessionOptions = {}): Promise<Session> =>
  openSession({ port: 0, clock: 'stepped', capabilities: ordersOnly, tls: true, ...options })

const rowsOf = async (session: Session) => (await session.look({ traffic: { limit: 5 } })).traffic

interface Reply {
  readonly status: number
  readonly text: string
}

/** A request with node's own verification, and these authorities in place of the default ones. */
const get = (url: string, ca?: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asked = httpsRequest(url, ca === undefined ? {} : { ca }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })

const wellKnown = '/.well-known/protocol'

/** Files with a certificate signed by a foreign authority. */
function files(madeAt = Date.now()): {
  readonly cert: string
  readonly key: string
  readonly ca: string
} {
  const authority = makeAuthority(madeAt)
  const { certificate, key } = makeServerCertificate(authority.key, madeAt)
  const named = (name: string): string => join(folder, name)
  writeFileSync(named('their-ca.pem'), authority.certificate)
  writeFileSync(named('their-cert.pem'), certificate)
  writeFileSync(named('their-key.pem'), key.export({ type: 'pkcs8', format: 'pem' }))
  return {
    cert: named('their-cert.pem'),
    key: named('their-key.pem'),
    ca: named('their-ca.pem'),
  }
}

describe('a session with --tls', () => {
  test('breaks off over TLS too, before the first byte or in the middle of a body', async () => {
    await using session = await open({
      as: 'software-service',
      faults: ['reset:operation=getManifest,limit=1', 'truncate:operation=getManifest,limit=1'],
    })
    const ca = readFileSync(session.authority ?? '', 'utf8')
    const url = `${session.urls.get('ordering-application')}${wellKnown}`
    const reset: unknown = await get(url, ca).catch((error: unknown) => error)
    expect(reset).toMatchObject({ code: 'ECONNRESET' })
    const cut: unknown = await get(url, ca).catch((error: unknown) => error)
    expect(cut).toMatchObject({ message: 'aborted' })
    expect(await get(url, ca)).toMatchObject({ status: 200 })
  })

  test('[DIS-WKN-04, TRN-CON-02] serves everything over HTTPS, under https URLs', async () => {
    await using session = await open()
    const ca = readFileSync(session.authority ?? '', 'utf8')
    for (const url of session.urls.values()) {
      expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
      const { status, text } = await get(`${url}${wellKnown}`, ca)
      expect(status).toBe(200)
      const { capabilities } = JSON.parse(text) as { capabilities: { endpoint: string }[] }
      for (const { endpoint } of capabilities) expect(endpoint).toBe(url)
      const byName = url.replace('127.0.0.1', 'localhost')
      expect((await get(`${byName}${wellKnown}`, ca)).status).toBe(200)
    }
  })

  test('[DIS-WKN-04] is refused by clients that do not trust our authority', async () => {
    await using session = await open()
    const [url] = [...session.urls.values()]
    await expect(get(`${url}${wellKnown}`)).rejects.toThrow(/unable to verify|self-signed/)
  })

  test('[TRN-CON-02] answers no plain HTTP', async () => {
    await using session = await open({ as: 'software-service' })
    const [url = ''] = [...session.urls.values()]
    await expect(fetch(`${url.replace('https', 'http')}${wellKnown}`)).rejects.toThrow(
      'fetch failed',
    )
    await vi.waitFor(async () =>
      expect((await rowsOf(session)).at(-1)).toMatchObject({
        reason: expect.stringMatching(
          /TLS is spoken here: use https:\S+ as its base URL, or .* --tls/,
        ),
      }),
    )
  })

  test('[TRN-CON-02] lets our counterparts call each other over HTTPS, verified, until the order is concluded', async () => {
    await using session = await open({
      clock: 'virtual',
      automatic: false,
      counterparts: { 'ordering-application': { channel: 'both' } },
    })
    await session.createOrder({ type: 'TAKEOUT' })
    await session.settle()
    const statuses = session
      .facts()
      .flatMap(({ fact }) => (fact.kind === 'order.moved' ? [fact.to] : []))
    expect(statuses.at(-1)).toBe('CONCLUDED')
  })

  test('[TRN-CON-02] has only https URLs in its messages', async () => {
    await using session = await open({ clock: 'virtual', automatic: false })
    const seen: string[] = []
    session.onExchange(({ reply, request }) => seen.push(request.url, reply?.body ?? ''))
    await session.createOrder({ type: 'TAKEOUT' })
    await session.settle()
    expect(seen.join('\n')).toContain('"orderURL":"https://127.0.0.1')
    expect(seen.join('\n')).not.toContain('http://')
  })

  test('uses the same authority in a second session, so it is trusted once', async () => {
    await using one = await open()
    await using other = await open()
    expect(other.authority).toBe(one.authority)
    const ca = readFileSync(one.authority ?? '', 'utf8')
    const [url] = [...other.urls.values()]
    expect((await get(`${url}${wellKnown}`, ca)).status).toBe(200)
  })

  test('closes despite a connection without a TLS handshake', async () => {
    const session = await open()
    const { hostname, port } = new URL([...session.urls.values()][0] ?? '')
    const silent = connect(Number(port), hostname)
    silent.on('error', () => undefined)
    await new Promise((resolve) => silent.once('connect', resolve))
    // Node waits two minutes for a handshake, longer than a test may take.
    const closed = new Promise((resolve) => silent.once('close', resolve))
    await session.close()
    await closed
    expect(silent.closed).toBe(true)
  })

  test('[TRN-CON-02] calls https URLs in any letter case', async () => {
    await using session = await open()
    const context = createSecureContext({ ca: readFileSync(session.authority ?? '', 'utf8') })
    const { transport: reach, close } = createSocketTransport({ timeoutMs: 5000, trust: context })
    const [url = ''] = [...session.urls.values()]
    const loud = `${url.replace('https', 'HTTPS')}${wellKnown}`
    expect(await reach({ method: 'GET', url: loud, headers: {} })).toMatchObject({ status: 200 })
    close()
  })

  test.each(['::', '0.0.0.0', '::1', 'localhost'])(
    'makes a certificate for %s, where this machine is reached by its own names',
    (host) => {
      const { serverContext, authority } = createSessionTls({ tls: true, host })
      expect(serverContext).toBeDefined()
      expect(authority).toContain(folder)
    },
  )

  test('refuses a listen address that such a certificate cannot cover', async () => {
    await expect(open({ host: '192.0.2.1' })).rejects.toThrow(
      /making a certificate for 192\.0\.2\.1: .*tls: \{ cert, key \}/,
    )
  })
})

describe('a session with certificates of its own', () => {
  test('[TRN-CON-02] shows them, and its own client trusts them', async () => {
    const { cert, key, ca } = files()
    await using session = await open({ tls: { cert, key }, clock: 'virtual', automatic: false })
    expect(session.authority).toBeUndefined()
    const [url] = [...session.urls.values()]
    expect((await get(`${url}${wellKnown}`, readFileSync(ca, 'utf8'))).status).toBe(200)
    await session.settle()
    const accepted = session.facts().filter(({ fact }) => fact.kind === 'partner.accepted')
    expect(accepted.length).toBeGreaterThan(0)
  })

  test('refuses missing or mismatched files before anything listens', async () => {
    const { cert, key } = files()
    await expect(open({ tls: { cert: join(folder, 'no.pem'), key } })).rejects.toThrow(
      /reading the certificate .*no\.pem/,
    )
    const other = join(folder, 'other-key.pem')
    writeFileSync(other, makeAuthority(Date.now()).key.export({ type: 'pkcs8', format: 'pem' }))
    await expect(open({ tls: { cert, key: other } })).rejects.toThrow(/reading .*key/)
    for (const text of ['nonsense', '']) {
      writeFileSync(other, text)
      await expect(open({ tls: { cert: other, key } })).rejects.toThrow(/reading /)
      await expect(open({ tls: { cert, key: other } })).rejects.toThrow(/reading /)
      await expect(open({ tls: { cert: other, key: other } })).rejects.toThrow(/reading /)
    }
    const locked = makeAuthority(Date.now()).key.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-128-cbc',
      passphrase: 'x',
    })
    writeFileSync(other, locked)
    await expect(open({ tls: { cert, key: other } })).rejects.toThrow(/the key is encrypted/)
  })
})

test.each([
  ['has expired: it was good until', -2],
  ['is not valid yet: it is good from', 2],
])('a certificate or an authority that %s … is refused', async (wrong, years) => {
  const madeAt = Date.now() + years * 365 * 24 * 3_600_000
  const { cert, key } = files(madeAt)
  await expect(open({ tls: { cert, key } })).rejects.toThrow(
    new RegExp(`reading .*their-cert\\.pem and .*: the certificate ${wrong} `),
  )
  const { ca } = files(madeAt * (years < 0 ? 0 : 1))
  await expect(open({ tls: false, subject: { ca } })).rejects.toThrow(
    new RegExp(`reading the certificate authority .*: the certificate ${wrong} `),
  )
})

describe('a service of yours with a private authority', () => {
  /** An Ordering Application over HTTPS, with a certificate of an untrusted authority. */
  async function theirs(): Promise<
    { readonly url: string; readonly ca: string } & AsyncDisposable
  > {
    const { cert, key, ca } = files()
    const originator = createOriginator()
    originator.place(minimalOrder('o-1', 'TAKEOUT'))
    const server = createServer(
      { cert: readFileSync(cert), key: readFileSync(key) },
      (incoming, response) => {
        const url = `http://ordering-application.test${incoming.url}`
        void originator.fetch(new Request(url)).then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': 'application/json' })
          response.end(await answer.text())
        })
      },
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return {
      url: `https://127.0.0.1:${port}`,
      ca,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }

  const against = (url: string, ca?: string): Promise<Session> =>
    open({
      as: 'ordering-application',
      subject: { url, ...compact({ ca }) },
      clock: 'virtual',
      automatic: false,
      tls: false,
    })

  test('a file without a certificate is refused, not ignored', async () => {
    const { key } = files()
    const ca = join(folder, 'ca.pem')
    for (const text of ['', 'nonsense', readFileSync(key, 'utf8')]) {
      writeFileSync(ca, text)
      await expect(against('https://127.0.0.1:1', ca)).rejects.toThrow(
        /reading the certificate authority .*ca\.pem: there is no certificate in it.*ca of the subject/,
      )
    }
  })

  test('[TRN-CON-02] is not called until its authority is named: verification is never disabled', async () => {
    await using service = await theirs()
    await using session = await against(service.url)
    await session.advance(1000)
    const [rejected] = session
      .facts()
      .flatMap(({ fact }) => (fact.kind === 'partner.rejected' ? [fact] : []))
    expect(rejected?.because).toMatch(/unable to verify|self-signed|certificate/)
  })

  test('[TRN-CON-02] is called when its authority is named', async () => {
    await using service = await theirs()
    await using session = await against(service.url, service.ca)
    await session.advance(1000)
    const kinds = session.facts().map(({ fact }) => fact.kind)
    expect(kinds).toContain('partner.accepted')
    expect(session.authority).toBeUndefined()
  })

  test('a missing authority file is refused', async () => {
    await expect(against('https://127.0.0.1:1', join(folder, 'no-ca.pem'))).rejects.toThrow(
      /reading the certificate authority .*no-ca\.pem/,
    )
  })
})
