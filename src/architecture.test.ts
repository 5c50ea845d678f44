/**
 * The layers as data, and the test that holds them: which room may import which, which packages, and what pure rooms must
 * not use. It reads the tree, so a file that belongs to no layer fails it too.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  circlesOf,
  files,
  importsOf,
  type Import,
  isRelative,
  levelsOf,
  pathOf,
  productFiles,
  roomOf,
  src,
  targetOf,
  textOf,
} from '../test/support/source-tree.ts'

interface Layer {
  /** The layers that it may import, besides itself and the shared ones. */
  readonly may: readonly string[]
  /** The packages that it may import; any when absent. */
  readonly packages?: readonly string[]
  /** It may import these layers for their types only. */
  readonly types?: readonly string[]
}

const pure = ['protocol', 'engine', 'seed-data', 'counterparts', 'channels', 'traffic', 'views']

const layers: Readonly<Record<string, Layer>> = {
  protocol: { may: [], packages: ['zod'] },
  // zod makes the schemas of commands, which a start does not need.
  engine: { may: ['protocol'], packages: ['zod'] },
  'seed-data': { may: ['protocol', 'engine'], packages: ['@faker-js/faker', '@msw/data'] },
  counterparts: { may: ['protocol', 'engine', 'seed-data'], packages: [] },
  channels: { may: ['protocol', 'engine', 'seed-data'], packages: [] },
  traffic: { may: ['protocol', 'engine'], packages: ['zod', 'json-p3', 'yaml'] },
  faults: { may: ['protocol', 'engine', 'traffic'], packages: ['zod'] },
  // What is probably wrong with an exchange, and what to do: for logs and rows, never for an answer.
  diagnosis: { may: ['protocol', 'engine', 'traffic'], packages: [] },
  // It judges what it is shown; of a session it knows no more than its shapes.
  invariants: {
    may: ['protocol', 'engine', 'traffic', 'faults'],
    packages: ['zod'],
    types: ['session-api'],
  },
  // It judges traffic against OpenAPI documents that were read for it.
  contract: {
    may: ['protocol', 'engine', 'traffic', 'invariants'],
    packages: ['ajv', 'ajv-formats'],
  },
  scenario: {
    may: ['protocol', 'engine', 'traffic', 'faults', 'invariants', 'configuration', 'problem'],
    packages: ['zod'],
    types: ['session-api'],
  },
  views: {
    may: ['protocol', 'engine', 'traffic', 'invariants'],
    packages: [],
    types: ['session-api'],
  },
  // Types of what a session offers and of the commands that it takes.
  'session-api': {
    may: [],
    packages: [],
    types: ['protocol', 'engine', 'traffic', 'faults', 'invariants'],
  },
  configuration: { may: ['protocol', 'counterparts'], packages: ['zod'], types: ['engine'] },
  problem: { may: [], packages: [] },
  compact: { may: [], packages: [] },
  'lazy-object': { may: [], packages: ['zod'] },
  edge: {
    may: [
      ...pure,
      'diagnosis',
      'faults',
      'invariants',
      'contract',
      'problem',
      'configuration',
      'session-api',
    ],
    packages: ['node', 'msw', 'yaml', 'zod', 'tsx', '@seriousme/openapi-schema-validator'],
  },
  session: {
    may: [
      ...pure,
      'faults',
      'invariants',
      'contract',
      'scenario',
      'exploration',
      'certification',
      'edge',
      'configuration',
      'problem',
      'session-api',
    ],
    packages: [],
  },
  exploration: {
    may: ['protocol', 'engine', 'traffic', 'faults', 'invariants', 'scenario'],
    packages: [],
    types: ['session-api', 'configuration'],
  },
  // Pages to read in a browser: their frame, and the report of a session.
  report: {
    may: ['protocol', 'engine', 'traffic', 'invariants'],
    packages: ['node'],
    types: ['session-api'],
  },
  // Verdicts over the traffic of a session, by clause; of a session it knows no more than its shapes.
  certification: {
    may: ['protocol', 'engine', 'traffic', 'scenario', 'seed-data', 'report'],
    packages: ['zod'],
    types: ['session-api'],
  },
  msw: { may: ['protocol'], packages: ['msw'], types: ['session-api'] },
  // Matchers and fixtures for tests of others, and their entries.
  matchers: {
    may: [
      'protocol',
      'invariants',
      'traffic',
      'views',
      'edge',
      'session',
      'session-api',
      'problem',
    ],
    packages: ['node'],
  },
  jest: { may: ['matchers', 'problem'], packages: ['expect'] },
  vitest: {
    may: ['matchers', 'problem'],
    packages: ['vitest'],
    types: ['session', 'session-api'],
  },
  index: {
    may: ['session', 'problem'],
    types: [
      'session-api',
      'configuration',
      'engine',
      'traffic',
      'invariants',
      'protocol',
      'edge',
      'exploration',
      'certification',
    ],
  },
  dashboard: {
    may: [
      'protocol',
      'engine',
      'traffic',
      'faults',
      'invariants',
      'session-api',
      'exploration',
      'certification',
    ],
    packages: ['ink', 'react', 'string-width', 'wrap-ansi'],
  },
  cli: {
    may: [
      ...pure,
      'faults',
      'invariants',
      'contract',
      'scenario',
      'exploration',
      'certification',
      'report',
      'edge',
      'session',
      'session-api',
      'configuration',
      'problem',
      'dashboard',
      'demo',
    ],
    packages: [
      'node',
      'commander',
      'zod',
      'tsx',
      'yaml',
      'modern-tar',
      '@modelcontextprotocol/server',
    ],
  },
  // What the product is tried on: it knows the protocol from its documents, and nothing of the product.
  demo: { may: [], packages: ['node', 'zod'] },
}

