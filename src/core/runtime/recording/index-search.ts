/** Filters the exchanges of an index by its columns, and by text in the files if requested. */
import { lowerBound } from '../../traffic/lower-bound.ts'
import type { EntityTable } from './entity-table.ts'
import type { IndexColumns } from './index-columns.ts'
import { partBase, type IndexParts } from './index-parts.ts'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { blobFolder } from './recording-names.ts'
import type { Party } from '../../traffic/exchange.ts'

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

/** The bytes of a text inside a JSON string. */
const jsonNeedle = (text: string): Buffer => Buffer.from(JSON.stringify(text).slice(1, -1))

/** Returns a matcher for successive lines; each block is searched once for all of its lines. */
function createNeedleFinder(
  needle: Buffer,
): (bytes: Buffer, start: number, end: number) => boolean {
  let block: Buffer | undefined
  let at = -1
  return (bytes, start, end) => {
    if (bytes !== block || at < start) {
      const next = bytes.indexOf(needle, start)
      block = bytes
      at = next < 0 ? Number.MAX_SAFE_INTEGER : next
    }
    return at + needle.length <= end
  }
}

const maxBlobBytes = 256 * 1024 * 1024

/** Names of the separately stored bodies that contain the text. */
function blobsContaining(recording: string, text: string): readonly string[] {
  const folder = join(recording, blobFolder)
  const needle = Buffer.from(text)
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names.filter((name) => {
    try {
      const file = join(folder, name)
      return statSync(file).size <= maxBlobBytes && readFileSync(file).includes(needle)
    } catch {
      return false
    }
  })
}

/** Filter on the columns of an index. */
export interface IndexFilter {
  /** One operation, or several. */
  readonly operation?: string | readonly string[]
  /** Order id. */
  readonly order?: string
  /** 404, a class such as `4xx`, or `none` for no reply. */
  readonly status?: number | `${1 | 2 | 3 | 4 | 5}xx` | 'none'
  /** A role or party, as caller or callee. */
  readonly party?: Party['role'] | Party['party']
  /** Text in a URL, a header or a body; case-sensitive. */
  readonly text?: string
}

/** Caller, callee and operation of an exchange. */
export interface CallRoute {
  readonly from: Party
  readonly to: Party
  /** As named in the recording, known to the protocol or not. */
  readonly operation: string | undefined
}

/** Bitmap of the matching call routes: there are few routes and many exchanges. */
function matchingRoutes(
  { operation, party }: IndexFilter,
  places: readonly CallRoute[],
): Uint8Array | undefined {
  if (operation === undefined && party === undefined) return undefined
  const wanted = operation === undefined ? undefined : new Set([operation].flat())
  return Uint8Array.from(places, ({ from, to, operation: id }) => {
    const isNamed = !wanted || (id !== undefined && wanted.has(id))
    const isParty =
      party === undefined || [from.role, from.party, to.role, to.party].includes(party)
    return isNamed && isParty ? 1 : 0
  })
}

/** Minimum and maximum matching status; undefined when any matches. */
function statusRange(status: IndexFilter['status']): readonly [number, number] | undefined {
  if (status === undefined) return undefined
  if (status === 'none') return [0, 0]
  if (typeof status === 'number') return [status, status]
  const hundred = Number(status[0]) * 100
  return [hundred, hundred + 99]
}
