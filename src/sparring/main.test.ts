// @module-tag slow
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Configuration } from '../core/session-api/configuration/schema.ts'
import { runInProcess } from '../../test/support/run-in-process.ts'
import { transcriptOf } from '../../test/support/transcript-of.ts'
import { commandLine, emptyFolder, runSparring } from '../../test/support/spawn-sparring.ts'
import { verbs } from './verbs/catalogue.ts'
import { readConfigurationFile } from '../core/runtime/files/configuration-file.ts'
import { configurationSchema } from './verbs/support/configuration-schema.ts'
import { configurationTemplate, settingRows } from './verbs/support/configuration-template.ts'
import { words } from '../../test/support/shell-words.ts'

const expectTranscript = transcriptOf()

test('--help lists every verb on stdout', async () => {
  const { code, stdout, stderr } = await runSparring(['--help'])
  expect(code).toBe(0)
  expect(stderr).toBe('')
  for (const { name } of verbs) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
})

test('an unknown flag or verb exits with 2 and a suggestion', () =>
  expectTranscript(`
    $ sparring up --prot 0
    ! sparring: unknown option '--prot'
    ! (Did you mean --port?)
    exit 2
    $ sparring pu
    ! sparring: unknown command 'pu'
    ! (Did you mean up?)
    exit 2
  `))

test('an invalid configuration exits with 2, with file:line:column of each error', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'sparring.config.yaml'), 'seed: 1\ncounterpart: {}\nclock: reel\n')
  await expectTranscript(
    `
    $ sparring up
    ! sparring: reading sparring.config.yaml:3:8: clock is "reel", and it must be real, stepped or virtual. Did you mean "real"?
    ! sparring: reading sparring.config.yaml:2:1: "counterpart" is not known. Did you mean "counterparts"?
    exit 2
  `,
    { cwd },
  )
})

test('a configuration in TypeScript is executed and validated like any other', async () => {
  const cwd = emptyFolder()
  const file = join(cwd, 'sparring.config.ts')
  writeFileSync(
    file,
    'const seed: number = 7\nexport default { seed, protocol: { name: "mine" } }\n',
  )
  const good = await runSparring(['schema', 'openapi'], { cwd })
  expect(good.stderr).toBe('')
  expect(JSON.parse(good.stdout)).toMatchObject({ paths: { '/.well-known/mine': {} } })

  writeFileSync(file, 'export default { sede: 7 }\n')
  expect((await runSparring(['schema', 'openapi'], { cwd })).stderr).toMatch(
    /^sparring: reading sparring.config.ts: "sede" is not known. Did you mean "seed"\?/,
  )
  writeFileSync(file, 'export const seed = 7\n')
  expect((await runSparring(['schema', 'openapi'], { cwd })).stderr).toMatch(/export default/)
  writeFileSync(file, 'export default {\n')
  const broken = await runSparring(['schema', 'openapi'], { cwd })
  expect(broken).toMatchObject({ code: 2 })
  expect(broken.stderr).toMatch(/^sparring: running sparring.config.ts: /)
})

