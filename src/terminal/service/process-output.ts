/**
 * The output of a process that we started: its first and last lines for a report and, where these are not all, a file with
 * all of it.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface ProcessOutput {
  readonly append: (text: string) => void
  /** The first and the last lines; between them a line that says how many are left out, and where they are. */
  readonly lines: () => readonly string[]
  /** Removes the file: no report names it. */
  readonly discard: () => void
  /** Closes the file; it stays, because a report names it. */
  readonly close: () => void
}

export interface ProcessOutputLimits {
  readonly firstLines: number
  readonly lastLines: number
  /** Characters kept in memory of the last lines, and of each line in a report. */
  readonly maxChars: number
  readonly maxLineChars: number
  /** Bytes of the file. */
  readonly maxFileBytes: number
}

const defaultLimits: ProcessOutputLimits = {
  firstLines: 10,
  lastLines: 20,
  maxChars: 64_000,
  maxLineChars: 2000,
  maxFileBytes: 256_000_000,
}

interface OutputFile {
  readonly path: string
  readonly write: (text: string) => void
  readonly close: () => void
  /** Why it does not hold everything. */
  readonly problem: () => string | undefined
}

function createOutputFile(maxBytes: number): OutputFile {
  let path = join(tmpdir(), 'sparring-output')
  let descriptor: number | undefined
  let problem: string | undefined
  let bytes = 0
  const attempt = (act: () => void): void => {
    try {
      act()
    } catch (error) {
      problem ??= error instanceof Error ? error.message : String(error)
    }
  }
  attempt(() => {
    path = join(mkdtempSync(join(tmpdir(), 'sparring-output-')), 'service.log')
    descriptor = openSync(path, 'wx', 0o600)
  })
  return {
    path,
    problem: () => problem,
    write(text) {
      if (descriptor === undefined || problem !== undefined) return
      const written = Buffer.from(text)
      bytes += written.length
      if (bytes > maxBytes) problem = `it ends after ${maxBytes / 1_000_000} MB`
      else attempt(() => void writeSync(descriptor ?? 0, written))
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    },
  }
}

export function createProcessOutput(limits: Partial<ProcessOutputLimits> = {}): ProcessOutput {
  const bounds = { ...defaultLimits, ...limits }
  const { firstLines, lastLines, maxChars, maxLineChars, maxFileBytes } = bounds
  let first = ''
  let last = ''
  let lineBreaks = 0
  /** Once the output is more than a report shows; until then `last` is all of it. */
  let file: OutputFile | undefined

  const linesOf = (text: string): readonly string[] =>
    text.trim() === '' ? [] : text.trimEnd().split('\n')
  const shortened = (line: string): string =>
    line.length > maxLineChars ? `${line.slice(0, maxLineChars)} …` : line

  return {
    append(text) {
      for (const character of text) if (character === '\n') lineBreaks++
      if (first.length < maxChars) first = (first + text).slice(0, maxChars)
      const all = last + text
      if (file) file.write(text)
      else if (all.length > maxChars || lineBreaks > firstLines + lastLines) {
        file = createOutputFile(maxFileBytes)
        file.write(all)
      }
      last = all.slice(-maxChars)
    },
    lines() {
      if (!file) return linesOf(last).map(shortened)
      const problem = file.problem()
      const where = `all of them: ${file.path}${problem === undefined ? '' : ` (${problem})`}`
      const begin = linesOf(first).slice(0, firstLines)
      const end = linesOf(last).slice(-lastLines)
      const left = Math.max(0, lineBreaks - begin.length - end.length)
      return [...begin.map(shortened), `… ${left} lines; ${where}`, ...end.map(shortened)]
    },
    close: () => file?.close(),
    discard() {
      file?.close()
      if (file) rmSync(dirname(file.path), { recursive: true, force: true })
      file = undefined
    },
  }
}
