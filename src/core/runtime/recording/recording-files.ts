/**
 * Lists the files of a recording: one file, or the segments of a folder. They may change while being read: the live
 * segment grows, and a closed one is replaced by its compressed file.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { err, ok, type Result } from '../../protocol/result.ts'
import { isReadable } from '../files/file-access.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { blobFolder, listSegments } from './recording-names.ts'

export interface PartFile {
  /** Number of the segment. */
  readonly number: number
  readonly name: string
  readonly file: string
}

export interface RecordingFiles {
  readonly isFolder: boolean
  readonly parts: readonly PartFile[]
  /** Bytes on disk, without separately stored bodies. */
  readonly bytes: number
  /** Missing segment numbers between the first and the last. */
  readonly missing: readonly number[]
}

const sizeOf = (file: string): number => {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

/** Lists the files; the error says why there is nothing to read. */
export function listRecordingFiles(path: string): Result<RecordingFiles, string> {
  const attempted = `reading the recording ${path}`
  try {
    const stats = statSync(path)
    if (!stats.isDirectory()) {
      // Opening a pipe waits for its other end, and a device never ends.
      if (!stats.isFile()) return err(`${attempted}: it is no plain file. Name a recording`)
      const parts = [{ number: 1, name: basename(path), file: path }]
      return ok({ isFolder: false, parts, bytes: sizeOf(path), missing: [] })
    }
    // A link in the folder may lead to what the caller may not have.
    const parts = listSegments(path).filter(({ file }) => isReadable(file))
    if (parts.length === 0) return err(`${attempted}: ${emptyBecause(path)}`)
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
    return err(fileProblem(attempted, error))
  }
}

function emptyBecause(folder: string): string {
  const inside = readdirSync(folder).find((name) => /\.rec\.ndjson/.test(name))
  return inside === undefined
    ? 'no recording is in the folder. Name a recording, or the folder of a long one'
    : `the folder has no segments of a long recording. Did you mean ${join(folder, inside)}?`
}

/** A separately stored body, or why it is unavailable. */
export function readBlob(recording: string, name: string): Result<Uint8Array, string> {
  const file = join(recording, blobFolder, name)
  if (!/^[\da-f]{64}$/.test(name)) return err(`"${name}" is no name of a body in ${blobFolder}`)
  if (!isReadable(file)) return err(`the body in ${blobFolder}/${name} is a link out of the folder`)
  try {
    const bytes = readFileSync(file)
    if (createHash('sha256').update(bytes).digest('hex') === name) return ok(bytes)
    return err(`the body in ${blobFolder}/${name} is not what was recorded: its hash differs`)
  } catch (error) {
    return err(
      errorCode(error) === 'ENOENT'
        ? `the body in ${blobFolder}/${name} is not there`
        : fileProblem(`reading the body ${file}`, error),
    )
  }
}
