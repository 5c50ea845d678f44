/** Byte source of an import: a file, or `-` for stdin. Its beginning is available for format detection. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileProblem } from '../../edge/files/file-problem.ts'
import { Problem, problem } from '../../problem.ts'
import type { Io } from '../io.ts'

export interface ImportSource {
  /** As given by the user. */
  readonly name: string
  /** Up to 64 KiB. */
  readonly beginning: Uint8Array
  /** The whole content including the beginning; can be iterated once. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** Size in bytes; undefined for a pipe. */
  readonly bytes?: number
  /** Hexadecimal; undefined for a pipe, which can be read only once. */
  readonly sha256?: string
}

const beginningBytes = 65_536
const pieceBytes = 64 * 1024

const readProblem = (name: string, error: unknown): Problem =>
  new Problem(fileProblem(`importing ${name}`, error), 2)

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes }))
    hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** Buffers the beginning of a stream; `pieces` yields it and the rest. */
async function bufferBeginning(stream: AsyncIterable<unknown>, name: string) {
  const source = stream[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let size = 0
  let isOver = false

  async function next(): Promise<Buffer | undefined> {
    try {
      const { done, value } = await source.next()
      return done === true ? undefined : Buffer.from(value as Uint8Array | string)
    } catch (error) {
      throw readProblem(name, error)
    }
  }

  while (size < beginningBytes && !isOver) {
    const piece = await next()
    if (piece) {
      first.push(piece)
      size += piece.length
    } else isOver = true
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* first.splice(0)
      if (isOver) return
      for (let piece = await next(); piece; piece = await next()) yield piece
    } finally {
      await source.return?.()
    }
  }
  return { beginning: Buffer.concat(first).subarray(0, beginningBytes), pieces: pieces() }
}

export async function openImportSource(
  name: string,
  io: Pick<Io, 'stdin' | 'cwd'>,
): Promise<ImportSource> {
  if (name === '-') return { name, ...(await bufferBeginning(io.stdin(), 'from a pipe')) }
  const path = resolve(io.cwd, name)
  try {
    const stats = await stat(path)
    if (stats.isDirectory())
      throw problem(
        `importing ${name}`,
        'it is a folder',
        `Name a file in it. A recording in a folder becomes a file so: sparring export ${name} -o one.rec.ndjson`,
      )
    // A named pipe can be read only once, so it cannot be hashed beforehand.
    const sha256 = stats.isFile() ? await hashOf(path) : undefined
    const stream = createReadStream(path, { highWaterMark: pieceBytes })
    return {
      name,
      ...(await bufferBeginning(stream, name)),
      ...(sha256 === undefined ? {} : { bytes: stats.size, sha256 }),
    }
  } catch (error) {
    throw error instanceof Problem ? error : readProblem(name, error)
  }
}
