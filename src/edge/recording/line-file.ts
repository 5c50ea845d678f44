/**
 * Line file opened for appending by one process. Opening takes the lock and repairs crash damage: a torn last line is
 * moved to NAME.torn, so nothing is lost and the file ends with a whole line.
 */
import {
  closeSync,
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

export interface LineFile {
  readonly file: string
  readonly fd: number
  /** Size in bytes; ends with a whole line. */
  readonly size: number
  /** Bytes that were moved to NAME.torn. */
  readonly torn: number
  /** Closes the file and releases the lock. */
  readonly close: () => void
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
function moveTail(fd: number, file: string, from: number, size: number): void {
  const torn = openSync(`${file}.torn`, 'a')
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
  accept?: (beginning: string) => string | undefined,
): Result<LineFile, string> {
  const attempted = `writing to ${file}`
  try {
    makeFolder(dirname(file))
  } catch (error) {
    return err(fileProblem(attempted, error))
  }
  const lock = lockFile(file)
  if (!lock.ok) return lock
  let fd: number | undefined
  const giveUp = (wrong: string): Result<LineFile, string> => {
    if (fd !== undefined) closeSync(fd)
    lock.value.release()
    return err(wrong)
  }
  try {
    fd = openSync(file, 'a+')
    const opened = fd
    const { size } = fstatSync(opened)
    const refusal = accept?.(readAt(opened, 0, Math.min(size, blockSize)).toString('utf8'))
    if (refusal !== undefined) return giveUp(`${attempted}: ${refusal}`)
    const end = endOfLines(opened, size)
    if (end < size) moveTail(opened, file, end, size)
    const close = (): void => {
      closeSync(opened)
      lock.value.release()
    }
    return ok({ file, fd: opened, size: end, torn: size - end, close })
  } catch (error) {
    return giveUp(fileProblem(attempted, error))
  }
}
