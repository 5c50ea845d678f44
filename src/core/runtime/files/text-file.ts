/** Reads a file that a person writes as UTF-8 text, without its byte order mark. */
import { Buffer, isUtf8 } from 'node:buffer'
import { createReadStream, readFileSync, type Stats, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Problem, problem } from '../../base/problem.ts'
import { checkFile } from './file-access.ts'
import { errorCode, fileProblem } from './file-problem.ts'

/** Larger texts are not written by people. */
const maxTextBytes = 256 * 1024 * 1024

const tooLarge = `it is larger than ${maxTextBytes / 1024 ** 2} MiB`

/** Why a file is none that is read whole: a device, a pipe, or too large; undefined where it is one, and for a folder. */
export const plainFileRefusal = (stats: Stats): string | undefined =>
  stats.isFile()
    ? stats.size > maxTextBytes
      ? tooLarge
      : undefined
    : stats.isDirectory()
      ? undefined
      : 'it is no plain file, but a device, a pipe or a socket'

/** What comes through a pipe, up to the bound. */
async function readStream(path: string): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of createReadStream(path)) {
    pieces.push(piece as Buffer)
    size += (piece as Buffer).length
    if (size > maxTextBytes) return undefined
  }
  return Buffer.concat(pieces)
}

/**
 * The bytes of a file that is read whole; `attempted` is such as `reading a.yaml`. With `pipes` also what a shell hands
 * over as `<(…)`. Throws a `Problem` for one that the caller may not have, and for one that cannot be read.
 */
export async function readWhole(
  attempted: string,
  path: string,
  { pipes = false } = {},
): Promise<Buffer> {
  checkFile(attempted, path)
  let wrong: string | undefined
  try {
    const stats = await stat(path)
    const isStream = pipes && stats.isFIFO()
    wrong = isStream ? undefined : plainFileRefusal(stats)
    const read = isStream ? readStream : readFile
    const bytes = wrong === undefined ? await read(path) : undefined
    if (bytes) return bytes
  } catch (error) {
    throw unreadable(attempted, error)
  }
  throw problem(attempted, wrong ?? tooLarge, 'Name a plain file.')
}

const unreadable = (attempted: string, error: unknown): unknown =>
  errorCode(error) === '' ? error : new Problem(`${fileProblem(attempted, error)}.`, 2)

/** The text of a small file, or of a pipe; throws a `Problem` as `readWhole` does. */
export function readTextSync(attempted: string, path: string): string {
  checkFile(attempted, path)
  let wrong: string | undefined
  try {
    const stats = statSync(path)
    wrong = stats.isFIFO() ? undefined : plainFileRefusal(stats)
    if (wrong === undefined) return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(attempted, error)
  }
  throw problem(attempted, wrong, 'Name a plain file.')
}

/** The bytes of a text in UTF-8; `file` is the name in messages. */
export async function readTextBytes(file: string, path: string): Promise<Buffer> {
  const bytes = await readWhole(`reading ${file}`, path)
  // Decoded as UTF-8 anyway, characters would be lost and values changed silently.
  if (!isUtf8(bytes))
    throw new Problem(`reading ${file}: it is no UTF-8 text. Save it as UTF-8.`, 2)
  return bytes
}

/** The text of these bytes, without a byte order mark. */
export const textOfBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')

export const readTextFile = async (file: string, path: string): Promise<string> =>
  textOfBytes(await readTextBytes(file, path))
