/**
 * Identity of a process beyond its id, which the system gives to another one later: the machine and the pid namespace that
 * the id is of, and the time at which the process started.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import process from 'node:process'
import { errorCode } from '../files/file-problem.ts'

export interface ProcessIdentity {
  readonly pid: number
  /** Machine and pid namespace: elsewhere the id means another process. */
  readonly place: string
  /** When it started, in the notation of the system; absent where the system does not say. */
  readonly started?: string
}

const psTimeoutMs = 1000

function textOf(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Empty where the system has none. */
export const bootId = (): string =>
  textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim()

function thisPlace(): string {
  const namespace = textOf(() => readlinkSync('/proc/self/ns/pid'))
  return namespace === '' ? hostname() : `${hostname()} ${namespace}`
}

/** Fields of /proc/<pid>/stat from the third on; the name, which is the second, may have spaces and brackets. */
function statOf(pid: number): readonly string[] {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** When a process began, in ticks since the boot (field 22); empty where the system does not say. */
export const startTicks = (pid: number): string => statOf(pid)[19] ?? ''

function startOnLinux(pid: number): string {
  const ticks = startTicks(pid)
  return ticks === '' ? '' : `${bootId()} ${ticks}`
}

/** It has ended, and its parent has not asked for its exit code yet. */
const isZombie = (pid: number): boolean => statOf(pid)[0] === 'Z'

const startByPs = (pid: number): string =>
  process.platform === 'win32'
    ? ''
    : textOf(() =>
        execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
          timeout: psTimeoutMs,
        }),
      ).trim()

function startOf(pid: number): string | undefined {
  const started = startOnLinux(pid) || startByPs(pid)
  return started === '' ? undefined : started
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

export function ownIdentity(): ProcessIdentity {
  const started = startOf(process.pid)
  const { pid } = process
  return { pid, place: thisPlace(), ...(started === undefined ? {} : { started }) }
}

/**
 * `running`: it is that process. `gone`: it has ended, and its id may be another one's. `unsure`: a process has the id, and
 * the system does not say since when. `elsewhere`: of another machine or container.
 */
export type ProcessStanding = 'running' | 'gone' | 'unsure' | 'elsewhere'

export function standingOf({ pid, place, started }: ProcessIdentity): ProcessStanding {
  if (place !== thisPlace()) return 'elsewhere'
  if (!isAlive(pid)) return 'gone'
  const since = startOf(pid)
  if (since === undefined || started === undefined) return 'unsure'
  return since === started ? 'running' : 'gone'
}
