// @module-tag slow
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { runInProcess, startHere } from '../../../test/support/run-in-process.ts'
import { inUseText } from '../../../test/support/port-holders.ts'
import {
  commandLine,
  emptyFolder,
  killAll,
  runSparring,
  type StartedProcess,
  startSparring,
} from '../../../test/support/spawn-sparring.ts'
import { reservePorts } from './ports.ts'
import { words } from '../../../test/support/shell-words.ts'

const started: StartedProcess[] = []
afterEach(() => killAll(started))

function up(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = emptyFolder(),
): StartedProcess {
  const each = startHere(['up', '--port', '0', ...args], { env, cwd })
  started.push(each)
  return each
}

/** The same as a process. */
function spawnUp(...args: readonly string[]): StartedProcess {
  const each = startSparring(['up', '--port', '0', ...args])
  started.push(each)
  return each
}

interface Ready {
  readonly ready: true
  readonly counterparts: Readonly<Record<string, string>>
  readonly control: string
  readonly seed: number
  readonly publicUrls?: Readonly<Record<string, string>>
}

const firstLine = async (each: StartedProcess): Promise<string> =>
  (await each.until((text) => text.includes('\n'))).split('\n')[0] ?? ''

const readyOf = async (each: StartedProcess): Promise<Ready> =>
  JSON.parse(await firstLine(each)) as Ready

const post = async (url: string, body: unknown = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: JSON.stringify(body) })

