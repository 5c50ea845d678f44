/** Reads a zip archive from an open file by its directory: members as streams, or small ones at once. */
import { createReadStream, fstatSync } from 'node:fs'
import { Readable } from 'node:stream'
import { inflateRawSync } from 'node:zlib'
import { readAt } from '../../../core/runtime/recording/line-file.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { FormatProblem } from '../../formats/format.ts'
import { unpack } from './unpack.ts'

export interface ZipMember {
  readonly name: string
  /** Bytes in the archive. */
  readonly packed: number
  readonly isStored: boolean
  /** Offset of its own header. */
  readonly at: number
}

export interface ZipArchive {
  readonly members: readonly ZipMember[]
  readonly stream: (
    member: ZipMember,
    report: (problem: FormatProblem) => void,
  ) => AsyncIterable<Uint8Array>
  /** The content of a member; undefined when it is broken, or larger than the bound. */
  readonly read: (member: ZipMember) => Uint8Array | undefined
}

const maxMembers = 100_000
const maxDirectoryBytes = 64 * 1024 * 1024
const maxMemberBytes = 64 * 1024 * 1024
const endSignature = 0x06054b50
const endBytes = 22
const end64LocatorSignature = 0x07064b50
const end64LocatorBytes = 20
const end64Signature = 0x06064b50
const entrySignature = 0x02014b50
const entryBytes = 46
const headerSignature = 0x04034b50
const headerBytes = 30
const beyond32 = 0xffff_ffff

interface Directory {
  readonly at: number
  readonly length: number
}

/** From the end record, which is followed by a comment only. */
function findDirectory(fd: number, size: number): Directory | undefined {
  const tailAt = Math.max(0, size - endBytes - 65_535 - end64LocatorBytes)
  const tail = readAt(fd, tailAt, size - tailAt)
  let end = tail.length - endBytes
  while (end >= 0 && tail.readUInt32LE(end) !== endSignature) end--
  if (end < 0) return undefined
  const locator = end - end64LocatorBytes
  if (locator >= 0 && tail.readUInt32LE(locator) === end64LocatorSignature) {
    const record = readAt(fd, Number(tail.readBigUInt64LE(locator + 8)), 56)
    if (record.length === 56 && record.readUInt32LE(0) === end64Signature)
      return { length: Number(record.readBigUInt64LE(40)), at: Number(record.readBigUInt64LE(48)) }
  }
  return { length: tail.readUInt32LE(end + 12), at: tail.readUInt32LE(end + 16) }
}

/** The 64-bit values of an entry: those that do not fit into 32 bits, in this order. */
function wideValues(extra: Buffer, values: readonly number[]): readonly number[] {
  let field: Buffer = Buffer.alloc(0)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1) field = extra.subarray(at + 4)
  let next = 0
  return values.map((value) => {
    if (value !== beyond32 || next + 8 > field.length) return value
    next += 8
    return Number(field.readBigUInt64LE(next - 8))
  })
}

function membersIn(directory: Buffer): Result<readonly ZipMember[], string> {
  const members: ZipMember[] = []
  for (let at = 0; at + entryBytes <= directory.length && members.length < maxMembers;) {
    if (directory.readUInt32LE(at) !== entrySignature) return err('its directory is damaged')
    const flags = directory.readUInt16LE(at + 8)
    const method = directory.readUInt16LE(at + 10)
    const nameEnd = at + entryBytes + directory.readUInt16LE(at + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
    const [, packed = 0, offset = 0] = wideValues(directory.subarray(nameEnd, extraEnd), [
      directory.readUInt32LE(at + 24),
      directory.readUInt32LE(at + 20),
      directory.readUInt32LE(at + 42),
    ])
    const name = directory.toString('utf8', at + entryBytes, nameEnd)
    const isReadable = (flags & 1) === 0 && (method === 0 || method === 8)
    if (!isReadable && !name.endsWith('/'))
      return err(`${name} in it is encrypted, or compressed in a way that is not known here`)
    if (!name.endsWith('/')) members.push({ name, packed, isStored: method === 0, at: offset })
    at = extraEnd + directory.readUInt16LE(at + 32)
  }
  return ok(members)
}

/** The offset of the content behind the member's own header; undefined when there is none. */
function contentAt(fd: number, { at }: ZipMember): number | undefined {
  const header = readAt(fd, at, headerBytes)
  return header.length === headerBytes && header.readUInt32LE(0) === headerSignature
    ? at + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
    : undefined
}

/** An empty archive begins with its end. */
export const isZip = (beginning: Uint8Array): boolean =>
  beginning.length >= 4 &&
  [headerSignature, endSignature].includes(Buffer.from(beginning.subarray(0, 4)).readUInt32LE(0))

/** Throws the file system's errors. */
export function openZipArchive(fd: number): Result<ZipArchive, string> {
  const { size } = fstatSync(fd)
  const found = findDirectory(fd, size)
  if (!found || found.at + found.length > size || found.length > maxDirectoryBytes)
    return err('it has no directory: it breaks off')
  const members = membersIn(readAt(fd, found.at, found.length))
  if (!members.ok) return members

  function packedPieces(member: ZipMember): AsyncIterable<Uint8Array> {
    const start = contentAt(fd, member)
    if (start === undefined || member.packed === 0) return Readable.from([])
    return createReadStream('', { fd, autoClose: false, start, end: start + member.packed - 1 })
  }

  return ok({
    members: members.value,
    stream: (member, report) =>
      member.isStored ? packedPieces(member) : unpack(packedPieces(member), 'deflate', report),
    read(member) {
      const start = contentAt(fd, member)
      if (start === undefined || member.packed > maxMemberBytes) return undefined
      const packed = readAt(fd, start, member.packed)
      try {
        return member.isStored
          ? packed
          : inflateRawSync(packed, { maxOutputLength: maxMemberBytes })
      } catch {
        return undefined
      }
    },
  })
}
