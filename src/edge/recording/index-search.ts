/** Filters the exchanges of an index by its columns, and by text in the files if requested. */
import { lowerBound } from '../../traffic/lower-bound.ts'
import type { EntityTable } from './entity-table.ts'
import type { IndexColumns } from './index-columns.ts'
import { type IndexFilter, type CallRoute, matchingRoutes, statusRange } from './index-filter.ts'
import { partBase, type IndexParts } from './index-parts.ts'
import { blobsContaining, createNeedleFinder, jsonNeedle } from './text-search.ts'

export interface SearchableIndex {
  /** File or folder. */
  readonly file: string
  readonly columns: IndexColumns
  readonly entities: EntityTable
  readonly routes: readonly CallRoute[]
  readonly parts: IndexParts
}

/** Up to this many candidates, lines are read individually instead of scanning the whole file. */
const maxDirectReads = 500

export function createIndexSearch({
  file,
  columns,
  entities,
  routes: places,
  parts,
}: SearchableIndex) {
  /** The positions that match by columns. */
  function matchColumns(filter: IndexFilter): Uint32Array {
    const wanted = matchingRoutes(filter, places)
    const range = statusRange(filter.status)
    const { order } = filter
    const entity =
      order === undefined ? undefined : entities.find(jsonNeedle(order).toString('latin1'))
    if (order !== undefined && entity === undefined) return new Uint32Array(0)
    const rows = columns.positions()
    const { place, status, entity: about } = columns
    const result = new Uint32Array(rows.length)
    let size = 0
    for (let position = 0; position < rows.length; position++) {
      const row = rows[position] ?? 0
      if (wanted && wanted[place[row] ?? 0] !== 1) continue
      if (entity !== undefined && about[row] !== entity + 1) continue
      const answered = status[row] ?? 0
      if (range && (answered < range[0] || answered > range[1])) continue
      result[size++] = position
    }
    return result.slice(0, size)
  }

  /** The first row at or after a position; rows are in file order. */
  const rowFrom = (position: number): number =>
    lowerBound(columns.size(), (row) => (columns.offset[row] ?? 0) < position)

  /** Marks the rows of one file whose line contains a needle. */
  async function mark(number: number, needles: readonly Buffer[], hits: Uint8Array): Promise<void> {
    const base = partBase(number)
    const all = hits.length
    let next = rowFrom(base)
    const finders = needles.map(createNeedleFinder)
    await parts.scan(number, 0, (block, start, end, at) => {
      // Looked up each time: columns move when rows are added.
      const { offset } = columns
      while (next < all && (offset[next] ?? 0) < base + at) next++
      if (next >= all || offset[next] !== base + at) return
      if (finders.some((find) => find(block, start, end))) hits[next] = 1
    })
  }

  /** The candidates whose lines contain one of the needles. */
  async function matchText(needles: readonly Buffer[], from: Uint32Array): Promise<Uint32Array> {
    const order = columns.positions()
    if (from.length <= maxDirectReads) {
      const result: number[] = []
      for (const position of from) {
        const row = order[position] ?? 0
        const line = await parts.read(columns.offset[row] ?? 0, columns.length[row] ?? 0)
        if (needles.some((needle) => line.includes(needle))) result.push(position)
      }
      return Uint32Array.from(result)
    }
    const hits = new Uint8Array(columns.size())
    for (const number of parts.numbers()) await mark(number, needles, hits)
    return from.filter((position) => hits[order[position] ?? 0] === 1)
  }

  return async (filter: IndexFilter): Promise<Uint32Array> => {
    const fitting = matchColumns(filter)
    const { text } = filter
    if (text === undefined || text === '' || fitting.length === 0) return fitting
    const blobs = blobsContaining(file, text).map((name) => Buffer.from(name))
    return matchText([jsonNeedle(text), ...blobs], fitting)
  }
}
