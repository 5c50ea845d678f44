/**
 * Lock files that ensure one writer per file; they name the process. A stale lock (process gone, its number used again, as
 * process 1 of the next container is, or older than the last boot) is taken over. What is locked is the file, not its name: the lock beside it has its name without symbolic links,
 * and a second one, in the user's state folder, its device and inode, which all hard links share.
 */
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { pid } from 'node:process'
import { err, ok, type Result } from '../../protocol/result.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { realPathOf } from '../files/output-place.ts'
import { wallNow } from '../clock/clock.ts'
import { bootId, isAlive, startTicks } from '../registry/process-identity.ts'
import { makePrivateFolder, stateFolders } from '../registry/state-folder.ts'

export interface FileLock {
  readonly release: () => void
}

interface Holder {
  readonly pid: number
  readonly host: string
  /** Boot id; empty where the system has none. */
  readonly boot: string
  /** When the process began, as the system counts; empty where it does not say. */
  readonly start: string
}

function holderIn(text: string): Holder | undefined {
  try {
    const { pid: holder, host, boot, start }: Partial<Record<string, unknown>> = JSON.parse(text)
    if (typeof holder !== 'number' || typeof host !== 'string') return undefined
    const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
    return { pid: holder, host, boot: textOf(boot), start: textOf(start) }
  } catch {
    return undefined
  }
}

/** A lock is written at once: one that is empty for so long is what a kill or a full disk left. */
const unwrittenAfterMs = 10_000

const isUnwritten = (lock: string, content: string): boolean =>
  content === '' &&
  wallNow() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? wallNow()) > unwrittenAfterMs

/** Whether the holder is gone. Processes of another host cannot be checked. */
function isStale(holder: Holder | undefined): boolean {
  if (!holder || holder.host !== hostname()) return false
  const here = bootId()
  if (here !== '' && holder.boot !== '' && holder.boot !== here) return true
  if (!isAlive(holder.pid)) return true
  const start = startTicks(holder.pid)
  return start !== '' && holder.start !== '' && holder.start !== start
}

/**
 * Removes a stale lock. Two processes may race, and the second would remove the first one's fresh lock: the moved file
 * is compared, and put back if it is another.
 */
function removeStale(lock: string, expected: string): void {
  const aside = `${lock}.${pid}`
  try {
    renameSync(lock, aside)
    if (readFileSync(aside, 'utf8') !== expected) linkSync(aside, lock)
  } catch {
    // Another process was faster; the next attempt decides.
  }
  rmSync(aside, { force: true })
}

/** Locks a path, and the file that is there or that `open` opens there. */
export function lockFile(file: string, open?: () => number): Result<FileLock, string> {
  const path = realPathOf(file)
  const attempted = `writing to ${file}`
  const named = acquire(`${path}.lock`, attempted)
  if (!named.ok) return named
  let wrong: string
  try {
    const stats = open
      ? fstatSync(open(), { bigint: true })
      : statSync(path, { bigint: true, throwIfNoEntry: false })
    const same = stats ? lockInode(stats, attempted) : ok(unlocked)
    if (same.ok)
      return ok({
        release() {
          same.value.release()
          named.value.release()
        },
      })
    wrong = same.error
  } catch (error) {
    wrong = fileProblem(attempted, error)
  }
  named.value.release()
  return err(wrong)
}

const unlocked: FileLock = { release: () => undefined }

/** The first folder for locks that can be written to, without the locks of processes that are gone. */
function lockFolder(): string | undefined {
  for (const folder of stateFolders('locks'))
    try {
      makePrivateFolder(folder)
      sweep(folder)
      return folder
    } catch {
      // Another one may do.
    }
  return undefined
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const lock = join(folder, name)
    const content = name.endsWith('.lock') ? contentOf(lock) : undefined
    if (content !== undefined && (isStale(holderIn(content)) || isUnwritten(lock, content)))
      removeStale(lock, content)
  }
}

/** Locks a file under all its names, among the processes of this user. */
function lockInode({ dev, ino }: BigIntStats, attempted: string): Result<FileLock, string> {
  const folder = lockFolder()
  // The lock beside it has to do.
  if (folder === undefined) return ok(unlocked)
  return acquire(join(folder, `${dev}-${ino}.lock`), attempted, true)
}

/** Creates the lock with its content, or leaves nothing. */
function createLock(lock: string, content: string): void {
  const fd = openSync(lock, 'wx')
  try {
    writeFileSync(fd, content)
  } catch (error) {
    rmSync(lock, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

/** `isSecond`: where it cannot be written, the lock beside the file has to do. */
function acquire(lock: string, attempted: string, isSecond = false): Result<FileLock, string> {
  const holder: Holder = { pid, host: hostname(), boot: bootId(), start: startTicks(pid) }
  const mine = JSON.stringify(holder)
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      createLock(lock, mine)
      return ok({ release: () => release(lock, mine) })
    } catch (error) {
      if (errorCode(error) !== 'EEXIST')
        return isSecond ? ok(unlocked) : err(fileProblem(attempted, error))
    }
    const content = contentOf(lock)
    if (content === undefined) continue
    const other = holderIn(content)
    if (!isStale(other) && !isUnwritten(lock, content)) return err(heldBy(attempted, lock, other))
    removeStale(lock, content)
  }
  return err(heldBy(attempted, lock, undefined))
}

function contentOf(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return undefined
  }
}

function heldBy(attempted: string, lock: string, other: Holder | undefined): string {
  const who =
    other === undefined
      ? 'another process'
      : other.pid === pid && other.host === hostname()
        ? 'this very process'
        : `process ${other.pid} on ${other.host}`
  return `${attempted}: ${who} is writing to it. Name another file, or remove ${lock} if that is not so`
}

function release(lock: string, mine: string): void {
  if (contentOf(lock) !== mine) return
  try {
    unlinkSync(lock)
  } catch {
    // A remaining lock is detected as stale by the next writer.
  }
}
