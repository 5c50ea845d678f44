/**
 * What is known of every exchange of a recording, as columns of numbers: a million of them take some forty megabytes and
 * no object. Columns stand in the order of the file; `positions` has the order in which requests began.
 */

interface Columns {
  /** Segment, and place in it. */
  offset: Float64Array
  length: Uint32Array
  /** Microseconds since t0. */
  began: Float64Array
  tookMs: Float32Array
  seq: Uint32Array
  /** 0 for none, else one more than its number. */
  entity: Uint32Array
  status: Uint16Array
  place: Uint16Array
  flags: Uint8Array
}

const kinds = {
  offset: Float64Array,
  length: Uint32Array,
  began: Float64Array,
  tookMs: Float32Array,
  seq: Uint32Array,
  entity: Uint32Array,
  status: Uint16Array,
  place: Uint16Array,
  flags: Uint8Array,
} as const

/** How an array of its kind is made, over memory that is there. */
interface Kind<Values> {
  new (memory: ArrayBuffer): Values
  readonly BYTES_PER_ELEMENT: number
}

const first = 4096

export interface IndexColumns extends Readonly<Columns> {
  /** How many rows are in use. */
  readonly size: () => number
  /** Makes room for one more row, and answers which it is. */
  readonly add: () => number
  /** Rows in the order in which requests began, without those that are hidden. */
  readonly positions: () => Uint32Array
  /** A row that another one stands for. */
  readonly hide: (row: number) => void
}

export function createColumns(): IndexColumns {
  let room = first
  let size = 0
  let columns: Columns = {
    offset: new Float64Array(first),
    length: new Uint32Array(first),
    began: new Float64Array(first),
    tookMs: new Float32Array(first),
    seq: new Uint32Array(first),
    entity: new Uint32Array(first),
    status: new Uint16Array(first),
    place: new Uint16Array(first),
    flags: new Uint8Array(first),
  }
  const hidden = new Set<number>()
  let order = new Uint32Array(0)
  /** So many rows are in `order`, hidden ones left out. */
  let ordered = 0
  let isStale = false

  /**
   * The memory goes over to the larger array: a copy would leave the old ones lying about until they are collected. Whoever
   * holds a column while rows are added holds nothing afterwards.
   */
  const larger = <Values extends { readonly buffer: ArrayBufferLike }>(
    kind: Kind<Values>,
    { buffer }: Values,
  ): Values => new kind((buffer as ArrayBuffer).transfer(room * kind.BYTES_PER_ELEMENT))

  function grow(): void {
    // A half more: twice as many would be a lot of memory for nothing in a large recording.
    room += room >> 1
    columns = {
      offset: larger(kinds.offset, columns.offset),
      length: larger(kinds.length, columns.length),
      began: larger(kinds.began, columns.began),
      tookMs: larger(kinds.tookMs, columns.tookMs),
      seq: larger(kinds.seq, columns.seq),
      entity: larger(kinds.entity, columns.entity),
      status: larger(kinds.status, columns.status),
      place: larger(kinds.place, columns.place),
      flags: larger(kinds.flags, columns.flags),
    }
  }

  /** Nearly in order already: an exchange ends soon after those that began before it. */
  function sort(rows: Uint32Array): void {
    const { seq } = columns
    const numberOf = (row: number): number => seq[row] ?? 0
    let moved = 0
    for (let index = 1; index < rows.length; index++) {
      const row = rows[index] ?? 0
      const number = numberOf(row)
      let to = index
      while (to > 0 && numberOf(rows[to - 1] ?? 0) > number) {
        rows[to] = rows[to - 1] ?? 0
        to--
      }
      rows[to] = row
      moved += index - to
      if (moved > rows.length * 16 + 10_000) {
        rows.sort((a, b) => numberOf(a) - numberOf(b) || a - b)
        return
      }
    }
  }

  function positions(): Uint32Array {
    if (ordered === size && !isStale) return order
    const rows = new Uint32Array(size - hidden.size)
    let count = 0
    if (!isStale) {
      rows.set(order)
      count = order.length
    }
    for (let row = isStale ? 0 : ordered; row < size; row++)
      if (!hidden.has(row)) rows[count++] = row
    sort(rows)
    order = rows
    ordered = size
    isStale = false
    return order
  }

  return {
    get offset() {
      return columns.offset
    },
    get length() {
      return columns.length
    },
    get began() {
      return columns.began
    },
    get tookMs() {
      return columns.tookMs
    },
    get seq() {
      return columns.seq
    },
    get entity() {
      return columns.entity
    },
    get status() {
      return columns.status
    },
    get place() {
      return columns.place
    },
    get flags() {
      return columns.flags
    },
    size: () => size,
    add: () => {
      if (size === room) grow()
      return size++
    },
    positions,
    hide: (row) => {
      hidden.add(row)
      isStale = true
    },
  }
}
