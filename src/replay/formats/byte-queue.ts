/** FIFO byte buffer that importers read from, independent of how the input was chunked. */
export type ByteQueue = ReturnType<typeof createByteQueue>

/** Concatenates chunks; a single chunk is returned without a copy. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

const notSearched = { byte: -1, pieces: 0, bytes: 0 }

export function createByteQueue() {
  let pieces: Uint8Array[] = []
  let size = 0
  let taken = 0
  /** Search progress for the last byte value: chunks and bytes known not to contain it. */
  let searched = notSearched

  function joinedChunks(): Uint8Array {
    const [only] = pieces
    if (only && pieces.length === 1) return only
    const joined = joinedBytes(pieces)
    pieces = size === 0 ? [] : [joined]
    searched = notSearched
    return joined
  }

  return {
    push(bytes: Uint8Array) {
      if (bytes.length === 0) return
      // Copy: the reader may reuse its buffer, and slicing a Node buffer does not copy.
      pieces.push(new Uint8Array(bytes))
      size += bytes.length
    },
    /** Buffered bytes. */
    size: () => size,
    /** Bytes taken so far: the file offset of the first buffered byte. */
    position: () => taken,
    /** Removes the next `count` bytes, which must be buffered. */
    take(count: number): Uint8Array {
      const bytes = joinedChunks()
      const front = bytes.subarray(0, count)
      pieces = count < bytes.length ? [bytes.subarray(count)] : []
      size -= front.length
      taken += front.length
      searched = notSearched
      return front
    },
    /** The next `count` bytes, which must be buffered, without removing them. */
    peek: (count: number): Uint8Array => {
      const [first] = pieces
      return (first && first.length >= count ? first : joinedChunks()).subarray(0, count)
    },
    /**
     * Offset of `byte` from the front, -1 if absent. Remembers how far it has searched, so repeated calls do not rescan.
     */
    indexOf(byte: number): number {
      if (searched.byte !== byte) searched = { byte, pieces: 0, bytes: 0 }
      for (let index = searched.pieces; index < pieces.length; index++) {
        const piece = pieces[index] ?? new Uint8Array()
        const found = piece.indexOf(byte)
        if (found >= 0) return searched.bytes + found
        searched = { byte, pieces: index + 1, bytes: searched.bytes + piece.length }
      }
      return -1
    },
  }
}
