/**
 * A setup file of Vitest: writes a line for each test file into the file that MUTATION_COVERAGE names, with the lines of
 * the product that its functions executed. The workers are not isolated, so what is counted is what came since the last test
 * file; what a module does when it is loaded is left out, because only the first test file that imports it would have done it.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import type { ExecutedLines, TestCoverage } from './coverage.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

declare global {
  var mutationCoverage: Promise<Session> | undefined
}

async function started(): Promise<Session> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return session
}

/** Offsets at which the lines of a text begin. */
function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The number of the line that holds an offset, counted from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  return low + 1
}

interface Functions {
  readonly functions: readonly {
    readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[]
  }[]
}

/** The lines of a script that functions executed, but for the function that is the module. */
function executedLines(text: string, { functions }: Functions): ExecutedLines {
  const starts = lineStarts(text)
  const executed = new Set<number>()
  for (const { ranges } of functions) {
    const [whole, ...blocks] = ranges
    if (!whole || whole.count === 0 || whole.startOffset === 0) continue
    const [first, last] = [lineAt(starts, whole.startOffset), lineAt(starts, whole.endOffset - 1)]
    const isSkipped = (line: number): boolean =>
      blocks.some(
        ({ startOffset, endOffset, count }) =>
          count === 0 &&
          startOffset <= (starts[line - 1] ?? 0) &&
          (starts[line] ?? text.length) <= endOffset,
      )
    for (let line = first; line <= last; line++) if (!isSkipped(line)) executed.add(line)
  }
  const ranges: [number, number][] = []
  for (const line of [...executed].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges
}

/** What was executed since this was called last. */
async function takeCoverage(): Promise<Readonly<Record<string, ExecutedLines>>> {
  const session = await (globalThis.mutationCoverage ??= started())
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const lines = result.flatMap((script): [string, ExecutedLines][] => {
    if (!script.url.startsWith('file:')) return []
    const [url = ''] = script.url.split('?')
    const path = relative(root, fileURLToPath(url)).replaceAll('\\', '/')
    if (!path.startsWith('src/') || /\.test\.tsx?$/.test(path)) return []
    const executed = executedLines(readFileSync(fileURLToPath(url), 'utf8'), script)
    return executed.length === 0 ? [] : [[path, executed]]
  })
  return Object.fromEntries(lines)
}

const target = process.env['MUTATION_COVERAGE']
if (target !== undefined) {
  await takeCoverage()
  const began = performance.now()
  // Registered before all others of the file, it comes last.
  afterAll(async () => {
    const test = relative(root, expect.getState().testPath ?? '').replaceAll('\\', '/')
    const ms = Math.round(performance.now() - began)
    const line: TestCoverage = { test, ms, lines: await takeCoverage() }
    appendFileSync(target, `${JSON.stringify(line)}\n`)
  })
}
