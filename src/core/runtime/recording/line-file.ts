/**
 * Line file opened for appending by one process. Opening takes the lock and repairs crash damage: a torn last line is
 * moved to NAME.torn, so nothing is lost and the file ends with a whole line. A device, a FIFO or a descriptor is only
 * written into.
 */
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { lockFile } from './file-lock.ts'
import { fileProblem } from '../files/file-problem.ts'
import { openSpecial } from '../files/output.ts'
import { outputPlaceOf } from '../files/output-place.ts'
import { rawFileMode } from './raw-recording.ts'

export interface LineFile {
  /** As it was named. */
  readonly file: string
  /** Where it is, behind symbolic links; undefined for what can only be written into. */
  readonly path: string | undefined
  readonly fd: number
  /** Size in bytes; ends with a whole line. */
  readonly size: number
  /** Bytes that were moved to NAME.torn. */
  readonly torn: number
  /** Closes the file and releases the lock. */
  readonly close: () => void
}

interface LineFileOptions {
  readonly accept?: ((beginning: string) => string | undefined) | undefined
  /** It holds secrets: only its owner may read it. */
  readonly isPrivate?: boolean | undefined
}

const lineFeed = 10
const blockSize = 65_536

/** Reads `length` bytes, or up to the end of the file. */
export function readAt(fd: number, from: number, length: number): Buffer {
  const block = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const count = readSync(fd, block, read, length - read, from + read)
    if (count === 0) break
    read += count
  }
  return block.subarray(0, read)
}

/** Offset of the end of the last whole line. */
function endOfLines(fd: number, size: number): number {
  for (let end = size; end > 0; end -= Math.min(end, blockSize)) {
    const from = Math.max(0, end - blockSize)
    const found = readAt(fd, from, end - from).lastIndexOf(lineFeed)
    if (found >= 0) return from + found + 1
  }
  return 0
}

/** Moves the torn tail; it is synced in its own file before truncating this one. */
function moveTail(fd: number, path: string, from: number, size: number): void {
  const torn = openSync(`${path}.torn`, 'a', fstatSync(fd).mode & 0o777)
  try {
    for (let at = from; at < size; at += blockSize)
      writeSync(torn, readAt(fd, at, Math.min(blockSize, size - at)))
    writeSync(torn, '\n')
    fsyncSync(torn)
  } finally {
    closeSync(torn)
  }
  ftruncateSync(fd, from)
}

/**
 * Opens a file for appending; creates it and its directories if needed. `accept` checks the first bytes before
 * anything is changed and returns a problem: a file of another kind is never touched.
 */
export function openLineFile(
  file: string,
  { accept, isPrivate = false }: LineFileOptions = {},
): Result<LineFile, string> {
  const attempted = `writing to ${file}`
  try {
    const place = outputPlaceOf(file)
    if (place.kind === 'descriptor') return ok(stream(file, place.fd, () => undefined))
    if (place.kind === 'special') {
      const fd = openSpecial(place.path)
      return ok(stream(file, fd, () => closeSync(fd)))
    }
    makeFolder(dirname(place.path))
    return openRegular({ file, path: place.path, attempted, accept, isPrivate })
  } catch (error) {
    return err(fileProblem(attempted, error))
  }
}

const stream = (file: string, fd: number, close: () => void): LineFile => ({
  file,
  path: undefined,
  fd,
  size: 0,
  torn: 0,
  close,
})

interface RegularFile extends LineFileOptions {
  readonly file: string
  readonly path: string
  readonly attempted: string
}

function openRegular({
  file,
  path,
  attempted,
  accept,
  isPrivate,
}: RegularFile): Result<LineFile, string> {
  let fd = -1
  const closeFile = (): void => {
    if (fd >= 0) closeSync(fd)
    fd = -1
  }
  const lock = lockFile(file, () => (fd = openSync(path, 'a+', isPrivate ? rawFileMode : 0o666)))
  if (!lock.ok) {
    closeFile()
    return lock
  }
  const close = (): void => {
    closeFile()
    lock.value.release()
  }
  try {
    const { size } = fstatSync(fd)
    const refusal = accept?.(readAt(fd, 0, Math.min(size, blockSize)).toString('utf8'))
    if (refusal !== undefined) {
      close()
      return err(`${attempted}: ${refusal}`)
    }
    if (isPrivate) fchmodSync(fd, rawFileMode)
    const end = endOfLines(fd, size)
    if (end < size) moveTail(fd, path, end, size)
    return ok({ file, path, fd, size: end, torn: size - end, close })
  } catch (error) {
    close()
    throw error
  }
}
