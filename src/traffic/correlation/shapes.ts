/**
 * The shapes of identifiers: which texts look as if a machine had made them up, and how another of the same shape is
 * made from a seed. A UUID stays a UUID, a ULID a ULID, digits stay digits of the same length.
 */
import { type Chance, type ChanceState, createChance } from '../../engine/chance.ts'
import { isMark } from '../redaction/pseudonyms.ts'

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const ulid = /^[0-7][\dA-HJKMNP-TV-Z]{25}$/
const hex = /^(?=.*[a-f])(?=.*\d)[\da-f]{16,}$/i
const prefixedHex = /^[A-Za-z][A-Za-z]{0,15}[_-](?=.*\d)[\da-f]{16,}$/
const base62 = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\dA-Za-z]{16,}$/
const prefixed62 = /^[A-Za-z]{1,16}[_-](?=.*\d)(?=.*[A-Za-z])[\dA-Za-z]{14,}$/

const minted = [uuid, ulid, hex, prefixedHex, base62, prefixed62]

/** All of them are of these letters alone: most texts are not, and that is seen at their first blank. */
const oneWord = /^[\w-]{16,200}$/

/** Whether nobody but a machine would write that. */
export const looksMinted = (value: string): boolean =>
  value.length >= 16 && oneWord.test(value) && minted.some((pattern) => pattern.test(value))

/** Shorter ones may stand in a longer text by accident. */
export const leastEmbedded = 12

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

/** A word and a number by their letters; a mixture by its length, since chance decides where the digits stand. */
function segmentShape(segment: string): string {
  if (/^\d+$/.test(segment)) return '9'.repeat(segment.length)
  if (/^[A-Za-z]+$/.test(segment)) return segment
  return `${/^[\da-f]+$/i.test(segment) ? 'h' : 'x'}${segment.length}`
}

/** What two values have in common when one could stand for the other. */
export function shapeOf(value: string): string {
  if (uuid.test(value)) return 'uuid'
  if (ulid.test(value)) return 'ulid'
  if (isMark(value)) return value.slice(0, 5)
  return value.replaceAll(/[A-Za-z\d]+/g, segmentShape)
}

/** A key for a stream of chance, wide enough that no two of a million texts share one. */
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

/** Texts of one fingerprint are one text, for all that chance can tell. */
export const fingerprint = (text: string): string => stateOf(text.length, text).join(' ')

const drawn = (chance: Chance, alphabet: string): string =>
  alphabet[chance.below(alphabet.length)] ?? ''

/** A word that says what kind of thing it is, and is not what tells it from others. */
const isWord = (segment: string): boolean => /^[A-Za-z]{1,16}$/.test(segment)

/** Digits and letters mixed, as they were: with one of them alone it would be a number or a word. */
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
      // A number that began with no zero is a number still.
      const leads = char !== '0' && !/\d/.test(segment[index - 1] ?? '')
      return drawn(chance, leads ? alphabets.first : alphabets.digits)
    }
    if (/[a-z]/.test(char)) return drawn(chance, alphabets.lower)
    return /[A-Z]/.test(char) ? drawn(chance, alphabets.upper) : char
  }).join('')
  // Letters may all come out as digits of sixteen, and what was a word with a number would be taken for a hash.
  const at = segment.search(/[g-z]/i)
  if (length < 8 || at === -1 || /[g-z]/i.test(fresh)) return fresh
  const letter = drawn(
    chance,
    /[a-z]/.test(segment[at] ?? '') ? alphabets.afterF : alphabets.afterBigF,
  )
  return fresh.slice(0, at) + letter + fresh.slice(at + 1)
}

/** `order-1041` keeps its word; where there are words alone, the last of them is what differs. */
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

/** Another value of the same shape; the same seed, name and value give the same one. `nth` asks for another. */
export function renewed(value: string, seed: number, name: string, nth = 0): string {
  const chance = createChance(0, '', stateOf(seed, `${name}\u0000${nth}\u0000${value}`))
  // The first draws of a state that was not warmed up lie close to it.
  for (let round = 0; round < 8; round++) chance.below(2)
  if (uuid.test(value)) {
    const fresh = chance.uuid()
    return value === value.toUpperCase() && /[A-F]/.test(value) ? fresh.toUpperCase() : fresh
  }
  if (ulid.test(value))
    // The first ten say when it was made.
    return (
      value.slice(0, 10) +
      Array.from({ length: 16 }, () => drawn(chance, alphabets.base32)).join('')
    )
  if (isMark(value) && value.includes('_'))
    return value.slice(0, 5) + segmentLike(value.slice(5), chance)
  return segmentsLike(value, chance)
}
