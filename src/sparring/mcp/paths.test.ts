// @module-tag slow
/**
 * Paths of others: every argument that names a file, of every tool and every verb, against a path outside of the folder, a
 * link, a program, a device, a pipe and a URL.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFifo } from '../../../test/support/special-files.ts'
import { runInProcess } from '../../../test/support/run-in-process.ts'
import { runsFor } from '../../../test/support/soak.ts'
import { emptyFolder } from '../../../test/support/spawn-sparring.ts'
import type { ArgumentRow, FlagRow, Verb } from '../../terminal/cli/verb.ts'
import { verbs } from '../verbs/catalogue.ts'
import { callTool, type ToolOutcome } from './call-tool.ts'
import { HostedSessions } from './hosted-sessions.ts'
import { createResultStore } from './result-store.ts'
import { chooseTools } from './run-mcp.ts'
import type { Tool, ToolVerb } from './tool.ts'

const outer = emptyFolder()
const folder = join(outer, 'shop')
const mark = join(outer, 'mark')
const secret = 'value-of-a-secret'
/** A host that must not hear anything. */
let listener: Server
let heard = 0
let loopback = ''
const elsewhere = 'http://elsewhere.test:7100'

/** By every ending that some loader runs. */
const programs = (
  'evil.ts evil.mts evil.cts evil.js evil.mjs evil.cjs evil.tsx evil.jsx evil.wasm evil.node evil.json.ts ' +
  'evil.yaml.mjs evil.TS'
).split(' ')

/** What each kind of file is called. */
const endings: Readonly<Record<string, string>> = {
  config: 'yaml',
  contract: 'json',
  menu: 'csv',
  merchants: 'csv',
  rules: 'json',
  bundle: 'tar',
  ca: 'pem',
}
const endingOf = (name: string): string => endings[name] ?? 'yaml'

/** How a value names this file, by the placeholder of its flag. */
function valueOf(row: ArgumentRow | FlagRow, file: string): string {
  const form = 'value' in row ? (row.value ?? '') : ''
  return form.includes('[=file]') ? `json=${file}` : form.includes('@file') ? `@${file}` : file
}

