/** Bytes that came in pieces and are taken off in front again: what importers read from, however the pieces fall. */
export interface ByteQueue {
  readonly push: (bytes: Uint8Array) => void
  /** Bytes that wait. */
  readonly size: () => number
  /** Bytes that were taken so far: where in the file the first waiting one stands. */
  readonly taken: () => number
  /** The next `count` bytes, which must be there. */
  readonly take: (count: number) => Uint8Array
  /** The next `count` bytes, which must be there; they stay. */
  readonly peek: (count: number) => Uint8Array
  /** How far in front `byte` stands; -1 when it is not there. What was looked through once is not looked through again. */
  readonly indexOf: (byte: number) => number
}

/** Pieces together as one; a single piece is that already. */
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

const nowhere = { byte: -1, pieces: 0, bytes: 0 }

export function createByteQueue(): ByteQueue {
  let pieces: Uint8Array[] = []
  let size = 0
  let taken = 0
  /** Of the byte that was looked for last: in how many bytes it does not stand. */
  let looked = nowhere

  function whole(): Uint8Array {
    const [only] = pieces
    if (only && pieces.length === 1) return only
    const joined = joinedBytes(pieces)
    pieces = size === 0 ? [] : [joined]
    looked = nowhere
    return joined
  }

  return {
    push(bytes) {
      if (bytes.length === 0) return
      // Whoever reads a file may use its buffer again; the slice of a Node buffer would be no copy.
      pieces.push(new Uint8Array(bytes))
      size += bytes.length
    },
    size: () => size,
    taken: () => taken,
    take(count) {
      const bytes = whole()
      const front = bytes.subarray(0, count)
      pieces = count < bytes.length ? [bytes.subarray(count)] : []
      size -= front.length
      taken += front.length
      looked = nowhere
      return front
    },
    peek: (count) => {
      const [first] = pieces
      return (first && first.length >= count ? first : whole()).subarray(0, count)
    },
    indexOf(byte) {
      if (looked.byte !== byte) looked = { byte, pieces: 0, bytes: 0 }
      for (let index = looked.pieces; index < pieces.length; index++) {
        const piece = pieces[index] ?? new Uint8Array()
        const found = piece.indexOf(byte)
        if (found >= 0) return looked.bytes + found
        looked = { byte, pieces: index + 1, bytes: looked.bytes + piece.length }
      }
      return -1
    },
  }
}
