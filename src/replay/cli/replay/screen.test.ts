/** Bookmarks and rules beside a recording, the dashboard's actions, and when a replay opens on the dashboard. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openReceiver, receiverSession } from '../../../../test/support/webhook-receiver.ts'
import { emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { parseUserRules } from '../../difference/user-rules.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import { removeRecordings, writeRecording } from '../../../../test/support/dashboard/recording.ts'
import { bookmarksFileOf, createScreenActions, openPlayerFiles } from './screen.ts'
import { openSession } from '../../../core/session/open-session.ts'
import { wantsScreen } from './run-replay.ts'

afterAll(removeRecordings)

const recording = 'lunch.rec.ndjson'
const rule = (at: string): Rule => ({
  at,
  side: 'reply',
  operation: 'getOrder',
  compare: { as: 'time', within: 60_000 },
  from: 'user',
  reason: 'accepted by hand, at exchange 7',
})

test('bookmarks are written beside the recording and read back', async () => {
  const folder = emptyFolder()
  expect(bookmarksFileOf('a/lunch.rec.ndjson')).toBe('a/lunch.marks.json')
  const files = await openPlayerFiles(recording, undefined, folder)
  expect(files.marks).toEqual([])
  const marks = [{ seq: 7, text: 'here' }]
  expect(await files.saveBookmarks(marks)).toEqual({ ok: true, value: 'lunch.marks.json' })
  expect((await openPlayerFiles(recording, undefined, folder)).marks).toEqual(marks)
})

test('invalid bookmarks are reported with file and location', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'lunch.marks.json'), '{"version":1,"marks":[{"seq":"x","text":""}]}')
  await expect(openPlayerFiles(recording, undefined, folder)).rejects.toThrow(
    /lunch\.marks\.json: marks\.0\.seq will not do/,
  )
})

test('an accepted difference is prepended to the existing rules, whose other content is kept', async () => {
  const folder = emptyFolder()
  const file = join(folder, 'lunch.rules.json')
  const before = { at: '$.body.note', compare: 'ignore', reason: 'typed by hand' }
  writeFileSync(file, JSON.stringify({ $schema: './rules.json', version: 1, rules: [before] }))
  const files = await openPlayerFiles(recording, undefined, folder)
  expect(await files.saveRule(rule('$.body.at'))).toEqual({ ok: true, value: 'lunch.rules.json' })
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    $schema: './rules.json',
    rules: [{ at: '$.body.at' }, before],
  })
  expect(parseUserRules(text)).toMatchObject({ value: [rule('$.body.at'), { from: 'user' }] })
})

test('invalid rules stay unchanged, and the reason is returned', async () => {
  const folder = emptyFolder()
  const file = join(folder, 'mine.json')
  writeFileSync(file, '{"version":9}')
  const files = await openPlayerFiles(recording, 'mine.json', folder)
  expect(await files.saveRule(rule('$.body.at'))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/mine\.json will not do: version/),
  })
  expect(readFileSync(file, 'utf8')).toBe('{"version":9}')
})

test('rules accepted in quick succession are all saved', async () => {
  const folder = emptyFolder()
  const files = await openPlayerFiles(recording, undefined, folder)
  const places = ['$.body.a', '$.body.b', '$.body.c']
  const kept = await Promise.all(places.map((at) => files.saveRule(rule(at))))
  expect(kept.map(({ ok }) => ok)).toEqual([true, true, true])
  const text = readFileSync(join(folder, 'lunch.rules.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ rules: places.toReversed().map((at) => ({ at })) })
  const marks = [[], [{ seq: 1, text: '' }], [], [{ seq: 2, text: '' }]]
  const marked = await Promise.all(marks.map((each) => files.saveBookmarks(each)))
  expect(marked.map(({ ok }) => ok)).toEqual([true, true, true, true])
  expect((await openPlayerFiles(recording, undefined, folder)).marks).toEqual(marks.at(-1))
})

test('unreadable rules are returned as an error', async () => {
  const folder = emptyFolder()
  const files = await openPlayerFiles(recording, '.', folder)
  expect(await files.saveRule(rule('$.body.a'))).toMatchObject({
    ok: false,
    error: expect.stringContaining('reading the rules'),
  })
})

test('an export returns the written file, or the error', async () => {
  const path = writeRecording(5)
  const { io, written } = createTestIo({ cwd: emptyFolder() })
  await using makes = createScreenActions({ recording: path }, io)
  const made = await makes.ports.exportRecording?.('lunch.sh')
  expect(made).toMatchObject({ ok: true, value: expect.stringContaining('5 exchanges as curl') })
  expect(existsSync(join(io.cwd, 'lunch.sh'))).toBe(true)
  expect(await makes.ports.exportRecording?.('lunch.sh')).toMatchObject({
    ok: false,
    error: expect.stringContaining('lunch.sh'),
  })
  // The dashboard owns the terminal: nothing is printed.
  expect(written()).toMatchObject({ stdout: '', stderr: '' })
  expect(makes.ports.minimise).toBeUndefined()
})

test('minimising against an unreachable subject reports that', async () => {
  const path = writeRecording(5)
  const { io } = createTestIo({ cwd: emptyFolder() })
  await using makes = createScreenActions(
    { recording: path, to: 'http://127.0.0.1:1', port: 0, as: 'ordering-application' },
    io,
  )
  const made = await makes.ports.minimise?.(() => undefined, 0)
  expect(made?.ok).toBe(false)
})

test('minimising reports progress, and at the end the summary paragraph and the written files', async () => {
  const folder = emptyFolder()
  await using service = await openReceiver()
  const session = await openSession(receiverSession(service.url, join(folder, recording)))
  for (let nth = 1; nth <= 3; nth++) {
    await session.createOrder({ type: 'TAKEOUT' })
    await vi.waitFor(() => expect(service.received).toHaveLength(nth))
  }
  await session.close()
  await using changed = await openReceiver({ reply: () => ({ status: 200 }) })
  const { io } = createTestIo({ cwd: folder })
  await using makes = createScreenActions({ recording, to: changed.url, port: 0 }, io)
  const news: string[] = []
  const made = await makes.ports.minimise?.((text) => news.push(text), 0)
  const lines = made?.ok ? made.value : [made?.error]
  expect(lines.join()).toContain('lunch.min.rec.ndjson')
  expect(news[0]).toMatch(/^minimising: replay 1 of at most 60, of \d+ exchanges$/)
  expect(news.length).toBeGreaterThan(1)
  expect(lines.join(' ')).toMatch(/status/)
  expect(existsSync(join(folder, 'lunch.min.sh'))).toBe(true)
}, 60_000)

test('closing the dashboard interrupts a running search and waits for its end', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { io } = createTestIo({ cwd: emptyFolder() })
  const makes = createScreenActions(
    {
      recording: writeRecording(5),
      to: `http://127.0.0.1:${port}`,
      port: 0,
      as: 'ordering-application',
    },
    io,
  )
  const asked = once(silent, 'request')
  let outcome: unknown
  void makes.ports.minimise?.(() => undefined, 0).then((result) => (outcome = result))
  await asked
  await makes[Symbol.asyncDispose]()
  silent.closeAllConnections()
  silent.close()
  expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining('interrupted') })
})

test('the dashboard opens only on an interactive terminal without flags for line output', () => {
  const at = (isTTY: boolean, env: Record<string, string> = {}) =>
    createTestIo({ isTTY, env: { TERM: 'xterm', ...env } }).io
  const to = 'http://127.0.0.1:3000'
  expect(wantsScreen({ recording }, at(true))).toBe(true)
  expect(wantsScreen({ recording, to }, at(true))).toBe(true)
  expect(wantsScreen({ recording, to }, at(false))).toBe(false)
  expect(wantsScreen({ recording, to }, at(true, { CI: 'true' }))).toBe(false)
  expect(wantsScreen({ recording, driver: 'partner', to }, at(true))).toBe(false)
  for (const lines of ['json', 'quiet', 'twice', 'bisect', 'step'] as const)
    expect(wantsScreen({ recording, to, [lines]: true }, at(true))).toBe(false)
  expect(wantsScreen({ recording, to, reporter: ['json'] }, at(true))).toBe(false)
})
