/**
 * Redacts encoded texts. Percent-encoding, JSON strings and unusual typography are decoded, redacted, and encoded again
 * only when something changed; base64 and hexadecimal of a text are replaced whole.
 */
import { decodeRun, isBase64 } from './coded-text.ts'
import { percentDecode, percentEncode } from './percent-encoding.ts'
import { hasUnusualTypography, normaliseTypography } from './typography.ts'
import { withDeeperNotation, type RedactionWalk } from './walk.ts'

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

/** Minimum length of a text that is replaced whatever it says, in characters: many words and ids decode to a shorter one. */
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
export const redactEncoded = (
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
export function redactEncodedRuns(walk: RedactionWalk, whole: string, place: TextContext): string {
  const text = redactPercentRuns(walk, whole, place)
  if (!text.includes('~')) return redactRuns(walk, text, place)
  return text
    .split(redactedBefore)
    .map((part, index) => (index % 2 === 1 ? part : redactRuns(walk, part, place)))
    .join('')
}
