/**
 * Content-addressed store for large bodies: each is a file named by its SHA-256, so duplicates are stored once. Await
 * `idle` before writing a line that refers to a body. Failed writes are retried; only pending bodies are held in
 * memory.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createGenerationalCache } from '../../traffic/generational-cache.ts'
import type { StoreBlob } from '../../traffic/recording/message-writer.ts'
import type { Disk } from './appender.ts'
import { fileProblem } from '../files/file-problem.ts'
import { makeFolder } from '../files/make-folder.ts'
import { blobFolder } from './recording-names.ts'
import { writeAtomically } from './write-atomically.ts'

export interface BlobStore {
  readonly put: StoreBlob
  /** Whether no write is pending. */
  readonly isIdle: () => boolean
  /** Resolves when all pending bodies are written or given up. */
  readonly idle: () => Promise<void>
  /** Retries pending writes; resolves when done, or when the disk fails. */
  readonly flush: () => Promise<void>
  readonly problem: () => string | undefined
  /** Retries pending writes a last time; false when some had to be given up. */
  readonly close: () => Promise<boolean>
}

export interface BlobStoreOptions {
  /** Folder of the recording. */
  readonly folder: string
  readonly disk: Disk
  /** Milliseconds between retries while the disk fails. */
  readonly retryMs: number
}

interface Waiting {
  readonly name: string
  readonly bytes: Buffer
}

export function createBlobStore({ folder, disk, retryMs }: BlobStoreOptions): BlobStore {
  const blobDirectory = join(folder, blobFolder)
  const stored = createGenerationalCache<true>({ entries: 20_000, bytes: 4_000_000 })
  const waiting: Waiting[] = []
  let problem: string | undefined
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let waiters: (() => void)[] = []

  function settle(): void {
    const settled = waiters
    waiters = []
    for (const resolve of settled) resolve()
  }

  async function write({ name, bytes }: Waiting): Promise<void> {
    makeFolder(blobDirectory)
    const file = join(blobDirectory, name)
    if (!existsSync(file)) await writeAtomically(file, disk, (made) => made.write(bytes))
    stored.set(name, true, name.length + 50)
  }

  /** Writes pending bodies one after the other, until done or the disk fails. */
  async function work(): Promise<void> {
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await write(next)
        waiting.shift()
        problem = undefined
      }
      settle()
    } catch (error) {
      problem = fileProblem(`writing a body to ${blobDirectory}`, error)
      retry = setTimeout(start, retryMs)
      // A retry must not keep the process alive.
      retry.unref()
    } finally {
      running = undefined
    }
    // Bodies added while the last one settled.
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
      if (stored.get(name) || waiting.some((each) => each.name === name)) return name
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
