// @module-tag slow
/** `sparring attach` without a terminal: the log of a session behind real sockets, and what keeps it from attaching. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listenOnSocket } from '../../../test/support/on-socket.ts'
import { startTcpRelay } from '../../../test/support/tcp-relay.ts'
import { runVerbs } from '../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { type ControlServer, startControl } from '../../core/runtime/control/control.ts'
import { makeAuthority, makeServerCertificate } from '../../core/runtime/tls/certificate.ts'
import { packageVersion } from '../../core/runtime/version.ts'
import { openSession } from '../../core/session/open-session.ts'
import type { Session } from '../../core/session-api/session.ts'

const open: (() => unknown)[] = []
let session: Session
beforeEach(async () => {
  session = await openSession({ clock: 'stepped', listen: false, seed: 7 })
  open.push(session.close)
})
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

async function control(
  more: Partial<Parameters<typeof startControl>[0]> = {},
): Promise<ControlServer> {
  const started = await startControl({ session, host: '127.0.0.1', port: 0, ...more })
  open.push(started.close)
  return started
}

interface Viewer {
  readonly stdout: () => string
  readonly stderr: () => string
  readonly stop: () => void
  readonly ended: Promise<number>
}

function attach(argv: readonly string[], more: Parameters<typeof createTestIo>[0] = {}): Viewer {
  const { io, written, interrupt } = createTestIo(more)
  const ended = runVerbs(['attach', ...argv], io)
  ended.catch(() => undefined)
  open.push(() => interrupt('SIGTERM'))
  return {
    stdout: () => written().stdout,
    stderr: () => written().stderr,
    stop: () => interrupt('SIGINT'),
    ended,
  }
}

/** The exit code and the sentence of an attempt that fails. */
async function problemOf(
  argv: readonly string[],
  more: Parameters<typeof createTestIo>[0] = {},
): Promise<readonly [code: unknown, message: string]> {
  const error: unknown = await attach(argv, more).ended.then(String, (thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  return [Reflect.get(error as Error, 'exit'), (error as Error).message]
}

const created = (text: string): number => text.match(/order\.created/g)?.length ?? 0

test('the log has what was before and what comes, and ends with 0 when the viewer is interrupted', async () => {
  const { url } = await control()
  await session.createOrder({ type: 'TAKEOUT' })
  const viewer = attach([url])
  await expect.poll(viewer.stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}order\.created {2}TAKEOUT/m)
  await session.createOrder({ type: 'DELIVERY' })
  await expect.poll(() => created(viewer.stdout())).toBe(2)
  viewer.stop()
  expect(await viewer.ended).toBe(0)
  expect(viewer.stderr()).toBe('')
  expect((await session.look({})).info.counts.orders).toBe(2)
})

test('with --new the log begins now, and the URL needs no scheme', async () => {
  const { url } = await control()
  await session.createOrder({ type: 'TAKEOUT' })
  const viewer = attach([url.replace('http://', ''), '--new'])
  // The first line of the log says how to connect: the viewer has its position.
  await expect.poll(viewer.stdout).not.toBe('')
  await session.createOrder({ type: 'DELIVERY' })
  await expect.poll(viewer.stdout).toMatch(/order\.created {2}DELIVERY/)
  viewer.stop()
  expect(await viewer.ended).toBe(0)
  expect(created(viewer.stdout())).toBe(1)
})

test('with --json every line is JSON, news of the connection too, and nothing is missed or repeated', async () => {
  const { url } = await control()
  const relay = await startTcpRelay(url)
  open.push(relay.close)
  const viewer = attach(['--json'], { env: { SPARRING_CONTROL: relay.url } })
  await session.createOrder()
  await expect.poll(() => created(viewer.stdout())).toBe(1)
  relay.cut()
  await expect.poll(viewer.stdout).toContain('"kind":"lost"')
  await session.createOrder()
  relay.mend()
  await expect.poll(() => created(viewer.stdout())).toBe(2)
  viewer.stop()
  expect(await viewer.ended).toBe(0)
  const lines = viewer
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { fact?: { seq: number }; connection?: { kind: string } })
  expect(lines.flatMap(({ connection }) => connection?.kind ?? [])).toEqual(['lost', 'back'])
  const facts = lines.flatMap(({ fact }) => fact?.seq ?? [])
  expect(facts).toEqual(session.facts().map(({ seq }) => seq))
  expect(viewer.stderr()).toBe('')
})

test('the log of lines says on stderr that the connection was lost, and what came meanwhile', async () => {
  const { url } = await control()
  const relay = await startTcpRelay(url)
  open.push(relay.close)
  const viewer = attach([relay.url])
  await expect.poll(viewer.stdout).not.toBe('')
  relay.cut()
  await expect.poll(viewer.stderr).toContain(`sparring: the connection to ${relay.url} is lost: `)
  await session.createOrder()
  relay.mend()
  await expect.poll(viewer.stderr).toMatch(/^sparring: connected again after .* came meanwhile$/m)
})

test('when the session is stopped the log has its last lines, says so and ends with 0', async () => {
  const { url, close } = await control()
  const viewer = attach([url])
  await expect.poll(viewer.stdout).not.toBe('')
  await session.createOrder()
  await close()
  expect(await viewer.ended).toBe(0)
  expect(created(viewer.stdout())).toBe(1)
  expect(viewer.stderr()).toBe(`sparring: the session at ${url} was stopped\n`)
})

