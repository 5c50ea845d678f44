/**
 * Runs the command lines of the manifests as an Indexed Job does, as processes of this machine: a process for each
 * index.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kill } from 'node:process'
import { emptyFolder, startSparring, type StartedProcess } from '../support/spawn-sparring.ts'

export interface LocalJobOptions {
  readonly args: readonly string[]
  /** Where the files of all indices are; the configuration is in it. */
  readonly folder: string
  readonly variables: Readonly<Record<string, string>>
  readonly indices: number
  /** Processes at the same time. */
  readonly parallelism: number
  /** A line in the file of an index: its first process is killed with SIGKILL when it stands there. */
  readonly killedAt?: ReadonlyMap<number, string>
}

export interface LocalJob {
  /** Exit codes of the last process of each index. */
  readonly codes: readonly (number | null)[]
  /** Indices whose first process was killed, in the order of their deaths. */
  readonly killed: readonly number[]
  readonly stderr: ReadonlyMap<number, string>
}

/** The services of a process write their numbers to this file, so that none outlives the process that is killed. */
const pidFile = (folder: string, index: number): string => join(folder, `pids-${index}`)

/** The command that starts a service of an index. */
export const countedService = (command: string): string => `echo $$ >> "$PIDS"; ${command}`

function endServices(folder: string, index: number): void {
  const file = pidFile(folder, index)
  const pids = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  for (const pid of pids)
    try {
      kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended.
    }
}

const pauseMs = 5

/** Resolves when the text stands in the file, or the process has ended. */
async function writtenTo(file: string, text: string, running: StartedProcess): Promise<boolean> {
  let hasEnded = false
  void running.ended.then(() => (hasEnded = true))
  while (!hasEnded) {
    if (existsSync(file) && readFileSync(file, 'utf8').includes(text)) return true
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return false
}

export async function runLocalJob(options: LocalJobOptions): Promise<LocalJob> {
  const { args, folder, variables, indices, parallelism, killedAt } = options
  const codes: (number | null)[] = Array(indices).fill(null)
  const killed: number[] = []
  const stderr = new Map<number, string>()
  const start = (index: number): StartedProcess =>
    startSparring(args, {
      cwd: folder,
      env: {
        ...variables,
        HOME: emptyFolder(),
        PIDS: pidFile(folder, index),
        JOB_COMPLETION_INDEX: String(index),
      },
    })

  async function play(index: number): Promise<void> {
    const text = killedAt?.get(index)
    if (text !== undefined) {
      const file = join(folder, `shard-${index + 1}.ndjson`)
      const first = start(index)
      if (await writtenTo(file, text, first)) {
        first.kill('SIGKILL')
        const { signal } = await first.ended
        if (signal === 'SIGKILL') killed.push(index)
        endServices(folder, index)
        // As a write that was cut short leaves it.
        appendFileSync(file, '{"type":')
      }
    }
    const { code, stderr: said } = await start(index).ended
    codes[index] = code
    stderr.set(index, said)
  }

  const waiting = Array.from({ length: indices }, (_, index) => index)
  async function work(): Promise<void> {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      await play(index)
  }
  await Promise.all(Array.from({ length: parallelism }, work))
  return { codes, killed, stderr }
}
