/** Byte values of JSON punctuation. */

export const quote = 34
export const backslash = 92
export const comma = 44
export const colon = 58
export const openList = 91
export const closeList = 93
export const openObject = 123
export const closeObject = 125

export const isJsonWhitespace = (byte: number): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9

/** UTF-8 byte order mark. */
export const byteOrderMark = [0xef, 0xbb, 0xbf]

/** A byte for an error message. */
export const describeByte = (byte: number): string =>
  byte > 32 && byte < 127 ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`
