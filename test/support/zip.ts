/** Writes zip archives, as small as the format allows. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZippedFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly isStored?: boolean
  /** Marks it as encrypted. */
  readonly isEncrypted?: boolean
}

const shorts = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

const longs = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}

export function zipOf(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, isStored = false, isEncrypted = false } of files) {
    const plain = Buffer.from(content)
    const packed = isStored ? plain : deflateRawSync(plain)
    const common = Buffer.concat([
      shorts(20, isEncrypted ? 1 : 0, isStored ? 0 : 8, 0, 0),
      longs(crc32(plain), packed.length, plain.length),
      shorts(Buffer.byteLength(name), 0),
    ])
    const part = Buffer.concat([longs(0x04034b50), common, Buffer.from(name), packed])
    directory.push(
      Buffer.concat([longs(0x02014b50), shorts(20), common, shorts(0, 0, 0), longs(0, at)]),
      Buffer.from(name),
    )
    parts.push(part)
    at += part.length
  }
  const list = Buffer.concat(directory)
  const end = [longs(0x06054b50), shorts(0, 0, files.length, files.length), longs(list.length, at)]
  return Buffer.concat([...parts, list, ...end, shorts(0)])
}
