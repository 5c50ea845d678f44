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

type Column = keyof Columns

const makers: { readonly [Name in Column]: (length: number) => Columns[Name] } = {
  offset: (length) => new Float64Array(length),
  length: (length) => new Uint32Array(length),
  began: (length) => new Float64Array(length),
  tookMs: (length) => new Float32Array(length),
  seq: (length) => new Uint32Array(length),
  entity: (length) => new Uint32Array(length),
  status: (length) => new Uint16Array(length),
  place: (length) => new Uint16Array(length),
  flags: (length) => new Uint8Array(length),
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
    offset: makers.offset(first),
    length: makers.length(first),
    began: makers.began(first),
    tookMs: makers.tookMs(first),
    seq: makers.seq(first),
    entity: makers.entity(first),
    status: makers.status(first),
    place: makers.place(first),
    flags: makers.flags(first),
  }
  const hidden = new Set<number>()
  let order = new Uint32Array(0)
  /** So many rows are in `order`, hidden ones left out. */
  let ordered = 0
  let isStale = false

  function larger<Values extends { set: (values: Values) => void }>(
    make: (length: number) => Values,
    values: Values,
  ): Values {
    const made = make(room)
    made.set(values)
    return made
  }

  function grow(): void {
    // A half more: twice as many would be a lot of memory for nothing in a large recording.
    room += room >> 1
    columns = {
      offset: larger(makers.offset, columns.offset),
      length: larger(makers.length, columns.length),
      began: larger(makers.began, columns.began),
      tookMs: larger(makers.tookMs, columns.tookMs),
      seq: larger(makers.seq, columns.seq),
      entity: larger(makers.entity, columns.entity),
      status: larger(makers.status, columns.status),
      place: larger(makers.place, columns.place),
      flags: larger(makers.flags, columns.flags),
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