test('the readiness line lists roles and addresses, and SIGINT is a normal end', async () => {
  const each = spawnUp('--quiet')
  const line = await firstLine(each)
  const url = String.raw`http://127\.0\.0\.1:\d+`
  expect(line).toMatch(
    new RegExp(
      `^ready {2}ordering-application ${url} {2}software-service ${url} {2}delivery-platform ${url} {2}crm ${url} {2}control ${url}$`,
    ),
  )
  const control = /control (\S+)$/.exec(line)?.[1] ?? ''
  expect(await (await fetch(`${control}/session`)).json()).toMatchObject({ control })
  each.kill('SIGINT')
  const { code, stdout, stderr } = await each.ended
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${line}\n`, stderr: '' })
})

test('with --json stdout is NDJSON, readiness first; the ready file is complete and deleted at the end', async () => {
  const cwd = emptyFolder()
  const file = join(cwd, 'ready.json')
  writeFileSync(file, 'left behind')
  const each = up(['--json', '--ready-file', 'ready.json', '--seed', '7'], {}, cwd)
  const ready = await readyOf(each)
  const keys = ['ready', 'counterparts', 'control', 'seed', 'pid', 'connect']
  expect(Object.keys(ready)).toEqual(keys)
  expect(ready.seed).toBe(7)
  expect(Object.keys(ready.counterparts)).toEqual([
    'ordering-application',
    'software-service',
    'delivery-platform',
    'crm',
  ])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(ready)

  await post(`${ready.control}/orders`, { type: 'DELIVERY' })
  const text = await each.until(
    (all) => all.includes('"order.created"') && all.includes('"exchange"'),
  )
  for (const line of text.trim().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object')

  each.kill('SIGTERM')
  expect(await each.ended).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(file)).toBe(false)
})

/** The id of the first order that is made by hand. */
async function firstOrderId(control: string): Promise<string> {
  const made = await post(`${control}/orders`, { type: 'TAKEOUT' })
  return ((await made.json()) as { orderId: string }).orderId
}

test('each session has ids of its own: a new seed is drawn and printed, and --seed repeats it', async () => {
  const [first, second] = [await readyOf(up(['--json'])), await readyOf(up(['--json']))]
  expect(String(first.seed)).toMatch(/^\d{6}$/)
  expect(second.seed).not.toBe(first.seed)
  const id = await firstOrderId(first.control)
  expect(await firstOrderId(second.control)).not.toBe(id)

  const again = up(['--seed', String(first.seed)])
  const text = await again.until((all) => all.includes('seed '))
  expect(text).toContain(`\nseed ${first.seed}, repeat with --seed ${first.seed}\n`)
  expect(await firstOrderId(/control (\S+)/.exec(text)?.[1] ?? '')).toBe(id)
})

test.each<[where: string, config: string, env: Record<string, string>]>([
  ['configuration', 'seed: 11', {}],
  ['environment', 'port: 0', { SPARRING_SEED: '11' }],
])('the seed of the %s is kept', async (_, config, env) => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'sparring.config.yaml'), config)
  expect((await readyOf(up(['--json'], env, cwd))).seed).toBe(11)
})

test('without a terminal every exchange and every relevant fact is logged', async () => {
  const each = up([])
  const control = /control (\S+)$/.exec(await firstLine(each))?.[1] ?? ''
  const made = (await (await post(`${control}/orders`, { type: 'TAKEOUT' })).json()) as {
    orderId: string
  }
  const text = await each.until((all) => all.includes('CREATED > CONFIRMED'))
  expect(text).toContain(`${made.orderId}\n`)
  expect(text).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} {2}SS > OA {3}POST \/orders\/\S+\/confirm {2}202 {2}\d+ms/m,
  )
  expect(text).toMatch(/order\.created {2}TAKEOUT order/)
  expect(text).not.toContain('\u001b')
  expect(text).not.toMatch(/events:polling {2}204/)
})

test.each([
  ['lines', [], (text: string) => `  configuration: ${text}\n`],
  ['NDJSON', ['--json'], (text: string) => `,"text":"configuration: ${text}","changed"`],
] as const)(
  'with --watch the edited configuration takes effect, and %s say so',
  async (_, flags, line) => {
    const cwd = emptyFolder()
    const file = join(cwd, 'sparring.config.yaml')
    const orders = (limit: number): string =>
      `counterparts: { ordering-application: { orders: { every: 1h, limit: ${limit} } } }\n`
    writeFileSync(file, orders(1))
    const each = up(['--watch', '--seed', '5', ...flags], {}, cwd)
    await each.until((text) => text.includes('session.opened'))
    writeFileSync(file, `${orders(9)}seed: 6\nport: 7300\n`)
    // The flags win: the seed is that of the start, and so is the port.
    const changed = 'counterparts.ordering-application.orders.limit is 9 now'
    await each.until((text) => text.includes(line(changed)))
    each.kill('SIGTERM')
    const { stdout } = await each.ended
    expect(stdout.match(/configuration: /g)).toHaveLength(1)
  },
)

test('only the named roles are started; the role of the subject is rejected', async () => {
  const named = await readyOf(up(['ordering-application', '--json']))
  expect(Object.keys(named.counterparts)).toEqual(['ordering-application'])
  const others = await readyOf(up(['--as', 'ordering-application', '--json']))
  expect(Object.keys(others.counterparts)).toEqual(['software-service', 'delivery-platform', 'crm'])
  const both = await runInProcess(['up', 'software-service', '--as', 'software-service'])
  expect(both.code).toBe(2)
  expect(both.stderr).toContain('it is the role that your service plays')
  const lost = await runInProcess(['up', '--as', 'pos', '--channel', 'webhook'])
  expect(lost.code).toBe(2)
  expect(lost.stderr).toContain(
    'delivering events by webhook: your service has no address that they could be sent to. Say it with --subject <url>, or have your service poll: --channel polling.',
  )
  const none = await runInProcess(['up', 'kitchen'])
  expect(none.code).toBe(2)
  expect(none.stderr).toMatch(/one of ordering-application.*software-service/)
})

const tokenIn = (text: string, name: string): string =>
  new RegExp(`^${name} token: (\\S+) {2}\\(`, 'm').exec(text)?.[1] ?? ''

test('on a non-loopback host it prints a control token and a view token once, which the verbs accept', async () => {
  const each = spawnUp('--json', '--host', '0.0.0.0')
  const { control } = await readyOf(each)
  const tokens = ['control', 'view'].map((name) => tokenIn(each.stderr(), name))
  expect(tokens.map((token) => token.length)).toEqual([32, 32])
  const bare = await runInProcess(['orders', '--control', control])
  expect(bare.code).toBe(3)
  expect(bare.stderr).toContain('--token or SPARRING_TOKEN')
  for (const [index, SPARRING_TOKEN = ''] of tokens.entries()) {
    const env = { SPARRING_TOKEN, SPARRING_CONTROL: control }
    expect((await runInProcess(['orders'], { env })).code).toBe(0)
    const created = await runInProcess(['orders', 'create'], { env })
    expect(created).toMatchObject(
      index === 0
        ? { code: 0 }
        : { code: 3, stderr: expect.stringContaining('lets you look at the session, not change') },
    )
  }
})

test('on loopback a --view-token makes a control token necessary; the two differ, and given ones are not printed', async () => {
  const each = up(['--json'], { SPARRING_VIEW_TOKEN: 'looks' })
  const { control } = await readyOf(each)
  expect(tokenIn(each.stderr(), 'control')).toHaveLength(32)
  expect(each.stderr()).not.toContain('looks')
  const statusOf = async (authorization: string): Promise<number> =>
    (await fetch(`${control}/session`, { headers: { authorization } })).status
  expect([await statusOf(''), await statusOf('Bearer looks')]).toEqual([401, 200])

  const given = up(['--json', '--token', 'all', '--view-token', 'looks'])
  await readyOf(given)
  expect(given.stderr()).toBe('')
  const same = await runInProcess(['up', '--port', '0', '--token', 'a', '--view-token', 'a'])
  expect([same.code, same.stderr]).toEqual([
    2,
    expect.stringMatching(
      /^sparring: starting the control API: the token for viewers is the one that allows everything\. Choose two different ones/,
    ),
  ])
})

test('the URL that others are told is that of --public-url; on all addresses it asks for one', async () => {
  const each = up(['--json', '--host', '0.0.0.0', '--token', 't'])
  const { publicUrls: none } = await readyOf(each)
  expect(none).toBeUndefined()
  expect(each.stderr()).toMatch(
    /^manifests and events name http:\/\/127\.0\.0\.1:\d+: .* with --public-url http:\/\/<name>$/m,
  )
  const env = { SPARRING_PUBLIC_URL: 'http://sparring;pos=https://abc.tunnel.example' }
  const told = up(['--json', '--host', '0.0.0.0', '--token', 't'], env)
  const { publicUrls, counterparts } = await readyOf(told)
  const url = counterparts['ordering-application'] ?? ''
  expect(publicUrls).toMatchObject({
    'ordering-application': url.replace('127.0.0.1', 'sparring'),
    'software-service': 'https://abc.tunnel.example',
  })
  const manifest = await fetch(`${url}/.well-known/protocol`)
  expect(await manifest.text()).toContain(`"endpoint":"${publicUrls?.['ordering-application']}"`)
  expect(told.stderr()).toBe('')
})

test.each([
  ['kitchen=http://a', /"kitchen" is no role\. Name one of ordering-application/],
  ['localhost:3000', /^sparring: reading --public-url: "localhost:3000" is no http or https URL/],
  ['https://a.example', /cannot lead to 4 roles.* --public-url ordering-application=https/],
])('--public-url %s is refused with a remedy', async (value, problem) => {
  const { code, stderr } = await runInProcess(['up', '--port', '0', '--public-url', value])
  expect([code, stderr]).toEqual([2, expect.stringMatching(problem)])
})

test('a port in use exits with 2 and a remedy', async () => {
  const taken = createServer()
  // The four after it are free, so that it is this one that is named.
  using ports = await reservePorts('testing', '127.0.0.1')
  await new Promise<void>((resolve) => taken.listen(ports.first, '127.0.0.1', resolve))
  const { code, stderr, stdout } = await runSparring(['up', '--port', String(ports.first)])
  taken.close()
  expect(code).toBe(2)
  expect(stdout).toBe('')
  // The worker of this test: its name is that of the test runner.
  const holder = inUseText(`.* \\(pid ${process.pid}\\)`, `kill ${process.pid}`)
  expect(stderr).toMatch(
    new RegExp(`^sparring: listening on .*: ${holder} choose others with --port`),
  )
})

test('--wait-for-subject limits the wait for an unreachable subject', async () => {
  const { code, stderr } = await runInProcess(
    words`up --port 0 --as software-service --subject http://127.0.0.1:1 --wait-for-subject 0.5`,
  )
  expect(code).toBe(3)
  expect(stderr).toMatch(
    /^sparring: waiting 0.5 s for the subject at http:\/\/127.0.0.1:1: it does not/,
  )
})