/** Small functions that any layer may import; the demo shares no code with the product. */
const shared = new Set(['compact', 'lazy-object'])

const imports = productFiles.flatMap(importsOf)

const where = ({ file, from }: Import): string => `${pathOf(file)} imports ${from}`

test('every file belongs to a layer', () => {
  expect(
    files
      .map(roomOf)
      .filter((room) => !(room in layers) && room !== 'architecture' && room !== 'names'),
  ).toEqual([])
})

test('a layer imports only the layers it may', () => {
  // A reader that finds no imports would find no wrong ones either.
  expect(imports.length).toBeGreaterThan(productFiles.length)
  const wrong = imports.filter((each) => {
    if (!isRelative(each)) return false
    const from = roomOf(each.file)
    const to = roomOf(targetOf(each))
    const { may = [], types = [] } = layers[from] ?? {}
    if (from === to || may.includes(to) || (shared.has(to) && from !== 'demo')) return false
    return !(each.typeOnly && types.includes(to))
  })
  expect(wrong.map(where)).toEqual([])
})

test('a layer imports only the packages it may', () => {
  const wrong = imports.filter((each) => {
    const { packages } = layers[roomOf(each.file)] ?? {}
    if (isRelative(each) || packages === undefined) return false
    const name = each.from.startsWith('node:')
      ? 'node'
      : each.from
          .split('/')
          .slice(0, each.from.startsWith('@') ? 2 : 1)
          .join('/')
    return !packages.includes(name)
  })
  expect(wrong.map(where)).toEqual([])
})

test('what every start loads needs no library but the parser of the command line', () => {
  const entries = ['cli/program.ts', 'cli/process-io.ts', 'cli/verbs/catalogue.ts']
  const loaded = new Set(entries.map((path) => join(src, path)))
  const libraries: string[] = []
  // The set grows while it is walked.
  for (const file of loaded)
    for (const each of importsOf(file).filter(({ typeOnly, isDynamic }) => !typeOnly && !isDynamic))
      if (isRelative(each)) loaded.add(targetOf(each))
      else if (!each.from.startsWith('node:')) libraries.push(where(each))
  expect(loaded.size).toBeGreaterThan(entries.length)
  expect(libraries).toEqual(['cli/program.ts imports commander'])
})

test('channels and counterparts do not know each other', () => {
  const wrong = imports.filter((each) => {
    if (!isRelative(each)) return false
    const pair = new Set([roomOf(each.file), roomOf(targetOf(each))])
    return pair.has('channels') && pair.has('counterparts')
  })
  expect(wrong.map(where)).toEqual([])
})

test('rooms of exploration import only those before them', () => {
  const rooms = ['workloads', 'schedules', 'search', 'batch', 'investigation', 'campaign']
  const rank = (file: string): number =>
    rooms.indexOf(/^exploration\/([^/]+)\//.exec(pathOf(file))?.[1] ?? '')
  const wrong = imports.filter((each) => {
    if (!isRelative(each) || rank(each.file) < 0) return false
    return rank(targetOf(each)) > rank(each.file)
  })
  expect(wrong.map(where)).toEqual([])
})

test('pure layers use no clock, no random numbers, no process and no async', () => {
  const forbidden =
    /\b(Date\.now|new Date|Math\.random|setTimeout|setInterval|setImmediate|performance\.|process\.|randomUUID|async function)\b/
  const wrong = productFiles
    .filter((file) =>
      ['protocol', 'engine', 'counterparts', 'channels', 'diagnosis', 'views'].includes(
        roomOf(file),
      ),
    )
    .flatMap((file) =>
      textOf(file)
        .split('\n')
        .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line) && forbidden.test(line))
        .map((line) => `${pathOf(file)}: ${line.trim()}`),
    )
  expect(wrong).toEqual([])
})

