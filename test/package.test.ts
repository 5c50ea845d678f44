// @module-tag slow
/** The package that `npm pack` makes works alone: the tarball in an empty folder, with its declared dependencies. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitOf } from '../bin/build/commit.ts'
import { sizeLimits } from '../bin/build/size-limits.ts'
import { configurationSchema } from '../src/sparring/verbs/support/configuration-schema.ts'
import { Configuration } from '../src/core/session-api/configuration/schema.ts'
import { openApiOfRole } from '../src/core/session/openapi.ts'
import { installPackedPackage, type PackedPackage } from './support/packed-package.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let installed: PackedPackage
let folder = ''
let modules = ''
let command = ''

beforeAll(() => {
  installed = installPackedPackage()
  installed.link('msw')
  folder = installed.folder
  modules = join(folder, 'node_modules')
  command = join(modules, 'sparring/bin/sparring.js')
}, 60_000)

afterAll(() => installed[Symbol.dispose]())

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 20_000 })

test('the package is no larger than is published', () => {
  expect(statSync(installed.tarball).size).toBeLessThanOrEqual(sizeLimits.packedBytes)
})

/** Relative links of the pages, and the pictures that they show. */
const linksOf = (page: string): readonly string[] =>
  Array.from(
    readFileSync(join(modules, 'sparring', page), 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g),
    ([, link = '']) => link,
  ).filter((link) => !/^https?:/.test(link))

test('every link of every packed page leads to a packed file', () => {
  const inside = join(modules, 'sparring')
  const pages = globSync('**/*.md', { cwd: inside }).filter((page) => !page.startsWith('dist'))
  expect(pages.length).toBeGreaterThan(30)
  // A page of a verb is its help, which `sparring docs` prints: the package needs none.
  const isOfVerb = (page: string, link: string): boolean =>
    page === 'docs/cli.md' && link.startsWith('cli/')
  const dead = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !isOfVerb(page, link))
      .filter((link) => !existsSync(join(inside, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  )
  expect(dead).toEqual([])
})

test('pages name no file of ours that only a clone has, unless they say so', () => {
  const inside = join(modules, 'sparring')
  const pages = globSync('{docs,scenarios,examples}/**/*.md', { cwd: inside })
  const missing = pages.flatMap((page) =>
    readFileSync(join(inside, page), 'utf8')
      .split(/\n\n+/)
      .filter((paragraph) => !/clone|repository/.test(paragraph))
      .flatMap((paragraph) =>
        Array.from(
          paragraph.matchAll(/`((?:src|test|bench|bin|examples)\/[\w./-]+)`/g),
          ([, path = '']) => path,
        ),
      )
      .filter((path) => !existsSync(join(inside, path)))
      .map((path) => `${page}: ${path}`),
  )
  expect(missing).toEqual([])
})

test('code has lines: Node prints with an error that nobody caught a line of it, not a file', () => {
  const dist = join(modules, 'sparring/dist')
  const long = globSync('**/*.js', { cwd: dist }).flatMap((file) =>
    readFileSync(join(dist, file), 'utf8')
      .split('\n')
      // Layout of the terminal is WebAssembly in a text.
      .filter((line) => line.length > 12_000 && !/[\w+/=]{8000}/.test(line))
      .map((line) => `${file}: ${line.length}`),
  )
  expect(long).toEqual([])
})

test('every import path says on an older Node which one it needs, before anything else can fail', () => {
  const older = `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process.versions, 'node', { value: '20.19.0' }); delete Map.groupBy",
  )}`
  for (const path of ['sparring', 'sparring/matchers', 'sparring/jest']) {
    const script = `import(${JSON.stringify(path)}).catch(({ message }) => console.log(message))`
    const { stdout } = run('--import', older, '--input-type=module', '-e', script)
    expect(stdout).toMatch(/^sparring: it needs Node 22\.15 or later, and this is Node 20\.19\.0 /)
  }
})

test('CommonJS requires the import paths too, for which no module may await at its top', () => {
  const code = `for (const path of ['sparring', 'sparring/matchers', 'sparring/msw']) console.log(path, Object.keys(require(path)).length > 0)`
  expect(run('--input-type=commonjs', '--eval', code)).toMatchObject({
    stdout: 'sparring true\nsparring/matchers true\nsparring/msw true\n',
    status: 0,
  })
})

test('sparring/msw says without msw what to install, imported and required', () => {
  const away = join(modules, 'msw')
  rmSync(away)
  try {
    for (const code of ["import('sparring/msw')", "(async () => require('sparring/msw'))()"])
      expect(
        run('--input-type=commonjs', '-e', `${code}.catch(({ message }) => console.log(message))`),
      ).toMatchObject({
        stdout:
          'importing sparring/msw: the package msw is not installed. Install it with npm install --save-dev msw.\n',
        stderr: '',
      })
  } finally {
    installed.link('msw')
  }
})

test('the packed command prints its help', () => {
  const { status, stdout, stderr } = run(command, '--help')
  expect(stderr).toBe('')
  expect(stdout).toContain('sparring')
  expect(status).toBe(0)
})

test('an uncaught error inside prints a line that can be read', () => {
  const code = "import { handlers } from 'sparring/msw'; handlers(undefined)"
  const { status, stderr } = run('--input-type=module', '--eval', code)
  expect(status).toBe(1)
  expect(stderr).toMatch(/TypeError: .*undefined[^]*handlers/)
  expect(stderr.length).toBeLessThan(4000)
})

/** Loader hook that prints every file which a command loads. */
const tellsFiles = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) process.stderr.write('loaded ' + url + '\\n')
      return next(url, context)
    },
  })`)}`