test('a Ctrl-C that arrives twice, as under npm, counts once', async () => {
  const each = spawnUp('--quiet')
  await firstLine(each)
  each.kill('SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 30))
  each.kill('SIGINT')
  expect(await each.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
})

test('a closed output pipe ends it quietly', () => {
  const { file, args, env } = commandLine('up', '--port', '0')
  const ended = spawnSync(
    'bash',
    ['--norc', '-c', `'${file}' '${args.join("' '")}' | head -1; echo "code \${PIPESTATUS[0]}"`],
    {
      cwd: emptyFolder(),
      encoding: 'utf8',
      timeout: 15_000,
      env: { PATH: process.env['PATH'], ...env },
    },
  )
  expect(ended.stderr).toBe('')
  expect(ended.stdout).toMatch(/^ready .*\ncode 0\n$/)
})

test('up --start starts the service, ends it at a fault, and starts it again, as when it dies by itself', async () => {
  const cwd = emptyFolder()
  // It listens, says each life in its folder, and dies by itself once.
  writeFileSync(
    join(cwd, 'service.mjs'),
    `import { createServer } from 'node:http'
import { appendFileSync } from 'node:fs'
appendFileSync('lives', process.env.SPARRING_FOLDER + ' ' + process.env.PORT + '\\n')
createServer((request, response) => {
  if (request.url === '/die') process.exit(7)
  request.resume().on('end', () => response.writeHead(request.method === 'POST' ? 204 : 404).end())
}).listen(process.env.PORT, '127.0.0.1')
`,
  )
  const lives = (): readonly string[] =>
    readFileSync(join(cwd, 'lives'), 'utf8').trimEnd().split('\n')
  const crash = 'crash:event=CREATED,down=100ms,limit=1'
  const each = up(
    ['--as', 'software-service', '--channel', 'webhook', '--fault', crash].concat(
      '--json',
      '--start',
      `${process.execPath} service.mjs`,
    ),
    { PATH: process.env['PATH'] ?? '' },
    cwd,
  )
  const { control } = await readyOf(each)
  expect(lives()).toHaveLength(1)
  await post(`${control}/orders`, { type: 'TAKEOUT' })
  await vi.waitFor(() => expect(lives()).toHaveLength(2), { timeout: 20_000 })
  const [[folder = '', port] = []] = lives().map((line) => line.split(' '))
  // It dies once it listens again.
  const death = () =>
    fetch(`http://127.0.0.1:${port}/die`).catch(
      ({ cause }: Error) => (cause as { code: string }).code,
    )
  await vi.waitFor(async () => expect(await death()).not.toBe('ECONNREFUSED'), {
    timeout: 20_000,
    interval: 50,
  })
  await vi.waitFor(() => expect(lives()).toHaveLength(3), { timeout: 20_000 })
  expect(new Set(lives()).size).toBe(1)
  each.kill('SIGINT')
  const { stderr, code } = await each.ended
  expect(code).toBe(0)
  expect(stderr).toContain(
    'your service went away: it ended with code 7; it is started again in 1 s',
  )
  expect(existsSync(folder)).toBe(false)
}, 60_000)

test('up --start names the role and a command that works', async () => {
  const nameless = await up(['--start', 'true']).ended
  expect(nameless.code).toBe(2)
  expect(nameless.stderr).toContain('it is not said which role it plays. Say it with --as')
  const dead = await up(['--as', 'software-service', '--start', 'echo oh no; exit 3']).ended
  expect(dead.code).toBe(3)
  expect(dead.stderr).toContain('it ended with code 3 before it answered')
  expect(dead.stderr).toContain('oh no')
})
