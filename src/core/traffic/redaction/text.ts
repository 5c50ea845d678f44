/**
 * Redacts a text whose key has no class: it may hold JSON, a URL or percent-encoding, nested in any order. Other
 * notations and encodings are replaced whole, the rest is searched by patterns.
 */
import { createGenerationalCache } from '../generational-cache.ts'
import { decodeRun, isBase64, isEscaped } from './coded-text.ts'
import { hasUnusualTypography, needsNoRedaction, normaliseTypography } from './fast-path.ts'
import { redactEmbeddedJson } from './json.ts'
import { redactPatterns } from './patterns.ts'
import { percentDecode, percentEncode } from './percent-encoding.ts'
import { lengthPlaceholder, isPlaceholder } from './pseudonyms.ts'
import { isUnreadNotation, learnNamedValues, redactMarkupWithin } from './unread-notations.ts'
import { redactUrl } from './url.ts'
import { withDeeperNotation, type RedactionWalk, maxNotationDepth } from './walk.ts'

/**
 * Redacts encoded texts. Percent-encoding, JSON strings and unusual typography are decoded, redacted, and encoded again
 * only when something changed; base64 and hexadecimal of a text are replaced whole.
 */
interface Encoding {
  readonly fits: (value: string) => boolean
  /** Undefined when it holds no text. */
  readonly decode: (value: string) => string | undefined
  readonly encode: (text: string) => string
}

const percent: Encoding = {
  // URLs and forms are redacted as such.
  fits: (value) => /%[\da-f]{2}/i.test(value) && !value.includes('://') && !value.includes('='),
  decode: (value) => {
    const decoded = percentDecode(value)
    return decoded === value ? undefined : decoded
  },
  encode: percentEncode,
}

const literal: Encoding = {
  fits: (value) => value.startsWith('"') && value.endsWith('"') && value.length > 2,
  decode: (value) => {
    try {
      const text: unknown = JSON.parse(value)
      return typeof text === 'string' ? text : undefined
    } catch {
      return undefined
    }
  },
  encode: (text) => JSON.stringify(text),
}

const typography: Encoding = {
  fits: hasUnusualTypography,
  decode: normaliseTypography,
  encode: (text) => text,
}

interface TextContext {
  readonly path: string
  readonly quiet: boolean
}

function redactAs(
  walk: RedactionWalk,
  encodings: readonly Encoding[],
  value: string,
  { path, quiet }: TextContext,
): string | undefined {
  for (const { fits, decode, encode } of encodings) {
    const decoded = fits(value) ? decode(value) : undefined
    if (decoded === undefined) continue
    const next = walk.text(withDeeperNotation(walk), decoded, path, quiet)
    if (next !== decoded) return encode(next)
  }
  return undefined
}

/**
 * Minimum length of a text that is replaced whatever it says, in characters: many words and ids decode to a shorter
 * one.
 */
const minTextLength = 12

/** Replaces a run of letters and digits that encodes a text; undefined when it does not. */
function redactRun(
  walk: RedactionWalk,
  run: string,
  { path, quiet }: TextContext,
): string | undefined {
  const text = decodeRun(run.replaceAll(/\s/g, ''))
  if (text === undefined) return undefined
  const isShort = text.length < minTextLength
  if (isShort && walk.text(withDeeperNotation(walk), text, path, quiet) === text) return undefined
  walk.report(path, 'text')
  return walk.pseudonyms.mark('enc', 'text', run)
}

/** Redacts a value that is encoded as a whole; undefined when it is not, or when nothing changed. */
const redactEncoded = (
  walk: RedactionWalk,
  value: string,
  place: TextContext,
): string | undefined =>
  isBase64(value)
    ? redactRun(walk, value, place)
    : redactAs(walk, [percent, literal, typography], value, place)

