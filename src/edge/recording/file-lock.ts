/**
 * One writer per file, told by a lock file beside it that names the process. A process that is killed leaves its lock
 * behind; a lock whose process is gone, or that is older than the last start of the machine, is taken over.
 */
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { pid } from 'node:process'
import { no, ok, type Result } from '../../protocol/result.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'

export interface FileLock {
  readonly release: () => void
}

interface Holder {
  readonly pid: number
  readonly host: string
  /** Differs after every start of the machine; empty where the system does not tell. */
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

/** Whether nobody can be writing under this lock any more. Another machine's processes cannot be asked. */
function isStale(holder: Holder | undefined): boolean {
  if (!holder || holder.host !== hostname()) return false
  const here = bootId()
  if (here !== '' && holder.boot !== '' && holder.boot !== here) return true
  return !isAlive(holder.pid)
}

/**
 * Takes a stale lock out of the way. Two may try at once, and the second would take the first one's fresh lock: what
 * was moved is looked at again, and put back when it is another.
 */
function removeStale(lock: string, seen: string): void {
  const aside = `${lock}.${pid}`
  try {
    renameSync(lock, aside)
    if (readFileSync(aside, 'utf8') !== seen) linkSync(aside, lock)
  } catch {
    // Somebody else was quicker; the next attempt at the lock decides.
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
      if (errorCode(error) !== 'EEXIST') return no(fileProblem(attempted, error))
    }
    const seen = contentOf(lock)
    if (seen === undefined) continue
    const other = holderIn(seen)
    if (!isStale(other)) return no(heldBy(attempted, lock, other))
    removeStale(lock, seen)
  }
  return no(heldBy(attempted, lock, undefined))
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
    // A lock that stays is found stale by the next writer.
  }
}