/** The loaded files, relative to the package; others as absolute paths. */
const loadedBy = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/^loaded (.*)$/gm)].map(([, url = '']) =>
    fileURLToPath(url)
      .replace(/.*[\\/]sparring[\\/]/, '')
      .replaceAll('\\', '/'),
  )

test('help loads three files: the command, its entry, and the code shared by all verbs', () => {
  const { stderr, status } = run('--import', tellsFiles, command, '--help')
  expect(status).toBe(0)
  expect(loadedBy(stderr)).toEqual([
    'bin/sparring.js',
    'dist/cli/main.js',
    expect.stringMatching(/^dist\/chunks\/start-[\w-]+\.js$/),
  ])
})

test('a session replies before any package is loaded, and never loads fetch', async () => {
  const stopsItself = `data:text/javascript,${encodeURIComponent(`
    process.stdout.write = (text) => {
      const url = /http:\\S+/.exec(text)?.[0]
      process.getBuiltinModule('node:http').get(url + '/.well-known/protocol', ({ statusCode }) => {
        const fetchIsThere = process.moduleLoadList.some((name) => name.includes('undici/undici'))
        process.stderr.write(JSON.stringify({ statusCode, fetchIsThere }))
        process.exit(0)
      })
      return true
    }`)}`
  const { stderr } = run(
    '--import',
    tellsFiles,
    '--import',
    stopsItself,
    command,
    'up',
    '--quiet',
    '--port',
    '0',
  )
  const files = loadedBy(stderr)
  expect(files).toContainEqual(expect.stringMatching(/^dist\/chunks\/session-/))
  expect(files.filter((file) => !/^(bin|dist)\//.test(file))).toEqual([])
  expect(stderr).toContain('{"statusCode":200,"fetchIsThere":false}')
})

test('it starts without a writable compile cache', () => {
  writeFileSync(join(folder, 'no-folder'), '')
  const { status, stderr } = spawnSync(process.execPath, [command, '--version'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'no-folder') },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('the schemas that it prints equal those of the sources', () => {
  const { stdout } = run(command, 'schema', 'openapi')
  const usual = openApiOfRole('ordering-application', Configuration.parse({}))
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(usual)))
  const shape = run(command, 'schema', 'config')
  expect(JSON.parse(shape.stdout)).toEqual(configurationSchema())
})

const schemaNames = { config: 'configuration', scenario: 'scenario', recording: 'recording' }

test.each(Object.entries(schemaNames))(
  'what schema %s prints is in the package as schemas/%s.json, which is an import path',
  (kind, name) => {
    const { stdout } = run(command, 'schema', kind)
    const path = `sparring/schemas/${name}.json`
    expect(JSON.parse(readFileSync(join(modules, path), 'utf8'))).toEqual(JSON.parse(stdout))
    const imports = `import schema from '${path}' with { type: 'json' }; console.log(schema.$schema)`
    expect(run('--input-type=module', '--eval', imports).stdout).toMatch(/json-schema\.org/)
  },
)

test('what init writes refers to the installed schema, also from a folder below', () => {
  for (const below of ['.', 'packages/pos']) {
    const cwd = join(folder, below)
    mkdirSync(cwd, { recursive: true })
    const { stdout } = spawnSync(process.execPath, [command, 'init'], { cwd, encoding: 'utf8' })
    expect(stdout).toBe('sparring.config.yaml\n')
    const file = join(cwd, 'sparring.config.yaml')
    const [, path = ''] =
      /^# yaml-language-server: \$schema=(.*)\n/.exec(readFileSync(file, 'utf8')) ?? []
    expect(path).toMatch(/^\.\.?\/.*node_modules\/sparring\/schemas\/configuration\.json$/)
    expect(JSON.parse(readFileSync(join(cwd, path), 'utf8'))).toEqual(configurationSchema())
    rmSync(file)
  }
})

test('--version names the commit that was built, and with --json says both', () => {
  const { stdout } = run(command, '--version')
  const [, version, commit] = /^(\S+) \((\S+)\)\n$/.exec(stdout) ?? []
  expect(commit).toBe(commitOf(root))
  const parts = { version, commit, node: process.version }
  expect(JSON.parse(run(command, '--version', '--json').stdout)).toEqual(parts)
})

test('the control API says the same version', async () => {
  const args = [command, 'up', '--quiet', '--json', '--port', '0']
  const session = spawn(process.execPath, args, { cwd: folder })
  const [line] = (await once(session.stdout, 'data')) as [Buffer]
  const { control } = JSON.parse(line.toString()) as { control: string }
  const info = (await (await fetch(new URL('session', `${control}/`))).json()) as object
  session.kill()
  await once(session, 'close')
  expect(info).toMatchObject({ version: run(command, '--version').stdout.trim() })
})

test('a bug is reported with the names of functions and of the commit', () => {
  const breaks = `data:text/javascript,${encodeURIComponent(
    "JSON.stringify = function broken() { throw new RangeError('planted') }",
  )}`
  const { status, stderr } = run('--import', breaks, command, 'list', 'faults', '--json')
  expect(status).toBe(70)
  expect(stderr).toContain('RangeError: planted')
  expect(stderr).toMatch(/ at printJson \(.*dist\/chunks\//)
  expect(stderr).toMatch(/ {2}sparring \S+ \([0-9a-f]{7,}(-dirty)?\), Node /)
})

test('the licenses of what is bundled are passed on', () => {
  const text = readFileSync(join(modules, 'sparring/dist/licenses.md'), 'utf8')
  for (const name of ['zod', 'react', 'ink', 'commander', 'yoga-layout'])
    expect(text).toMatch(new RegExp(`^## .*\\b${name} \\d`, 'm'))
})

test('the packed library opens a session and completes an order', () => {
  writeFileSync(
    join(folder, 'try.mjs'),
    `import { openSession } from 'sparring'
     import { handlers } from 'sparring/msw'
     const session = await openSession({ clock: 'virtual', listen: false })
     await session.createOrder({ type: 'TAKEOUT' })
     await session.settle()
     const { orders } = await session.look({ orders: { limit: 1 } })
     console.log(orders[0].status, handlers(session).length > 10)
     await session.close()`,
  )
  const { stdout, stderr } = run('try.mjs')
  expect(stderr).toBe('')
  expect(stdout.trim()).toBe('CONCLUDED true')
})

test('the package contains no tests and no sources', () => {
  const names = readdirSync(join(modules, 'sparring'), { recursive: true, encoding: 'utf8' })
  expect(
    names.filter(
      (name) => !name.startsWith('examples') && /\.test\.|(^|\/)src\/|testing\//.test(name),
    ),
  ).toEqual([])
})

test('the packed command serves an agent, and has its pages', async () => {
  const client = new Client({ name: 'agent', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'mcp'],
    cwd: folder,
  })
  await client.connect(transport)
  const { contents } = await client.readResource({ uri: 'sparring://docs/agents' })
  expect(contents).toMatchObject([{ text: expect.stringContaining('# Agents') as string }])
  await client.close()
})
