/** The sources under `src` as data: files, imports and exported names, for the tests of the architecture. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const src = fileURLToPath(new URL('../../src/', import.meta.url))

/** Every source file, tests among them. */
export const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join(src, path))

/** Every source file that is no test. */
export const productFiles = files.filter((path) => !/\.test\.tsx?$/.test(path))

export const textOf = (file: string): string => readFileSync(file, 'utf8')

/** The path below `src`. */
export const pathOf = (file: string): string => relative(src, file)

/** The wing of a file: its folder at the top of `src`, or for a file there its own name. */
export const wingOf = (file: string): string =>
  (pathOf(file).split('/')[0] ?? '').replace(/(?:\.test)?\.tsx?$/, '')

export interface Import {
  readonly file: string
  /** The specifier as written. */
  readonly from: string
  readonly typeOnly: boolean
  /** `import('…')`: loaded when it is reached. */
  readonly isDynamic: boolean
}

const statement = /^(?:import|export)\s+(type\s)?(?:[^'"();]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*[,)]/g

/** All imports of a file: static, of types only, and dynamic. */
export function importsOf(file: string): readonly Import[] {
  const text = textOf(file)
  return [
    ...Array.from(text.matchAll(statement), ([, type, from = '']) => ({
      file,
      from,
      typeOnly: type !== undefined,
      isDynamic: false,
    })),
    ...Array.from(text.matchAll(dynamic), ([, from = '']) => ({
      file,
      from,
      typeOnly: false,
      isDynamic: true,
    })),
  ]
}

export const isRelative = ({ from }: Import): boolean => from.startsWith('.')

/** The file that a relative import refers to. */
export const targetOf = ({ file, from }: Import): string => join(file, '..', from)

const declaration =
  /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm

/** The names that a file declares and exports; a schema and its type count once. */
export const exportedBy = (file: string): readonly string[] => [
  ...new Set(Array.from(textOf(file).matchAll(declaration), ([, name = '']) => name)),
]

/** What a node of a graph is connected to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Groups of nodes that can all reach each other: the circles of a graph (Tarjan). */
export function circlesOf(graph: Graph): readonly (readonly string[])[] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  function visit(node: string): void {
    const own = index.size
    index.set(node, own)
    low.set(node, own)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(node) !== own) return
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1) circles.push(circle.toSorted())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return circles
}

/** The level of each node: one more than the highest it is connected to; members of a circle are at the same level. */
export function levelOfEach(graph: Graph): ReadonlyMap<string, number> {
  const circles = circlesOf(graph)
  const group = (node: string): readonly string[] =>
    circles.find((circle) => circle.includes(node)) ?? [node]
  const known = new Map<string, number>()
  function level(node: string): number {
    const own = group(node)
    const before = known.get(own[0] ?? node)
    if (before !== undefined) return before
    const below = own
      .flatMap((each) => [...(graph.get(each) ?? [])])
      .filter((each) => !own.includes(each))
    const found = 1 + Math.max(0, ...below.map(level))
    known.set(own[0] ?? node, found)
    return found
  }
  return new Map([...graph.keys()].map((node) => [node, level(node)]))
}
