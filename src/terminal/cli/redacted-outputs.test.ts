// @module-tag slow
/**
 * Secrets under many spellings, in everything that a session and its recording are shown or written as: lines of a log, an
 * attached log, the control API, tools of an agent, spans, an explanation, errors, the recording and what is made of it.
 */
import { mkdtempSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startAgent } from '../../../test/support/mcp-agent.ts'
import { openOtlpCollector, type OtlpCollector } from '../../../test/support/otlp-collector.ts'
import { runInProcess, startInProcess } from '../../../test/support/run-in-process.ts'
import { runSparring } from '../../../test/support/spawn-sparring.ts'
import { spelledSecrets } from '../../../test/support/spelled-secrets.ts'
import { allFormats } from '../../replay/cli/formats/all-formats.ts'
import { type ControlServer, startControl } from '../../core/runtime/control/control.ts'
import { openSession } from '../../core/session/open-session.ts'
import type { Session } from '../../core/session-api/session.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-outputs-'))
const recording = join(folder, 'x.rec.ndjson')
const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
let collector: OtlpCollector
let session: Session
let control: ControlServer

/** Sends a planted request as it is, with the bytes of its path. */
const send = (base: string, { exchange }: (typeof spelledSecrets)[number]): Promise<void> =>
  new Promise((resolve, reject) => {
    const { method, url, headers, body } = exchange.request
    const { hostname, port } = new URL(base)
    const { pathname, search } = new URL(url)
    const call = request(
      {
        hostname,
        port,
        method,
        path: `${pathname}${search}`,
        headers: Object.fromEntries(headers),
      },
      (reply) => {
        reply.resume().on('end', resolve)
      },
    )
    call.on('error', reject)
    call.end(body)
  })

/** Secrets of a reply stand in no request. */
const sent = spelledSecrets.filter(({ exchange, secret }) =>
  decodeURIComponent(JSON.stringify(exchange.request)).replaceAll('+', ' ').includes(secret),
)
const addressed = sent.filter(({ exchange, secret }) => exchange.request.url.includes(secret))

const left = (text: string): readonly string[] =>
  spelledSecrets.filter(({ secret }) => text.includes(secret)).map(({ title }) => title)

beforeAll(async () => {
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  collector = await openOtlpCollector()
  session = await openSession({
    as: 'software-service',
    port: 0,
    recording: { file: recording },
    tracing: { otlp: collector.url },
  })
  control = await startControl({ session, host: '127.0.0.1', port: 0 })
  const base = session.urls.get('ordering-application') ?? ''
  for (const each of sent) await send(base, each)
}, 120_000)

afterAll(async () => {
  await control.close()
  await session.close()
  await collector[Symbol.asyncDispose]()
})

const cli = async (...argv: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runInProcess(argv, { cwd: folder, env })
  expect(code).toBe(0)
  return stdout + stderr
}

test('the control API: rows of the traffic, verdicts, the journal', async () => {
  expect(addressed.length).toBeGreaterThan(60)
  const rows = await (await fetch(`${control.url}/traffic?limit=1000`)).text()
  expect((JSON.parse(rows) as readonly unknown[]).length).toBeGreaterThanOrEqual(sent.length)
  expect(left(rows)).toEqual([])
  for (const path of ['/verdict', '/journal?limit=1000', '/session'])
    expect(left(await (await fetch(`${control.url}${path}`)).text())).toEqual([])
})

test('a log of lines, an attached log, and the same as JSON', async () => {
  for (const more of [[], ['--json']]) {
    const viewer = startInProcess(['attach', control.url, ...more], { cwd: folder, env })
    await expect
      .poll(() => viewer.written().stdout.split('\n').length, { timeout: 30_000 })
      .toBeGreaterThan(sent.length)
    viewer.interrupt('SIGINT')
    await viewer.ended
    expect(left(viewer.written().stdout)).toEqual([])
    expect(viewer.written().stdout).toMatch(/~(?:sec|tok)_[a-z]{10}/)
  }
})

test('a tool of an agent, and an explanation', async () => {
  const listed = await cli('traffic', 'list', '--limit', '1000', '--control', control.url)
  expect(listed).toContain(`#${sent.length} `)
  expect(left(listed)).toEqual([])
  await using agent = await startAgent({ env: { SPARRING_CONTROL: control.url } })
  const answer = await agent.call('traffic_list', { limit: 1000 })
  expect(answer.isError).toBe(false)
  expect(answer.text).toMatch(/~(?:sec|tok)_[a-z]{10}/)
  expect(left(JSON.stringify(answer))).toEqual([])
  for (let seq = 1; seq <= sent.length; seq += 20) {
    const { explanation } = await session.look({ explain: `#${seq}` })
    expect(explanation?.title).toContain(`#${seq}`)
    expect(left(JSON.stringify(explanation))).toEqual([])
  }
})

test('a page, the recording, and what is made of it', async () => {
  await cli('report', control.url, '-o', join(folder, 'live.html'))
  await control.close()
  await session.close()
  const [page, recorded] = ['live.html', 'x.rec.ndjson'].map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  expect(left(page ?? '')).toEqual([])
  expect(recorded?.match(/~(?:sec|tok)_[a-z]{10}/g)?.length).toBeGreaterThanOrEqual(60)
  expect(left(recorded ?? '')).toEqual([])
  for (const { name } of allFormats.filter(({ exporter }) => exporter !== undefined))
    expect([name, left(await cli('export', recording, '--format', name, '-o', '-'))]).toEqual([
      name,
      [],
    ])
  expect(left(JSON.stringify(collector.spans))).toEqual([])
  expect(collector.spans.length).toBeGreaterThanOrEqual(sent.length)
})

test('an error that quotes a URL', async () => {
  for (const { exchange, secret, title } of addressed.slice(0, 2)) {
    const { stderr } = await runSparring(['attach', exchange.request.url.replace('7101', '1')])
    expect([title, stderr]).toEqual([title, expect.not.stringContaining(secret)])
    expect(stderr).toMatch(/^sparring: .*127\.0\.0\.1:1\//m)
  }
})
