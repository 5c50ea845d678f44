/** Byte source of an import, with its beginning for format detection. */
import type { FormatProblem } from '../../formats/format.ts'

/** Buffers the beginning of a stream, so that its format can be detected before it is read. */
type BufferedStream = Awaited<ReturnType<typeof bufferBeginning>>

const beginningBytes = 65_536

export async function bufferBeginning(stream: AsyncIterable<Uint8Array>) {
  const source = stream[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let size = 0
  let isOver = false

  async function next(): Promise<Uint8Array | undefined> {
    const { done, value } = await source.next()
    return done === true ? undefined : value
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
  return {
    /** Up to 64 KiB. */
    beginning: Buffer.concat(first).subarray(0, beginningBytes),
    /** The whole content including the beginning; can be iterated once. */
    pieces: pieces(),
    /** Closes the stream, read or not. */
    stop: () => void source.return?.().catch(() => undefined),
  }
}

export interface PlainSource extends BufferedStream {
  /** As named by the user. */
  readonly name: string
  /** Size in bytes; undefined for a pipe, and when it is packed. */
  readonly bytes?: number
  /** Hexadecimal, of the file as it is; undefined for a pipe, which can be read only once. */
  readonly sha256?: string
  /** Of a pipe, once it has been read. */
  readonly sha256OfPipe?: () => string
}

/** To be disposed of when it has been imported. */
export interface ImportSource extends PlainSource, Disposable {
  /** The name of what was packed, as far as it is known. */
  readonly plainName: string
  /** How it is packed: `gzip`. */
  readonly packing?: string
  /** A body that stands in a file of its own in the archive. */
  readonly attachment?: (name: string) => Uint8Array | undefined
  /** What could not be unpacked; complete when `pieces` has been read. */
  readonly problems: readonly FormatProblem[]
}
