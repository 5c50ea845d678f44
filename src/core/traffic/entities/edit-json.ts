/**
 * Edits strings and numbers of a JSON text in place. All other characters stay (white space, number spelling, escapes),
 * so that a message renamed there and back is byte-identical.
 */

import { escapePointerKey } from '../json/json-pointer.ts'
import { endOfJsonString } from '../json/json-string.ts'

/**
 * One level of the path to the current value: an object with the current key, or a list with the index. The innermost
 * level is the last.
 */
export interface JsonPathFrame {
  readonly list: boolean
  key: string
  index: number
  /** The first key of an object. */
  first: string | undefined
  named: boolean
}

/** Answers the replacement of a value; undefined keeps it. Numbers are passed as spelled. */
export type EditJsonLeaf = (
  frames: readonly JsonPathFrame[],
  value: string,
  isNumber: boolean,
) => string | undefined

const maxDepth = 200
const byteOrderMark = 0xfeff
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const keyword = /true|false|null/y
const wholeNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function decoded(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}

/** Preceded by an even number of backslashes, which escape each other. */
const escapedSlash = /(?<!\\)(?:\\\\)*\\\//
const unicodeEscape = /(?<!\\)(?:\\\\)*\\u[\da-f]{4}/i
const beyondAscii = /[\u0080-\uffff]/g

/** The string literal, with the escapes of the one that it replaces: `\/` and `\u00e3` where that had them. */
function encoded(value: string, before: string): string {
  const plain = JSON.stringify(value)
  if (!before.includes('\\')) return plain
  const slashed = escapedSlash.test(before) ? plain.replaceAll('/', '\\/') : plain
  if (!unicodeEscape.test(before) || before.search(beyondAscii) >= 0) return slashed
  // Each surrogate is escaped by itself, as encoders that escape all non-ASCII characters do.
  return slashed.replaceAll(
    beyondAscii,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** The text with the replacements of `edit`; undefined when it is not valid JSON. */
export function editJson(text: string, edit: EditJsonLeaf): string | undefined {
  const frames: JsonPathFrame[] = []
  let result = ''
  let copiedTo = 0
  let at = text.charCodeAt(0) === byteOrderMark ? 1 : 0
  let values = 0

  function leaf(literal: string, isNumber: boolean): boolean {
    if (frames.length === 0) values++
    const value = isNumber ? literal : decoded(literal)
    if (value === undefined) return false
    const next = edit(frames, value, isNumber)
    if (next !== undefined && next !== value) {
      // A replacement that is not a number becomes a string.
      const asNumber = isNumber && wholeNumber.test(next)
      result += text.slice(copiedTo, at) + (asNumber ? next : encoded(next, literal))
      copiedTo = at + literal.length
    }
    return true
  }

  while (at < text.length) {
    const char = text.charCodeAt(at)
    const frame = frames.at(-1)
    if (char === 34) {
      const end = endOfJsonString(text, at)
      if (end < 0) return undefined
      const literal = text.slice(at, end)
      if (frame && !frame.list && !frame.named) {
        const key = decoded(literal)
        if (key === undefined) return undefined
        frame.key = key
        frame.first ??= key
        frame.named = true
      } else if (!leaf(literal, false)) return undefined
      at = end
    } else if (char === 123 || char === 91) {
      if (frames.length === 0) values++
      if (frames.length >= maxDepth) return undefined
      frames.push({ list: char === 91, key: '', index: 0, first: undefined, named: false })
      at++
    } else if (char === 125 || char === 93) {
      if (frames.pop()?.list !== (char === 93)) return undefined
      at++
    } else if (char === 44) {
      if (!frame) return undefined
      if (frame.list) frame.index++
      else frame.named = false
      at++
    } else if (char <= 32 || char === 58) {
      at++
    } else {
      const literal = matchAt(number, text, at)
      if (literal !== undefined && !leaf(literal, true)) return undefined
      const skipped = literal ?? matchAt(keyword, text, at)
      if (skipped === undefined) return undefined
      if (literal === undefined && frames.length === 0) values++
      at += skipped.length
    }
  }
  if (frames.length > 0 || values !== 1) return undefined
  return copiedTo === 0 ? text : result + text.slice(copiedTo)
}

/** The JSON Pointer of the current value. */
export const framesPointer = (frames: readonly JsonPathFrame[]): string =>
  frames.map(({ list, index, key }) => `/${list ? index : escapePointerKey(key)}`).join('')
