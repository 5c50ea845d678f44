/** Buffers the beginning of a stream, so that its format can be detected before it is read. */

export type BufferedStream = Awaited<ReturnType<typeof bufferBeginning>>

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
