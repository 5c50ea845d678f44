// @module-tag slow
/**
 * `--contract` on the command line: `run` with its reporters, `up` with its control API, `record`, `replay`, and bad
 * documents.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, onTestFinished } from 'vitest'
import { demoServiceCommand, emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { listenOnSocket } from '../../../test/support/on-socket.ts'
import { runInProcess, startHere } from '../../../test/support/run-in-process.ts'
import { defaultConfiguration } from '../../core/session-api/configuration/defaults.ts'
import type { Verdict } from '../../core/rules/invariants/verdict.ts'
import type { Role } from '../../core/protocol/role.ts'
import { openApiOfRole } from '../../core/session/openapi.ts'
import { words } from '../../../test/support/shell-words.ts'

const scenario = `name: An order
about: It goes its way.
orders: { o1: { type: TAKEOUT } }
steps:
  - create: o1
  - await: { status: DELIVERED, order: o1, within: 1m }
expect:
  statuses: { o1: CONCLUDED }
  invariants: [SE-1]
`

const documentOf = (role: Role): string =>
  JSON.stringify(openApiOfRole(role, defaultConfiguration()), null, 2)

/** A folder with a scenario, and with a document that differs from what everybody sends in one field. */
function folderWith(role: Role, field: string, renamed = 'renamed'): string {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 's.yaml'), scenario)
  writeFileSync(
    join(cwd, 'openapi.json'),
    documentOf(role).replaceAll(`"${field}"`, `"${renamed}"`),
  )
  return cwd
}

const service = demoServiceCommand('--speed', '10')
const run = ['run', 's.yaml', '--port', '0', '--start', service, '--speed', '10']