test('--give-up ends with 3 after so many seconds without a connection, and waits for a new start until then', async () => {
  const { url, close } = await control()
  const relay = await startTcpRelay(url)
  open.push(relay.close)
  const viewer = attach([relay.url, '--give-up', '1'])
  await session.createOrder()
  await expect.poll(() => created(viewer.stdout())).toBe(1)
  // Another session, with more facts than were read of the first one.
  const other = await openSession({ clock: 'stepped', listen: false, seed: 9 })
  open.push(other.close)
  for (const type of ['TAKEOUT', 'DELIVERY'] as const) await other.createOrder({ type })
  const again = await control({ session: other })
  relay.leadTo(again.url)
  await close()
  await expect.poll(viewer.stderr).toContain('to another session')
  await expect.poll(() => created(viewer.stdout())).toBe(3)
  relay.cut()
  await expect(viewer.ended).rejects.toMatchObject({
    exit: 3,
    message: `looking at the session at ${relay.url}: there has been no connection for 1 s. Attach again when it runs, or allow more time with --give-up <s>.`,
  })
})

test('the token is that of --token or of SPARRING_TOKEN; without a terminal none is asked for', async () => {
  const { url } = await control({ token: 'mine', viewToken: 'looks' })
  const attached: readonly (readonly [argv: readonly string[], env: Record<string, string>])[] = [
    [['--token', 'mine'], {}],
    [[], { SPARRING_TOKEN: 'looks' }],
  ]
  for (const [argv, env] of attached) {
    const viewer = attach([url, ...argv], { env })
    await expect.poll(viewer.stdout).not.toBe('')
    viewer.stop()
    expect(await viewer.ended).toBe(0)
  }
  const remedy = 'Name its token with --token or SPARRING_TOKEN; sparring up printed it.'
  const attempt = `attaching to the session at ${url}`
  expect(await problemOf([url])).toEqual([3, `${attempt}: it asks for a token. ${remedy}`])
  expect(await problemOf([url, '--token', 'x'])).toEqual([
    3,
    `${attempt}: it does not take this token. ${remedy}`,
  ])
})

test.each<[what: string, url: string, problem: readonly [code: number, message: RegExp]]>([
  ['nothing listens', 'http://127.0.0.1:1', [3, /nothing answers there \(ECONNREFUSED\)/]],
  ['the URL is none', 'ftp://127.0.0.1', [2, /that is no http or https URL\. Write it as/]],
  ['the URL is a word', 'session', [2, /that is no http or https URL/]],
])('where %s it says so', async (_, url, [code, message]) => {
  expect(await problemOf([url])).toEqual([code, expect.stringMatching(message)])
})

test.each<[what: string, body: unknown, problem: readonly [code: number, message: RegExp]]>([
  ['another server', { hello: 1 }, [3, /something answers there, but it is no control API/]],
  ['a page', undefined, [3, /something answers there, but it is no control API/]],
  [
    'a session of another version',
    { version: '99.1.0' },
    [
      2,
      /it is Sparring 99\.1\.0, and this is .*\. Use the same version: npx sparring@99\.1\.0 attach/,
    ],
  ],
])('%s is detected', async (_, body, [code, message]) => {
  await using server = await listenOnSocket((__, response) =>
    response.end(body === undefined ? '<html>' : JSON.stringify(body)),
  )
  expect(await problemOf([server.url])).toEqual([code, expect.stringMatching(message)])
})

test('a session of another patch is understood', async () => {
  const [major, minor] = packageVersion().split('.')
  await using server = await listenOnSocket((request, response) =>
    request.url === '/session'
      ? response.end(JSON.stringify({ version: `${major}.${minor}.999` }))
      : response.writeHead(503).end(),
  )
  expect(await problemOf([server.url])).toEqual([3, expect.stringMatching(/too many viewers/)])
})

/** TLS in front of a server, with a certificate of an authority of its own. */
async function startTlsProxy(url: string) {
  const now = Date.now()
  const authority = makeAuthority(now)
  const { certificate, key } = makeServerCertificate(authority.key, now)
  const pem = key.export({ type: 'pkcs8', format: 'pem' })
  const server = createTlsServer({ cert: certificate, key: pem }, (near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1')
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => server.close())
  const folder = mkdtempSync(join(tmpdir(), 'sparring-attach-'))
  writeFileSync(join(folder, 'ca.pem'), authority.certificate)
  writeFileSync(join(folder, 'notes.txt'), 'no certificate')
  return { folder, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('an https URL needs an authority that is trusted: --ca names one', async () => {
  const { folder, url } = await startTlsProxy((await control()).url)
  const viewer = attach([url, '--ca', 'ca.pem'], { cwd: folder })
  await session.createOrder()
  await expect.poll(() => created(viewer.stdout())).toBe(1)
  viewer.stop()
  expect(await viewer.ended).toBe(0)

  const [code, message] = await problemOf([url])
  expect([code, message]).toEqual([
    3,
    expect.stringMatching(
      /its certificate is not trusted \(\w+\)\. Trust its authority: .*--ca <file>/,
    ),
  ])
  const wrongScheme = await problemOf([url.replace('https', 'http')])
  expect(wrongScheme[0]).toBe(3)
  for (const [file, why] of [
    ['missing.pem', /there is no such file or directory \(ENOENT\)\. Name a path that exists\.$/],
    ['notes.txt', /there is no certificate in it/],
  ] as const)
    expect(await problemOf([url, '--ca', file], { cwd: folder })).toEqual([
      2,
      expect.stringMatching(why),
    ])
})
