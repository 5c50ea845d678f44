/**
 * Index of many byte patterns, all found in one pass that looks at every fifth byte of a text: a pattern of eight bytes or
 * more has a gram of four bytes at one of them, wherever it stands. A filter of one bit for each hash answers for nearly
 * all grams of a text, whatever the number of patterns. Its memory is a few arrays of numbers.
 */
export interface PatternIndex {
  /** Adds a pattern of `minPatternBytes` or more; patterns are numbered from 0. */
  readonly add: (pattern: Uint8Array) => void
  /** Calls `found` for every occurrence within the first `length` bytes, in no order. */
  readonly search: (
    text: Uint8Array,
    length: number,
    found: (pattern: number, at: number, length: number) => void,
  ) => void
  /** The bytes of a pattern. */
  readonly patternAt: (pattern: number) => Uint8Array
}

const gramBytes = 4
const stride = 5
export const minPatternBytes = stride + gramBytes - 1

const minSlotBits = 12
/** Bits of the filter for each slot: one of 64 grams that are in no pattern passes it. */
const filterBitsPerSlot = 6

/** Four bytes as one number. */
const gramAt = (text: Uint8Array, at: number): number =>
  (text[at] ?? 0) |
  ((text[at + 1] ?? 0) << 8) |
  ((text[at + 2] ?? 0) << 16) |
  ((text[at + 3] ?? 0) << 24)

/** The upper bits of it number the slot and the bit of the filter. */
const hashOf = (gram: number): number => Math.imul(gram ^ (gram >>> 15), 0x9e_37_79_b1)

/** A copy with room for `length` elements. */
function grown<Numbers extends Int32Array | Uint8Array>(numbers: Numbers, length: number): Numbers {
  if (length <= numbers.length) return numbers
  const next = numbers.constructor as new (length: number) => Numbers
  const larger = new next(Math.max(1024, length * 2))
  larger.set(numbers)
  return larger
}

export function createPatternIndex(): PatternIndex {
  let slotBits = minSlotBits
  /** The first gram of each slot, counted from 1; grams of one slot are chained. */
  let heads = new Int32Array(2 ** slotBits)
  let filter = new Int32Array(2 ** (slotBits + filterBitsPerSlot - 5))
  let chain = new Int32Array(0)
  let grams = new Int32Array(0)
  /** The pattern of each gram and its offset there, as one number. */
  let places = new Int32Array(0)
  let gramCount = 1
  let bytes = new Uint8Array(0)
  /** Where each pattern begins in `bytes`, and after the last one the end. */
  let starts = new Int32Array(1)
  let count = 0

  const patternAt = (pattern: number): Uint8Array =>
    bytes.subarray(starts[pattern] ?? 0, starts[pattern + 1] ?? 0)

  function chainGram(number: number): void {
    const hash = hashOf(grams[number] ?? 0)
    const bit = hash >>> (32 - slotBits - filterBitsPerSlot)
    filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
    const slot = hash >>> (32 - slotBits)
    chain[number] = heads[slot] ?? 0
    heads[slot] = number
  }

  /** As many slots as grams, so that chains stay short. */
  function addSlots(): void {
    slotBits++
    heads = new Int32Array(2 ** slotBits)
    filter = new Int32Array(2 ** (slotBits + filterBitsPerSlot - 5))
    for (let number = 1; number < gramCount; number++) chainGram(number)
  }

  function addGram(gram: number, place: number): void {
    chain = grown(chain, gramCount + 1)
    grams = grown(grams, gramCount + 1)
    places = grown(places, gramCount + 1)
    grams[gramCount] = gram
    places[gramCount] = place
    chainGram(gramCount++)
    if (gramCount > heads.length) addSlots()
  }

  function add(pattern: Uint8Array): void {
    const start = starts[count] ?? 0
    bytes = grown(bytes, start + pattern.length)
    bytes.set(pattern, start)
    for (let offset = 0; offset < stride; offset++)
      addGram(gramAt(pattern, offset), count * stride + offset)
    starts = grown(starts, ++count + 1)
    starts[count] = start + pattern.length
  }

  /** The length of the pattern when it stands at `at`, otherwise 0. */
  function lengthAt(text: Uint8Array, length: number, pattern: number, at: number): number {
    const start = starts[pattern] ?? 0
    const size = (starts[pattern + 1] ?? 0) - start
    if (at < 0 || at + size > length) return 0
    for (let index = 0; index < size; index++)
      if (text[at + index] !== bytes[start + index]) return 0
    return size
  }

  return {
    add,
    search(text, length, found) {
      if (count === 0) return
      const bitShift = 32 - slotBits - filterBitsPerSlot
      for (let at = 0; at + gramBytes <= length; at += stride) {
        const gram = gramAt(text, at)
        const hash = hashOf(gram)
        const bit = hash >>> bitShift
        if (((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) continue
        for (let next = heads[hash >>> (32 - slotBits)] ?? 0; next !== 0; next = chain[next] ?? 0) {
          if (grams[next] !== gram) continue
          const place = places[next] ?? 0
          const pattern = Math.floor(place / stride)
          const from = at - (place % stride)
          const size = lengthAt(text, length, pattern, from)
          if (size > 0) found(pattern, from, size)
        }
      }
    },
    patternAt,
  }
}
