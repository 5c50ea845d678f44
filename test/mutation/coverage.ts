/**
 * Which test files execute a line of the product: recorded once by a run of all tests, and kept beside the journal. A file
 * that was changed since then counts as executed in every line.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { Source } from './draw.ts'
import type { RelatedTests } from './related-tests.ts'

/** Ranges of lines, counted from 1, both ends included. */
export type ExecutedLines = readonly (readonly [first: number, last: number])[]

/** What record-coverage.ts writes for a test file. */
export interface TestCoverage {
  readonly test: string
  readonly ms: number
  /** By the path of the product file. */
  readonly lines: Readonly<Record<string, ExecutedLines>>
}

export interface Coverage {
  /** Hashes of the product files at that time, by path. */
  readonly sources: Readonly<Record<string, string>>
  readonly tests: readonly TestCoverage[]
}

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)

/**
 * Runs all tests but the nightly ones, or those of the files that are named, which takes longer than without being counted.
 * Tests that fail are recorded, too.
 */
export function recordCoverage(
  root: string,
  file: string,
  sources: readonly Source[],
  tests: readonly string[] = [],
): Coverage {
  const recorded = `${file}.recorded`
  mkdirSync(dirname(file), { recursive: true })
  rmSync(recorded, { force: true })
  spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config=vitest.coverage.config.ts',
      '--reporter=dot',
      '--tags-filter=!nightly',
      ...tests,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, MUTATION_COVERAGE: recorded } },
  )
  if (!existsSync(recorded)) throw new Error('the run of all tests recorded nothing')
  const lines = readFileSync(recorded, 'utf8').split('\n').filter(Boolean)
  const coverage: Coverage = {
    sources: Object.fromEntries(sources.map(({ path, text }) => [path, hashOf(text)])),
    tests: lines.map((line) => JSON.parse(line) as TestCoverage),
  }
  writeFileSync(file, JSON.stringify(coverage))
  rmSync(recorded)
  return coverage
}

/** Undefined when there is none, or when a tenth of the files differ from those that it was recorded with. */
export function readCoverage(file: string, sources: readonly Source[]): Coverage | undefined {
  if (!existsSync(file)) return undefined
  const coverage = JSON.parse(readFileSync(file, 'utf8')) as Coverage
  const changed = sources.filter(({ path, text }) => coverage.sources[path] !== hashOf(text))
  return changed.length * 10 > sources.length ? undefined : coverage
}

/** A place in a source file whose tests are wanted. */
export interface Place {
  readonly path: string
  readonly line: number
  readonly original: string
  /** Outside of functions a line is executed once, when the module is loaded: which test loads it is chance. */
  readonly inFunction: boolean
}

/**
 * Code that runs once in a process, such as what makes a value that is kept, is executed by only the first tests that
 * need it.
 */
const fewTests = 4

/**
 * The test files that may notice a change of a place: those that execute its line, fastest first, then those that reach it by
 * their imports and start the program, whose own processes nobody counts. Outside of functions and where few execute the line,
 * those that execute anything of its file, and those that import it.
 */
export function testsOf(
  place: Place,
  { sources, tests }: Coverage,
  related: RelatedTests,
): readonly string[] {
  const { path, line, original, inFunction } = place
  const executing = tests.filter(({ lines }) => path in lines).toSorted((a, b) => a.ms - b.ms)
  const isExecuted = ([first, last]: ExecutedLines[number]): boolean =>
    first <= line && line <= last
  const byLine =
    inFunction && sources[path] === hashOf(original)
      ? executing.filter(({ lines }) => lines[path]?.some(isExecuted))
      : []
  const imports = related.of(path)
  const others = byLine.length < fewTests ? [...executing.map(({ test }) => test), ...imports] : []
  return [
    ...new Set([
      ...byLine.map(({ test }) => test),
      ...(inFunction
        ? others.filter((test) => executing.some((each) => each.test === test))
        : others),
      ...imports.filter(related.startsProgram),
    ]),
  ]
}
