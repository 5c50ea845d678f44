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
  levelOfEach,
  pathOf,
  productFiles,
  src,
  targetOf,
  textOf,
  wingOf,
} from '../test/support/source-tree.ts'

/** The wings: folders of `src`, and the other wings that each may import. */
const wings: Readonly<Record<string, readonly string[]>> = {
  core: [],
  terminal: ['core'],
  replay: ['core', 'terminal'],
  explore: ['core', 'terminal'],
  certify: ['core', 'terminal'],
  // What the product is tried on: it knows the protocol from its documents, and nothing of the product.
  demo: [],
  sparring: ['core', 'terminal', 'replay', 'explore', 'certify', 'demo'],
}

interface Room {
  /** The rooms of core that it may import, besides itself and `base`. */
  readonly may: readonly string[]
  /** It may import these for their types only. */
  readonly types?: readonly string[]
}

/** The rooms of core from the ground: folders of `src/core`. */
const rooms: Readonly<Record<string, Room>> = {
  base: { may: [] },
  protocol: { may: [] },
  engine: { may: ['protocol'] },
  traffic: { may: ['protocol', 'engine'] },
  faults: { may: ['protocol', 'engine', 'traffic', 'partners'] },
  partners: { may: ['protocol', 'engine'] },
  // They judge what they are shown, and of a session know no more than its shapes.
  rules: { may: ['protocol', 'engine', 'traffic', 'faults'], types: ['session-api'] },
  // Types of what a session offers and of the commands that it takes; its configuration.
  'session-api': {
    may: ['protocol', 'partners'],
    types: ['engine', 'traffic', 'faults', 'rules'],
  },
  views: { may: ['protocol', 'engine', 'traffic', 'rules'], types: ['session-api'] },
  scenario: { may: ['protocol', 'engine', 'traffic', 'faults', 'rules', 'session-api'] },
  runtime: { may: ['protocol', 'engine', 'traffic', 'faults', 'rules', 'session-api', 'views'] },
  session: {
    may: [
      'protocol',
      'engine',
      'traffic',
      'faults',
      'partners',
      'rules',
      'session-api',
      'views',
      'scenario',
      'runtime',
    ],
  },
}

/** The packages that a folder may import: the row of the longest path counts. `node` is the modules of Node. */
const packages: Readonly<Record<string, readonly string[]>> = {
  // node:vm interrupts an expression that takes too long.
  'core/base': ['node', 'zod'],
  'core/protocol': ['zod'],
  // zod makes the schemas of commands, which a start does not need.
  'core/engine': ['zod'],
  'core/engine/channels': [],
  'core/traffic': ['zod'],
  'core/faults': ['zod'],
  'core/partners/seed-data': ['@faker-js/faker', '@msw/data'],
  'core/partners/counterparts': [],
  'core/rules': ['zod'],
  'core/rules/contract': ['ajv', 'ajv-formats'],
  'core/rules/diagnosis': [],
  'core/session-api': ['zod'],
  'core/views': [],
  'core/scenario': ['zod'],
  'core/runtime': ['node', 'msw', 'yaml', 'zod', 'tsx', '@seriousme/openapi-schema-validator'],
  'core/session': [],
  'terminal/cli': ['node', 'zod', 'yaml'],
  'terminal/dashboard': ['ink', 'react', 'string-width', 'wrap-ansi'],
  'terminal/page': ['node'],
  'terminal/service': ['node'],
  'replay/identity': ['zod'],
  'replay/difference': ['zod', 'json-p3'],
  'replay/minimise': ['zod'],
  'replay/formats': ['zod', 'yaml', 'json-p3'],
  'replay/from-recording': ['zod'],
  'replay/playback': ['node', 'zod'],
  'replay/proxy': ['node', 'zod'],
  'replay/cli': ['node', 'yaml', 'zod'],
  'explore/workloads': [],
  'explore/schedules': [],
  'explore/search': [],
  'explore/batch': [],
  'explore/investigation': [],
  'explore/campaign': [],
  // Sessions are played in worker threads.
  'explore/session': ['node'],
  'explore/screen': ['ink', 'react', 'string-width', 'wrap-ansi'],
  'explore/cli': ['node', 'yaml', 'zod'],
  'certify/judge': ['zod'],
  'certify/procedures': ['zod'],
  'certify/report': ['zod'],
  'certify/session': [],
  'certify/screen': ['ink', 'react', 'string-width', 'wrap-ansi'],
  'certify/cli': ['node', 'zod', 'modern-tar'],
  demo: ['node', 'zod'],
  sparring: ['node', 'zod', 'yaml', 'commander', '@modelcontextprotocol/server'],
  'sparring/library': ['node', 'msw', 'expect', 'vitest'],
}

