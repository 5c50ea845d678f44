/**
 * Opens a recording folder: a new one starts with segment 1, an existing one continues with a new segment under its
 * header. Repairs crash damage: torn lines, uncompressed segments, unfinished files.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { HeaderLine } from '../../traffic/recording/format.ts'
import { fileProblem } from '../files/file-problem.ts'
import { makeFolder } from '../files/make-folder.ts'
import { unfinishedSuffix } from '../files/replacement.ts'
import { type FileLock, lockFile } from './file-lock.ts'
import { readAt } from './line-file.ts'
import {
  newRecordingHeader,
  readRecordingHeader,
  type RecordingFileOptions,
  resumeRefusal,
} from './recording-file.ts'
import { blobFolder, type SegmentFile, listSegments } from './recording-names.ts'
import { surveyCompressed, surveyRecording } from './recording-survey.ts'
import { walkZstdFrames } from './zstd-frames.ts'

export interface RecordingFolder {
  readonly folder: string
  readonly lock: FileLock
  /** Header of every segment, except for its number. */
  readonly header: HeaderLine
  readonly t0: number
  /** The number of the next segment, and the totals of those before. */
  readonly next: { readonly number: number; readonly http: number; readonly seq: number }
  /** Segments that are not compressed yet. */
  readonly unsealed: readonly SegmentFile[]
}

const firstBytes = 65_536
/** Blocks are smaller. */
const maxOutputLength = 64 * 1024 * 1024

interface SegmentSummary {
  readonly header: HeaderLine
  readonly http: number
  readonly seq: number
}

/** The first bytes of a segment, as text. */
function beginningOf(fd: number, size: number, isCompressed: boolean): string {
  if (!isCompressed) return readAt(fd, 0, Math.min(size, firstBytes)).toString('utf8')
  const { frames } = walkZstdFrames((at, length) => readAt(fd, at, length), size)
  const [first] = frames
  if (!first) return ''
  try {
    const bytes = zstdDecompressSync(readAt(fd, first.at, first.length), { maxOutputLength })
    return bytes.subarray(0, firstBytes).toString('utf8')
  } catch {
    return ''
  }
}

/** Header and totals from a segment; undefined when its beginning is lost. */
function readSegment({
  file,
  isCompressed,
}: SegmentFile): Result<SegmentSummary | undefined, string> {
  const fd = openSync(file, 'r')
  try {
    const { size } = fstatSync(fd)
    const header = readRecordingHeader(beginningOf(fd, size, isCompressed))
    if (!header.ok) return err(`its segment ${file}: ${header.error}`)
    if (!header.value) return ok(undefined)
    const { http, seq } = (isCompressed ? surveyCompressed : surveyRecording)({ fd, size })
    const { segment } = header.value._rec
    return ok({
      header: header.value,
      http: (segment?.http ?? 0) + http,
      seq: Math.max(segment?.seq ?? 0, seq),
    })
  } finally {
    closeSync(fd)
  }
}

/** Totals from the last segment with a readable beginning. */
function lastReadable(
  segments: readonly SegmentFile[],
): Result<SegmentSummary | undefined, string> {
  for (const segment of segments.toReversed()) {
    const known = readSegment(segment)
    if (!known.ok || known.value) return known
  }
  return ok(undefined)
}

/** A file that does not belong to a recording; such a folder is refused. */
export const foreignFileIn = (folder: string): string | undefined =>
  readdirSync(folder).find((name) => !isRecordingFile(name))

const isRecordingFile = (name: string): boolean =>
  name === blobFolder || /^(?:\d{4,9}\.rec\.ndjson|recording\.lock)/.test(name)

/** Removes files that were never finished. */
function removeUnfinished(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder))
    if (name.endsWith(unfinishedSuffix)) rmSync(join(folder, name), { force: true })
}

/** Removes plain segments whose compressed file exists: the process was killed before the removal. */
function removeCompressedPlain(segments: readonly SegmentFile[]): void {
  for (const { file, isCompressed } of segments)
    if (isCompressed) rmSync(file.slice(0, -'.zst'.length), { force: true })
}

/** Removes empty segments at the end (killed before their first line); their numbers are reused. */
function withoutEmpty(segments: readonly SegmentFile[]): readonly SegmentFile[] {
  const last = segments.at(-1)
  if (!last || last.isCompressed || statSync(last.file).size > 0) return segments
  rmSync(last.file, { force: true })
  rmSync(`${last.file}.lock`, { force: true })
  return withoutEmpty(segments.slice(0, -1))
}

export function openRecordingFolder(
  options: RecordingFileOptions,
): Result<RecordingFolder, string> {
  const folder = options.file.replace(/[/\\]+$/, '') || options.file
  const attempted = `recording into ${folder}`
  let lock: FileLock | undefined
  const giveUp = (wrong: string): Result<RecordingFolder, string> => {
    lock?.release()
    return err(wrong)
  }
  try {
    makeFolder(folder)
    const foreign = foreignFileIn(folder)
    if (foreign !== undefined)
      return err(
        `${attempted}: ${foreign} lies in it, which is no part of a long recording. ` +
          `Name a folder of its own, such as ${join(folder, 'today')}/, or a file`,
      )
    const locked = lockFile(join(folder, 'recording'))
    if (!locked.ok) return locked
    lock = locked.value
    removeUnfinished(folder)
    removeUnfinished(join(folder, blobFolder))
    const all = listSegments(folder)
    removeCompressedPlain(all)
    const segments = withoutEmpty(all)
    const known = lastReadable(segments)
    if (!known.ok) return giveUp(`${attempted}: ${known.error}`)
    const refusal = known.value && resumeRefusal(known.value.header, options)
    if (refusal !== undefined) return giveUp(`${attempted}: ${refusal}`)
    const header = known.value?.header
    return ok({
      folder,
      lock,
      ...(header ? { header, t0: Date.parse(header._rec.t0) } : newRecordingHeader(options)),
      next: {
        number: (segments.at(-1)?.number ?? 0) + 1,
        http: known.value?.http ?? 0,
        seq: known.value?.seq ?? 0,
      },
      unsealed: segments.filter(({ isCompressed }) => !isCompressed),
    })
  } catch (error) {
    return giveUp(fileProblem(attempted, error))
  }
}
