/**
 * A new file beside the place of an output, under a name of its own. It takes that place as a whole, or is removed: a
 * reader finds all of it or what was there before, whenever the process is killed.
 */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from './file-problem.ts'
import { makeFolder } from './make-folder.ts'
import type { OutputPlace } from './output-place.ts'

/**
 * Eight alphanumeric characters for the name of a file that is created exclusively. They need not be unpredictable, and
 * node:crypto takes four milliseconds of a start.
 */
export const uniqueSuffix = (): string =>
  Math.floor(Math.random() * 36 ** 8)
    .toString(36)
    .padStart(8, '0')

/** Suffix of files that are still being written. */
export const unfinishedSuffix = '.tmp'

export interface OutputMode {
  /** Take the place of a file that is there; otherwise that is an error EEXIST. */
  readonly replace: boolean
  /** Permissions of the file; those of the replaced one, or the usual ones of a new file, when absent. */
  readonly mode?: number | undefined
  /** Do not wait for the disk: what is worth nothing after a power cut. */
  readonly unsynced?: boolean
}

/** A file that this process wrote. */
export interface WrittenFile {
  readonly path: string
  /** Removes the file if it is still the one that was written. */
  readonly remove: () => void
}

export interface Replacement {
  readonly fd: number
  /** Where it is until then. */
  readonly path: string
  /** Takes the place; the bytes must be synced before, if at all. */
  readonly commit: () => WrittenFile
  readonly discard: () => void
}

const isSame = (a: Stats, b: Stats | undefined): boolean =>
  b !== undefined &&
  a.dev === b.dev &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeMs === b.mtimeMs

/** The owner and the permissions of the replaced file, as far as this user may give them. */
function copyOwner(fd: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(fd)
  try {
    if (own.uid !== uid || own.gid !== gid) fchownSync(fd, uid, gid)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error
  }
  fchmodSync(fd, mode & 0o777)
}

/** Fails with EEXIST where a file appeared meanwhile; renames on file systems without hard links. */
function moveToNew(made: string, path: string): void {
  try {
    linkSync(made, path)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error
    if (statSync(path, { throwIfNoEntry: false }))
      throw Object.assign(new Error(`${path} is there already`), { code: 'EEXIST' })
    renameSync(made, path)
    return
  }
  rmSync(made)
}

/** Removes a file, where there is one. */
export const removeFile = (path: string): void => rmSync(path, { force: true })

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

export function openReplacement(
  { path, stats }: Extract<OutputPlace, { kind: 'file' }>,
  { replace, mode, unsynced = false }: OutputMode,
): Replacement {
  if (stats && !replace)
    throw Object.assign(new Error(`${path} is there already`), { code: 'EEXIST' })
  // What may not be written to may not be replaced either.
  if (stats) accessSync(path, constants.W_OK)
  makeFolder(dirname(path))
  const made = `${path}.${uniqueSuffix()}${unfinishedSuffix}`
  const fd = openSync(made, 'wx', mode ?? (stats ? 0o600 : 0o666))
  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(fd)
    isOpen = false
  }
  const discard = (): void => {
    close()
    rmSync(made, { force: true })
  }
  try {
    if (stats && mode === undefined) copyOwner(fd, stats)
  } catch (error) {
    discard()
    throw error
  }
  return {
    fd,
    path: made,
    discard,
    commit() {
      const written = fstatSync(fd)
      close()
      if (replace) renameSync(made, path)
      else moveToNew(made, path)
      if (!unsynced) syncFolder(dirname(path))
      return {
        path,
        remove() {
          if (isSame(written, statSync(path, { throwIfNoEntry: false })))
            rmSync(path, { force: true })
        },
      }
    },
  }
}
