/**
 * Atomic file writes: written to a temporary name, synced, then renamed. A reader finds all of it or nothing, whenever
 * the process is killed.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Disk } from './appender.ts'
import { errorCode } from '../files/file-problem.ts'
import { unfinishedSuffix } from './recording-names.ts'

export interface AtomicFile {
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

/** Syncs a folder, so that a rename is durable; ignored on systems that do not support it. */
export function syncFolder(folder: string): void {
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

/** Writes a file atomically; rejects with the disk's error. */
export async function writeAtomically(
  file: string,
  disk: Disk,
  fill: (made: AtomicFile) => Promise<void>,
): Promise<void> {
  const made = `${file}${unfinishedSuffix}`
  const fd = openSync(made, 'w', 0o600)
  let isOpen = true
  try {
    await fill({ write: (bytes) => writeAll(disk, fd, bytes) })
    await force(disk, fd)
    closeSync(fd)
    isOpen = false
    renameSync(made, file)
    syncFolder(dirname(file))
  } catch (error) {
    if (isOpen) closeSync(fd)
    rmSync(made, { force: true })
    throw error
  }
}