beforeAll(async () => {
  mkdirSync(folder)
  for (const ending of new Set([...Object.values(endings), 'yaml'])) {
    writeFileSync(join(outer, `secret.${ending}`), `${secret}: [`)
    symlinkSync(join(outer, `secret.${ending}`), join(folder, `link.${ending}`))
    symlinkSync('/dev/zero', join(folder, `zero.${ending}`))
    makeFifo(join(folder, `pipe.${ending}`))
  }
  const asModule = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, 'x')\nexport default { evil: true }\n`
  const asScript = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'x')\nmodule.exports = { evil: true }\n`
  for (const name of programs)
    writeFileSync(join(folder, name), /\.c[jt]s$/.test(name) ? asScript : asModule)
  mkdirSync(join(folder, 'inner.yaml'))
  writeFileSync(join(folder, 'good.tar'), '')
  copyFileSync('scenarios/a-calm-afternoon.yaml', join(folder, 'good.yaml'))
  copyFileSync('recordings/duplicate-created.rec.ndjson', join(folder, 'good.rec.ndjson'))
  listener = createServer((_, reply) => {
    heard++
    reply.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((done) => listener.once('listening', done))
  loopback = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
})
afterAll(() => listener.close())

interface Cell {
  readonly tool: Tool
  readonly verb: ToolVerb
  readonly row: ArgumentRow | FlagRow
}

const cells = (isReadOnly: boolean): readonly Cell[] =>
  chooseTools(isReadOnly ? { 'read-only': true } : {}, verbs).flatMap((tool) =>
    tool.verbs.flatMap((verb) =>
      [...verb.arguments, ...verb.flags]
        .filter(({ path }) => path !== undefined)
        .map((row) => ({ tool, verb, row })),
    ),
  )

interface CallOptions {
  readonly isReadOnly?: boolean
  readonly hosts?: readonly string[]
  readonly cwd?: string
}

const call = (
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  { isReadOnly = false, hosts = [], cwd = folder }: CallOptions = {},
): Promise<ToolOutcome> => {
  const env = { HOME: outer, XDG_STATE_HOME: outer, SPARRING_PORT: '0' }
  return callTool(
    tool,
    { arguments: input, signal: new AbortController().signal, onProgress: () => undefined },
    {
      cwd,
      env,
      access: { folder: cwd, runsPrograms: !isReadOnly, hosts },
      sessions: new HostedSessions({ cwd, env, onError: () => undefined }),
      results: createResultStore(),
      session: { control: loopback },
    },
  )
}

/** The arguments that a verb needs besides, and the one that is tried. */
function inputOf({ tool, verb, row }: Cell, value: string): Readonly<Record<string, unknown>> {
  const { choice } = tool.row
  const others = verb.arguments
    .filter(({ required }) => required)
    .map(({ name }) => [name, 'good.tar'])
  return {
    ...Object.fromEntries(others),
    ...(choice ? { [choice.name]: verb.word } : {}),
    [row.name]: row.many ? [value] : value,
  }
}

const named = ({ tool, verb, row }: Cell): string => `${tool.row.name} ${verb.word} ${row.name}`

const textOf = (outcome: ToolOutcome): string =>
  outcome.ok ? JSON.stringify(outcome.answer) : outcome.message

const toolNamed = (name: string): Tool => {
  const tool = chooseTools({}, verbs).find(({ row }) => row.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool
}

test('every flag and argument whose value is a path says so', () => {
  const all = (each: Verb): readonly Verb[] => [each, ...each.verbs.flatMap(all)]
  const rows = verbs.flatMap(all).flatMap((verb) => verb.flags)
  const silent = rows.filter(
    ({ value = '', path }) =>
      path === undefined && /file|path|folder/.test(value) && !value.includes('[role='),
  )
  expect(silent.map(({ name, value }) => `${name} ${value}`)).toEqual([])
  expect(cells(false).length).toBeGreaterThan(50)
  // A document for an order is an object here, and no file.
  expect(new Set(cells(true).map(({ tool }) => tool.row.name))).toEqual(
    new Set(['certify_verify', 'diff', 'doctor', 'schema']),
  )
})

test.each([
  ['a path outside', (ending: string) => join(outer, `secret.${ending}`)],
  ['a relative path outside', (ending: string) => `../secret.${ending}`],
  ['a link', (ending: string) => `link.${ending}`],
  ['a device', () => '/dev/zero'],
  ['a link to a device', (ending: string) => `zero.${ending}`],
  ['what is not there', () => '/nowhere/at/all'],
])('no tool takes %s', async (_, fileOf) => {
  const taken: string[] = []
  for (const cell of cells(false)) {
    const outcome = await call(
      cell.tool,
      inputOf(cell, valueOf(cell.row, fileOf(endingOf(cell.row.name)))),
    )
    if (outcome.ok || !outcome.message.includes('the folder of sparring mcp'))
      taken.push(named(cell))
    expect(textOf(outcome)).not.toContain(secret)
  }
  expect(taken).toEqual([])
})

test('no tool calls a URL of elsewhere in place of a file, or of a session', async () => {
  const refused = 'it is not this machine, and nothing is sent to others for an agent'
  for (const cell of cells(false)) {
    const outcome = await call(cell.tool, inputOf(cell, valueOf(cell.row, `${elsewhere}/x.json`)))
    expect(`${named(cell)}: ${textOf(outcome)}`).toContain(refused)
  }
  const ofSessions = chooseTools({}, verbs).filter((tool) =>
    tool.verbs.some(({ hasSession }) => hasSession),
  )
  expect(ofSessions.length).toBeGreaterThan(20)
  for (const tool of ofSessions) {
    const [verb] = tool.verbs
    const others = verb?.arguments.filter(({ required }) => required) ?? []
    const input = Object.fromEntries(others.map(({ name, choices }) => [name, choices?.[0] ?? '1']))
    const { choice } = tool.row
    const outcome = await call(tool, {
      ...input,
      ...(choice ? { [choice.name]: verb?.word } : {}),
      session: elsewhere,
    })
    expect(`${tool.row.name}: ${textOf(outcome)}`).toContain(refused)
  }
  expect(heard).toBe(0)
})

test('what is in the folder is taken, by any path and through a link that stays in it', async () => {
  mkdirSync(join(folder, 'api'))
  writeFileSync(join(folder, 'api/own.yaml'), 'seed: 7\n')
  symlinkSync('api/own.yaml', join(folder, 'own-link.yaml'))
  const cwd = join(outer, 'linked-shop')
  symlinkSync(folder, cwd)
  for (const config of [
    'api/own.yaml',
    './api/../api/own.yaml',
    'own-link.yaml',
    `${folder}/api/own.yaml`,
  ])
    for (const options of [{ isReadOnly: true }, { cwd }])
      expect(textOf(await call(toolNamed('doctor'), { config }, options))).toMatch(
        /own(-link)?\.yaml is valid/,
      )
})

test('with --read-only no program runs, named or found', async () => {
  for (const cell of cells(true))
    for (const program of programs) {
      const outcome = await call(cell.tool, inputOf(cell, program), { isReadOnly: true })
      // Only a path to be written may have any name.
      const isTaken = outcome.ok && outcome.answer.exit === 0
      expect({ at: named(cell), isTaken }).toMatchObject({ isTaken: cell.row.path === 'write' })
      expect({ at: named(cell), ran: existsSync(mark) }).toMatchObject({ ran: false })
    }
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'sparring.config.ts'), readFileSync(join(folder, 'evil.ts')))
  for (const [name, input] of [
    ['doctor', {}],
    ['schema', { of: 'openapi' }],
  ] as const) {
    expect(textOf(await call(toolNamed(name), input, { cwd, isReadOnly: true }))).toContain(
      'running sparring.config.ts: it is a program, and sparring mcp --read-only runs none. Name a YAML or JSON file.',
    )
    expect(existsSync(mark)).toBe(false)
  }
})