const imports = productFiles.flatMap(importsOf)

const where = ({ file, from }: Import): string => `${pathOf(file)} imports ${from}`

/** Folders of a file below `src`, the longest first: `core/engine/orders`, `core/engine`, `core`. */
const foldersOf = (file: string): readonly string[] =>
  pathOf(file)
    .split('/')
    .slice(0, -1)
    .map((_, index, names) => names.slice(0, names.length - index).join('/'))

const packagesOf = (file: string): readonly string[] =>
  packages[foldersOf(file).find((folder) => folder in packages) ?? ''] ?? []

const coreRoomOf = (file: string): string => pathOf(file).split('/')[1] ?? ''

/** Whether a file lies in one of the folders. */
const isIn = (file: string, folders: readonly string[]): boolean =>
  folders.some((folder) => pathOf(file).startsWith(`${folder}/`))

test('every file belongs to a wing, and in core to a room', () => {
  const misplaced = files
    .map(pathOf)
    .filter((path) => path.includes('/'))
    .filter((path) => {
      const [wing = '', room = ''] = path.split('/')
      return !(wing in wings) || (wing === 'core' && !(room in rooms))
    })
  expect(misplaced).toEqual([])
  expect(productFiles.map(pathOf).filter((path) => !path.includes('/'))).toEqual([])
})

test('a wing imports only the wings it may, and a room of core only the rooms it may', () => {
  // A reader that finds no imports would find no wrong ones either.
  expect(imports.length).toBeGreaterThan(productFiles.length)
  const wrong = imports.filter((each) => {
    if (!isRelative(each)) return false
    const [from, to] = [wingOf(each.file), wingOf(targetOf(each))]
    if (from !== to) return !wings[from]?.includes(to)
    if (from !== 'core') return false
    const [room, other] = [coreRoomOf(each.file), coreRoomOf(targetOf(each))]
    const { may = [], types = [] } = rooms[room] ?? {}
    if (room === other || other === 'base' || may.includes(other)) return false
    return !(each.typeOnly && types.includes(other))
  })
  expect(wrong.map(where)).toEqual([])
})

test('a folder imports only the packages it may', () => {
  const wrong = imports.filter((each) => {
    if (isRelative(each)) return false
    const name = each.from.startsWith('node:')
      ? 'node'
      : each.from
          .split('/')
          .slice(0, each.from.startsWith('@') ? 2 : 1)
          .join('/')
    return !packagesOf(each.file).includes(name)
  })
  expect(wrong.map(where)).toEqual([])
})

test('what every start loads needs no library but the parser of the command line', () => {
  const entries = ['program.ts', 'process-io.ts'].map((name) => `sparring/verbs/support/${name}`)
  const loaded = new Set([...entries, 'sparring/verbs/catalogue.ts'].map((path) => join(src, path)))
  const libraries: string[] = []
  // The set grows while it is walked.
  for (const file of loaded)
    for (const each of importsOf(file).filter(({ typeOnly, isDynamic }) => !typeOnly && !isDynamic))
      if (isRelative(each)) loaded.add(targetOf(each))
      else if (!each.from.startsWith('node:')) libraries.push(where(each))
  expect(loaded.size).toBeGreaterThan(entries.length)
  expect(libraries).toEqual(['sparring/verbs/support/program.ts imports commander'])
})

test('channels and counterparts do not know each other', () => {
  const wrong = imports.filter((each) => {
    if (!isRelative(each)) return false
    const ends = [each.file, targetOf(each)]
    return ['core/engine/channels', 'core/partners/counterparts'].every((folder) =>
      ends.some((end) => isIn(end, [folder])),
    )
  })
  expect(wrong.map(where)).toEqual([])
})

