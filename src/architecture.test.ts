/**
 * The layers as data, and the test that holds them: who may import whom, which packages, and what nobody may reach for.
 * It reads the tree, so a file that stands in no layer fails it too.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Layer {
  /** The layers that it may import, besides itself. */
  readonly may: readonly string[]
  /** The packages that it may import; any when absent. */
  readonly packages?: readonly string[]
  /** It may import these layers for their types only. */
  readonly types?: readonly string[]
}

const pure = ['protocol', 'engine', 'seed-data', 'counterparts', 'channels', 'traffic', 'views']

const layers: Readonly<Record<string, Layer>> = {
  protocol: { may: [], packages: ['zod'] },
  engine: { may: ['protocol'], packages: [] },
  'seed-data': { may: ['protocol', 'engine'], packages: ['@faker-js/faker', '@msw/data'] },
  counterparts: { may: ['protocol', 'engine', 'seed-data'], packages: [] },
  channels: { may: ['protocol', 'engine', 'seed-data'], packages: [] },
  traffic: { may: ['protocol', 'engine'], packages: ['zod', 'json-p3'] },
  faults: { may: ['protocol', 'engine', 'traffic'], packages: ['zod'] },
  // It judges what it is shown; of a session it knows no more than its shapes.
  invariants: {
    may: ['protocol', 'engine', 'traffic', 'faults'],
    packages: ['zod'],
    types: ['session-api'],
  },
  scenario: {
    may: ['protocol', 'engine', 'traffic', 'faults', 'invariants', 'configuration', 'problem'],
    packages: ['zod'],
    types: ['session-api', 'session'],
  },
  views: {
    may: ['protocol', 'engine', 'traffic', 'invariants'],
    packages: [],
    types: ['session-api'],
  },
  // What a session offers and what it may be told: shapes, seen by whoever opens, watches or steers one.
  'session-api': {
    may: [],
    packages: [],
    types: ['protocol', 'engine', 'traffic', 'faults', 'invariants'],
  },
  configuration: { may: ['protocol', 'counterparts'], packages: ['zod'] },
  problem: { may: [], packages: [] },
  compact: { may: [], packages: [] },
  edge: {
    may: [...pure, 'faults', 'invariants', 'problem', 'compact', 'configuration', 'session-api'],
    packages: ['node', 'msw', 'find-my-way', 'yaml', 'zod', 'tsx'],
  },
  session: {
    may: [
      ...pure,
      'faults',
      'invariants',
      'scenario',
      'edge',
      'configuration',
      'problem',
      'compact',
      'session-api',
    ],
    packages: [],
  },
  msw: { may: ['protocol'], packages: ['msw'], types: ['session'] },
  index: {
    may: ['session', 'problem'],
    types: ['session-api', 'configuration', 'engine', 'traffic', 'invariants', 'protocol', 'edge'],
  },
  dashboard: {
    may: ['protocol', 'engine', 'traffic', 'faults', 'invariants', 'session-api'],
    packages: ['ink', 'react'],
  },
  cli: {
    may: [
      ...pure,
      'faults',
      'invariants',
      'scenario',
      'edge',
      'session',
      'session-api',
      'configuration',
      'problem',
      'compact',
      'dashboard',
    ],
    packages: ['node', 'commander', 'zod', 'tsx', 'yaml'],
  },
  // What the product is tried on: it knows the protocol from its documents, and nothing of the product.
  demo: { may: [], packages: ['node', 'zod'] },
}

const src = fileURLToPath(new URL('.', import.meta.url))

/** The layer of a file: its folder, or for a file at the top of `src` its own name. */
const layerOf = (path: string): string =>
  (relative(src, path).split('/')[0] ?? '').replace(/\.(ts|tsx)$/, '')

interface Import {
  readonly file: string
  readonly from: string
  readonly typeOnly: boolean
}

const statement = /^(?:import|export)\s+(type\s)?(?:[^'"();]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(file, 'utf8')
  const still = [...text.matchAll(statement)].map(([, type, from = '']) => ({
    file,
    from,
    typeOnly: type !== undefined,
  }))
  const later = [...text.matchAll(dynamic)].map(([, from = '']) => ({
    file,
    from,
    typeOnly: false,
  }))
  return [...still, ...later]
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join(src, path))
const product = files.filter((path) => !/\.test\.tsx?$/.test(path))
const imports = product.flatMap(importsOf)

const where = ({ file, from }: Import): string => `${relative(src, file)} imports ${from}`

/** The file that a relative import means. */
const target = ({ file, from }: Import): string => join(file, '..', from)

test('every file stands in a layer', () => {
  expect(
    files.map(layerOf).filter((layer) => !(layer in layers) && layer !== 'architecture.test'),
  ).toEqual([])
})

test('a layer imports only the layers it may', () => {
  // A reader that finds no imports would find no wrong ones either.
  expect(imports.length).toBeGreaterThan(product.length)
  const wrong = imports.filter((each) => {
    if (!each.from.startsWith('.')) return false
    const from = layerOf(each.file)
    const to = layerOf(target(each))
    const { may = [], types = [] } = layers[from] ?? {}
    return from !== to && !may.includes(to) && !(each.typeOnly && types.includes(to))
  })
  expect(wrong.map(where)).toEqual([])
})

test('a layer imports only the packages it may', () => {
  const wrong = imports.filter((each) => {
    const { packages } = layers[layerOf(each.file)] ?? {}
    if (each.from.startsWith('.') || packages === undefined) return false
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

test('channels and counterparts are strangers to each other', () => {
  const wrong = imports.filter((each) => {
    if (!each.from.startsWith('.')) return false
    const pair = new Set([layerOf(each.file), layerOf(target(each))])
    return pair.has('channels') && pair.has('counterparts')
  })
  expect(wrong.map(where)).toEqual([])
})

test('pure layers ask the machine nothing', () => {
  const forbidden =
    /\b(Date\.now|new Date|Math\.random|setTimeout|setInterval|setImmediate|performance\.|process\.|randomUUID|async function)\b/
  const wrong = product
    .filter((file) =>
      ['protocol', 'engine', 'counterparts', 'channels', 'views'].includes(layerOf(file)),
    )
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line) && forbidden.test(line))
        .map((line) => `${relative(src, file)}: ${line.trim()}`),
    )
  expect(wrong).toEqual([])
})

test('nothing goes round in a circle', () => {
  const graph = new Map<string, readonly string[]>()
  for (const file of product)
    graph.set(
      file,
      importsOf(file)
        .filter((each) => each.from.startsWith('.') && !each.typeOnly)
        .map(target),
    )
  const done = new Set<string>()
  const circles: string[] = []
  function walk(file: string, way: readonly string[]): void {
    if (way.includes(file)) {
      const circle = [...way.slice(way.indexOf(file)), file]
      circles.push(circle.map((each) => relative(src, each)).join(' > '))
      return
    }
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...way, file])
    done.add(file)
  }
  for (const file of product) walk(file, [])
  expect(circles).toEqual([])
})

test('a file is small: no product file over 300 lines but tables', () => {
  const long = product
    .map((file) => ({
      file: relative(src, file),
      lines: readFileSync(file, 'utf8').split('\n').length,
    }))
    .filter(({ file, lines }) => lines > 300 && !file.includes('menus'))
  expect(long).toEqual([])
})

test('no default exports, and no word about who wrote it', () => {
  const wrong = product.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('export default') || /\b(TODO|FIXME|XXX)\b/.test(line))
      .map((line) => `${relative(src, file)}: ${line.trim()}`),
  )
  expect(wrong).toEqual([])
})
