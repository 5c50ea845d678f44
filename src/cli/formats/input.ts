/** The file that is imported, as bytes: a name, or `-` for what is piped in. Its beginning can be looked at first. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileProblem } from '../../edge/files/file-problem.ts'
import { Problem, problem } from '../../problem.ts'
import type { Io } from '../io.ts'

export interface Input {
  /** As it was named. */
  readonly name: string
  /** Up to 64 KiB. */
  readonly beginning: Uint8Array
  /** All of it, the beginning included; once. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** Undefined for a pipe. */
  readonly bytes?: number
  /** In hexadecimal; undefined for a pipe, whose end nobody knows yet. */
  readonly sha256?: string
}

const beginningBytes = 65_536
const pieceBytes = 64 * 1024

const told = (name: string, error: unknown): Problem =>
  new Problem(fileProblem(`importing ${name}`, error), 2)

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes }))
    hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** What a stream hands out, with the first pieces gathered until there is enough to look at. */
async function begun(stream: AsyncIterable<unknown>, name: string) {
  const source = stream[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let size = 0
  let isOver = false

  async function next(): Promise<Buffer | undefined> {
    try {
      const { done, value } = await source.next()
      return done === true ? undefined : Buffer.from(value as Uint8Array | string)
    } catch (error) {
      throw told(name, error)
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

export async function openInput(name: string, io: Pick<Io, 'stdin' | 'cwd'>): Promise<Input> {
  if (name === '-') return { name, ...(await begun(io.stdin(), 'from a pipe')) }
  const path = resolve(io.cwd, name)
  try {
    const about = await stat(path)
    if (about.isDirectory())
      throw problem(
        `importing ${name}`,
        'it is a folder',
        `Name a file in it. A recording in a folder becomes a file so: sparring export ${name} -o one.rec.ndjson`,
      )
    // A pipe that has a name can be read only once.
    const sha256 = about.isFile() ? await hashOf(path) : undefined
    const stream = createReadStream(path, { highWaterMark: pieceBytes })
    return {
      name,
      ...(await begun(stream, name)),
      ...(sha256 === undefined ? {} : { bytes: about.size, sha256 }),
    }
  } catch (error) {
    throw error instanceof Problem ? error : told(name, error)
  }
}