test('what is written by itself stays in the folder, too', async () => {
  const cwd = join(emptyFolder(), 'shop')
  mkdirSync(cwd)
  const profile = join(cwd, '../profile')
  writeFileSync(profile, 'mine')
  symlinkSync('../profile', join(cwd, 'sparring.config.yaml'))
  expect(textOf(await call(toolNamed('init'), { force: true }, { cwd }))).toContain(
    'the folder of sparring mcp',
  )
  copyFileSync(join(folder, 'good.rec.ndjson'), join(cwd, 'a.rec.ndjson'))
  symlinkSync('../profile', join(cwd, 'a.report.html'))
  expect(textOf(await call(toolNamed('report'), { source: 'a.rec.ndjson' }, { cwd }))).toContain(
    'the folder of sparring mcp',
  )
  expect(readFileSync(profile, 'utf8')).toBe('mine')
})

test('files that a configuration or a contract names are in the folder as well', async () => {
  const cwd = join(emptyFolder(), 'shop')
  mkdirSync(cwd)
  const config = (text: string): void => writeFileSync(join(cwd, 'sparring.config.yaml'), text)
  for (const [key, ending] of [
    ['menu', 'csv'],
    ['merchants', 'csv'],
    ['contract', 'json'],
  ] as const) {
    config(`${key}: ${join(outer, `secret.${ending}`)}\n`)
    const said = textOf(await call(toolNamed('doctor'), {}, { cwd, isReadOnly: true }))
    expect(said).toContain('the folder of sparring mcp')
    expect(said).not.toContain(secret)
  }
  config('contract: openapi.json\n')
  const document = { openapi: '3.1.0', info: {}, paths: { '/a': { $ref: '../other.json' } } }
  writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(document))
  writeFileSync(join(cwd, '../other.json'), `"${secret}"`)
  const said = textOf(await call(toolNamed('doctor'), {}, { cwd }))
  expect(said).toContain('leads out of')
  expect(said).not.toContain(secret)
})

test('doctor calls a service of this machine, and no other unless it is allowed', async () => {
  const doctor = toolNamed('doctor')
  const input = { as: 'software-service', subject: elsewhere, channel: 'webhook' }
  expect(textOf(await call(doctor, input, { isReadOnly: true }))).toMatch(
    /your service was not called.*sparring mcp --allow-target elsewhere\.test/,
  )
  // Allowed, it is called: the name has no address.
  expect(textOf(await call(doctor, input, { hosts: ['elsewhere.test'] }))).toContain('ENOTFOUND')
  expect(heard).toBe(0)
  const here = await call(doctor, { ...input, subject: loopback }, { isReadOnly: true })
  expect(textOf(here)).toContain('answers 404')
  expect(heard).toBeGreaterThan(0)
})

/** Flags and arguments by which a verb comes as far as its files. */
const context: Readonly<Record<string, string>> = {
  as: 'software-service',
  to: 'https://127.0.0.1:1',
  control: 'http://127.0.0.1:1',
  url: 'http://127.0.0.1:1',
  shards: '1',
  seed: '1',
  a: 'good.rec.ndjson',
  b: 'good.rec.ndjson',
  recording: 'good.rec.ndjson',
  source: 'good.rec.ndjson',
  scenario: 'good.yaml',
  file: 'good.rec.ndjson',
  bundle: 'good.tar',
}

interface VerbCell {
  readonly words: readonly string[]
  readonly verb: Verb
  readonly row: ArgumentRow | FlagRow
}

