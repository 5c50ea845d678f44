/**
 * The command line as a person sees it: what is typed, what is printed, and how it ends.
 *
 *     $ sparring orders show nobody
 *     ! sparring: refused: there is no order nobody (NOT_FOUND)
 *     exit 1
 *
 * `!` marks lines of stderr; without `exit` the code is 0. `…` is any text of a line or, alone, any lines; `~ text` is some
 * line of stdout with the text. `<port>` is any port; `<id first>` is the same id wherever it is named, also in what is
 * typed. A command with nothing below it may print anything on stdout.
 */
import { expect } from 'vitest'
import { type InProcessOptions, type InProcessResult, runInProcess } from './run-in-process.ts'
import { ownCommand } from './shell-words.ts'

const kinds: Readonly<Record<string, string>> = {
  id: String.raw`[^\s,:]+`,
  number: String.raw`\d[\d.]*`,
  port: String.raw`\d+`,
  time: String.raw`\d[\d:.]*(?: ?m?s)?`,
  url: String.raw`https?://[\w.:-]+`,
}

const placeholder = new RegExp(`<(${Object.keys(kinds).join('|')})(?: ([a-z]+))?>|…`, 'g')

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** Values of named placeholders. */
type Values = Map<string, string>

interface Step {
  readonly command: string
  readonly stdout: string[]
  readonly stderr: string[]
  /** Texts of which each is in some line of stdout. */
  readonly parts: string[]
  code: number
}

/** The lines without the indentation that they share. */
function unindented(text: string): readonly string[] {
  const lines = text.replace(/^\n/, '').trimEnd().split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const indent = Math.min(...indents)
  return lines.map((line) => line.slice(indent))
}

function readSteps(text: string): readonly Step[] {
  const steps: Step[] = []
  for (const line of unindented(text)) {
    const [, command] = /^\$ (.*)$/.exec(line) ?? []
    const [, code] = /^exit (\d+)$/.exec(line) ?? []
    const step = steps.at(-1)
    if (command !== undefined) steps.push({ command, stdout: [], stderr: [], parts: [], code: 0 })
    else if (!step) throw new Error(`a transcript begins with "$ …", and not with "${line}"`)
    else if (code !== undefined) step.code = Number(code)
    else if (/^! ?/.test(line)) step.stderr.push(line.replace(/^! ?/, ''))
    else if (line.startsWith('~ ')) step.parts.push(line.slice(2))
    else step.stdout.push(line)
  }
  for (const { stdout, stderr, code } of steps)
    if (stdout.length + stderr.length + code === 0) stdout.push('…')
  return steps
}

/** A line with the values that are known. */
const filledIn = (line: string, values: Values): string =>
  line.replace(placeholder, (whole, _kind, name?: string) => values.get(name ?? '') ?? whole)

/** Whether a line is printed as expected; what it names is known from then on. */
function isLine(expected: string, printed: string, values: Values): boolean {
  const names: string[] = []
  let from = 0
  let source = ''
  for (const match of filledIn(expected, values).matchAll(placeholder)) {
    const [whole, kind, name] = match
    source += escaped(filledIn(expected, values).slice(from, match.index))
    const pattern = kind === undefined ? '.*' : (kinds[kind] ?? '')
    if (name !== undefined) names.push(name)
    source += name === undefined ? `(?:${pattern})` : `(${pattern})`
    from = match.index + whole.length
  }
  source += escaped(filledIn(expected, values).slice(from))
  const found = new RegExp(`^${source}$`).exec(printed)
  if (found) for (const [index, name] of names.entries()) values.set(name, found[index + 1] ?? '')
  return found !== null
}

/** The expected lines, each that was printed as it was printed: only what differs is left to a comparison. */
function resolvedLines(
  expected: readonly string[],
  printed: readonly string[],
  values: Values,
): readonly string[] {
  const resolved: string[] = []
  let at = 0
  for (const [index, line] of expected.entries()) {
    if (line === '…') {
      const next = expected[index + 1]
      const end =
        next === undefined
          ? printed.length
          : printed.findIndex((each, nth) => nth >= at && isLine(next, each, new Map(values)))
      if (end > at) resolved.push(...printed.slice(at, end))
      at = Math.max(at, end)
      continue
    }
    const actual = printed[at++]
    const isPrinted = actual !== undefined && isLine(line, actual, values)
    resolved.push(isPrinted ? actual : filledIn(line, values))
  }
  return resolved
}

/** The lines, if each of the parts is in one of them; else the first part that is in none. */
function withParts(parts: readonly string[], printed: readonly string[], values: Values) {
  const missing = parts.find((part) => !printed.some((line) => isLine(`…${part}…`, line, values)))
  return missing === undefined ? printed : [`… ${missing} …`]
}

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.replace(/\n$/, '').split('\n')

const shown = (
  command: string,
  { code, ...lines }: Readonly<Record<'stdout' | 'stderr', readonly string[]>> & { code: number },
): string =>
  [
    `$ ${command}`,
    ...lines.stdout,
    ...lines.stderr.map((line) => `! ${line}`),
    `exit ${code}`,
  ].join('\n')

/** How the last command ended. */
export interface PlayedTranscript extends InProcessResult {
  /** What a placeholder named. */
  readonly named: (name: string) => string
}

export type PlayTranscript = (text: string, more?: InProcessOptions) => Promise<PlayedTranscript>

/** Plays transcripts in one folder and environment. */
export function transcriptOf(options: () => InProcessOptions = () => ({})): PlayTranscript {
  return async (text, more = {}) => {
    const values: Values = new Map()
    let last: InProcessResult = { code: 0, stdout: '', stderr: '' }
    for (const { command: written, code, ...expected } of readSteps(text)) {
      const command = filledIn(written, values)
      const own = ownCommand(command)
      if (!own) throw new Error(`a transcript plays commands of ours, and not "${command}"`)
      last = await runInProcess(own.argv, { ...options(), ...more, into: own.into })
      const printed = { stdout: linesOf(last.stdout), stderr: linesOf(last.stderr) }
      const { parts } = expected
      const resolved = {
        stdout:
          parts.length > 0
            ? withParts(parts, printed.stdout, values)
            : resolvedLines(expected.stdout, printed.stdout, values),
        stderr: resolvedLines(expected.stderr, printed.stderr, values),
      }
      expect(shown(command, { ...printed, code: last.code })).toBe(
        shown(command, { ...resolved, code }),
      )
    }
    return { ...last, named: (name) => values.get(name) ?? '' }
  }
}
