/**
 * Columnar index of a recording's exchanges in typed arrays: about 40 MB for a million, without objects. Rows are in
 * file order; `positions` maps to the order in which requests began.
 */

interface Columns {
  /** Segment and offset within it, as one number. */
  offset: Float64Array
  length: Uint32Array
  /** Microseconds since t0. */
  began: Float64Array
  tookMs: Float32Array
  seq: Uint32Array
  /** 0 for none, else entity number + 1. */
  entity: Uint32Array
  status: Uint16Array
  place: Uint16Array
  flags: Uint8Array
}

/** Typed array constructor over existing memory. */
interface Kind<Values> {
  new (memory: ArrayBuffer): Values
  readonly BYTES_PER_ELEMENT: number
}

const firstRoom = 4096

const createColumns = (
  create: <Values>(kind: Kind<Values>, name: keyof Columns) => Values,
): Columns => ({
  offset: create(Float64Array, 'offset'),
  length: create(Uint32Array, 'length'),
  began: create(Float64Array, 'began'),
  tookMs: create(Float32Array, 'tookMs'),
  seq: create(Uint32Array, 'seq'),
  entity: create(Uint32Array, 'entity'),
  status: create(Uint16Array, 'status'),
  place: create(Uint16Array, 'place'),
  flags: create(Uint8Array, 'flags'),
})

export interface IndexColumns extends Readonly<Columns> {
  /** Number of rows. */
  readonly size: () => number
  /** Adds a row and returns its number. */
  readonly add: () => number
  /** Rows in the order in which requests began, without hidden ones. */
  readonly positions: () => Uint32Array
  /** Hides a row that another one replaces. */
  readonly hide: (row: number) => void
}

export function createIndexColumns(): IndexColumns {
  let room = firstRoom
  let size = 0
  const columns = createColumns((kind) => new kind(new ArrayBuffer(room * kind.BYTES_PER_ELEMENT)))
  const hidden = new Set<number>()
  let orderMemory = new Uint32Array(0)
  /** Its part in use. */
  let order = orderMemory
  /** Number of rows considered in `order`, hidden ones included. */
  let ordered = 0
  let isStale = false

  /**
   * Transfers the memory instead of copying, so that the old array is freed at once. References to a column become
   * invalid when rows are added.
   */
  function grow(): void {
    // Grow by half: doubling would waste memory on large recordings.
    room += room >> 1
    const larger = createColumns((kind, name) => {
      const memory = columns[name].buffer as ArrayBuffer
      return new kind(memory.transfer(room * kind.BYTES_PER_ELEMENT))
    })
    Object.assign(columns, larger)
  }

  /** Insertion sort from an index on, since rows are nearly in order; falls back to a full sort. */
  function sort(rows: Uint32Array, from: number): void {
    const { seq } = columns
    const numberOf = (row: number): number => seq[row] ?? 0
    let moved = 0
    for (let index = Math.max(1, from); index < rows.length; index++) {
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

  /** A growing recording is asked for its order again and again: only what is new is put into it. */
  function positions(): Uint32Array {
    if (ordered === size && !isStale) return order
    const sorted = isStale ? 0 : order.length
    if (orderMemory.length < size) {
      orderMemory = new Uint32Array(room)
      orderMemory.set(order)
    }
    let count = sorted
    for (let row = isStale ? 0 : ordered; row < size; row++)
      if (!hidden.has(row)) orderMemory[count++] = row
    order = orderMemory.subarray(0, count)
    sort(order, sorted)
    ordered = size
    isStale = false
    return order
  }

  return Object.assign(columns, {
    size: () => size,
    add: () => {
      if (size === room) grow()
      return size++
    },
    positions,
    hide: (row: number) => {
      hidden.add(row)
      isStale = true
    },
  })
}
