// @module-tag nightly
/**
 * The types of the package as it is published, which a consumer with the strictest settings compiles, libraries
 * included.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { libraryEntries, runtimePackages } from '../bin/build/entries.ts'
import { installPackedPackage, type PackedPackage } from './support/packed-package.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let project: PackedPackage
let folder = ''
let installed = ''

beforeAll(() => {
  project = installPackedPackage({ withTypes: true })
  folder = project.folder
  installed = join(folder, 'node_modules/sparring')
  // Vitest is that of a user who imports sparring/vitest.
  for (const name of ['@types/node', 'vitest', 'expect', 'msw']) project.link(name)
}, 120_000)

afterAll(() => project[Symbol.dispose]())

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

/** What the compiler says about the programs of a consumer, which it compiles together. */
function compile(options: Readonly<Record<string, unknown>>, ...sources: string[]): string {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const files = sources.map((_source, index) => `consumer-${index}.ts`)
  for (const [index, file] of files.entries())
    writeFileSync(join(folder, file), sources[index] ?? '')
  const compilerOptions = { ...strictest, ...options }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
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
  // @ts-expect-error it is for our own code
  export const inner: keyof Session = 'editQuietly'
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

/** A program that compiles where no exported type or value is any. */
function anyChecks(): string {
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
  return [isAny, ...checks].join('\n')
}

const json = { resolveJsonModule: true }

test('a consumer with the strictest settings compiles by the resolution of bundlers', () => {
  const bundler = { ...json, module: 'esnext', moduleResolution: 'bundler' }
  expect(compile(bundler, consumer)).toBe('')
}, 120_000)

test('a consumer compiles by the resolution of Node too, and no exported type is any', () => {
  expect(compile({ ...json, module: 'nodenext' }, consumer, anyChecks())).toBe('')
}, 120_000)

test('the tests that it exports compile with the same settings', () => {
  const folderOfRecordings = join(root, 'recordings')
  const recordings = readdirSync(folderOfRecordings).filter((name) => name.endsWith('.rec.ndjson'))
  const exported = recordings.map((name) => {
    const args = ['export', join(folderOfRecordings, name), '--format', 'vitest']
    const { stdout } = spawnSync(process.execPath, [join(root, 'bin/sparring.js'), ...args], {
      encoding: 'utf8',
    })
    return stdout
  })
  expect(exported).toEqual(recordings.map(() => expect.stringContaining("from 'sparring'")))
  const bundler = { ...json, module: 'esnext', moduleResolution: 'bundler' }
  expect(compile(bundler, ...exported)).toBe('')
}, 120_000)

test('the types need no package that is not installed with ours', () => {
  const imported = readdirSync(join(installed, 'dist'))
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) => [
      ...readFileSync(join(installed, 'dist', name), 'utf8').matchAll(
        /(?:from|import\() ?"([^".][^"]*)"/g,
      ),
    ])
    .map(([, name = '']) => name)
  // What a user has who imports sparring/vitest or sparring/msw.
  const known = [...runtimePackages(), 'vitest', 'msw']
  expect(imported.filter((name) => !known.includes(name))).toEqual([])
})

test('the types have the comments of the sources', () => {
  const types = readFileSync(join(installed, 'dist/types.d.ts'), 'utf8')
  const source = readFileSync(join(root, 'src/core/session-api/session-api.ts'), 'utf8')
  const comments = [...source.matchAll(/^ {2}\/\*\* (.*) \*\/$/gm)].map(([, text = '']) => text)
  expect(comments.length).toBeGreaterThan(20)
  expect(comments.filter((text) => !types.includes(text))).toEqual([])
})
