/**
 * Streams the lines of a recording with their text, from a file or a folder of segments. Unreadable lines are skipped and
 * reported to `complain`.
 */
import { dirname } from 'node:path'
import { fileProblem } from '../../../core/runtime/files/file-problem.ts'
import {
  defaultExpansionLimits,
  type ExpansionLimits,
  openLineSource,
} from '../../../core/runtime/recording/line-source.ts'
import { isRecordingFolder } from '../../../core/runtime/recording/recording-names.ts'
import {
  type PartFile,
  readBlob,
  listRecordingFiles,
} from '../../../core/runtime/recording/recording-files.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { createLineQueue, maxLineBytes, type NumberedLine } from '../../formats/byte-queue.ts'
import type { ReadBlob } from '../../../core/traffic/recording/recorded-body.ts'
import { readRecordedLine, type RecordedLine } from '../../../core/traffic/recording/reader.ts'

export interface RecordingTextLine {
  readonly text: string
  readonly read: RecordedLine
}

type Complain = (where: string, message: string) => void

const lineFeed = Buffer.from('\n')
/** A block is split into lines in pieces: lines of few bytes are many objects. */
const pieceBytes = 64 * 1024

/** Bounds of reading; tests have smaller ones. */
export interface LineLimits {
  readonly expansion: ExpansionLimits
  /** Bytes of one line; a longer one is left out. */
  readonly lineBytes: number
  /** Lines one behind the other that cannot be read: there reading stops. */
  readonly unreadableLines: number
}

export const defaultLineLimits: LineLimits = {
  expansion: defaultExpansionLimits,
  lineBytes: maxLineBytes,
  unreadableLines: 100_000,
}

/** The lines of one file: plain, compressed, or compressed block by block. */
async function* linesIn(
  { file, name }: PartFile,
  complain: Complain,
  { expansion, lineBytes }: LineLimits,
) {
  const queue = createLineQueue(lineBytes)
  const source = await openLineSource(file, (message) => complain(name, message), [], expansion)
  try {
    let next = 0
    for await (const { at, bytes } of source.blocks(0)) {
      // A gap: an unreadable block lies between, and partial lines must not be joined across it.
      if (at !== next) yield* queue.feed(lineFeed)
      for (let from = 0; from < bytes.length; from += pieceBytes)
        yield* queue.feed(bytes.subarray(from, from + pieceBytes))
      next = at + bytes.length
    }
    yield* queue.finish()
    for (const { where, message } of queue.problems()) complain(where, message)
  } finally {
    source.close()
  }
}

function parseLine(
  { number, text: raw }: NumberedLine,
  complain: Complain,
): RecordingTextLine | undefined {
  const text = (number === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim()
  if (text === '') return undefined
  const read = readRecordedLine(text)
  if (read.ok) return { text, read: read.value }
  complain(`line ${number}`, read.error)
  return undefined
}

export const noHeaderProblem = (recording: string, because?: string): Problem =>
  problem(
    `reading the recording ${recording}`,
    `it has no header${because === undefined ? '' : ` (${because})`}`,
    'Is it a recording? What other programs wrote has to be imported first: sparring import',
  )

/** Each segment of a folder has a header; only the first is yielded. */
export async function* readRecordingLines(
  path: string,
  complain: Complain,
  limits: LineLimits = defaultLineLimits,
): AsyncGenerator<RecordingTextLine> {
  const listed = listRecordingFiles(path)
  if (!listed.ok) throw new Problem(listed.error, 2)
  const { parts, missing, isFolder: inFolder } = listed.value
  for (const number of missing) complain(`segment ${number}`, 'it is not there')
  let hasHeader = false
  try {
    for (const part of parts) {
      const complainInPart: Complain = (where, message) =>
        complain(inFolder && where !== part.name ? `${part.name}, ${where}` : where, message)
      let unreadable = 0
      for await (const line of linesIn(part, complainInPart, limits)) {
        const read = parseLine(line, complainInPart)
        unreadable = read ? 0 : unreadable + 1
        if (unreadable >= limits.unreadableLines) {
          const where = `line ${line.number}`
          complainInPart(
            where,
            `${unreadable} lines up to there cannot be read; the rest is not tried`,
          )
          break
        }
        if (!read || (read.read.kind === 'header' && hasHeader)) continue
        hasHeader ||= read.read.kind === 'header'
        yield read
      }
    }
  } catch (error) {
    throw new Problem(fileProblem(`reading the recording ${path}`, error), 2)
  }
}

/** Reads bodies stored in blob files; each unreadable blob is reported once. */
export function createBlobReader(path: string, complain: (message: string) => void): ReadBlob {
  const folder = isRecordingFolder(path) ? path : dirname(path)
  const reported = new Set<string>()
  return (name) => {
    const body = readBlob(folder, name)
    if (body.ok) return body.value
    if (!reported.has(name)) complain(body.error)
    reported.add(name)
    return undefined
  }
}
