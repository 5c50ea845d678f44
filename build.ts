/**
 * How `dist` is made: our code, and the libraries that every start needs, in a few files that are read quickly. What only
 * some commands need is left in pieces of its own, or in its package, and is loaded when somebody asks for it.
 *
 *   node build.ts [folder]
 */
import { isDeepStrictEqual } from 'node:util'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { lateValues } from './build-late.ts'
import { defaultConfiguration } from './src/configuration/defaults.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const sources = join(here, 'src')

/** Loaded late, and by few: they stay packages. */
const packages = /^(ink|react|msw|yaml|tsx|@faker-js\/faker)(\/|$)/

/** Modules of Node that take milliseconds to load, and of which only functions are called: taken at the first call. */
const late: ReadonlySet<string> = new Set(['child_process', 'crypto', 'tty'])

const isName = (text: string): boolean => /^[a-z]\w*$/i.test(text) && text !== 'default'

/** A module of Node whose functions look for it when they are called. */
function lateModule(name: string, taken: string): string {
  const functions = Object.entries(process.getBuiltinModule(name) ?? {})
    .filter(([each, value]) => isName(each) && typeof value === 'function')
    .map(([each]) => `export const ${each} = (...given) => builtin().${each}(...given)`)
  return [
    'let found',
    `const builtin = () => (found ??= ${taken})`,
    'export default new Proxy({}, { get: (_, name) => builtin()[name] })',
    ...functions,
  ].join('\n')
}

/**
 * Modules of Node without the face that they show to `import`: to fill it, every property is read, and behind one of
 * node:http waits the whole of fetch, which takes as long to load as everything that we have.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  resolveId: (id, _importer, { kind }) =>
    isBuiltin(id)
      ? {
          id: `\0${kind === 'require-call' ? 'required' : 'imported'}:${id.replace(/^node:/, '')}`,
          moduleSideEffects: false,
        }
      : undefined,
  load(id) {
    const [, how, name] = /^\0(required|imported):(.*)$/.exec(id) ?? []
    if (name === undefined) return undefined
    const taken = `globalThis.process.getBuiltinModule('node:${name}')`
    if (how === 'required') return `module.exports = ${taken}`
    if (late.has(name)) return lateModule(name, taken)
    const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter(isName)
    return [
      `const builtin = ${taken}`,
      'export default builtin',
      ...names.map((each) => `export const ${each} = builtin.${each}`),
    ].join('\n')
  },
}

/** The router judges patterns that are regular expressions with this library; our paths have none. */
const lateJudge: Plugin = {
  name: 'late-judge',
  resolveId: (id, importer) =>
    id === 'safe-regex2' && !importer?.startsWith('\0') ? '\0late:safe-regex2' : undefined,
  load: (id) =>
    id === '\0late:safe-regex2'
      ? `module.exports = (...given) => require('safe-regex2')(...given)`
      : undefined,
}

/** The usual configuration written out, so that no start has to work it out. */
const writtenOut: Plugin = {
  name: 'written-out',
  load(id) {
    if (id !== join(sources, 'configuration/defaults.ts')) return undefined
    const text = JSON.stringify(defaultConfiguration())
    if (!isDeepStrictEqual(JSON.parse(text), defaultConfiguration()))
      throw new Error(`the usual configuration is more than JSON can say: ${text}`)
    return { code: `export const defaultConfiguration = () => (${text})`, moduleType: 'js' }
  },
}

const bundle = await rolldown({
  cwd: here,
  input: { index: 'src/index.ts', msw: 'src/msw.ts', 'cli/main': 'src/cli/main.ts' },
  platform: 'node',
  external: packages,
  plugins: [writtenOut, lateValues(sources), plainBuiltins, lateJudge],
  // What nobody reads of Node's modules may go: to read it does nothing that is wanted.
  treeshake: { propertyReadSideEffects: false },
  // A module that one needs at once and another later is loaded at once: that is all that this check has to say.
  checks: { ineffectiveDynamicImport: false },
})
await bundle.write({
  dir: process.argv[2] ?? 'dist',
  cleanDir: true,
  chunkFileNames: 'chunks/[name]-[hash].js',
  comments: { legal: true, annotation: false, jsdoc: false },
  // One letter beyond would have Node keep a file at two bytes a letter.
  charset: 'ascii',
  codeSplitting: {
    // Files cost as much as what is in them: what any start needs is one file, what a session needs is another.
    groups: [
      {
        name: 'start',
        // The entry waits for its verb, and what it waits for must not wait for it: it stays in a file of its own.
        test: /[\\/]src[\\/](cli[\\/](program|process-io|verbs[\\/]catalogue)|edge[\\/]version|problem)\.ts$/,
        priority: 2,
      },
      {
        name: 'session',
        test: /[\\/]src[\\/](session[\\/](open-)?session|cli[\\/]up[\\/]run-up)\.ts$/,
        priority: 1,
      },
    ],
  },
})
await bundle.close()
