/**
 * The one writer of outputs. A regular file is written beside its place and renamed, behind symbolic links too; a device,
 * a FIFO and a descriptor (`/dev/stdout`, `/dev/fd/3`) are written into; `-` is stdout. What another program made is
 * never removed.
 */
import { closeSync, constants, fsync, fsyncSync, openSync, write, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeWithBackpressure } from '../recording/write-with-backpressure.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { checkFile } from './file-access.ts'
import { errorCode, fileProblem } from './file-problem.ts'
import { type OutputPlace, outputPlaceOf } from './output-place.ts'
import { openReplacement, type OutputMode, type WrittenFile } from './replacement.ts'

export interface OutputOptions extends OutputMode {
  readonly cwd?: string
  /** What stands for descriptor 1. */
  readonly stdout?: NodeJS.WritableStream
  /** Ends the wait for the reader of a FIFO. */
  readonly signal?: AbortSignal
}

export interface Output {
  readonly write: (data: string | Buffer) => Promise<void>
  /** Puts a regular file in its place; undefined for what was written into. */
  readonly close: () => Promise<WrittenFile | undefined>
  /** Removes what was made, except what was written into a device, a FIFO or a descriptor. */
  readonly abort: () => void
}

const sync = promisify(fsync)
/** Pause while a FIFO has no reader or no room. */
const pauseMs = 5

const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Opens a device or a FIFO. A FIFO without a reader is the error ENXIO: a blocking open would occupy a thread that
 * the process cannot end without.
 */
export const openSpecial = (path: string): number => openSync(path, flags)

async function awaitReader(
  { path, isFifo }: Extract<OutputPlace, { kind: 'special' }>,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (;;)
    try {
      return openSpecial(path)
    } catch (error) {
      if (!isFifo || errorCode(error) !== 'ENXIO') throw error
      await pause(pauseMs, undefined, { signal })
    }
}

/** `write` of node:fs that waits while a pipe has no room. */
export function writeSome(
  fd: number,
  bytes: Buffer,
  done: (error: Error | null, count: number) => void,
): void {
  write(fd, bytes, (error, count) => {
    if (errorCode(error) === 'EAGAIN') setTimeout(() => writeSome(fd, bytes, done), pauseMs)
    else done(error, count)
  })
}

async function writeAll(fd: number, data: string | Buffer): Promise<void> {
  let rest = typeof data === 'string' ? Buffer.from(data) : data
  while (rest.length > 0) {
    const count = await new Promise<number>((resolve, reject) => {
      writeSome(fd, rest, (error, written) => (error ? reject(error) : resolve(written)))
    })
    rest = rest.subarray(count)
  }
}

const into = (fd: number, end: () => void): Output => ({
  write: (data) => writeAll(fd, data),
  close: () => {
    end()
    return Promise.resolve(undefined)
  },
  abort: end,
})

const intoStream = (stream: NodeJS.WritableStream): Output => ({
  write: (data) => writeWithBackpressure(stream, data.toString()),
  close: () => Promise.resolve(undefined),
  abort: () => undefined,
})

/** Opens an output; throws errors of the file system, EEXIST for a file that may not be replaced. */
export async function openOutput(file: string, options: OutputOptions): Promise<Output> {
  const place = outputPlaceOf(file, options.cwd)
  if (place.kind !== 'descriptor') checkFile(`writing ${file}`, place.path)
  if (place.kind === 'descriptor')
    return place.fd === 1 && options.stdout
      ? intoStream(options.stdout)
      : into(place.fd, () => undefined)
  if (place.kind === 'special') {
    const fd = await awaitReader(place, options.signal)
    let isOpen = true
    return into(fd, () => {
      if (isOpen) closeSync(fd)
      isOpen = false
    })
  }
  const replacement = openReplacement(place, options)
  const orDiscard = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      replacement.discard()
      throw error
    }
  }
  return {
    write: (data) => orDiscard(() => writeAll(replacement.fd, data)),
    close: () =>
      orDiscard(async () => {
        if (!options.unsynced) await sync(replacement.fd)
        return replacement.commit()
      }),
    abort: replacement.discard,
  }
}

/** Writes an output as a whole. */
export async function saveOutput(
  file: string,
  text: string | Buffer,
  options: OutputOptions,
): Promise<WrittenFile | undefined> {
  const output = await openOutput(file, options)
  try {
    await output.write(text)
    return await output.close()
  } catch (error) {
    output.abort()
    throw error
  }
}

/** Writes a text over what is there; the error says what was attempted. */
export async function saveText(
  file: string,
  text: string,
  options: Partial<OutputOptions> = {},
): Promise<Result<void, string>> {
  try {
    await saveOutput(file, text, { replace: true, ...options })
    return ok(undefined)
  } catch (error) {
    return err(fileProblem(`writing ${file}`, error))
  }
}

/** Writes a small regular file as a whole before anything else happens, such as a key. */
export function saveFileSync(path: string, text: string, options: OutputMode): void {
  const place = outputPlaceOf(path)
  if (place.kind !== 'file')
    throw Object.assign(new Error(`${path} is no regular file`), { code: 'EINVAL' })
  const replacement = openReplacement(place, options)
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(replacement.fd, bytes, at)
    fsyncSync(replacement.fd)
    replacement.commit()
  } catch (error) {
    replacement.discard()
    throw error
  }
}
