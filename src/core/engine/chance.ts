/**
 * A seeded random generator, passed as a parameter. Every consumer draws from its own named fork, so that a new
 * consumer does not disturb the others; odds are whole numbers ("one in n"), so that a printed value can be typed back.
 * The generator is xoshiro128**, seeded through splitmix32 from a hash of seed and name.
 */
export interface Chance {
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** True once in `n` draws on average; never for 0. */
  oneIn(n: number): boolean
  pick<Value>(values: readonly [Value, ...Value[]] | readonly Value[]): Value
  /** A version 4 UUID. */
  uuid(): string
  /** A fraction in [0, 1), for libraries that require one. */
  fraction(): number
  /** An independent stream: the same name gives the same stream, whatever else was drawn. */
  fork(name: string): Chance
  /** The state of the stream: a stream made from it continues with the same draws. */
  state(): ChanceState
}

export type ChanceState = readonly [number, number, number, number]

const codesOf = (text: string): number[] => Array.from(text, (each) => each.charCodeAt(0))
const hexDigits: readonly number[] = codesOf('0123456789abcdef')

/** Character codes of the UUID under construction; the hyphens are never overwritten. */
const uuidCodes = codesOf('00000000-0000-0000-0000-000000000000')

/** Writes the last `digits` hexadecimal digits of a number, from an index on. */
function writeHex(offset: number, bits: number, digits: number): void {
  for (let digit = digits - 1, rest = bits; digit >= 0; digit--, rest >>>= 4)
    uuidCodes[offset + digit] = hexDigits[rest & 15] ?? 0
}

/** FNV-1a, with a final mix so that names that differ in one character hash far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value ^= text.charCodeAt(index)
    value = Math.imul(value, 0x01000193)
  }
  value ^= value >>> 16
  value = Math.imul(value, 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}

function splitmix(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

export function createChance(seed: number, name = 'session', from?: ChanceState): Chance {
  const seeds = splitmix((hash(name) ^ Math.imul(seed | 0, 0x9e3779b1) ^ (seed / 2 ** 32)) | 0)
  let [a, b, c, d] = from ?? [seeds(), seeds(), seeds(), seeds()]

  function next(): number {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return result
  }

  const below = (bound: number): number => {
    if (!(bound >= 1)) throw new Error(`chance cannot draw below ${bound}`)
    // 32 bits suffice for every bound that we use; the bias of the multiplication is under one in a million.
    return Math.floor((next() / 2 ** 32) * bound)
  }

  function pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new Error('chance cannot pick from nothing')
    return values[below(values.length)] as Value
  }

  function uuid(): string {
    writeHex(0, next(), 8)
    const second = next()
    writeHex(9, second >>> 16, 4)
    writeHex(14, (second & 0x0fff) | 0x4000, 4)
    const third = next()
    writeHex(19, ((third >>> 16) & 0x3fff) | 0x8000, 4)
    writeHex(24, third, 4)
    writeHex(28, next(), 8)
    // One flat string: a concatenated one is copied once more when it becomes a map key.
    return String.fromCharCode(...uuidCodes)
  }

  return {
    below,
    between: (min, max) => min + below(max - min + 1),
    oneIn: (n) => n > 0 && below(n) === 0,
    pick,
    uuid,
    fraction: () => next() / 2 ** 32,
    fork: (inner) => createChance(seed, `${name}/${inner}`),
    state: () => [a, b, c, d],
  }
}