test('schema openapi prints the API of a role in a dialect, with its errors, paths and the usual address', async () => {
  const cwd = emptyFolder()
  const printed = async (...args: readonly string[]): Promise<unknown> => {
    const { stdout, stderr } = await runInProcess(['schema', 'openapi', ...args], { cwd })
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
  expect(await printed('--role', 'pos', '--dialect', 'v1')).toMatchObject({
    info: { title: 'Software Service', version: 'v1.7.0' },
    servers: [{ variables: { baseUrl: { default: 'http://127.0.0.1:7102' } } }],
    paths: { '/v1/newEvent': { post: { security: [{ signature: [] }] } } },
    components: { schemas: { Error: { required: ['title', 'status'] } } },
  })
  expect(await printed('--role', 'oa', '--dialect', 'loocal')).toMatchObject({
    paths: { '/api/authentication/oauth/token': {}, '/v1/orders/{orderId}': {} },
  })
  const unknown = await runInProcess(['schema', 'openapi', '--dialect', 'v3'], { cwd })
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toMatch(/v3/)
})

test('init writes a configuration and its schema, and overwrites a configuration only with --force', async () => {
  const cwd = emptyFolder()
  const file = join(cwd, 'sparring.config.yaml')
  expect(await runInProcess(['init', '--as', 'software-service'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'sparring.config.yaml\nsparring.schema.json\n',
  })
  const [first = ''] = readFileSync(file, 'utf8').split('\n')
  const [, schemaName = ''] = /\$schema=(.*)$/.exec(first) ?? []
  expect(JSON.parse(readFileSync(join(cwd, schemaName), 'utf8'))).toEqual(configurationSchema())

  writeFileSync(file, 'seed: 9\n')
  const again = await runInProcess(['init'], { cwd })
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('it exists. Overwrite it with --force.')
  expect(readFileSync(file, 'utf8')).toBe('seed: 9\n')
  expect((await runInProcess(['init', '--force'], { cwd })).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(configurationTemplate())
})

test('where Sparring is installed, init refers to its schema, and a JSON file may do so by $schema', async () => {
  const cwd = emptyFolder()
  const schemas = join(cwd, 'node_modules/sparring/schemas')
  mkdirSync(schemas, { recursive: true })
  writeFileSync(join(schemas, 'configuration.json'), '{}')
  const said = await runInProcess(['init'], { cwd })
  expect(said.stdout).toBe('sparring.config.yaml\n')
  const reference = './node_modules/sparring/schemas/configuration.json'
  expect(readFileSync(join(cwd, 'sparring.config.yaml'), 'utf8')).toBe(
    configurationTemplate(undefined, reference),
  )
  const named = { $schema: reference, seed: 9 }
  writeFileSync(join(cwd, 'own.json'), JSON.stringify(named))
  expect((await readConfigurationFile(cwd, 'own.json'))?.value).toEqual({ seed: 9 })
  writeFileSync(join(cwd, 'wrong.json'), JSON.stringify({ ...named, $schema: 5 }))
  await expect(readConfigurationFile(cwd, 'wrong.json')).rejects.toThrow(/\$schema/)
})

test('what init writes can be read as it stands, and says nothing but the role that was asked for', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'sparring.config.yaml'), configurationTemplate('crm'))
  const read = await readConfigurationFile(cwd)
  expect(read?.value.subject).toEqual({ role: 'crm' })
  expect(Configuration.parse(read?.value)).toEqual(
    Configuration.parse({ subject: { role: 'crm' } }),
  )
})

test('every setting of what init writes is valid without its #, and has its default where there is one', async () => {
  const cwd = emptyFolder()
  const everything = configurationTemplate().replaceAll(/^(\s*)#(?! )/gm, '$1')
  const file = join(cwd, 'sparring.config.yaml')
  const settings = settingRows().filter(({ isSection }) => !isSection)
  const valueAt = (value: unknown, path: readonly string[]): unknown =>
    path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value)
  writeFileSync(file, everything)
  const read = await readConfigurationFile(cwd)
  const all = Configuration.parse(read?.value)
  for (const { path, default: usual } of settings) {
    expect([path, valueAt(read?.value, path)]).not.toEqual([path, undefined])
    if (usual !== undefined)
      expect([path, valueAt(all, path)]).toEqual([path, valueAt(Configuration.parse({}), path)])
  }
})

test('schema config prints a JSON Schema of all settings', async () => {
  const { stdout } = await runInProcess(['schema', 'config'])
  const schema = JSON.parse(stdout) as { $schema: string; properties: object }
  expect(schema.$schema).toMatch(/json-schema.org/)
  expect(Object.keys(schema.properties)).toEqual([...Object.keys(Configuration.shape), '$schema'])
  // Includes every fault with its options, and the profiles.
  expect(stdout).toContain('"duplicate": {')
  expect(stdout).toContain('"an event is delivered twice, one right after the other"')
  expect(stdout).toContain('"flaky-network"')
})

test('without a running session, verbs that connect to one exit with 3', () =>
  expectTranscript(`
    $ sparring orders --control http://127.0.0.1:1
    ! sparring: talking to the session at http://127.0.0.1:1: nothing answers…
    exit 3
    $ sparring agenda --control localhost:7100
    ! …that is no http or https URL…
    exit 2
  `))

test('run reports scenario files that are missing or invalid', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'lost.yaml'), '')
  await expectTranscript(
    `
    $ sparring run 'scenarios/*.yaml'
    ! …nothing fits "scenarios/*.yaml"…
    exit 2
    $ sparring run '*.yaml'
    ! sparring: reading lost.yaml:1:1: name is missing, and it must be a text. Correct it and try again.
    ! sparring: reading lost.yaml:1:1: about is missing, and it must be a text. Correct it and try again.
    exit 2
  `,
    { cwd },
  )
})

