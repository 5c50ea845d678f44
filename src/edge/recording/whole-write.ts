/**
 * Files that come into being at once: written under another name, forced to the disk, and then given their own. Whoever
 * looks finds all of it or nothing, whenever the process is killed.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Disk } from './appender.ts'
import { errorCode } from '../files/file-problem.ts'
import { unfinished } from './recording-names.ts'

export interface WholeFile {
  readonly write: (bytes: Buffer) => Promise<void>
}

function writeAll(disk: Disk, fd: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (from: number): void => {
      if (from >= bytes.length) resolve()
      else
        disk.write(fd, bytes.subarray(from), (error, count) => {
          if (error) reject(error)
          else next(from + count)
        })
    }
    next(0)
  })
}

const force = (disk: Disk, fd: number): Promise<void> =>
  new Promise((resolve, reject) => {
    disk.force(fd, (error) => (error ? reject(error) : resolve()))
  })

/** A new name is safe when the folder is; not every system can do that, and none that cannot needs it. */
export function forceFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'EBADF'].includes(errorCode(error))) throw error
  }
}

/** Makes a file whole or not at all; rejects with what the disk said. */
export async function writeWhole(
  file: string,
  disk: Disk,
  fill: (made: WholeFile) => Promise<void>,
): Promise<void> {
  const made = `${file}${unfinished}`
  const fd = openSync(made, 'w', 0o600)
  let isOpen = true
  try {
    await fill({ write: (bytes) => writeAll(disk, fd, bytes) })
    await force(disk, fd)
    closeSync(fd)
    isOpen = false
    renameSync(made, file)
    forceFolder(dirname(file))
  } catch (error) {
    if (isOpen) closeSync(fd)
    rmSync(made, { force: true })
    throw error
  }
}
