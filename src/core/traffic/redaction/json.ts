/**
 * Redacts a JSON text in place: only changed values are rewritten, so white space, number spellings and duplicate
 * keys stay. It scans tokens without parsing or recursion: incomplete or invalid JSON is redacted as far as it goes,
 * at any depth.
 */
import { endOfJsonString } from '../json/json-string.ts'
import {
  closeFrame,
  openFrame,
  rootFrame,
  takeBareKey,
  takeNumber,
  takeString,
} from './json-frames.ts'
import { lengthPlaceholder, isPlaceholder } from './pseudonyms.ts'
import type { DocumentTopic, RedactionWalk } from './walk.ts'
import type { JsonFrame } from './json-frame.ts'

const jsonNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const jsonWord = /^(?:true|false|null|NaN|-?Infinity|undefined|True|False|None)$/

const plainKey = /^[A-Za-z_$][\w$-]{0,40}$/

const isKey = (text: string, end: number): boolean => {
  let at = end
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return text.charCodeAt(at) === 58
}

/** The end of a bare word: anything up to white space, brackets, comma, colon or quote. */
function endOfBare(text: string, start: number): number {
  let at = start
  while (at < text.length && !isStructural(text.charCodeAt(at))) at++
  return at
}

const isStructural = (char: number): boolean =>
  char <= 32 ||
  char === 34 ||
  char === 44 ||
  char === 58 ||
  char === 91 ||
  char === 93 ||
  char === 123 ||
  char === 125

/** May precede a document. */
const byteOrderMark = 0xfeff

interface Scan {
  readonly walk: RedactionWalk
  readonly text: string
  readonly path: string
  /** Invalid tokens: blanked in a document, since their meaning is unknown; kept within a sentence. */
  readonly bare: 'blank' | 'keep'
  readonly frames: JsonFrame[]
  readonly edits: TextEdit[]
}

const opensObject = ({ text, bare }: Scan, end: number): boolean =>
  bare === 'keep' && /^\s*\{/.test(text.slice(end, end + 20))

export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly text: string
}

function takeBare(scan: Scan, from: number, to: number): void {
  const literal = scan.text.slice(from, to)
  const frame = scan.frames.at(-1)
  if (frame && plainKey.test(literal) && (isKey(scan.text, to) || opensObject(scan, to))) {
    // An unquoted key, as in JavaScript; or, within a query, a field with its arguments or members.
    takeBareKey(frame, literal)
  } else if (jsonNumber.test(literal)) {
    if (frame) takeNumber(scan, frame, from, literal)
  } else if (scan.bare === 'blank' && !jsonWord.test(literal) && !isPlaceholder(literal)) {
    scan.edits.push({ from, to, text: lengthPlaceholder(literal) })
    scan.walk.report(scan.path, 'text')
  }
}

/** Scans from `start` to the end, or only to the end of the value that begins there when `whole` is false. */
function scanTokens(scan: Scan, start: number, whole: boolean): number {
  const { text, frames } = scan
  const roots = frames.length
  let at = start
  while (at < text.length) {
    const char = text.charCodeAt(at)
    let end = at + 1
    const frame = frames.at(-1)
    if (char === 34 && frame) {
      const closed = endOfJsonString(text, at)
      end = closed < 0 ? text.length : closed
      takeString(scan, frame, { from: at, to: end, isKey: isKey(text, end) })
    } else if ((char === 123 || char === 91) && frame) {
      frames.push(openFrame(frame, char === 91))
    } else if (char === 125 || char === 93) {
      const closed = frames.length > roots ? frames.pop() : undefined
      if (closed) closeFrame(scan, closed)
      if (!whole && frames.length === roots) return end
    } else if (char > 32 && char !== 44 && char !== 58 && char !== byteOrderMark) {
      end = Math.max(end, endOfBare(text, at))
      takeBare(scan, at, end)
    }
    at = end
  }
  // An incomplete text leaves objects open.
  for (let open = frames.pop(); open; open = frames.pop()) closeFrame(scan, open)
  return text.length
}

function applyEdits(text: string, edits: TextEdit[], from: number, to: number): string {
  if (edits.length === 0) return text.slice(from, to)
  edits.sort((a, b) => a.from - b.from)
  let result = ''
  let done = from
  for (const edit of edits) {
    result += text.slice(done, edit.from) + edit.text
    done = edit.to
  }
  return result + text.slice(done, to)
}

export function redactJson(
  walk: RedactionWalk,
  text: string,
  path: string,
  root: DocumentTopic,
): string {
  const scan: Scan = { walk, text, path, bare: 'blank', frames: [rootFrame(root)], edits: [] }
  scanTokens(scan, 0, true)
  return applyEdits(text, scan.edits, 0, text.length)
}

/** Redacts the JSON value that begins at `start` within a text; returns it and where it ends. */
export function redactEmbeddedJson(
  walk: RedactionWalk,
  text: string,
  start: number,
  path: string,
): { readonly text: string; readonly end: number } {
  const scan: Scan = { walk, text, path, bare: 'keep', frames: [rootFrame({})], edits: [] }
  const end = scanTokens(scan, start, false)
  return { text: applyEdits(text, scan.edits, start, end), end }
}
