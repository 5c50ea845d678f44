/**
 * Atomic writes of files in a recording, through a `Disk`: all of it is there or nothing, whenever the process is
 * killed.
 */
import type { Disk } from './appender.ts'
import { outputPlaceOf } from '../files/output-place.ts'
import { openReplacement } from '../files/replacement.ts'

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

/** Writes a file atomically; rejects with the disk's error. */
export async function writeAtomically(
  file: string,
  disk: Disk,
  fill: (made: AtomicFile) => Promise<void>,
): Promise<void> {
  const place = outputPlaceOf(file)
  if (place.kind !== 'file') throw new Error(`${file} is no regular file`)
  const made = openReplacement(place, { replace: true, mode: 0o600 })
  try {
    await fill({ write: (bytes) => writeAll(disk, made.fd, bytes) })
    await force(disk, made.fd)
    made.commit()
  } catch (error) {
    made.discard()
    throw error
  }
}
