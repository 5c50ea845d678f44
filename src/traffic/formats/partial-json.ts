/**
 * Partial parse of truncated or corrupt JSON: the longest prefix that ends behind a list element, with its open brackets
 * closed. Binary search over the candidate cuts.
 */
import { endOfJsonString } from '../json/json-string.ts'

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

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

export interface PartialJson {
  readonly value: unknown
  /** Length of the parsed prefix, in characters. */
  readonly readChars: number
  /** The text was valid JSON. */
  readonly isWhole: boolean
}

/** The document, or as much of it as precedes the break; undefined when nothing can be parsed. */
export function parsePartialJson(text: string): PartialJson | undefined {
  const complete = tryParse(text)
  if (complete) return { value: complete.value, readChars: text.length, isWhole: true }
  const cuts = candidateCuts(text)
  const at = ({ end, closing }: Cut) => tryParse(text.slice(0, end) + closing)
  // Monotonic: a prefix that parses implies that every shorter one does.
  let low = 0
  let high = cuts.length
  while (low < high) {
    const middle = (low + high) >> 1
    const cut = cuts[middle]
    if (cut && at(cut)) low = middle + 1
    else high = middle
  }
  const last = cuts[low - 1]
  const value = last && at(last)
  return last && value ? { value: value.value, readChars: last.end, isWhole: false } : undefined
}
