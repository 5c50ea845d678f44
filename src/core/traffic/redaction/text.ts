/**
 * Redacts a text whose key has no class: it may hold JSON, a URL or percent-encoding, nested in any order. Other
 * notations and encodings are replaced whole, the rest is searched by patterns.
 */
import { isEscaped } from './coded-text.ts'
import { redactEncoded, redactEncodedRuns } from './encodings.ts'
import { needsNoRedaction } from './fast-path.ts'
import { redactEmbeddedJson } from './json.ts'
import { redactPatterns } from './patterns.ts'
import { lengthPlaceholder, isPlaceholder } from './pseudonyms.ts'
import { isUnreadNotation, learnNamedValues } from './unread-notations.ts'
import { redactUrl } from './url.ts'
import { createGenerationalCache } from '../generational-cache.ts'
import { withDeeperNotation, maxNotationDepth, type RedactionWalk } from './walk.ts'

/** A URL ends before the punctuation of the sentence. */
const urls = /[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'<>{}|\\^`]*[^\s"'<>{}|\\^`.,;:!?)]/gi
const jsonStart = /[{[]\s*["{[]/g
const relativeWithQuery = /^\/?[^\s?]*\?[^\s=]+=\S*$/
const absolutePath = /^\/[\w.~:%@+-]+(?:\/[\w.~:%@+-]+)+\/?$/

function replaceWhole(walk: RedactionWalk, text: string, path: string): string {
  const blank = lengthPlaceholder(text)
  if (blank === text) return text
  walk.report(path, 'text')
  learnNamedValues(walk, text, path)
  return blank
}

/** Patterns first: they match a JWT as a whole, which its parts are not. */
const redactSegment = (walk: RedactionWalk, text: string, path: string, quiet: boolean): string =>
  redactEncodedRuns(walk, redactPatterns(walk, text, path, quiet), { path, quiet })

/** URLs as URLs, the text between them by patterns. */
function redactPlain(walk: RedactionWalk, text: string, path: string, quiet: boolean): string {
  if (isEscaped(text)) return replaceWhole(walk, text, path)
  if (!text.includes('://')) {
    if (relativeWithQuery.test(text)) return redactUrl(walk, text, path)
    const known = absolutePath.test(text) ? redactUrl(walk, text, path) : text
    return redactSegment(walk, known, path, quiet)
  }
  let result = ''
  let done = 0
  for (const match of text.matchAll(urls)) {
    result += redactSegment(walk, text.slice(done, match.index), path, quiet)
    result += redactUrl(walk, match[0], path)
    done = match.index + match[0].length
  }
  return result + redactSegment(walk, text.slice(done), path, quiet)
}

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