test('doctor reports each problem with a remedy', async () => {
  const cwd = emptyFolder()
  const well = await runInProcess(['doctor', '--port', '0', '--json'], { cwd })
  expect(well.code).toBe(0)
  const findings = JSON.parse(well.stdout) as { level: string; what: string }[]
  expect(findings.every(({ level }) => level === 'ok')).toBe(true)

  writeFileSync(join(cwd, 'plain'), '')
  const ill = await runInProcess(
    words`
      doctor --port 0 --as software-service --subject http://127.0.0.1:1 --record
      plain/x.rec.ndjson
    `,
    { cwd },
  )
  expect(ill.code).toBe(1)
  expect(ill.stdout).toMatch(/^ok {3}Node \d/m)
  expect(ill.stdout).toMatch(
    /^fail your service does not answer at http:\/\/127.0.0.1:1 \(ECONNREFUSED\)\. Nothing listens .*: start your service, or name its address with --subject <url>\.$/m,
  )
  expect(ill.stdout).toMatch(/^fail recording: .*plain is no folder\. Correct --record\.$/m)

  const recording = async (file: string): Promise<string> =>
    (await runInProcess(['doctor', '--port', '0', '--record', file], { cwd })).stdout
  expect(await recording('new/folder/x.rec.ndjson')).toMatch(/^ok {3}recording: .* can be made$/m)
  expect(await recording('plain')).toMatch(/^ok {3}recording: .* can be gone on with$/m)
  expect(await recording('.')).toMatch(
    /^fail recording: .* is a folder with plain in it, .*\. Name a file in it, or a folder of its own\.$/m,
  )
  expect(await recording('long/')).toMatch(/^ok {3}recording: .* can be made$/m)

  const configured = async (text: string): Promise<string> => {
    writeFileSync(join(cwd, 'sparring.config.yaml'), text)
    return (await runInProcess(['doctor'], { cwd })).stdout
  }
  expect(await configured('port: 0\ntls: { cert: a.pem, key: b.pem }\n')).toMatch(
    /^fail reading the certificate .*a\.pem: .* Correct tls, or ca of the subject\.$/m,
  )
  expect(await configured('port: 0\nconduct: { paths: { nope: /x } }\n')).toMatch(
    /^fail reading sparring\.config\.yaml:2:21: conduct\.paths\.nope: there is no operation "nope"\. /m,
  )
  expect(await configured('port: 65535\n')).toMatch(/^fail choosing a port for the /m)

  writeFileSync(join(cwd, 'sparring.config.yaml'), 'clock: reel\n')
  const broken = await runInProcess(['doctor'], { cwd })
  expect(broken.code).toBe(1)
  expect(broken.stdout).toMatch(/^fail reading sparring.config.yaml:1:8: clock is "reel"/m)
})

test.runIf(existsSync('/dev/full'))(
  'stdout on a full disk is reported as a problem, not as a bug',
  async () => {
    const { file, args, env } = commandLine('list', 'faults')
    const command = [file, ...args].map((each) => `'${each}'`).join(' ')
    const { status, stderr } = spawnSync('sh', ['-c', `${command} > /dev/full`], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toContain('sparring: writing the output: ENOSPC')
    expect(stderr).not.toContain('this is a bug')
  },
)

test('faults are listed with whether a correct partner does them', async () => {
  const { stdout } = await runInProcess(['list', 'faults'])
  for (const row of [/^delay +E2 +yes /m, /^refuse +R9 +no /m, /^drop +E5 +by its options /m])
    expect(stdout).toMatch(row)
})

test('a bug exits with 70, and prints its stack trace and what to report', async () => {
  const sabotage = `URL.parse=()=>{throw new TypeError('boom')}`
  const { code, stderr, stdout } = await runSparring(['orders', '--json'], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(sabotage)}` },
  })
  expect(code).toBe(70)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^TypeError: boom\n +at /)
  expect(stderr).toMatch(/this is a bug in Sparring.*\n {2}sparring \d.*, Node v\d/)
  expect(stderr).toContain('command: sparring orders --json')
})