test('rooms of explore import only those before them', () => {
  const order = ['workloads', 'schedules', 'search', 'batch', 'investigation', 'campaign']
  const rank = (file: string): number =>
    order.indexOf(/^explore\/([^/]+)\//.exec(pathOf(file))?.[1] ?? '')
  const wrong = imports.filter((each) => {
    if (!isRelative(each) || rank(each.file) < 0) return false
    return rank(targetOf(each)) > rank(each.file)
  })
  expect(wrong.map(where)).toEqual([])
})

const pureFolders = [
  'core/protocol',
  'core/engine',
  'core/partners/counterparts',
  'core/rules/diagnosis',
  'core/views',
]

test('pure layers use no clock, no random numbers, no process and no async', () => {
  const forbidden =
    /\b(Date\.now|new Date|Math\.random|setTimeout|setInterval|setImmediate|performance\.|process\.|randomUUID|async function)\b/
  const wrong = productFiles
    .filter((file) => isIn(file, pureFolders))
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
  const arrows = (level: (file: string) => string): ReadonlyMap<string, ReadonlySet<string>> => {
    const between = new Map(productFiles.map((file) => [level(file), new Set<string>()]))
    for (const each of imports)
      if (isRelative(each) && level(each.file) !== level(targetOf(each)))
        between.get(level(each.file))?.add(level(targetOf(each)))
    return between
  }
  const wingsAndRooms = arrows((file) =>
    wingOf(file) === 'core' ? `core/${coreRoomOf(file)}` : wingOf(file),
  )
  const levels = levelOfEach(wingsAndRooms)
  const highest = Math.max(...levels.values())
  for (let level = 1; level <= highest; level++) {
    const names = [...levels].filter(([, own]) => own === level).map(([name]) => name)
    process.stdout.write(`${String(level).padStart(2)}  ${names.toSorted().join(' · ')}\n`)
  }
  process.stdout.write(`${levels.size} wings and rooms of core, ${circles.length} circles\n`)
  expect([...arrows(wingOf).keys()].toSorted()).toEqual(Object.keys(wings).toSorted())
  expect(highest).toBeLessThanOrEqual(14)
  // Between rooms the arrows go one way only.
  expect(circlesOf(wingsAndRooms)).toEqual([])
})

test('a file is small: no product file over 500 lines but the menus, which are tables', () => {
  const long = productFiles
    .map((file) => ({ file: pathOf(file), lines: textOf(file).split('\n').length }))
    .filter(({ file, lines }) => lines > 500 && !file.includes('menus'))
  expect(long).toEqual([])
})

/**
 * Files that write or remove by themselves, each with its reason: everything else goes through core/runtime/files/output.ts.
 */
const ownWriters: Readonly<Record<string, string>> = {
  'core/runtime/files/output.ts': 'the writer of outputs',
  'core/runtime/files/replacement.ts': 'its regular files',
  'core/runtime/files/make-folder.ts': 'its folders',
  'core/runtime/terminal.ts': 'the terminal',
  'sparring/verbs/support/process-io.ts': 'the last words of a process that ends',
  'core/runtime/recording/line-file.ts': 'appends to a recording, and sets a torn line aside',
  'core/runtime/recording/appender.ts': 'takes back half a line',
  'core/runtime/recording/file-lock.ts': 'locks are files of their own',
  'core/runtime/recording/recording-folder.ts': 'removes what a killed recorder left',
  'core/runtime/recording/compress-segment.ts': 'removes a segment that was compressed',
  'core/runtime/recording/folder-target.ts': 'removes bodies that were replaced',
  'core/runtime/recording/line-source.ts': 'unpacks into a temporary file',
  'core/runtime/registry/session-registry.ts': 'removes the files of sessions that are gone',
  'terminal/cli/edit-text.ts': 'a temporary file for the editor',
  'certify/cli/run-verify.ts': 'unpacks a recording into a temporary folder',
  'terminal/cli/temporary-folder.ts': 'removes its temporary folder',
  'explore/cli/corpus.ts': 'removes its temporary folder',
  'replay/cli/formats/recording-output.ts': 'removes what it made itself',
  'replay/cli/formats/unpack-source.ts': 'unpacks into a temporary file',
  'replay/cli/minimise/products.ts': 'removes its temporary folder',
  'replay/cli/minimise/proof.ts': 'fills a temporary folder',
  'terminal/service/process-output.ts': 'keeps the output of a service in a temporary file',
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
