/**
 * Whether a secret is unique enough to be replaced wherever its text occurs. Words, slugs, dates and short codes are not:
 * `sk_live_9f8a7b6c5d4e` is, `delivery` is redacted in its own place only.
 */
import { isUuid } from './fast-path.ts'

/**
 * How a value was recognised as a secret. `named`: by the name of what holds it (`access_token`, `password`, a session
 * cookie). `placed`: only by its place (any cookie), which also holds settings, words and ids.
 */
export type SecretEvidence = 'named' | 'placed'

/** Minimum of information: length times the logarithm of how many different characters there are, in bits. */
const minBits = 28
const minDigits = 16
const minPlacedLength = 16
/** Letters alone are mostly words: there must be many, in changing case or in several words. */
const minLettersLength = 20
const maxLength = 8192

const date = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/
const location = /^\/|:\/\//

const bitsOf = (value: string): number => value.length * Math.log2(new Set(value).size)

const kindOf = (code: number): number =>
  code >= 48 && code < 58 ? 1 : code >= 65 && code < 91 ? 2 : code >= 97 && code < 123 ? 3 : 0

/** How often the kind of character changes (capital, small letter, digit): in random text often, in words seldom. */
function changeRate(value: string): number {
  let changes = 0
  let count = 0
  let last = 0
  for (let at = 0; at < value.length; at++) {
    const kind = kindOf(value.charCodeAt(at))
    if (kind === 0) continue
    if (count++ > 0 && kind !== last) changes++
    last = kind
  }
  return count < 2 ? 0 : changes / (count - 1)
}

const isRandom = (value: string): boolean => changeRate(value) >= 0.2

export function isDistinctive(value: string, evidence: SecretEvidence): boolean {
  const { length } = value
  if (length > maxLength || date.test(value)) return false
  if (/^\d+$/.test(value)) return evidence === 'named' && length >= minDigits
  if (bitsOf(value) < minBits || !/\p{L}/u.test(value)) return false
  if (evidence === 'placed')
    return length >= minPlacedLength && isRandom(value) && !isUuid(value) && !location.test(value)
  // Other characters than those of words and slugs count like digits.
  if (/[^\p{L}\s_.:/,-]/u.test(value)) return true
  return length >= minLettersLength ? /\s/.test(value) || isRandom(value) : changeRate(value) >= 0.4
}

const wordsAlone = /^\p{L}+(?:[-_./: ]\p{L}+)*$/u
/** `size`, `produto-12`. */
const wordsAndCounter = /^\p{L}+(?:[-_./: ]\p{L}+)*[-_./#: ]?\d{0,3}$/u
const number = /^[-+]?\d{1,15}(?:[.,]\d+)?%?$/

/**
 * Whether a value under a name such as `key`, which also names other things, is a secret: no word, number, date,
 * location or sentence. As a parameter also a UUID and a word with a counter are one, which members hold as ids.
 */
export function isOpaque(
  value: string,
  { isParameter }: { readonly isParameter: boolean },
): boolean {
  if (value.length < 6 || value.length > maxLength || /\s/.test(value)) return false
  if (isUuid(value)) return isParameter
  if (number.test(value) || date.test(value) || location.test(value)) return false
  const isOrdinary = (isParameter ? wordsAlone : wordsAndCounter).test(value)
  return !isOrdinary || (value.length >= minPlacedLength && isRandom(value))
}
