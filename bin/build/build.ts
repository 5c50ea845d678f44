/**
 * Builds the code of `dist`: ours and the libraries that every start needs, bundled and minified into a few files that load
 * fast. Code that only some commands need stays in chunks of its own or in its package and is loaded on demand.
 *
 * The JSON Schemas go into `schemas` beside it.
 *
 *   node bin/build/build.ts [folder]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { lowestNode } from '../../src/core/runtime/version.ts'
import { defaultConfiguration } from '../../src/core/session-api/configuration/defaults.ts'
import { breakLines } from './break-lines.ts'
import { commitOf } from './commit.ts'
import { libraryEntries, librarySource, runtimePackages } from './entries.ts'
import { licensesText } from './licenses.ts'
import { writeSchemas } from './schemas.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const target = process.argv[2] ?? join(root, 'dist')

/**
 * Not bundled: the dependencies, loaded on demand by few commands, what is only for who develops Ink, and what the tests of
 * the user bring. A package that every start needs, or of which we use a small part, is a development dependency, and bundled.
 */
const externalPackages = [...runtimePackages(), 'react-devtools-core', 'vitest', 'msw']
const isExternal = (id: string): boolean =>
  externalPackages.some((name) => id === name || id.startsWith(`${name}/`))

/** Node modules that take milliseconds to load and of which functions and classes are used: loaded at the first use. */
const lazyModules: ReadonlySet<string> = new Set([
  'child_process',
  'crypto',
  'fs/promises',
  'timers/promises',
  'tty',
  'v8',
])

const isName = (text: string): boolean => /^[a-z]\w*$/i.test(text) && text !== 'default'

/** Source of a module whose functions and classes load the Node module when they are used. */
function lazyModuleSource(name: string, builtinCode: string): string {
  const functions = Object.entries(process.getBuiltinModule(name) ?? {})
    .filter(([each, value]) => isName(each) && typeof value === 'function')
    .map(
      ([each]) =>
        `export function ${each}(...given) { return new.target ? new (builtin().${each})(...given) : builtin().${each}(...given) }`,
    )
  return [
    'let found',
    `const builtin = () => (found ??= ${builtinCode})`,
    'export default new Proxy({}, { get: (_, name) => builtin()[name] })',
    ...functions,
  ].join('\n')
}

/**
 * Takes Node modules by `process.getBuiltinModule` instead of `import`: an `import` reads every property of the module,
 * and one property of node:http loads all of fetch, which takes as long as all of our code.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  // A dynamic import takes the whole module: were it ours, every property would be read at the start.
  resolveId: (id, _importer, { kind }) =>
    isBuiltin(id) && kind !== 'dynamic-import'
      ? {
          id: `\0${kind === 'require-call' ? 'required' : 'imported'}:${id.replace(/^node:/, '')}`,
          moduleSideEffects: false,
        }
      : undefined,
  load(id) {
    const [, kind, name] = /^\0(required|imported):(.*)$/.exec(id) ?? []
    if (name === undefined) return undefined
    const builtinCode = `globalThis.process.getBuiltinModule('node:${name}')`
    if (kind === 'required') return `module.exports = ${builtinCode}`
    if (lazyModules.has(name)) return lazyModuleSource(name, builtinCode)
    const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter(isName)
    return [
      `const builtin = ${builtinCode}`,
      'export default builtin',
      ...names.map((each) => `export const ${each} = builtin.${each}`),
    ].join('\n')
  },
}

/** A binary in a data URL, as code that unpacks it: compressed before Base64 it is two thirds as long in the package. */
function unpackingCode(head: string, base64: string): string {
  const packed = brotliCompressSync(Buffer.from(base64, 'base64')).toString('base64')
  const unpack = "globalThis.process.getBuiltinModule('node:zlib').brotliDecompressSync"
  return `(${JSON.stringify(head)} + ${unpack}(Buffer.from('${packed}', 'base64')).toString('base64'))`
}

/**
 * The layout engine of Ink reads its WebAssembly out of a data URL by `fetch`, if there is one, and the first use of fetch
 * loads all of it. Without it the engine decodes the URL itself.
 */
const packedLayout: Plugin = {
  name: 'packed-layout',
  transform: {
    filter: { id: /yoga-layout[\\/]dist[\\/]binaries[\\/]/ },
    handler(code) {
      const packed = code.replace(
        /"(data:application\/octet-stream;base64,)([\w+/=]{1000,})"/,
        (_whole, head: string, base64: string) => unpackingCode(head, base64),
      )
      if (packed === code) throw new Error('yoga-layout has no WebAssembly in a data URL')
      return { code: `const fetch = undefined\n${packed}` }
    },
  },
}

