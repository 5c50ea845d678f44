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
 * over as `<(…)`. Throws a `Problem` for one that the caller may not have, and errors of the file system.
 */
export async function readWhole(
  attempted: string,
  path: string,
  { pipes = false } = {},
): Promise<Buffer> {
  checkFile(attempted, path)
  const stats = await stat(path)
  const isStream = pipes && stats.isFIFO()
  const wrong = isStream ? undefined : plainFileRefusal(stats)
  const read = isStream ? readStream : readFile
  const bytes = wrong === undefined ? await read(path) : undefined
  if (bytes) return bytes
  throw problem(attempted, wrong ?? tooLarge, 'Name a plain file.')
}

/** The text of a small file, or of a pipe; errors of the file system are thrown. */
export function readTextSync(attempted: string, path: string): string {
  const stats = statSync(path)
  const wrong = stats.isFIFO() ? undefined : plainFileRefusal(stats)
  if (wrong === undefined) return readFileSync(path, 'utf8')
  throw problem(attempted, wrong, 'Name a plain file.')
}

/** The bytes of a text in UTF-8; `file` is the name in messages. */
export async function readTextBytes(file: string, path: string): Promise<Buffer> {
  let bytes: Buffer
  try {
    bytes = await readWhole(`reading ${file}`, path)
  } catch (error) {
    if (errorCode(error) === '') throw error
    throw new Problem(`${fileProblem(`reading ${file}`, error)}.`, 2)
  }
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