/** Of a group with a default verb the verbs themselves are tried. */
const cellsOf = (verb: Verb, words: readonly string[]): readonly VerbCell[] =>
  verb.verbs.length > 0
    ? verb.verbs.flatMap((inner) => cellsOf(inner, [...words, inner.name]))
    : [...verb.arguments, ...verb.flags]
        .filter(({ path }) => path === 'read')
        .map((row) => ({ words, verb, row }))

function lineOf({ words, verb, row }: VerbCell, value: string): readonly string[] {
  const flags = verb.flags.filter(
    ({ name }) => ['as', 'to', 'control', 'shards', 'seed'].includes(name) && name !== row.name,
  )
  const others = verb.arguments.filter(
    ({ required, name }) => required === true || name === row.name || name === 'url',
  )
  return [
    ...words,
    ...others.map(({ name }) => (name === row.name ? value : (context[name] ?? '1'))),
    ...flags.flatMap(({ name }) => [`--${name}`, context[name] ?? '']),
    ...(row.name === 'upload' ? ['--out', 'out.ndjson'] : []),
    ...('value' in row ? [`--${row.name}`, value] : []),
  ]
}

const verbCells = verbs
  .filter(({ name }) => name !== 'mcp' && name !== 'attach')
  .flatMap((verb) => cellsOf(verb, [verb.name]))

const placeOf = ({ words, row }: VerbCell): string => `${words.join(' ')} ${row.name}`

/** What a shell hands over as `<(…)` is a pipe. */
const takesPipe = ({ verb, row }: VerbCell): boolean =>
  ['rules', 'mapping', 'ca'].includes(row.name) || ['import', 'create'].includes(verb.name)

test.each([
  ['a device', 'zero', () => true],
  ['a pipe', 'pipe', (cell: VerbCell) => !takesPipe(cell)],
] as const)('no verb waits for %s or reads it without end', async (_, what, isMeant) => {
  expect(verbCells.length).toBeGreaterThan(40)
  for (const cell of verbCells.filter(isMeant)) {
    const file = valueOf(cell.row, `${what}.${endingOf(cell.row.name)}`)
    const { code, stdout, stderr } = await runInProcess(lineOf(cell, file), { cwd: folder })
    expect(`${placeOf(cell)}: ${stdout}${stderr}`).toMatch(/it is no plain file|it is a device/)
    expect(code).toBe(cell.verb.name === 'doctor' ? 1 : 2)
  }
})

test('a program is run where it may be a configuration or a scenario, and nowhere else', async () => {
  const runs = new Set<string>()
  const mayRun = new Set(['config', 'scenario', 'workload', 'data'])
  // Whatever the place is, its loader goes by the ending: each place is tried with some, and each ending in many places.
  const some = runsFor(4, programs.length)
  for (const [index, cell] of verbCells.entries())
    for (const program of mayRun.has(cell.row.name)
      ? ['evil.ts']
      : Array.from(
          { length: some },
          (_, nth) => programs[(some * index + nth) % programs.length] ?? '',
        )) {
      rmSync(mark, { force: true })
      const { code } = await runInProcess(lineOf(cell, valueOf(cell.row, program)), { cwd: folder })
      expect({ at: placeOf(cell), program, failed: code > 0 }).toMatchObject({ failed: true })
      if (existsSync(mark)) runs.add(placeOf(cell))
    }
  expect([...runs]).toEqual(verbCells.filter(({ row }) => mayRun.has(row.name)).map(placeOf))
}, 300_000)

test('a directory where a file is meant is no bug, whatever the verb', async () => {
  for (const cell of verbCells) {
    const line = lineOf(cell, valueOf(cell.row, 'inner.yaml'))
    const { code, stdout, stderr } = await runInProcess(line, { cwd: folder })
    expect(`${placeOf(cell)}: ${code}`).toMatch(/: [123]$/)
    expect(`${placeOf(cell)}: ${stdout}${stderr}`).not.toMatch(/EISDIR: illegal|this is a bug/i)
  }
}, 120_000)

test('a URL is a path like any other, where it is not the place of one', async () => {
  const mayCall = [
    'report source',
    'run merge file',
    'explore merge file',
    'import file',
    'drift to',
  ]
  for (const cell of verbCells) {
    const before = heard
    const { code } = await runInProcess(lineOf(cell, valueOf(cell.row, `${loopback}/x.yaml`)), {
      cwd: folder,
    })
    expect({ at: placeOf(cell), failed: code > 0 }).toMatchObject({ failed: true })
    const called = heard > before && !mayCall.includes(placeOf(cell))
    expect({ at: placeOf(cell), called }).toMatchObject({ called: false })
  }
})
