/**
 * Unpacks compressed files while they are read, by their content: a stream, or the members of a zip archive by its
 * directory.
 */
import { fstatSync } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import {
  constants,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  inflateRawSync,
} from 'node:zlib'
import { readAt } from '../../../core/runtime/recording/line-file.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { FormatProblem } from '../../formats/format.ts'
import {
  defaultExpansionLimits,
  type ExpansionLimits,
  expansionSentence,
  maxExpandedBytes,
} from '../../../core/runtime/recording/line-source.ts'

/**
 * Unpacks a compressed file while it is read, by its content, not by its name. What can be unpacked of a broken file
 * is kept; unpacking stops where a little stands for very much.
 */
const decoded = (encoding: 'utf-16le' | 'utf-16be'): Transform => {
  const decoder = new TextDecoder(encoding)
  return new Transform({
    transform: (piece: Buffer, _, done) => done(null, decoder.decode(piece, { stream: true })),
    flush: (done) => done(null, decoder.decode()),
  })
}

const transforms = {
  gzip: createGunzip,
  zlib: createInflate,
  zstd: createZstdDecompress,
  deflate: createInflateRaw,
  // What PowerShell writes to a file.
  'UTF-16': () => decoded('utf-16le'),
  'UTF-16, big end first': () => decoded('utf-16be'),
} as const

type Packing = keyof typeof transforms

const magics: readonly (readonly [RegExp, Packing])[] = [
  [/^1f8b08/, 'gzip'],
  [/^78(?:01|5e|9c|da)/, 'zlib'],
  [/^28b52ffd/, 'zstd'],
  [/^fffe(?!0000)/, 'UTF-16'],
  [/^feff/, 'UTF-16, big end first'],
]

/** Undefined for a plain file; raw deflate has no mark. */
export function packingOf(beginning: Uint8Array): Packing | undefined {
  const start = Buffer.from(beginning.subarray(0, 4)).toString('hex')
  return magics.find(([pattern]) => pattern.test(start))?.[1]
}

/** Whether it is deflated without any mark: what it unpacks to is recognised, and it is not. */
export function isRawDeflate(
  beginning: Uint8Array,
  recognises: (beginning: Uint8Array) => boolean,
): boolean {
  // The first block has a known kind.
  if (beginning.length === 0 || ((beginning[0] ?? 0) & 6) === 6 || recognises(beginning))
    return false
  try {
    const finishFlush = constants.Z_SYNC_FLUSH
    return recognises(inflateRawSync(beginning, { finishFlush, maxOutputLength: maxTrialBytes }))
  } catch {
    return false
  }
}

/** 64 KiB of deflated data are no more. */
const maxTrialBytes = 128 * 1024 * 1024

const isUnpackError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^Z(?:_|STD)/.test(String(error.code))

export async function* unpack(
  pieces: AsyncIterable<Uint8Array>,
  packing: Packing,
  report: (problem: FormatProblem) => void,
  limits: ExpansionLimits = defaultExpansionLimits,
): AsyncGenerator<Uint8Array> {
  let packed = 0
  let bytes = 0
  const stop = (message: string): void =>
    report({ where: `byte ${bytes} of what it unpacks to`, message, fatal: true })
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      packed += piece.length
      yield piece
    }
  }
  const transform: Transform = transforms[packing]()
  const source = Readable.from(counted(), { objectMode: false })
  source.once('error', (error) => transform.destroy(error))
  source.pipe(transform)
  try {
    for await (const piece of transform as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > maxExpandedBytes(packed, limits)) {
        stop(expansionSentence(limits))
        break
      }
      yield piece
    }
  } catch (error) {
    if (!isUnpackError(error)) throw error
    stop(`what is packed as ${packing} is damaged there, or ends too early (${error.message})`)
  } finally {
    source.destroy()
    transform.destroy()
  }
}

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

const pieceBytes = 64 * 1024

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

  /** No stream of the file: one that is ended early closes the descriptor, which is that of the archive. */
  async function* packedPieces(member: ZipMember): AsyncGenerator<Uint8Array> {
    const start = contentAt(fd, member)
    const end = start === undefined ? 0 : Math.min(size, start + member.packed)
    for (let at = start ?? 0; at < end; at += pieceBytes)
      yield await Promise.resolve(readAt(fd, at, Math.min(pieceBytes, end - at)))
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
