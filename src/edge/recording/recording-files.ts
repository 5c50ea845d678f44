/**
 * The files that a recording consists of: itself, or the segments of a folder with the bodies beside them. They may
 * change while they are read: the live one grows, and one that was closed is found compressed the next time.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { no, ok, type Result } from '../../protocol/result.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { blobFolder, segmentsIn } from './recording-names.ts'

export interface PartFile {
  /** Its place among the others. */
  readonly number: number
  readonly name: string
  readonly file: string
}

export interface RecordingFiles {
  readonly isFolder: boolean
  readonly parts: readonly PartFile[]
  /** On the disk, bodies aside. */
  readonly bytes: number
  /** Numbers between the first and the last that are not there. */
  readonly missing: readonly number[]
}

const sizeOf = (file: string): number => {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

/** Lists them; the sentence says why there is nothing to read. */
export function recordingFiles(path: string): Result<RecordingFiles, string> {
  const attempted = `reading the recording ${path}`
  try {
    if (!statSync(path).isDirectory()) {
      const parts = [{ number: 1, name: basename(path), file: path }]
      return ok({ isFolder: false, parts, bytes: sizeOf(path), missing: [] })
    }
    const parts = segmentsIn(path)
    if (parts.length === 0) return no(`${attempted}: ${emptyBecause(path)}`)
    const numbers = new Set(parts.map(({ number }) => number))
    const last = parts.at(-1)?.number ?? 0
    const missing: number[] = []
    for (let number = parts[0]?.number ?? last; number < last && missing.length < 100; number++)
      if (!numbers.has(number)) missing.push(number)
    return ok({
      isFolder: true,
      parts,
      bytes: parts.reduce((sum, { file }) => sum + sizeOf(file), 0),
      missing,
    })
  } catch (error) {
    return no(fileProblem(attempted, error))
  }
}

function emptyBecause(folder: string): string {
  const inside = readdirSync(folder).find((name) => /\.rec\.ndjson/.test(name))
  return inside === undefined
    ? 'no recording is in the folder. Name a recording, or the folder of a long one'
    : `the folder has no segments of a long recording. Did you mean ${join(folder, inside)}?`
}

/** A body that lies in a file of its own, or why it cannot be had. */
export function readBlob(recording: string, name: string): Result<Uint8Array, string> {
  const file = join(recording, blobFolder, name)
  try {
    const bytes = readFileSync(file)
    if (createHash('sha256').update(bytes).digest('hex') === name) return ok(bytes)
    return no(`the body in ${blobFolder}/${name} is not what was recorded: its hash differs`)
  } catch (error) {
    return no(
      errorCode(error) === 'ENOENT'
        ? `the body in ${blobFolder}/${name} is not there`
        : fileProblem(`reading the body ${file}`, error),
    )
  }
}
