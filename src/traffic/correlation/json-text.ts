/**
 * Walks the texts and numbers of a JSON document where they stand, and writes some of them anew. Nothing else of the
 * text is touched: spaces, number spellings and escapes stay as they were on the wire, so that a message which is
 * renamed there and back is the same bytes.
 */

import { pointerPart } from '../json/json-pointer.ts'
import { endOfString } from '../json/json-string.ts'

/** Where the walk is: an object and the key in it, or a list and the position. The innermost is the last. */
export interface Frame {
  readonly list: boolean
  key: string
  index: number
  /** The first key of an object. */
  first: string | undefined
  named: boolean
}

/** Answers what is to stand in the place of a value; undefined when it stays. Numbers come as they are spelled. */
export type EditLeaf = (
  frames: readonly Frame[],
  value: string,
  isNumber: boolean,
) => string | undefined

const mostDepth = 200
const byteOrderMark = 0xfeff
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const wholeNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function decoded(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}

/** Behind an even number of backslashes, which stand for themselves. */
const escapedSlash = /(?<!\\)(?:\\\\)*\\\//
const escapedLetter = /(?<!\\)(?:\\\\)*\\u[\da-f]{4}/i
const beyondAscii = /[\u0080-\uffff]/g

/** The literal of a text, spelled as the one in whose place it comes: `\/` and `\u00e3` where that one had them. */
function encoded(value: string, before: string): string {
  const plain = JSON.stringify(value)
  if (!before.includes('\\')) return plain
  const slashed = escapedSlash.test(before) ? plain.replaceAll('/', '\\/') : plain
  if (!escapedLetter.test(before) || before.search(beyondAscii) >= 0) return slashed
  // Half a pair is escaped for itself, as whoever escapes everything does.
  return slashed.replaceAll(
    beyondAscii,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** The text with what `edit` answers in it; undefined when it is no JSON. */
export function editJson(text: string, edit: EditLeaf): string | undefined {
  const frames: Frame[] = []
  let result = ''
  let done = 0
  let at = text.charCodeAt(0) === byteOrderMark ? 1 : 0
  let values = 0

  function leaf(literal: string, isNumber: boolean): boolean {
    if (frames.length === 0) values++
    const value = isNumber ? literal : decoded(literal)
    if (value === undefined) return false
    const next = edit(frames, value, isNumber)
    if (next !== undefined && next !== value) {
      // A name that is no number any more is a text.
      const asNumber = isNumber && wholeNumber.test(next)
      result += text.slice(done, at) + (asNumber ? next : encoded(next, literal))
      done = at + literal.length
    }
    return true
  }

  while (at < text.length) {
    const char = text.charCodeAt(at)
    const frame = frames.at(-1)
    if (char === 34) {
      const end = endOfString(text, at)
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
      if (frames.length >= mostDepth) return undefined
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
      const skipped = literal ?? matchAt(word, text, at)
      if (skipped === undefined) return undefined
      if (literal === undefined && frames.length === 0) values++
      at += skipped.length
    }
  }
  if (frames.length > 0 || values !== 1) return undefined
  return done === 0 ? text : result + text.slice(done)
}

/** Where the walk stands, as a JSON Pointer. */
export const pointerOf = (frames: readonly Frame[]): string =>
  frames.map(({ list, index, key }) => `/${list ? index : pointerPart(key)}`).join('')
