/**
 * Shapes of identifiers: recognises machine-generated values and generates others of the same shape from a seed. A UUID
 * stays a UUID, a ULID a ULID, digits stay digits of the same length.
 */
import { type Chance, type ChanceState, createChance } from '../../engine/chance.ts'
import { isPlaceholder } from '../redaction/pseudonyms.ts'

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const ulid = /^[0-7][\dA-HJKMNP-TV-Z]{25}$/
const hex = /^(?=.*[a-f])(?=.*\d)[\da-f]{16,}$/i
const prefixedHex = /^[A-Za-z][A-Za-z]{0,15}[_-](?=.*\d)[\da-f]{16,}$/
const base62 = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\dA-Za-z]{16,}$/
const prefixed62 = /^[A-Za-z]{1,16}[_-](?=.*\d)(?=.*[A-Za-z])[\dA-Za-z]{14,}$/

const generatedPatterns = [uuid, ulid, hex, prefixedHex, base62, prefixed62]

/** Common character set of all patterns: a cheap first check that fails at the first blank. */
const generatedChars = /^[\w-]{16,200}$/

/** Whether the value looks machine-generated. */
export const looksGenerated = (value: string): boolean =>
  value.length >= 16 &&
  generatedChars.test(value) &&
  generatedPatterns.some((pattern) => pattern.test(value))

/** In characters: shorter values may occur inside a longer string by accident. */
export const minEmbeddedChars = 12

const alphabets = {
  lower: 'abcdefghijklmnopqrstuvwxyz',
  afterF: 'ghijklmnopqrstuvwxyz',
  afterBigF: 'GHIJKLMNOPQRSTUVWXYZ',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digits: '0123456789',
  first: '123456789',
  hexLower: '0123456789abcdef',
  hexUpper: '0123456789ABCDEF',
  base32: '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
} as const

/** Words by their letters, numbers by their length; mixed segments by length only, since their digits are random. */
function segmentShape(segment: string): string {
  if (/^\d+$/.test(segment)) return '9'.repeat(segment.length)
  if (/^[A-Za-z]+$/.test(segment)) return segment
  return `${/^[\da-f]+$/i.test(segment) ? 'h' : 'x'}${segment.length}`
}

/** The shape of a value: two values of one shape may stand for each other. */
export function identifierShape(value: string): string {
  if (uuid.test(value)) return 'uuid'
  if (ulid.test(value)) return 'ulid'
  if (isPlaceholder(value)) return value.slice(0, 5)
  return value.replaceAll(/[A-Za-z\d]+/g, segmentShape)
}

/** A 128-bit generator state, wide enough that no two of a million strings share one. */
function stateOf(seed: number, text: string): ChanceState {
  let a = 0x9e3779b9 ^ (seed | 0)
  let b = 0x243f6a88 ^ ((seed / 2 ** 32) | 0)
  let c = 0xb7e15162
  let d = 0xdeadbeef
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (a >>> 13)
    c = Math.imul(c ^ code, 0xc2b2ae35) ^ (b >>> 16)
    d = Math.imul(d ^ code, 0x27d4eb2f) ^ (c >>> 15)
  }
  const mixed = (value: number): number => {
    const once = Math.imul(value ^ (value >>> 16), 0x7feb352d)
    const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
    return (twice ^ (twice >>> 16)) >>> 0
  }
  return [mixed(a ^ d), mixed(b ^ a), mixed(c ^ b), (mixed(d ^ c) | 1) >>> 0]
}

/** A 128-bit hash of a string. */
export const fingerprint = (text: string): string => stateOf(text.length, text).join(' ')

const drawn = (chance: Chance, alphabet: string): string =>
  alphabet[chance.below(alphabet.length)] ?? ''

/** A word that names a type and does not identify (`order` in `order-1041`). */
const isWord = (segment: string): boolean => /^[A-Za-z]{1,16}$/.test(segment)

/** At least one digit and one letter: otherwise it would be a number or a word. */
function hexLike(length: number, alphabet: string, chance: Chance): string {
  for (;;) {
    const fresh = Array.from({ length }, () => drawn(chance, alphabet)).join('')
    if (/\d/.test(fresh) && /[a-f]/i.test(fresh)) return fresh
  }
}

function segmentLike(segment: string, chance: Chance): string {
  const { length } = segment
  const asHex = length >= 8 && /\d/.test(segment) && /[a-f]/i.test(segment)
  if (asHex && /^[\da-f]+$/.test(segment)) return hexLike(length, alphabets.hexLower, chance)
  if (asHex && /^[\dA-F]+$/.test(segment)) return hexLike(length, alphabets.hexUpper, chance)
  const fresh = Array.from(segment, (char, index) => {
    if (/\d/.test(char)) {
      // A number without leading zero keeps that property.
      const leads = char !== '0' && !/\d/.test(segment[index - 1] ?? '')
      return drawn(chance, leads ? alphabets.first : alphabets.digits)
    }
    if (/[a-z]/.test(char)) return drawn(chance, alphabets.lower)
    return /[A-Z]/.test(char) ? drawn(chance, alphabets.upper) : char
  }).join('')
  // Without a letter beyond F the result would look like a hexadecimal hash.
  const at = segment.search(/[g-z]/i)
  if (length < 8 || at === -1 || /[g-z]/i.test(fresh)) return fresh
  const letter = drawn(
    chance,
    /[a-z]/.test(segment[at] ?? '') ? alphabets.afterF : alphabets.afterBigF,
  )
  return fresh.slice(0, at) + letter + fresh.slice(at + 1)
}

/** Replaces the identifying segments: `order-1041` keeps its word; of words alone, the last is replaced. */
function segmentsLike(value: string, chance: Chance): string {
  const parts = value.split(/([^A-Za-z\d]+)/)
  const mixed = parts.some((part, index) => index % 2 === 0 && part !== '' && !isWord(part))
  const last = parts.findLastIndex((part, index) => index % 2 === 0 && part !== '')
  return parts
    .map((part, index) => {
      if (index % 2 === 1 || part === '') return part
      if (mixed ? isWord(part) : index !== last) return part
      return segmentLike(part, chance)
    })
    .join('')
}

/** Another value of the same shape, determined by seed, name, value and `nth`. */
export function generateSameShape(value: string, seed: number, name: string, nth = 0): string {
  const chance = createChance(0, '', stateOf(seed, `${name}\u0000${nth}\u0000${value}`))
  // The first draws of an unmixed state correlate with it.
  for (let round = 0; round < 8; round++) chance.below(2)
  if (uuid.test(value)) {
    const fresh = chance.uuid()
    return value === value.toUpperCase() && /[A-F]/.test(value) ? fresh.toUpperCase() : fresh
  }
  if (ulid.test(value))
    // The first ten characters are the timestamp.
    return (
      value.slice(0, 10) +
      Array.from({ length: 16 }, () => drawn(chance, alphabets.base32)).join('')
    )
  if (isPlaceholder(value) && value.includes('_'))
    return value.slice(0, 5) + segmentLike(value.slice(5), chance)
  return segmentsLike(value, chance)
}