/** Percent-encoded parts of a text that is not encoded as a whole: `state=email%3Dana%2540example.org`. */
function redactPercentRuns(walk: RedactionWalk, text: string, place: TextContext): string {
  if (!text.includes('%') || percent.fits(text)) return text
  return text
    .split(/([\s"'<>&=;,]+)/)
    .map((part) => redactAs(walk, [percent], part, place) ?? part)
    .join('')
}

/** Characters that end a run. */
const runEnd = /[^A-Za-z0-9+/_-]/g
const minRunLength = 16
/** A token whose claims were read, and placeholders. */
const redactedBefore = /(\be[yw][\w-]{6,}\.[\w-]+\.~sig_[a-z]{10}|~[a-z]{3}_[a-z]{10})/

/** Runs are found by their ends: a run may be too long for a regular expression. */
function redactRuns(walk: RedactionWalk, text: string, place: TextContext): string {
  let out = ''
  let done = 0
  for (let from = 0, to = 0; text.length - from >= minRunLength; from = to + 1) {
    runEnd.lastIndex = from
    to = runEnd.exec(text)?.index ?? text.length
    if (to - from < minRunLength) continue
    const padding = text[to] === '=' ? (text[to + 1] === '=' ? 2 : 1) : 0
    const run = text.slice(from, to)
    // Of a path a segment may be encoded.
    const next =
      redactRun(walk, run, place) ??
      run.replaceAll(/[^/]+/g, (segment) =>
        segment.length < minRunLength ? segment : (redactRun(walk, segment, place) ?? segment),
      )
    if (next === run) continue
    out += text.slice(done, from) + next
    done = to + padding
  }
  return done === 0 ? text : out + text.slice(done)
}

/** Redacts encoded runs within a text. */
function redactEncodedRuns(walk: RedactionWalk, whole: string, place: TextContext): string {
  const text = redactPercentRuns(walk, whole, place)
  if (!text.includes('~')) return redactRuns(walk, text, place)
  return text
    .split(redactedBefore)
    .map((part, index) => (index % 2 === 1 ? part : redactRuns(walk, part, place)))
    .join('')
}

/** URLs within a text: each ends before the punctuation of the sentence. */
export const urlsWithin = /[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'<>{}|\\^`]*[^\s"'<>{}|\\^`.,;:!?)]/gi
const jsonStart = /[{[]\s*["{[]/g
const relativeWithQuery = /^\/?[^\s?]*\?[^\s=]+=\S*$/
/** A path within a text, or the whole of it: `POST /v1/customers/11987654321 has no answer`. */
const absolutePath = /(?<![^\s"'`([=,])(?:\/[\w.~:%@+=-]+){2,40}\/?/g

function replaceWhole(walk: RedactionWalk, text: string, path: string): string {
  const blank = lengthPlaceholder(text)
  if (blank === text) return text
  walk.report(path, 'text')
  learnNamedValues(walk, text, path)
  return blank
}

/** Patterns first: they match a JWT as a whole, which its parts are not. */
const redactSegment = (walk: RedactionWalk, text: string, path: string, quiet: boolean): string =>
  redactEncodedRuns(walk, redactPatterns(walk, redactMarkupWithin(walk, text, path), path, quiet), {
    path,
    quiet,
  })

/** URLs as URLs, the text between them by patterns. */
function redactPlain(walk: RedactionWalk, text: string, path: string, quiet: boolean): string {
  if (isEscaped(text)) return replaceWhole(walk, text, path)
  if (!text.includes('://')) {
    if (relativeWithQuery.test(text)) return redactUrl(walk, text, path)
    return redactSegment(walk, redactPaths(walk, text, path), path, quiet)
  }
  let result = ''
  let done = 0
  for (const match of text.matchAll(urlsWithin)) {
    const before = redactPaths(walk, text.slice(done, match.index), path)
    result += redactSegment(walk, before, path, quiet)
    result += redactUrl(walk, match[0], path)
    done = match.index + match[0].length
  }
  return result + redactSegment(walk, redactPaths(walk, text.slice(done), path), path, quiet)
}

const redactPaths = (walk: RedactionWalk, text: string, path: string): string =>
  text.includes('/') ? text.replaceAll(absolutePath, (each) => redactUrl(walk, each, path)) : text

/** JSON within a sentence, as in errors that echo their input. */
function redactWithEmbeddedJson(
  walk: RedactionWalk,
  text: string,
  path: string,
  quiet: boolean,
): string {
  let result = ''
  let done = 0
  jsonStart.lastIndex = 0
  for (let start = jsonStart.exec(text); start; start = jsonStart.exec(text)) {
    const island = redactEmbeddedJson(withDeeperNotation(walk), text, start.index, `${path}#`)
    result += redactPlain(walk, text.slice(done, start.index), path, quiet) + island.text
    done = island.end
    jsonStart.lastIndex = done
  }
  return done === 0
    ? redactPlain(walk, text, path, quiet)
    : result + redactPlain(walk, text.slice(done), path, quiet)
}

function redactOnce(walk: RedactionWalk, value: string, path: string, quiet: boolean): string {
  if (needsNoRedaction(value) || isPlaceholder(value)) return value
  // An identifier is in no notation.
  if (!quiet && isUnreadNotation(value, false)) return replaceWhole(walk, value, path)
  return (
    redactEncoded(walk, value, { path, quiet }) ?? redactWithEmbeddedJson(walk, value, path, quiet)
  )
}

/** Maximum number of passes: a replacement may expose another match, since it ends where its neighbour begins. */
const maxPasses = 8

function redactText(walk: RedactionWalk, value: string, path: string, quiet: boolean): string {
  if (walk.depth > maxNotationDepth && !needsNoRedaction(value))
    return replaceWhole(walk, value, path)
  let before = value
  for (let pass = 0; pass < maxPasses; pass++) {
    const next = redactOnce(walk, before, path, quiet)
    if (next === before) return next
    before = next
  }
  // No real text takes more passes.
  walk.report(path, 'text')
  return lengthPlaceholder(before)
}

/** Longer texts seldom occur twice. */
const maxRememberedLength = 200

/**
 * `redactText`, which remembers the texts in which it found nothing: names of dishes and addresses of pages recur. What
 * was found depends on nothing but the text, and near the maximum depth on that.
 */
export function createTextRedactor(): RedactionWalk['text'] {
  const createHarmless = () => createGenerationalCache<true>({ entries: 8000, bytes: 2_000_000 })
  const [loud, quietly] = [createHarmless(), createHarmless()]
  return (walk, value, path, quiet) => {
    if (needsNoRedaction(value)) return value
    if (value.length > maxRememberedLength || walk.depth > 1)
      return redactText(walk, value, path, quiet)
    const harmless = quiet ? quietly : loud
    if (harmless.get(value)) return value
    const next = redactText(walk, value, path, quiet)
    if (next === value) harmless.set(value, true, value.length * 2 + 40)
    return next
  }
}
