/**
 * Deterministic pseudonyms: a keyed hash of the class and the canonical value, written in the letters or digits that
 * its place allows. The key stays outside the recording: without a key, all document numbers could be tried in
 * minutes.
 */

/** A keyed hash in hexadecimal, 16 digits or more; the same text gives the same hash. */
export type KeyedHash = (text: string) => string

export interface Pseudonyms {
  /** `length` letters a-z for this value of this class; at most 10. */
  letters(classId: string, canonical: string, length: number): string
  /** An integer below `bound` for this value of this class. */
  below(classId: string, canonical: string, bound: number): number
  /** The same, and for the first 30,000 values another for each, however few there are below `bound`. */
  distinctBelow(classId: string, canonical: string, bound: number): number
  /** `~tok_` and ten letters: recognisable as a replacement. */
  mark(prefix: string, classId: string, canonical: string): string
  /** The keyed hash of a text, in hexadecimal. */
  digest(text: string): string
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz'
/** 13 hexadecimal digits are 52 bits: the exact integers of a number. */
const hashDigits = 13
/** Values whose integers are kept apart, and how often another integer is drawn for one. */
const maxOwners = 30_000
const maxDraws = 32

export function createPseudonyms(hash: KeyedHash): Pseudonyms {
  /** By class and integer, the hash of the value that has it. */
  const owners = new Map<string, number>()

  const numberOf = (classId: string, canonical: string): number =>
    Number.parseInt(hash(`${classId}\u0000${canonical}`).slice(0, hashDigits), 16)

  function letters(classId: string, canonical: string, length: number): string {
    let rest = numberOf(classId, canonical)
    let text = ''
    while (text.length < length) {
      text += alphabet[rest % 26]
      rest = Math.floor(rest / 26)
    }
    return text
  }

  function distinctBelow(classId: string, canonical: string, bound: number): number {
    const own = numberOf(classId, canonical)
    for (let draw = 0; draw < maxDraws; draw++) {
      const drawn = draw === 0 ? own : numberOf(classId, `${canonical}\u0000${draw}`)
      const slot = `${classId}${drawn % bound}`
      const owner = owners.get(slot)
      if (owner === undefined && owners.size < maxOwners) owners.set(slot, own)
      if (owner === undefined || owner === own) return drawn % bound
    }
    return own % bound
  }

  return {
    letters,
    distinctBelow,
    below: (classId, canonical, bound) => numberOf(classId, canonical) % bound,
    mark: (prefix, classId, canonical) => `~${prefix}_${letters(classId, canonical, 10)}`,
    digest: (text) => hash(`body\u0000${text}`),
  }
}

const wholeBody =
  /^~body\(\d+ bytes of (?:[a-z]+\/[a-z\d.+*-]{1,60}|no known type), hmac-sha256 [\da-f]{16,64}\)$/

/**
 * The replacement of a body that is not read: its length, its media type and a keyed hash, by which it can be compared.
 * `~body(62 bytes of application/xml, hmac-sha256 4b1f…)`
 */
export function bodyPlaceholder(text: string, type: string, pseudonyms: Pseudonyms): string {
  const mediaType = /^\s*([a-z]+\/[a-z\d.+*-]{1,60})\s*(?:;|$)/i.exec(type)?.[1]?.toLowerCase()
  const { length } = new TextEncoder().encode(text)
  return `~body(${length} bytes of ${mediaType ?? 'no known type'}, hmac-sha256 ${pseudonyms.digest(text)})`
}

export const isBodyPlaceholder = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('~body(') && wholeBody.test(value)

/** What a placeholder of a body says without its hash, which depends on the key. */
export const bodyFacts = (placeholder: string): string => placeholder.replace(/, hmac-.*/, '')

/** Whether a value is such a placeholder; it has letters only, so that no pattern for numbers matches inside one. */
export const isPlaceholder = (value: string): boolean =>
  value.startsWith('~') &&
  (/^~[a-z]{3}(?:_[a-z]{10}|\(\d+\))$/.test(value) || isBodyPlaceholder(value))

/** The replacement of free text, which no pattern can clean: its length in characters. */
export const lengthPlaceholder = (value: string, prefix = 'txt'): string =>
  isPlaceholder(value) || value === '' ? value : `~${prefix}(${value.length})`

/** Canonical form, so that all spellings of a value give one pseudonym: NFC, trimmed, lower case, single spaces. */
export const canonicalText = (value: string): string =>
  value.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
