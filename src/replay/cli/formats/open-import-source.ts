/** Opens the source of an import: a file, or `-` for stdin, unpacked when it is compressed. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { type ImportSource, type PlainSource, bufferBeginning } from './import-source.ts'
import { unpackSource } from './unpack-source.ts'

const pieceBytes = 64 * 1024

const readProblem = (name: string, error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(fileProblem(`importing ${name}`, error), 2)

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes }))
    hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** The pieces of a stream, with its errors as problems; `onPiece` sees each. */
async function* piecesOf(
  stream: AsyncIterable<unknown>,
  name: string,
  onPiece: (piece: Buffer) => void = () => undefined,
): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : (piece as Buffer)
      onPiece(bytes)
      yield bytes
    }
  } catch (error) {
    throw readProblem(name, error)
  }
}

async function openPipe(io: Pick<Io, 'stdin'>): Promise<PlainSource> {
  const hash = createHash('sha256')
  const pieces = piecesOf(io.stdin(), 'from a pipe', (piece) => hash.update(piece))
  return {
    name: '-',
    sha256OfPipe: () => hash.copy().digest('hex'),
    ...(await bufferBeginning(pieces)),
  }
}

async function openFile(name: string, path: string): Promise<PlainSource> {
  const stats = await stat(path)
  if (stats.isDirectory())
    throw problem(
      `importing ${name}`,
      'it is a folder',
      `Name a file in it. A recording in a folder becomes a file so: sparring export ${name} -o one.rec.ndjson`,
    )
  if (stats.isCharacterDevice() || stats.isBlockDevice())
    throw problem(`importing ${name}`, 'it is a device', 'Name a file, or - for stdin.')
  // A named pipe can be read only once, so it cannot be hashed beforehand.
  const sha256 = stats.isFile() ? await hashOf(path) : undefined
  const stream = createReadStream(path, { highWaterMark: pieceBytes })
  return {
    name,
    ...(await bufferBeginning(piecesOf(stream, name))),
    ...(sha256 === undefined ? {} : { bytes: stats.size, sha256 }),
  }
}

/** `recognises`: whether this is the beginning of a known format. */
export async function openImportSource(
  name: string,
  io: Pick<Io, 'stdin' | 'cwd'>,
  recognises: (beginning: Uint8Array) => boolean,
): Promise<ImportSource> {
  const path = resolve(io.cwd, name)
  try {
    const plain = name === '-' ? await openPipe(io) : await openFile(name, path)
    // The size is known of what can be read from any place.
    return await unpackSource(plain, plain.bytes === undefined ? undefined : path, recognises)
  } catch (error) {
    throw readProblem(name === '-' ? 'from a pipe' : name, error)
  }
}
