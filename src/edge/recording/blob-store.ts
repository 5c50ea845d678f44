/**
 * Large bodies, each in a file that is called by the hash of what is in it: the same body twice is one file. A line is
 * written only when the body that it names is there, so `idle` is waited for before it is. A disk that refuses is tried
 * again; nothing is held in memory besides what waits.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createMemory } from '../../traffic/generational-cache.ts'
import type { PutBlob } from '../../traffic/recording/parts.ts'
import type { Disk } from './appender.ts'
import { fileProblem } from '../files/file-problem.ts'
import { makeFolder } from '../files/make-folder.ts'
import { blobFolder } from './recording-names.ts'
import { writeWhole } from './whole-write.ts'

export interface BlobStore {
  readonly put: PutBlob
  /** Nothing waits to be written. */
  readonly isIdle: () => boolean
  /** Resolves when nothing waits any more: all is written, or given up. */
  readonly idle: () => Promise<void>
  /** Tries what waits once more; resolves when all is written, or when the disk refuses. */
  readonly flush: () => Promise<void>
  readonly problem: () => string | undefined
  /** Tries what waits once more. False when the disk refuses even now, and it is given up. */
  readonly close: () => Promise<boolean>
}

export interface BlobStoreOptions {
  /** Of the recording. */
  readonly folder: string
  readonly disk: Disk
  /** Between two attempts while the disk refuses. */
  readonly retryMs: number
}

interface Waiting {
  readonly name: string
  readonly bytes: Buffer
}

export function createBlobStore({ folder, disk, retryMs }: BlobStoreOptions): BlobStore {
  const place = join(folder, blobFolder)
  const there = createMemory<true>({ entries: 20_000, bytes: 4_000_000 })
  const waiting: Waiting[] = []
  let problem: string | undefined
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let waiters: (() => void)[] = []

  function settle(): void {
    const those = waiters
    waiters = []
    for (const resolve of those) resolve()
  }

  async function write({ name, bytes }: Waiting): Promise<void> {
    makeFolder(place)
    const file = join(place, name)
    if (!existsSync(file)) await writeWhole(file, disk, (made) => made.write(bytes))
    there.set(name, true, name.length + 50)
  }

  /** Writes what waits, one after the other, until it is done or the disk refuses. */
  async function work(): Promise<void> {
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await write(next)
        waiting.shift()
        problem = undefined
      }
      settle()
    } catch (error) {
      problem = fileProblem(`writing a body to ${place}`, error)
      retry = setTimeout(start, retryMs)
      // No process stays up for a disk that refuses.
      retry.unref()
    } finally {
      running = undefined
    }
    // What was put while the last one was being settled.
    if (waiting.length > 0 && !retry) start()
  }

  function start(): void {
    if (running) return
    clearTimeout(retry)
    retry = undefined
    running = work()
  }

  return {
    put: (body) => {
      const bytes = 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64')
      const name = createHash('sha256').update(bytes).digest('hex')
      if (there.get(name) || waiting.some((each) => each.name === name)) return name
      waiting.push({ name, bytes })
      if (!retry) start()
      return name
    },
    isIdle: () => waiting.length === 0,
    idle: () =>
      waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve)),
    flush: async () => {
      if (waiting.length > 0) start()
      await running
    },
    problem: () => problem,
    close: async () => {
      if (waiting.length > 0) start()
      await running
      clearTimeout(retry)
      const isWhole = waiting.length === 0
      waiting.length = 0
      settle()
      return isWhole
    },
  }
}
