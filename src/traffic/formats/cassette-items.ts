/**
 * Splits a cassette in YAML into the texts of its interactions, line by line, so that a cassette of any length is read
 * in the memory of its largest interaction. Works for block lists, which is how the recorders write them.
 */
import type { NumberedLine } from './line-queue.ts'
import type { ProblemList } from './problem-list.ts'

export interface CassetteItem {
  /** A YAML list with one element. */
  readonly text: string
  /** Number of its first line. */
  readonly line: number
}

export interface CassetteSplitter {
  /** The interaction that ends before this line. */
  readonly take: (line: NumberedLine) => CassetteItem | undefined
  readonly finish: () => CassetteItem | undefined
  /** The list of interactions was found. */
  readonly hasList: () => boolean
}

export const maxInteractionChars = 16 * 1024 * 1024

const listName = /^(["']?)(?:http_)?interactions\1\s*:\s*(?:#.*)?$/
const emptyList = /^(["']?)(?:http_)?interactions\1\s*:\s*\[\s*\]\s*(?:#.*)?$/
const skippable = /^\s*(?:#.*)?$/

const indentOf = (text: string): number => text.length - text.trimStart().length
const isDash = (text: string, indent: number): boolean =>
  text.charAt(indent) === '-' && /^\s?$/.test(text.charAt(indent + 1))

export function createCassetteSplitter(problems: ProblemList): CassetteSplitter {
  let place: 'before' | 'list' | 'behind' = 'before'
  let isFound = false
  /** Column of the dashes; -1 before the first. */
  let indent = -1
  let lines: string[] = []
  let first = 0
  let chars = 0

  function end(): CassetteItem | undefined {
    const item = { text: lines.join('\n'), line: first }
    const isEmpty = first === 0
    const isTooLong = chars > maxInteractionChars
    lines = []
    first = 0
    chars = 0
    if (isTooLong)
      problems.add(
        `line ${item.line}`,
        `an interaction of more than ${maxInteractionChars} characters was left out`,
      )
    return isEmpty || isTooLong ? undefined : item
  }

  function add(number: number, text: string): void {
    first ||= number
    chars += text.length + 1
    if (chars <= maxInteractionChars) lines.push(text)
    else lines = []
  }

  function inList({ number, text }: NumberedLine): CassetteItem | undefined {
    const column = indentOf(text)
    if (indent < 0 && !skippable.test(text) && isDash(text, column)) indent = column
    if (column === indent && isDash(text, column)) {
      const before = end()
      add(number, text)
      return before
    }
    if (skippable.test(text) || column > indent) {
      if (first > 0) add(number, text)
      return undefined
    }
    // A member of the cassette behind the list, such as `version: 1`.
    place = 'behind'
    return end()
  }

  return {
    take(line) {
      if (place === 'list') return inList(line)
      if (place === 'before' && listName.test(line.text)) {
        place = 'list'
        isFound = true
      } else if (emptyList.test(line.text)) isFound = true
      return undefined
    },
    finish: end,
    hasList: () => isFound,
  }
}