test('run fails where the service differs, in every reporter; what we do differently is advice', async () => {
  const cwd = folderWith('ordering-application', 'eventIds')
  const reporters = ['junit', 'sarif', 'github'].flatMap((name) => [
    '--reporter',
    `${name}=${name}`,
  ])
  const { code, stdout } = await runInProcess(
    [...run, '--contract', 'openapi.json', '--reporter', 'pretty', ...reporters],
    { cwd },
  )
  expect(stdout).toMatch(
    /CONTRACT failed: Your request \w+ differs from .*openapi\.json: body \/renamed is missing, and the contract requires it .*\(.*openapi\.json:\d+ #\/components\/schemas\/Acknowledgment\/.*required\)\. Contract and protocol disagree: the clauses of acknowledgeEvents \(ORD-.*\) allow this body\./,
  )
  expect(stdout).toContain('fix: Send what the document describes')
  expect(stdout).toMatch(/again: .* --contract openapi\.json/)
  expect(code).toBe(1)
  const texts = ['junit', 'sarif', 'github'].map((name) => readFileSync(join(cwd, name), 'utf8'))
  for (const text of texts) expect(text).toContain('/renamed is missing')
  expect(texts[2]).toMatch(/^::error file=s\.yaml.*CONTRACT/m)
  const { runs } = JSON.parse(texts[1] ?? '') as {
    readonly runs: readonly { readonly results: readonly { readonly ruleId: string }[] }[]
  }
  expect(runs[0]?.results.map(({ ruleId }) => ruleId)).toContain('CONTRACT')
})

test('run passes where only our counterpart differs, and says so', async () => {
  const cwd = folderWith('ordering-application', 'displayId')
  const { code, stdout } = await runInProcess([...run, '--contract', 'openapi.json=oa'], { cwd })
  expect({ code, stdout }).toMatchObject({ code: 0 })
  expect(stdout).toMatch(
    /advice {2}CONTRACT: Our counterpart differs from your contract .*openapi\.json \(Ordering Application, answer 200 of getOrder\): body \/renamed is missing/,
  )
  expect(stdout).toContain('(not a mistake of your service)')
})

test('run passes where everything is as the document says', async () => {
  const cwd = folderWith('ordering-application', 'eventIds', 'eventIds')
  writeFileSync(join(cwd, 'sparring.config.yaml'), 'contract: openapi.json\n')
  const { code, stdout } = await runInProcess([...run, '--json'], { cwd })
  const { runs } = JSON.parse(stdout) as {
    readonly runs: readonly { readonly verdicts: readonly Verdict[] }[]
  }
  const verdict = runs[0]?.verdicts.find(({ id }) => id === 'CONTRACT')
  expect(verdict).toMatchObject({ outcome: 'passed', violations: 0 })
  expect(verdict?.premises).toBeGreaterThan(5)
  expect(code).toBe(0)
})

test('up shows the verdict in its control API and in its summary, also without a service', async () => {
  const cwd = folderWith('ordering-application', 'displayId')
  const up = startHere(
    ['up', '--port', '0', '--json', '--orders-every', '200ms', '--contract', 'openapi.json'],
    { cwd },
  )
  onTestFinished(() => up.kill('SIGTERM'))
  const ready = (await up.until((text) => text.includes('"control"'))).split('\n')[0] ?? ''
  const { control } = JSON.parse(ready) as { readonly control: string }
  await up.until((text) => text.includes('"verdict"'))
  const answer = await fetch(`${control}/verdicts?id=CONTRACT`)
  const [verdict] = (await answer.json()) as readonly Verdict[]
  expect(verdict).toMatchObject({ id: 'CONTRACT', outcome: 'failed', clauses: [] })
  expect(verdict?.findings[0]).toMatchObject({ advice: true })
  const listed = await runInProcess(['verdicts', '--control', control], { cwd })
  expect(listed.stdout).toContain('(advice: not a mistake of your service)')
  expect(listed.code).toBe(0)
  up.kill('SIGINT')
  expect((await up.ended).code).toBe(0)
})

test('record says at its end what differs, and whose doing it is', async () => {
  const partner = await listenOnSocket((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"o1"}'),
  )
  onTestFinished(() => partner[Symbol.asyncDispose]())
  const cwd = folderWith('ordering-application', 'displayId')
  const args = ['--as', 'software-service', '--port', '0', '--json', '--contract', 'openapi.json']
  const record = startHere(['record', '--to', partner.url, '-o', 'x.rec.ndjson', ...args], {
    cwd,
  })
  onTestFinished(() => record.kill('SIGTERM'))
  const ready = (await record.until((text) => text.includes('\n'))).split('\n')[0] ?? ''
  const { counterparts } = JSON.parse(ready) as {
    readonly counterparts: Readonly<Record<string, string>>
  }
  await fetch(`${counterparts['ordering-application']}/orders/o1`, { headers: { accept: '*/*' } })
  await record.until((text) => text.includes('getOrder'))
  record.kill('SIGINT')
  const { stdout, code } = await record.ended
  const last = stdout.trim().split('\n').at(-1) ?? ''
  const { verdicts } = JSON.parse(last) as { readonly verdicts: readonly Verdict[] }
  const texts = verdicts.flatMap(({ findings }) => findings.map(({ because }) => because))
  expect(texts).toContainEqual(
    expect.stringMatching(
      /^The partner differs from .*openapi\.json .*: body \/renamed is missing/,
    ),
  )
  expect(code).toBe(0)
})

test('replay fails where the answers of the service differ', async () => {
  const cwd = folderWith('software-service', 'participantId')
  const up = startHere(['up', '--port', '0', '--json', '--as', 'ordering-application'], { cwd })
  onTestFinished(() => up.kill('SIGTERM'))
  const ready = (await up.until((text) => text.includes('"control"'))).split('\n')[0] ?? ''
  const { counterparts } = JSON.parse(ready) as {
    readonly counterparts: Readonly<Record<string, string>>
  }
  const url = counterparts['software-service'] ?? ''
  const record = startHere(
    words`record --to ${url} --as ordering-application --port 0 --json -o x.rec.ndjson`,
    { cwd },
  )
  onTestFinished(() => record.kill('SIGTERM'))
  const line = (await record.until((text) => text.includes('\n'))).split('\n')[0] ?? ''
  const proxied = JSON.parse(line) as { readonly counterparts: Readonly<Record<string, string>> }
  await fetch(`${proxied.counterparts['software-service']}/.well-known/protocol`)
  await record.until((text) => text.includes('getManifest'))
  record.kill('SIGINT')
  await record.ended
  const replay = await runInProcess(
    words`
      replay x.rec.ndjson --to ${url} --as software-service --port 0 --speed asap --contract
      openapi.json=ss
    `,
    { cwd },
  )
  expect(replay.stdout + replay.stderr).toMatch(
    /failed {2}CONTRACT: Your answer 200 of \w+ differs from .*openapi\.json: body \/\S*renamed is missing/,
  )
  expect(replay.code).toBe(1)
})

const head = "openapi: 3.1.0\ninfo: { title: x, version: '1' }\n"
const get = (schema: string): string =>
  `${head}paths:\n  /accounts:\n    get:\n      responses:\n        '200':\n          description: x\n          content:\n            application/json:\n              schema: ${schema}\n`

test('a document that is not there is named as it was given', async () => {
  const { code, stderr } = await runInProcess(['up', '--port', '0', '--contract', 'openapi.yaml'])
  expect(stderr).toMatch(/^sparring: reading openapi\.yaml: there is no such file/)
  expect(code).toBe(2)
})

test.each([
  [
    'openapi.txt',
    'x',
    /reading openapi\.txt: an OpenAPI document is YAML or JSON, and \.txt says neither/,
  ],
  ['openapi.yaml', 'a: [1', /reading openapi\.yaml:1:\d+: .*Correct it there/],
  ['openapi.json', '{"openapi":', /reading openapi\.json:1:\d+: /],
  ['openapi.yaml', 'paths: {}', /reading openapi\.yaml: it is no OpenAPI document/],
  [
    'openapi.yaml',
    'info: {}\nswagger: "2.0"',
    /reading openapi\.yaml:2: it is a document of Swagger "2\.0"/,
  ],
  ['openapi.yaml', 'openapi: 4.0.0', /reading openapi\.yaml:1: its version is "4\.0\.0"/],
  [
    'openapi.yaml',
    `${head}paths: 5`,
    /reading openapi\.yaml:3: it is no valid OpenAPI: \/paths must be object/,
  ],
  [
    'openapi.yaml',
    get('{ $ref: "#/nowhere" }'),
    /reading openapi\.yaml:11: #\/nowhere leads nowhere: there is no #\/nowhere/,
  ],
  [
    'openapi.yaml',
    get('{ $ref: "parts.yaml#/X" }'),
    /reading openapi\.yaml:11: parts\.yaml: there is no such file/,
  ],
  [
    'openapi.yaml',
    get('{ $ref: "https://x.example/y.yaml" }'),
    /reading openapi\.yaml:11: "https:\/\/x\.example\/y\.yaml" is at another host, and nothing is fetched/,
  ],
  [
    'openapi.yaml',
    get('{ type: strnig }'),
    /reading openapi\.yaml:11: the schema at #\/paths\/~1accounts\/get\/.*\/type is none/,
  ],
  [
    'openapi.yaml',
    get('true').replace('/accounts', '/foo'),
    /none of its paths is one of the protocol.* --contract openapi\.yaml=<role>/,
  ],
  [
    'openapi.yaml=waiter',
    undefined,
    /reading --contract: .*"waiter" is no role; name one of ordering-application/,
  ],
])('%s with %j is refused with file and line', async (name, text, sentence) => {
  const cwd = emptyFolder()
  if (text !== undefined) writeFileSync(join(cwd, name), text)
  const { code, stderr, stdout } = await runInProcess(['up', '--port', '0', '--contract', name], {
    cwd,
  })
  expect(stderr).toMatch(sentence)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})
