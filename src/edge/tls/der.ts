/**
 * DER, as far as a certificate needs it: a tag, a length, what stands in it. Values are made whole and never changed,
 * so a structure is written as it nests.
 */

/** The tags of the types that a certificate is made of. */
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** Below 128 a length is one byte; above, a byte that says how many bytes follow. */
function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size])
  const hex = size.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

const element = (tag: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])

export const sequence = (...parts: readonly Uint8Array[]): Buffer =>
  element(tags.sequence, Buffer.concat(parts))

export const set = (...parts: readonly Uint8Array[]): Buffer =>
  element(tags.set, Buffer.concat(parts))

/** A whole number that is not negative: a leading bit that would say otherwise gets a zero byte before it. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = first === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first))
  const isHigh = ((short[0] ?? 0) & 0x80) !== 0
  return element(tags.integer, isHigh ? Buffer.concat([Buffer.from([0]), short]) : short)
}

export const boolean = (value: boolean): Buffer =>
  element(tags.boolean, Buffer.from([value ? 0xff : 0]))

/** Bits that fill their bytes, but for so many at the end. */
export const bitString = (content: Uint8Array, unused = 0): Buffer =>
  element(tags.bitString, Buffer.concat([Buffer.from([unused]), content]))

export const octetString = (content: Uint8Array): Buffer => element(tags.octetString, content)

export const utf8String = (text: string): Buffer => element(tags.utf8String, Buffer.from(text))

/** A number in groups of seven bits, the highest first; every group but the last has its high bit set. */
function groups(number: number): readonly number[] {
  const low = number & 0x7f
  const rest = Math.floor(number / 0x80)
  return rest === 0 ? [low] : [...groups(rest).map((group) => group | 0x80), low]
}

/** `1.2.840.113549`, the first two numbers in one. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  const bytes = [40 * first + second, ...others].flatMap(groups)
  return element(tags.objectIdentifier, Buffer.from(bytes))
}

/** To the second. Until 2049 with a year of two digits, as certificates must have it. */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return at.getUTCFullYear() < 2050
    ? element(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : element(tags.generalizedTime, Buffer.from(`${digits}Z`))
}

/** A value under a number of its context: around another value, or in place of one. */
export const tagged = (number: number, content: Uint8Array): Buffer =>
  element(0xa0 | number, content)
export const implicit = (number: number, content: Uint8Array): Buffer =>
  element(0x80 | number, content)
