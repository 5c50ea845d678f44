/**
 * Lock file that ensures one writer per file; it names the process. A stale lock (process gone, or older than the last
 * boot) is taken over.
 */
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { pid } from 'node:process'
import { err, ok, type Result } from '../../protocol/result.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'

export interface FileLock {
  readonly release: () => void
}

interface Holder {
  readonly pid: number
  readonly host: string
  /** Boot id; empty where the system has none. */
  readonly boot: string
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

function holderIn(text: string): Holder | undefined {
  try {
    const { pid: holder, host, boot }: Partial<Record<string, unknown>> = JSON.parse(text)
    if (typeof holder !== 'number' || typeof host !== 'string') return undefined
    return { pid: holder, host, boot: typeof boot === 'string' ? boot : '' }
  } catch {
    return undefined
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Whether the holder is gone. Processes of another host cannot be checked. */
function isStale(holder: Holder | undefined): boolean {
  if (!holder || holder.host !== hostname()) return false
  const here = bootId()
  if (here !== '' && holder.boot !== '' && holder.boot !== here) return true
  return !isAlive(holder.pid)
}

/**
 * Removes a stale lock. Two processes may race, and the second would remove the first one's fresh lock: the moved file
 * is compared, and put back if it is another.
 */
function removeStale(lock: string, seen: string): void {
  const aside = `${lock}.${pid}`
  try {
    renameSync(lock, aside)
    if (readFileSync(aside, 'utf8') !== seen) linkSync(aside, lock)
  } catch {
    // Another process was faster; the next attempt decides.
  }
  rmSync(aside, { force: true })
}

export function lockFile(file: string): Result<FileLock, string> {
  const lock = `${file}.lock`
  const attempted = `writing to ${file}`
  const holder: Holder = { pid, host: hostname(), boot: bootId() }
  const mine = JSON.stringify(holder)
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(lock, mine, { flag: 'wx' })
      return ok({ release: () => release(lock, mine) })
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return err(fileProblem(attempted, error))
    }
    const seen = contentOf(lock)
    if (seen === undefined) continue
    const other = holderIn(seen)
    if (!isStale(other)) return err(heldBy(attempted, lock, other))
    removeStale(lock, seen)
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
