// @module-tag slow
/** The URL of the service with a name and password: no output repeats the password, and calls still use it. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInProcess, startInProcess } from '../../../test/support/run-in-process.ts'

const password = 'hush-4711'
const folder = mkdtempSync(join(tmpdir(), 'sparring-subject-url-'))
const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
const authorizations = new Set<string | undefined>()
const server = createServer(({ headers }, reply) => {
  authorizations.add(headers.authorization)
  reply.writeHead(204).end()
})
const urlAt = (port: number | string): string => `http://name:${password}@127.0.0.1:${port}`
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = urlAt((server.address() as AddressInfo).port)
})
afterAll(() => void server.close())

test('a session: its first line, its control API, its recording, the list of sessions, a report', async () => {
  const recording = join(folder, 'a.rec.ndjson')
  const verb = startInProcess(
    ['up', '--as', 'ss', '--subject', url, '--json', '--port', '0', '--record', recording],
    { cwd: folder, env },
  )
  await expect.poll(() => verb.written().stdout, { timeout: 30_000 }).toContain('\n')
  const [first = ''] = verb.written().stdout.split('\n')
  const { control } = JSON.parse(first) as { readonly control: string }
  const shown = [first]
  for (const path of [
    '/session',
    '/traffic',
    '/journal',
    '/verdicts',
    '/state/ordering-application',
  ])
    shown.push(await (await fetch(`${control}${path}`)).text())
  const status = await runInProcess(['status', '--json'], { cwd: folder, env })
  const page = join(folder, 'page.html')
  await runInProcess(['report', control, '-o', page], { cwd: folder, env })
  await expect.poll(() => authorizations.size, { timeout: 30_000 }).toBeGreaterThan(0)
  verb.interrupt('SIGINT')
  const { stdout, stderr } = await verb.ended
  shown.push(
    status.stdout,
    readFileSync(page, 'utf8'),
    readFileSync(recording, 'utf8'),
    stdout,
    stderr,
  )
  expect(shown.filter((each) => each.includes(password))).toEqual([])
  expect(shown[1]).toMatch(/"url":"http:\/\/~sec_\w+@127\.0\.0\.1:\d+"/)
  expect(authorizations).toContain(`Basic ${btoa(`name:${password}`)}`)
})

test.each([
  [['doctor', '--as', 'ss', '--subject']],
  [['certify', '--as', 'ss', '--plan']],
  [['certify', '--as', 'ss', '--only', 'DIS-WKN-01', '--wait-for-subject', '0']],
])('%j', async (argv) => {
  for (const each of [url, urlAt(9)]) {
    const { stdout, stderr } = await runInProcess([...argv, each], { cwd: folder, env })
    expect(stdout + stderr).not.toContain(password)
  }
})
