/**
 * Any text whose key says nothing: what it holds may still be JSON, a URL, base64 or percent-encoded, and inside each
 * of those, anything again. What is left is searched by patterns.
 */
import { redactEncoded, redactRuns } from './encodings.ts'
import { isHarmless } from './fast-path.ts'
import { redactIsland } from './json.ts'
import { redactPatterns } from './patterns.ts'
import { blankText, isMark } from './pseudonyms.ts'
import { redactUrl } from './url.ts'
import { deeper, deepestNotation, type Walk } from './walk.ts'

const urls = /[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'<>{}|\\^`]+/gi
const islandStart = /[{[]\s*["{[]/g
const relativeWithQuery = /^\/?[^\s?]*\?[^\s=]+=\S*$/
const absolutePath = /^\/[\w.~:%@+-]+(?:\/[\w.~:%@+-]+)+\/?$/

/** Patterns first: a signed token is one, and its parts alone are not. */
const redactStretch = (walk: Walk, text: string, path: string, quiet: boolean): string =>
  redactRuns(walk, redactPatterns(walk, text, path, quiet), { path, quiet })

/** URLs as URLs, the stretches between them by patterns. */
function redactPlain(walk: Walk, text: string, path: string, quiet: boolean): string {
  if (!text.includes('://')) {
    if (relativeWithQuery.test(text)) return redactUrl(walk, text, path)
    const known = absolutePath.test(text) ? redactUrl(walk, text, path) : text
    return redactStretch(walk, known, path, quiet)
  }
  let result = ''
  let done = 0
  for (const match of text.matchAll(urls)) {
    result += redactStretch(walk, text.slice(done, match.index), path, quiet)
    result += redactUrl(walk, match[0], path)
    done = match.index + match[0].length
  }
  return result + redactStretch(walk, text.slice(done), path, quiet)
}

/** JSON in the middle of a sentence, as errors that echo their input have it. */
function redactAround(walk: Walk, text: string, path: string, quiet: boolean): string {
  let result = ''
  let done = 0
  islandStart.lastIndex = 0
  for (let start = islandStart.exec(text); start; start = islandStart.exec(text)) {
    const island = redactIsland(deeper(walk), text, start.index, `${path}#`)
    result += redactPlain(walk, text.slice(done, start.index), path, quiet) + island.text
    done = island.end
    islandStart.lastIndex = done
  }
  return done === 0
    ? redactPlain(walk, text, path, quiet)
    : result + redactPlain(walk, text.slice(done), path, quiet)
}

function redactOnce(walk: Walk, value: string, path: string, quiet: boolean): string {
  if (isHarmless(value) || isMark(value)) return value
  return redactEncoded(walk, value, { path, quiet }) ?? redactAround(walk, value, path, quiet)
}

/** What one pass puts in may let the next one see more: a stand-in ends where its neighbour began. */
const mostPasses = 8

export function redactText(walk: Walk, value: string, path: string, quiet: boolean): string {
  if (walk.depth > deepestNotation && !isHarmless(value)) {
    const blank = blankText(value)
    if (blank !== value) walk.report(path, 'text')
    return blank
  }
  let before = value
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = redactOnce(walk, before, path, quiet)
    if (next === before) return next
    before = next
  }
  // Text that never comes to rest is no text that anybody wrote.
  walk.report(path, 'text')
  return blankText(before)
}
