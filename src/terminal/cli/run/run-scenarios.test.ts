// @module-tag slow
/**
 * `sparring run` against subjects over real sockets: correct, faulty, unreachable, hanging, answering garbage or breaking
 * off. It does not crash, reports each problem once, and exits with the matching code.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createSocketServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSoftwareService } from '../../../demo/software-service.ts'
import { serve } from '../../../demo/listen.ts'
import { demoServiceCommand } from '../../../../test/support/spawn-sparring.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { runProgram } from '../../../sparring/verbs/support/program.ts'
import { runVerb } from '../../../sparring/verbs/run.ts'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'
import { words } from '../../../../test/support/shell-words.ts'

/** Registers cleanup for the end of a test. */
type After = (end: () => void | Promise<void>) => void

const scenario = `name: An order
about: It goes its way.
orders: { o1: { type: TAKEOUT } }
steps:
  - create: o1
  - await: { call: confirmOrder, order: o1, within: 30s }
  - await: { status: DELIVERED, order: o1, within: 1m }
expect:
  statuses: { o1: CONCLUDED }
`

const folder = (text = scenario): string => {
  const path = mkdtempSync(join(tmpdir(), 'sparring-run-'))
  writeFileSync(join(path, 's.yaml'), text)
  return path
}

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly cwd: string
}

function start(argv: readonly string[], cwd = folder()) {
  const test_ = createTestIo({ cwd, env: { PATH: process.env['PATH'] } })
  const named = { name: 'sparring', summary: '', version: '1', verbs: [runVerb] }
  const ended = runProgram(named, ['run', 's.yaml', '--port', '0', ...argv], test_.io)
  return { ...test_, cwd, ended }
}

async function ran(argv: readonly string[], cwd?: string): Promise<Ran> {
  const { ended, written, cwd: where } = start(argv, cwd)
  const code = await ended
  return { code, ...written(), cwd: where }
}

