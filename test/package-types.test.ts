// @module-tag slow
/**
 * The package as it is published: its size, its `exports`, and its types, which a consumer with the strictest settings
 * compiles without skipping the declarations of libraries.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { libraryEntries, runtimePackages } from '../bin/build/entries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sparring-types-'))
const installed = join(folder, 'node_modules/sparring')
let tarball = ''

/** Links a package as npm would install it for a consumer. */
function link(name: string): void {
  mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
}

beforeAll(() => {
  const built = join(process.env['SPARRING_TESTED'] ?? '', '../..')
  execFileSync(process.execPath, [join(root, 'bin/build/types.ts'), join(built, 'dist')])
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: built,
  })
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  // Vitest is that of a user who imports sparring/vitest.
  for (const name of [...runtimePackages(), '@types/node', 'vitest', 'expect']) link(name)
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The problems of a packed package, a line for each. In a process of its own, since Vitest resolves the checkers' sources. */
const problemsOf = (file: string, ...limit: readonly string[]): readonly string[] =>
  execFileSync(process.execPath, [join(root, 'bin/build/check-package.ts'), file, ...limit], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line !== '')

test('publint and the resolution of types find nothing, and it is no larger than is published', () => {
  expect(problemsOf(tarball)).toEqual([])
})

test('a package that is too large, or whose exports are wrong, is refused', () => {
  expect(problemsOf(tarball, '1000')).toEqual([expect.stringMatching(/bytes as packed/)])
  const broken = mkdtempSync(join(folder, 'broken-'))
  const exports = { '.': { default: './index.js', types: './missing.d.ts' } }
  const manifest = { name: 'broken', version: '1.0.0', type: 'module', exports }
  writeFileSync(join(broken, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(broken, 'index.js'), 'export {}\n')
  execFileSync('npm', ['pack', '--silent'], { cwd: broken })
  const problems = problemsOf(join(broken, 'broken-1.0.0.tgz'))
  expect(problems).toContainEqual(expect.stringMatching(/^publint: .*missing\.d\.ts/))
  expect(problems).toContainEqual(expect.stringMatching(/^types: /))
})

/** Names that a declaration file exports as types, and as values. */
function exportedNames(entry: string): { readonly types: string[]; readonly values: string[] } {
  const text = readFileSync(join(installed, 'dist', `${entry}.d.ts`), 'utf8')
  const [, list = ''] = /export \{([^}]*)\}/.exec(text) ?? []
  const names = list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const declared = [...text.matchAll(/^export (?:declare )?(?:function|const|class) (\w+)/gm)]
  return {
    types: names.filter((each) => each.startsWith('type ')).map((each) => each.slice(5)),
    values: [
      ...names.filter((each) => !each.startsWith('type ')),
      ...declared.map(([, name = '']) => name),
    ],
  }
}

const strictest = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'],
  types: ['node'],
}

/** What the compiler says about a program of a consumer. */
function compile(source: string, options: Readonly<Record<string, unknown>>): string {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(join(folder, 'consumer.ts'), source)
  const compilerOptions = { ...strictest, ...options }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--checkers', '1'], {
    encoding: 'utf8',
  })
  return stdout
}

const consumer = `
  import type { Command, ConfigurationInput, Fact, Role, ScenarioInput, Session } from 'sparring'
  import { openSession, playScenario, Problem } from 'sparring'
  import { handlers } from 'sparring/msw'
  import configuration from 'sparring/schemas/configuration.json' with { type: 'json' }
  import scenario from 'sparring/schemas/scenario.json' with { type: 'json' }

  export const roles: readonly Role[] = ['ordering-application', 'software-service', 'delivery-platform', 'crm']
  export const settings: ConfigurationInput = { port: 7100, clock: 'virtual', faults: ['flaky', { 'duplicate-late': { event: 'CONFIRMED' } }] }
  // @ts-expect-error a setting that there is none of
  export const unknownSetting: ConfigurationInput = { prot: 7100 }
  export const hold: Command = { kind: 'agenda.hold', id: 1 }
  // @ts-expect-error the kind needs an id
  export const incomplete: Command = { kind: 'agenda.hold' }
  export const story: ScenarioInput = { name: 'a', about: 'b', steps: [{ advance: '5s' }] }
  export const kindOf = ({ kind }: Fact): string => kind
  export const titles: readonly string[] = [configuration.type, scenario.type]

  export async function use(): Promise<void> {
    await using session: Session = await openSession({ ...settings, as: 'software-service', listen: false })
    const made = await session.createOrder({ type: 'DELIVERY' })
    const name: string = made.ok ? made.value.orderId : made.error.code
    const handled: number = handlers(session).length
    const { result } = await playScenario(session, story)
    if (result !== 'passed') throw new Problem(name + handled, 2)
  }
`

test('a consumer with the strictest settings compiles, by the resolution of Node and of bundlers', () => {
  const json = { resolveJsonModule: true }
  expect(compile(consumer, { ...json, module: 'nodenext' })).toBe('')
  const bundler = { ...json, module: 'esnext', moduleResolution: 'bundler' }
  expect(compile(consumer, bundler)).toBe('')
}, 120_000)

test('no exported type is any, and the types need no package that is not installed with ours', () => {
  const checks = libraryEntries().flatMap((entry, index) => {
    const { types, values } = exportedNames(entry)
    // The entry for Jest registers matchers, and exports nothing.
    expect(types.length + values.length > 0).toBe(entry !== 'jest')
    return [
      `import * as m${index} from 'sparring${entry === 'index' ? '' : `/${entry}`}'`,
      ...types.map((name) => `export const t${index}${name}: IsAny<m${index}.${name}> = false`),
      ...values.map(
        (name) => `export const v${index}${name}: IsAny<typeof m${index}.${name}> = false`,
      ),
    ]
  })
  const isAny = 'type IsAny<T> = 0 extends 1 & T ? true : false'
  expect(compile([isAny, ...checks].join('\n'), { module: 'nodenext' })).toBe('')
  const imported = readdirSync(join(installed, 'dist'))
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) => [
      ...readFileSync(join(installed, 'dist', name), 'utf8').matchAll(
        /(?:from|import\() ?"([^".][^"]*)"/g,
      ),
    ])
    .map(([, name = '']) => name)
  // The test runner of a user who imports sparring/vitest.
  const known = [...runtimePackages(), 'vitest']
  expect(imported.filter((name) => !known.includes(name))).toEqual([])
}, 120_000)

test('the types have the comments of the sources', () => {
  const types = readFileSync(join(installed, 'dist/types.d.ts'), 'utf8')
  const source = readFileSync(join(root, 'src/core/session-api/session-api.ts'), 'utf8')
  const comments = [...source.matchAll(/^ {2}\/\*\* (.*) \*\/$/gm)].map(([, text = '']) => text)
  expect(comments.length).toBeGreaterThan(20)
  expect(comments.filter((text) => !types.includes(text))).toEqual([])
})