/** Circles of imports that stay, each with its reason. Types and dynamic imports count. */
const circlesThatStay: readonly { readonly files: readonly string[]; readonly because: string }[] =
  []

test('imports form no circle but the listed ones; rooms and levels stay few', () => {
  const graph = new Map(
    productFiles.map((file) => [
      pathOf(file),
      new Set(importsOf(file).filter(isRelative).map(targetOf).map(pathOf)),
    ]),
  )
  const circles = circlesOf(graph)
  expect(circles).toEqual(circlesThatStay.map(({ files: members }) => members))
  const rooms = new Map(productFiles.map((file) => [roomOf(file), new Set<string>()]))
  for (const each of imports)
    if (isRelative(each) && roomOf(each.file) !== roomOf(targetOf(each)))
      rooms.get(roomOf(each.file))?.add(roomOf(targetOf(each)))
  const levels = levelsOf(rooms)
  process.stdout.write(`${rooms.size} rooms, ${levels} levels, ${circles.length} circles\n`)
  expect(rooms.size).toBeLessThanOrEqual(30)
  expect(levels).toBeLessThanOrEqual(12)
  expect(circles.length).toBeLessThanOrEqual(3)
  // Between rooms the arrows go one way only.
  expect(circlesOf(rooms)).toEqual([])
})

test('a file is small: no product file over 300 lines but the menus, which are tables', () => {
  const long = productFiles
    .map((file) => ({ file: pathOf(file), lines: textOf(file).split('\n').length }))
    .filter(({ file, lines }) => lines > 300 && !file.includes('menus'))
  expect(long).toEqual([])
})

/** Files that write or remove by themselves, each with its reason: everything else goes through edge/files/output.ts. */
const ownWriters: Readonly<Record<string, string>> = {
  'edge/files/output.ts': 'the writer of outputs',
  'edge/files/replacement.ts': 'its regular files',
  'edge/files/make-folder.ts': 'its folders',
  'edge/terminal.ts': 'the terminal',
  'cli/process-io.ts': 'the last words of a process that ends',
  'edge/recording/line-file.ts': 'appends to a recording, and sets a torn line aside',
  'edge/recording/appender.ts': 'takes back half a line',
  'edge/recording/file-lock.ts': 'locks are files of their own',
  'edge/recording/recording-folder.ts': 'removes what a killed recorder left',
  'edge/recording/compress-segment.ts': 'removes a segment that was compressed',
  'edge/recording/replace-known-in-folder.ts': 'removes bodies that were replaced',
  'edge/recording/line-source.ts': 'unpacks into a temporary file',
  'edge/registry/session-registry.ts': 'removes the files of sessions that are gone',
  'cli/edit-text.ts': 'a temporary file for the editor',
  'cli/certify/run-verify.ts': 'unpacks a recording into a temporary folder',
  'cli/temporary-folder.ts': 'removes its temporary folder',
  'cli/explore/corpus.ts': 'removes its temporary folder',
  'cli/formats/recording-output.ts': 'removes what it made itself',
  'cli/formats/unpack-source.ts': 'unpacks into a temporary file',
  'cli/minimise/products.ts': 'removes its temporary folder',
  'cli/minimise/test-folder.ts': 'fills a temporary folder',
  'cli/run/process-output.ts': 'keeps the output of a service in a temporary file',
  'demo/durable-store.ts': 'shares no code with the product',
}

test('outputs have one writer: no other file imports what creates, replaces or removes files', () => {
  const statements = /^import (?!type)(?:[^;'"]*?) from 'node:fs(?:\/promises)?'/gm
  const writes =
    /\b(?:(?:writeFile|appendFile|copyFile|rename|rm|unlink|mkdir|truncate|ftruncate|link|symlink|write)(?:Sync)?|cp|cpSync|rmdir|rmdirSync|createWriteStream)\b/
  const opensToWrite = /\bopen(?:Sync)?\([^)]*,\s*'(?:w|a|r\+)/
  const found = productFiles
    .filter((file) => {
      const text = textOf(file)
      const imported = text.match(statements) ?? []
      return imported.some((each) => writes.test(each) || opensToWrite.test(text))
    })
    .map(pathOf)
  expect(found.sort()).toEqual(Object.keys(ownWriters).sort())
})

test('there are no default exports, and no notes about work that is left', () => {
  const wrong = productFiles.flatMap((file) =>
    textOf(file)
      .split('\n')
      .filter((line) => line.startsWith('export default') || /\b(TODO|FIXME|XXX)\b/.test(line))
      .map((line) => `${pathOf(file)}: ${line.trim()}`),
  )
  expect(wrong).toEqual([])
})
