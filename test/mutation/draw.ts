/** Draws mutants: the same seed and the same sources give the same mutants, and more of them begin with the same. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createChance } from '../../src/core/engine/chance.ts'
import { mutantsOf, mutated, operators, parses, type PlacedMutant } from './mutants.ts'

export interface Drawn extends PlacedMutant {
  /** Stays the same while the file does. */
  readonly id: string
  readonly path: string
  readonly line: number
  /** The whole file, before and after. */
  readonly original: string
  readonly mutated: string
}

export interface Source {
  readonly path: string
  readonly text: string
  /** The lines, counted from 1, in which mutants are wanted; all when absent. */
  readonly lines?: ReadonlySet<number>
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** The product files below `src`, or below one room of it. */
export const sourcesIn = (root: string, room = 'src'): readonly Source[] =>
  globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .filter((path) => path === room || path.startsWith(`${room.replace(/\/$/, '')}/`))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Only what was changed since a commit: its files, and in them its lines. */
export function changedSince(
  root: string,
  base: string,
  sources: readonly Source[],
): readonly Source[] {
  const diff = execFileSync('git', ['diff', '-U0', base, '--', 'src'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const changed = new Map<string, Set<number>>()
  let lines = new Set<number>()
  for (const row of diff.split('\n')) {
    const path = /^\+\+\+ b\/(.*)/.exec(row)?.[1]
    if (path !== undefined) changed.set(path, (lines = new Set()))
    const [, from, count = '1'] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(row) ?? []
    if (from !== undefined)
      for (let line = 0; line < Number(count); line++) lines.add(Number(from) + line)
  }
  return sources.flatMap((source) => {
    const touched = changed.get(source.path)
    return touched === undefined ? [] : [{ ...source, lines: touched }]
  })
}

/** Each operator is drawn as often as each other, so that the many members of objects do not crowd out the rest. */
export function draw(sources: readonly Source[], seed: number, count: number): readonly Drawn[] {
  const chance = createChance(seed)
  const candidates = new Map(
    operators.map((operator) => [operator, [] as [Source, PlacedMutant][]]),
  )
  for (const source of sources)
    for (const mutant of mutantsOf(source.path, source.text))
      if (source.lines?.has(lineOf(source.text, mutant.start)) ?? true)
        candidates.get(mutant.operator)?.push([source, mutant])
  const drawn = new Map<string, Drawn>()
  while (drawn.size < count) {
    const left = [...candidates.values()].filter(({ length }) => length > 0)
    if (left.length === 0) break
    const list = chance.pick(left)
    const [taken] = list.splice(chance.below(list.length), 1)
    if (!taken) break
    const [{ path, text }, mutant] = taken
    const after = mutated(text, mutant)
    if (after === text || !parses(path, after)) continue
    const id = createHash('sha256').update(`${path}\n${text}\n${after}`).digest('hex').slice(0, 12)
    const line = lineOf(text, mutant.start)
    drawn.set(id, { ...mutant, id, path, line, original: text, mutated: after })
  }
  return [...drawn.values()]
}