async function listening(server: Server, after: After): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  after(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

async function http(listener: RequestListener, after: After): Promise<string> {
  const server = await listenOnSocket(listener)
  after(() => void server[Symbol.asyncDispose]())
  return server.url
}

/** The command that starts the reference subject at speed 10. */
const command = (...more: readonly string[]): string => demoServiceCommand('--speed', '10', ...more)

const quick = ['--speed', '10'] as const

/** A subject that polls until there is an order, and then ends. */
const goneWithItsFirstOrder = `
const base = process.argv[2]
const body = new URLSearchParams({
  grant_type: 'client_credentials', client_id: 'subject', client_secret: 'secret', scope: 'proto.orders',
})
const token = await (await fetch(base + '/oauth/token', { method: 'POST', body })).json()
const headers = { authorization: 'Bearer ' + token.access_token }
for (;;) {
  if ((await fetch(base + '/events:polling', { headers })).status === 200) break
  await new Promise((resolve) => setTimeout(resolve, 50))
}
console.log('out of memory')
process.exitCode = 9
`

test.concurrent('--start starts, plays and stops a subject; with a mistake the failure is reported in full', async () => {
  const good = await ran(
    words`--start ${`: {delivery-platform}; ${command()}`} ${quick} --reporter pretty --reporter junit=out/report.xml`,
  )
  expect({ code: good.code, stdout: good.stdout }).toEqual({
    code: 0,
    // On a busy machine a time limit may be in doubt, which is no failure.
    stdout: expect.stringMatching(
      /^(?:ok {2}|\? {3}) {2}An order {2}[^]*\n1 run: 1 (?:passed|inconclusive), in .* s\n$/,
    ),
  })
  expect(good.stderr).toContain(
    'sparring: {delivery-platform} in --start is empty: it is not played in this session\n',
  )
  expect(readFileSync(join(good.cwd, 'out/report.xml'), 'utf8')).toContain('tests="1" failures="0"')

  const bad = await ran(words`--start ${command('--defect', 'confirms-unread')} --seed 42 ${quick}`)
  expect(bad.code).toBe(1)
  expect(bad.stdout).toMatch(/FAIL {2}An order/)
  expect(bad.stdout).toMatch(/SE-7 failed: The service .* {2}s\.yaml:8:1/)
  expect(bad.stdout).toMatch(
    /GET \/events:polling {2}200\n.* SS > OA {2}POST \/orders\/.*confirm.*\n +Must .*\n +fix: .*\n +ORD-[A-Z]{3}-\d\d {2}[A-Z]/,
  )
  expect(bad.stdout).toMatch(
    /seed 42\n +again: sparring run s\.yaml --grep 'An order' --seed 42 --start '/,
  )
}, 60_000)

test.concurrent('a subject that ends before it answers, or during the run, is reported with its output', async () => {
  const early = await ran(['--start', 'echo cannot find the database; exit 7'])
  expect(early).toMatchObject({ code: 3 })
  expect(early.stderr).toMatch(
    /it ended with code 7 before it answered\. Correct the command of --start\.\n {2}\| cannot find the database\n$/,
  )

  const cwd = folder()
  writeFileSync(join(cwd, 'subject.mjs'), goneWithItsFirstOrder)
  const middle = "node subject.mjs '{ordering-application}'"
  const { code, stdout } = await ran(['--start', middle], cwd)
  expect(code).toBe(1)
  expect(stdout).toMatch(/your service went away in the middle: it ended with code 9/)
  expect(stdout).toMatch(/\| out of memory/)
}, 60_000)

test.concurrent('an interrupt exits with 130, completes the report and ends the subject', async () => {
  const started = start(['--start', `echo $$ > pid; ${command()}`, '--json'])
  const pid = async (): Promise<number> => {
    for (;;) {
      try {
        return Number(readFileSync(join(started.cwd, 'pid'), 'utf8'))
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  const theirs = await pid()
  await new Promise((resolve) => setTimeout(resolve, 1500))
  started.interrupt('SIGINT')
  expect(await started.ended).toBe(130)
  expect(JSON.parse(started.written().stdout)).toMatchObject({ interrupted: true, failed: 0 })
  expect(() => process.kill(theirs, 0)).toThrow('ESRCH')
}, 60_000)

test.concurrent('a polling subject needs no URL; the wait for one that never calls is limited', async () => {
  const nobody = await ran(['--as', 'software-service', '--wait-for-subject', '0.3'])
  expect(nobody.code).toBe(3)
  expect(nobody.stderr).toMatch(
    /it did not call within 0\.3 s; we are at ordering-application http:\/\/127\.0\.0\.1:\d+/,
  )
  expect(nobody.stderr).not.toContain('seed')
  // The subject may remember ids, so a declared seed is not used twice; the notice is printed once.
  const again = ['--as', 'software-service', '--wait-for-subject', '0.3', '--repeat', '3']
  const pinned = await ran(again, folder(`seed: 7\n${scenario}`))
  expect(pinned.stderr.match(/"An order" has 8 in place of 7, and 1 more\./g)).toHaveLength(1)
  const quiet = await ran([...again, '--quiet'], folder(`seed: 7\n${scenario}`))
  expect(quiet.stderr).not.toContain('in place of')
})

const subjects: readonly (readonly [string, (after: After) => Promise<string>, RegExp])[] = [
  [
    'is dead',
    async () => 'http://127.0.0.1:9',
    /does not answer at http:\/\/127\.0\.0\.1:9 within 0\.2 s \(ECONNREFUSED\)/,
  ],
  ['hangs', (after) => http(() => undefined, after), /no answer within 2 s/],
  [
    'answers rubbish',
    (after) =>
      listening(
        createSocketServer((socket) => socket.end('I am no server\r\n\r\n')),
        after,
      ),
    /\(HPE_/,
  ],
  [
    'closes in the middle of a body',
    (after) =>
      http((_, response) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('{', () => response.destroy())
      }, after),
    /\(ECONNRESET\)/,
  ],
]

/** In turn: beside others it would take its time to read them. */
const tooLarge: typeof subjects = [
  [
    'answers 100 MB',
    (after) =>
      http((_, response) => {
        const piece = Buffer.alloc(1_000_000, 32)
        let left = 100
        const more = (): void => {
          if (left-- > 0 && !response.destroyed) response.write(piece, more)
          else response.end()
        }
        more()
      }, after),
    /\(TOO_LARGE\)/,
  ],
]

interface Finished {
  readonly onTestFinished: After
}

async function isReportedOnce(
  [_what, made, message]: (typeof subjects)[number],
  { onTestFinished }: Finished,
): Promise<void> {
  // The scenario names the role of the subject: only its URL is needed.
  const { code, stdout, stderr } = await ran([
    '--subject',
    await made(onTestFinished),
    '--wait-for-subject',
    '0.2',
  ])
  expect(code).toBe(3)
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(stdout).toMatch(/^0 runs: nothing to play/)
}

test.concurrent.for(subjects)(
  'a subject that %s is reported once, with exit code 3',
  isReportedOnce,
)
test.for(tooLarge)('a subject that %s is reported once, with exit code 3', isReportedOnce)

test.concurrent.for([
  [
    'redirects everything',
    (
      _: unknown,
      response: { writeHead: (status: number, headers: object) => { end: () => void } },
    ) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  ],
  [
    'has a wrong manifest',
    (
      _: unknown,
      response: {
        writeHead: (status: number, headers: object) => { end: (text?: string) => void }
      },
    ) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"participantId":"x"}'),
  ],
])(
  'a subject that %s cannot be sent events: exit code 3 and the reason',
  async ([_what, answer], { onTestFinished }) => {
    const url = await http(answer as RequestListener, onTestFinished)
    const { code, stderr } = await ran(
      words`--as software-service --subject ${url} --channel webhook --speed 10`,
    )
    expect(code).toBe(3)
    expect(stderr).toMatch(/it cannot be sent events, because its manifest cannot be used: /)
  },
)

test.concurrent('a subject that refuses our credentials is reported with the refused call', async ({
  onTestFinished,
}) => {
  const service = createSoftwareService({
    partner: 'http://127.0.0.1:9',
    base: 'http://127.0.0.1:9',
    channel: 'webhook',
    clients: [{ clientId: 'somebody', clientSecret: 'else' }],
  })
  const serving = await serve(service.fetch, 0)
  onTestFinished(() => void serving.close())
  const url = `http://127.0.0.1:${serving.port}`
  const { code, stderr } = await ran(
    words`--as software-service --subject ${url} --channel webhook --speed 10`,
  )
  expect(code).toBe(3)
  expect(stderr).toMatch(/it refuses our credentials \(.*POST \/oauth\/token {2}401\)/)
  expect(stderr).toContain(
    'Have it accept the client sparring-ordering-application with secret secret-of-ordering-application, or set counterparts.ordering-application.credentials',
  )
})

test.concurrent('a subject that refuses our signature is reported with how it is made', async ({
  onTestFinished,
}) => {
  const url = await http((_, response) => response.writeHead(401).end(), onTestFinished)
  const { code, stderr } = await ran(
    words`--as software-service --subject ${url} --channel webhook --speed 10 --dialect v1`,
  )
  expect(code).toBe(3)
  expect(stderr).toMatch(/it refuses our webhooks \(.*POST .*401\)/)
  expect(stderr).toMatch(
    /Your service refuses the signature of the webhook: X-App-Signature is the HMAC-SHA256/,
  )
})

test.concurrent('calls that a service makes as it starts are counted', async () => {
  const cwd = folder(`name: A token
about: It is fetched once.
steps:
  - advance: 1s
expect:
  calls: [{ call: issueToken, times: 1 }]
  invariants: []
`)
  writeFileSync(
    join(cwd, 'service.cjs'),
    `const { PORT, SPARRING_CLIENT_ID, SPARRING_CLIENT_SECRET, SPARRING_ORDERING_APPLICATION_URL } = process.env
const body = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: SPARRING_CLIENT_ID,
  client_secret: SPARRING_CLIENT_SECRET,
})
const answer = (_request, response) => response.end()
fetch(SPARRING_ORDERING_APPLICATION_URL + '/oauth/token', { method: 'POST', body }).then(() =>
  require('node:http').createServer(answer).listen(Number(PORT), '127.0.0.1'),
)
`,
  )
  const service = ['--start', `exec ${process.execPath} service.cjs`]
  const { code, stdout, stderr } = await ran(
    [...service, '--as', 'software-service', ...quick],
    cwd,
  )
  expect(`${stdout}${stderr}`).not.toContain('never')
  expect(code).toBe(0)
})

test.concurrent('a run by webhook is skipped where the service has no address, and says so', async () => {
  const cwd = folder(`name: By any channel
about: Nothing happens.
variants: { channels: [polling, webhook, both] }
expect: { invariants: [] }
`)
  const { code, stdout } = await ran(
    ['--as', 'software-service', '--grep', 'webhook', ...quick],
    cwd,
  )
  expect(code).toBe(0)
  expect(stdout).toContain(
    'it sends events by webhook (webhook), and your service has no address: --subject says it',
  )
  expect(stdout).toMatch(/1 run: 1 skipped/)
})

test.concurrent('invalid flags and scenarios are rejected before the first run', async () => {
  const errorOf = async (...argv: string[]): Promise<string> =>
    String(
      await start(argv).ended.catch((error: unknown) =>
        error instanceof Error ? error.message : error,
      ),
    )
  expect(await errorOf()).toMatch(/playing s\.yaml: no service to test is given/)
  expect(await errorOf('--as', 'software-service', '--grep', 'nothing like it')).toMatch(
    /all are without "nothing like it" in the title. There are "An order"/,
  )
  expect(await errorOf('--as', 'software-service', '--shard', '5/4')).toMatch(
    /"5\/4" is no part of a whole/,
  )
  expect(await errorOf('--as', 'software-service', '--reporter', 'junitt')).toMatch(
    /Did you mean "junit"/,
  )
  expect(
    await errorOf('--as', 'software-service', '--reporter', 'json', '--reporter', 'pretty'),
  ).toMatch(/json and pretty cannot both be written to stdout/)
  expect(await errorOf('--as', 'ordering-application')).toMatch(
    /all are about another role than ordering-application \(--as\). There are "An order"/,
  )
})

test.concurrent('--parallel starts a service for each run, and is refused where one is shared', async () => {
  const text = `${scenario}variants: { channels: [polling, webhook] }\n`
  const { stdout } = await ran(
    words`--start ${command()} ${quick} --parallel 2 --repeat 2 --json`,
    folder(text),
  )
  const { runs } = JSON.parse(stdout) as { runs: { number: number; result: string }[] }
  expect(runs.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  expect(runs.filter(({ result }) => result === 'failed')).toEqual([])
  await expect(ran(words`--as pos --channel polling --parallel 2`)).rejects.toThrow(
    'playing s.yaml with --parallel: runs side by side would be played against one service. Leave out --parallel, or let --start',
  )
  const recorded = words`--start ${command()} --parallel 2 --record all.ndjson`
  await expect(ran(recorded)).rejects.toThrow(
    'playing s.yaml with --parallel: runs side by side would be written into one recording. Leave out --parallel, or --record.',
  )
  const placed = words`--start ${command()} --parallel 2 --port 7300`
  await expect(ran(placed)).rejects.toThrow('side by side would all listen at port 7300.')
})

test.concurrent('a subject that does not answer after restart-subject fails that step', async () => {
  const again = scenario.replace('  - create: o1\n', '  - restart-subject: true\n  - create: o1\n')
  const once = `test -e once && exec sleep 60; touch once; ${command()}`
  const { code, stdout } = await ran(
    ['--start', once, '--wait-for-subject', '8', ...quick],
    folder(again),
  )
  expect(stdout).toMatch(
    /step 1 \(your service is started again\): it does not answer at http:\S+ within 8 s \(ECONNREFUSED\)/,
  )
  expect(code).toBe(1)
}, 60_000)
