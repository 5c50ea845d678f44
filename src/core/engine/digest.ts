/** Incremental, non-cryptographic hash of a text: two 32-bit FNV-1a streams with different offsets, 64 bits in all. */

export interface Digest {
  readonly add: (piece: string) => void
  /** 16 hexadecimal digits. */
  readonly text: () => string
}

/** Each byte in two digits. */
const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const pairAt = (bits: number, shift: number): string => pairs[(bits >>> shift) & 255] ?? ''
const hex = (bits: number): string =>
  pairAt(bits, 24) + pairAt(bits, 16) + pairAt(bits, 8) + pairAt(bits, 0)

export function createDigest(): Digest {
  let one = 0x811c9dc5
  let other = 0x01000193
  return {
    add(piece) {
      for (let index = 0; index < piece.length; index++) {
        const code = piece.charCodeAt(index)
        one = Math.imul(one ^ code, 0x01000193)
        other = Math.imul(other ^ code ^ (one >>> 13), 0x85ebca6b)
      }
      // Piece boundaries are part of the hash.
      one = Math.imul(one ^ 0x0a, 0x01000193)
    },
    text: () => `${hex(one)}${hex(other)}`,
  }
}

/** The hash of one text. */
export function digestOf(text: string): string {
  const digest = createDigest()
  digest.add(text)
  return digest.text()
}