let hasMessageEvents = false

/**
 * The events of @msw/data extend MessageEvent, a global that loads all of fetch when it is named. It needs no more of it than
 * an Event with `data`.
 */
const plainMessageEvents: Plugin = {
  name: 'plain-message-events',
  buildEnd(error) {
    if (!error && !hasMessageEvents) throw new Error('@msw/data extends MessageEvent no more')
  },
  transform: {
    filter: { id: /[\\/]rettime[\\/]/ },
    handler(code) {
      if (!/\bextends MessageEvent\b/.test(code)) return undefined
      hasMessageEvents = true
      const plain =
        'class extends Event { constructor(type, init) { super(type, init); this.data = init.data } }'
      return { code: `const MessageEvent = ${plain}\n${code}` }
    },
  },
}

/** Replaces the module that holds the commit by one that knows it. */
const bakedCommit: Plugin = {
  name: 'baked-commit',
  load: {
    filter: { id: /[\\/]src[\\/]core[\\/]runtime[\\/]build-commit\.ts$/ },
    handler: () => `export const buildCommit = ${JSON.stringify(commitOf(root)) ?? 'undefined'}`,
  },
}

/** Replaces the module that parses an empty configuration by one that has the result. */
const bakedDefaults: Plugin = {
  name: 'baked-defaults',
  load: {
    filter: { id: /[\\/]src[\\/]core[\\/]session-api[\\/]configuration[\\/]defaults\.ts$/ },
    handler: () =>
      `export const defaultConfiguration = () => (${JSON.stringify(defaultConfiguration())})`,
  },
}

const bundle = await rolldown({
  cwd: root,
  input: {
    ...Object.fromEntries(libraryEntries().map((name) => [name, librarySource(name)])),
    'cli/main': 'src/sparring/main.ts',
  },
  platform: 'node',
  external: isExternal,
  plugins: [plainBuiltins, packedLayout, plainMessageEvents, bakedCommit, bakedDefaults],
  // The development build of React is slower and uses more memory.
  // The lowest Node in `engines` knows no `using`.
  transform: { target: `node${lowestNode()}`, define: { 'process.env.NODE_ENV': '"production"' } },
  // Unused reads of properties of Node modules may be removed: they have no side effects that we need.
  treeshake: { propertyReadSideEffects: false },
  // A module that is imported both statically and dynamically is loaded statically: no warning is needed for that.
  checks: { ineffectiveDynamicImport: false },
})
const { output } = await bundle.write({
  dir: target,
  cleanDir: true,
  chunkFileNames: 'chunks/[name]-[hash].js',
  // Names of functions and classes stay, so that the stack trace of a bug report can be read.
  minify: { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } },
  comments: { legal: true, annotation: false, jsdoc: false },
  // One character beyond ASCII would make Node store the whole file at two bytes per character.
  charset: 'ascii',
  codeSplitting: {
    // Loading a file costs as much as its content: one file for what every start needs, one for what a session needs.
    groups: [
      {
        name: 'start',
        // The entry awaits the import of its verb, which must not import the entry: the entry stays in a file of its
        // own.
        test: /[\\/]src[\\/](sparring[\\/]verbs[\\/](catalogue|support[\\/](program|process-io))|core[\\/](runtime[\\/](version|build-commit)|base[\\/]problem))\.ts$/,
        priority: 2,
      },
      {
        name: 'session',
        test: /[\\/]src[\\/](core[\\/]session[\\/](open-)?session|sparring[\\/]up[\\/]run-up)\.ts$/,
        priority: 1,
      },
    ],
  },
})
await bundle.close()

for (const each of output)
  if (each.type === 'chunk') writeFileSync(join(target, each.fileName), breakLines(each.code))

/** Imported before anything that an older Node does not have: it then says what is needed. */
writeFileSync(
  join(target, 'node-version.js'),
  `if (process.versions.node.localeCompare('${lowestNode()}', 'en', { numeric: true }) < 0)
  throw new Error(
    'sparring: it needs Node ${lowestNode()} or later, and this is Node ' + process.versions.node + ' (' + process.execPath + '). Install a newer Node.',
  )
`,
)
for (const name of libraryEntries()) {
  const file = join(target, `${name}.js`)
  writeFileSync(file, `import './node-version.js';\n${readFileSync(file, 'utf8')}`)
}

const moduleIds = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
writeFileSync(join(target, 'licenses.md'), licensesText(moduleIds))
writeSchemas(join(target, '../schemas'))
