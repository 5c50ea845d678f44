/**
 * Partial parse of truncated or corrupt JSON: the longest prefix that ends behind a list element, with its open brackets
 * closed. Binary search over the candidate cuts.
 */
import { endOfString } from '../json/json-string.ts'

interface Cut {
  /** Offset in characters, behind an element of a list. */
  readonly end: number
  /** The brackets that close what is open there. */
  readonly closing: string
}

/** Nesting limit: deeper input is treated as broken. */
const mostDepth = 200
const mostCuts = 1_000_000

function cutsOf(text: string): readonly Cut[] {
  const open: string[] = []
  const cuts: Cut[] = []
  for (let at = 0; at < text.length && cuts.length < mostCuts; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      if (end < 0) break
      at = end - 1
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      if (open.length > mostDepth) break
    } else if (char === '}' || char === ']') {
      if (open.pop() !== char) break
      if (open.at(-1) === ']') cuts.push({ end: at + 1, closing: open.toReversed().join('') })
    }
  }
  return cuts
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

export interface Mended {
  readonly value: unknown
  /** Length of the parsed prefix, in characters. */
  readonly read: number
  /** The text was valid JSON. */
  readonly whole: boolean
}

/** The document, or as much of it as precedes the break; undefined when nothing can be parsed. */
export function mendedJson(text: string): Mended | undefined {
  const whole = parsed(text)
  if (whole) return { value: whole.value, read: text.length, whole: true }
  const cuts = cutsOf(text)
  const at = ({ end, closing }: Cut) => parsed(text.slice(0, end) + closing)
  // Monotonic: a prefix that parses implies that every shorter one does.
  let good = 0
  let bad = cuts.length
  while (good < bad) {
    const middle = (good + bad) >> 1
    const cut = cuts[middle]
    if (cut && at(cut)) good = middle + 1
    else bad = middle
  }
  const last = cuts[good - 1]
  const value = last && at(last)
  return last && value ? { value: value.value, read: last.end, whole: false } : undefined
}
