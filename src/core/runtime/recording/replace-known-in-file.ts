/**
 * The last pass over a recording: replaces values in lines that were written before those values were redacted for the
 * first time. Only a file that has one is rewritten, atomically, with the hashes of its end lines.
 */
import { createHash } from 'node:crypto'
import { chmodSync, statSync } from 'node:fs'
import { formatLine } from '../../traffic/recording/recording-lines.ts'
import { replaceKnownInLine } from '../../traffic/recording/replace-known-in-line.ts'
import type { Redactor } from '../../traffic/redaction/redactor.ts'
import { fileProblem } from '../files/file-problem.ts'
import type { Disk } from './appender.ts'
import { compressSegment } from './compress-segment.ts'
import { openLineSource } from './line-source.ts'
import { writeAtomically } from './write-atomically.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'

export interface LastPassOptions {
  readonly redactor: Redactor
  readonly disk: Disk
  /** Bytes of the plain text behind which nothing has to be replaced. */
  readonly upTo?: number
}

const lineFeed = 10
const compressedSuffix = '.zst'
const endLine = /^\{"_rec":\{"v":\d+,"type":"end"/
const hasEndLine = (piece: string): boolean => piece.includes('"type":"end"')

/** The text of a file in pieces of whole lines; the last one may lack its line feed. */
async function* wholeLines(file: string): AsyncGenerator<Buffer> {
  const source = await openLineSource(file, (message) => {
    // A part that cannot be read would be lost by rewriting the rest.
    throw new Error(`${file}: ${message}`)
  })
  try {
    let held: Buffer[] = []
    for await (const { bytes } of source.blocks(0)) {
      const end = bytes.lastIndexOf(lineFeed) + 1
      if (end > 0) {
        yield Buffer.concat([...held, bytes.subarray(0, end)])
        held = []
      }
      // The memory of a block is reused.
      if (end < bytes.length) held.push(Buffer.from(bytes.subarray(end)))
    }
    if (held.length > 0) yield Buffer.concat(held)
  } finally {
    source.close()
  }
}

/** The same piece when nothing in it has to be replaced. */
function replaceInPiece(piece: string, redactor: Redactor): string {
  const lines = piece.split('\n')
  let isChanged = false
  for (const [index, line] of lines.entries()) {
    const { text, red } = replaceKnownInLine(line, redactor)
    if (red.length === 0) continue
    lines[index] = text
    isChanged = true
  }
  return isChanged ? lines.join('\n') : piece
}

/** Offset of the first piece that changes; undefined when none does. */
async function firstChange(
  file: string,
  { redactor, upTo = Number.POSITIVE_INFINITY }: LastPassOptions,
): Promise<number | undefined> {
  let at = 0
  for await (const bytes of wholeLines(file)) {
    if (at >= upTo) return undefined
    const piece = bytes.toString('utf8')
    if (replaceInPiece(piece, redactor) !== piece) return at
    at += bytes.length
  }
  return undefined
}

/** An end line with the hash of what stands before it now. */
function withHash(line: string, sha256: string): string {
  const { _rec: rec, ...rest } = JSON.parse(line) as UnknownRecord
  return formatLine({ _rec: { ...(isUnknownRecord(rec) ? rec : {}), sha256 }, ...rest }).trimEnd()
}

export const lastPassProblem = (path: string, error: unknown): string =>
  fileProblem(`looking through ${path} for secrets that were recognised later`, error)

/** Replaces in one file, plain or compressed; returns whether it changed. */
export async function replaceKnownInFile(file: string, options: LastPassOptions): Promise<boolean> {
  const { redactor, disk } = options
  const from = await firstChange(file, options)
  if (from === undefined) return false
  const isCompressed = file.endsWith(compressedSuffix)
  const plain = isCompressed ? file.slice(0, -compressedSuffix.length) : file
  const { mode } = statSync(file)
  await writeAtomically(plain, disk, async ({ write }) => {
    const hash = createHash('sha256')
    let at = 0
    for await (const bytes of wholeLines(file)) {
      const isBefore = at < from
      at += bytes.length
      if (isBefore) {
        hash.update(bytes)
        await write(bytes)
        continue
      }
      const text = replaceInPiece(bytes.toString('utf8'), redactor)
      if (!hasEndLine(text)) {
        const next = Buffer.from(text)
        hash.update(next)
        await write(next)
        continue
      }
      const parts: Buffer[] = []
      for (const line of text.split(/(?<=\n)/)) {
        const isEnd = endLine.test(line)
        const next = isEnd ? `${withHash(line, hash.copy().digest('hex'))}\n` : line
        hash.update(next)
        parts.push(Buffer.from(next))
      }
      await write(Buffer.concat(parts))
    }
  })
  chmodSync(plain, mode)
  if (isCompressed) await compressSegment(plain, { disk })
  return true
}
