/**
 * DER encoder for the types that a certificate needs: tag, length, content. Encoders return whole buffers, so nested
 * calls mirror the ASN.1 structure.
 */

/** ASN.1 universal tags. */
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

/** Short form: one byte below 128; long form: a byte with the count of length bytes, then those. */
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

/** A non-negative INTEGER: a zero byte goes first where the leading bit is set, which would mean negative. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = first === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first))
  const isHigh = ((short[0] ?? 0) & 0x80) !== 0
  return element(tags.integer, isHigh ? Buffer.concat([Buffer.from([0]), short]) : short)
}

export const boolean = (value: boolean): Buffer =>
  element(tags.boolean, Buffer.from([value ? 0xff : 0]))

/** A BIT STRING; `unused` is the count of unused bits in the last byte. */
export const bitString = (content: Uint8Array, unused = 0): Buffer =>
  element(tags.bitString, Buffer.concat([Buffer.from([unused]), content]))

export const octetString = (content: Uint8Array): Buffer => element(tags.octetString, content)

export const utf8String = (text: string): Buffer => element(tags.utf8String, Buffer.from(text))

/** Base 128, highest group first; every group but the last has its high bit set. */
function groups(number: number): readonly number[] {
  const low = number & 0x7f
  const rest = Math.floor(number / 0x80)
  return rest === 0 ? [low] : [...groups(rest).map((group) => group | 0x80), low]
}

/** An OBJECT IDENTIFIER such as `1.2.840.113549`; the first two numbers share one byte. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  const bytes = [40 * first + second, ...others].flatMap(groups)
  return element(tags.objectIdentifier, Buffer.from(bytes))
}

/** A time with seconds: UTCTime (two-digit year) until 2049, then GeneralizedTime, as RFC 5280 requires. */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return at.getUTCFullYear() < 2050
    ? element(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : element(tags.generalizedTime, Buffer.from(`${digits}Z`))
}

/** Context-specific tags: explicit (around another value) and implicit (in place of its tag). */
export const tagged = (number: number, content: Uint8Array): Buffer =>
  element(0xa0 | number, content)
export const implicit = (number: number, content: Uint8Array): Buffer =>
  element(0x80 | number, content)
