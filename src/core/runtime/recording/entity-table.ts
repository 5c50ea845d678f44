/**
 * Interning table from order ids to numbers: open-addressed hash table of 64-bit hashes that stores no id. A recording
 * may have a million orders; as strings they would dominate its memory.
 */

export interface EntityTable {
  /** The number of an id, from 0; a new one for an unknown id. */
  readonly add: (id: string) => number
  /** Undefined for an unknown id. */
  readonly find: (id: string) => number | undefined
  readonly size: () => number
}

export function createEntityTable(): EntityTable {
  let room = 4096
  let size = 0
  let high = new Uint32Array(room)
  let low = new Uint32Array(room)
  /** Number + 1; 0 means empty. */
  let numbers = new Uint32Array(room)
  const hash = { high: 0, low: 0 }

  function hashOf(id: string): void {
    let one = 0x811c9dc5
    let other = 0x9747b28c
    for (let index = 0; index < id.length; index++) {
      const unit = id.charCodeAt(index)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x5bd1e995)
      other ^= other >>> 15
    }
    hash.high = one >>> 0
    hash.low = other >>> 0
  }

  /** Slot of the current hash, or the empty slot for it. */
  function slot(): number {
    let at = (hash.high ^ hash.low) & (room - 1)
    while (numbers[at] !== 0 && (high[at] !== hash.high || low[at] !== hash.low))
      at = (at + 1) & (room - 1)
    return at
  }

  function put(at: number, number: number): void {
    high[at] = hash.high
    low[at] = hash.low
    numbers[at] = number
  }

  function grow(): void {
    const before = { high, low, numbers }
    room *= 2
    high = new Uint32Array(room)
    low = new Uint32Array(room)
    numbers = new Uint32Array(room)
    for (const [at, number] of before.numbers.entries()) {
      if (number === 0) continue
      hash.high = before.high[at] ?? 0
      hash.low = before.low[at] ?? 0
      put(slot(), number)
    }
  }

  return {
    add: (id) => {
      hashOf(id)
      const at = slot()
      const known = numbers[at] ?? 0
      if (known !== 0) return known - 1
      put(at, size + 1)
      size++
      if (size * 2 > room) grow()
      return size - 1
    },
    find: (id) => {
      hashOf(id)
      const number = numbers[slot()] ?? 0
      return number === 0 ? undefined : number - 1
    },
    size: () => size,
  }
}
