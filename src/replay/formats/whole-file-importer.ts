/** Imports a file of limited size that is read as one text. */
import { createByteQueue } from './byte-queue.ts'
import type { ImportedExchange, Importer } from './format.ts'
import type { ProblemList } from './problem-list.ts'
import { lowerBound } from '../../core/traffic/lower-bound.ts'
import { parseJson } from '../../core/traffic/json/try-parse-json.ts'
import { endOfJsonString } from '../../core/traffic/json/json-string.ts'

/**
 * Partial parse of truncated or corrupt JSON: the longest prefix that ends behind a list element, with its open brackets
 * closed. Binary search over the candidate cuts.
 */
interface Cut {
  /** Offset in characters, behind an element of a list. */
  readonly end: number
  /** The brackets that close what is open there. */
  readonly closing: string
}

/** Nesting limit: deeper input is treated as broken. */
const maxDepth = 200
const maxCuts = 1_000_000

function candidateCuts(text: string): readonly Cut[] {
  const open: string[] = []
  const cuts: Cut[] = []
  for (let at = 0; at < text.length && cuts.length < maxCuts; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfJsonString(text, at)
      if (end < 0) break
      at = end - 1
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      if (open.length > maxDepth) break
    } else if (char === '}' || char === ']') {
      if (open.pop() !== char) break
      if (open.at(-1) === ']') cuts.push({ end: at + 1, closing: open.toReversed().join('') })
    }
  }
  return cuts
}

interface PartialJson {
  readonly value: unknown
  /** Length of the parsed prefix, in characters. */
  readonly readChars: number
  /** The text was valid JSON. */
  readonly isWhole: boolean
}

/** The document, or as much of it as precedes the break; undefined when nothing can be parsed. */
export function parsePartialJson(text: string): PartialJson | undefined {
  // What reads it bounds the levels itself.
  const complete = parseJson(text, JSON.parse, Number.POSITIVE_INFINITY)
  if (complete) return { value: complete.value, readChars: text.length, isWhole: true }
  const cuts = candidateCuts(text)
  const at = ({ end, closing }: Cut) =>
    parseJson(text.slice(0, end) + closing, JSON.parse, Number.POSITIVE_INFINITY)
  // Monotonic: a prefix that parses implies that every shorter one does.
  const count = lowerBound(cuts.length, (index) => {
    const cut = cuts[index]
    return cut !== undefined && at(cut) !== undefined
  })
  const last = cuts[count - 1]
  const value = last && at(last)
  return last && value ? { value: value.value, readChars: last.end, isWhole: false } : undefined
}

interface WholeFileOptions {
  readonly maxBytes: number
  readonly problems: ProblemList
  /** Place and text of the problem of a file that is larger. */
  readonly tooLarge: readonly [string, string]
  readonly read: (text: string) => readonly ImportedExchange[]
  readonly creator?: { readonly name: string }
}

export function createWholeFileImporter(options: WholeFileOptions): Importer {
  const { maxBytes, problems, tooLarge, read, ...creator } = options
  const queue = createByteQueue()
  let isTooLarge = false
  return {
    feed(bytes) {
      isTooLarge ||= queue.size() + bytes.length > maxBytes
      if (!isTooLarge) queue.push(bytes)
      return []
    },
    finish() {
      if (isTooLarge) problems.add(...tooLarge, true)
      const remaining = isTooLarge ? [] : read(new TextDecoder().decode(queue.take(queue.size())))
      return { remaining, problems: problems.all(), ...creator }
    },
  }
}
