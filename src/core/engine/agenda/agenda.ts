/**
 * The agenda: every planned item in one ordered list, stored as chunks of a sorted list, so that insert and remove stay
 * near O(log n) and the list can be read from its head.
 */
import { distinctPositions, type AgendaPosition } from './positions.ts'
import type { Instant } from '../instant.ts'
import type { AgendaItem } from './item.ts'

const chunkSize = 256

export interface Agenda {
  /** Sorted by due instant, then rank; no chunk is empty. */
  readonly chunks: AgendaItem[][]
  readonly byId: Map<number, AgendaItem>
  /** Held items, in the order in which they were held. */
  readonly held: Map<number, AgendaItem>
  /** Items with a wait condition, oldest first. */
  readonly waiting: Map<number, AgendaItem>
  /** Number of scheduled items that are not in the background: while there are any, a session is not settled. */
  foreground: number
  nextId: number
}

export const createAgenda = (): Agenda => ({
  chunks: [],
  byId: new Map(),
  held: new Map(),
  waiting: new Map(),
  foreground: 0,
  nextId: 1,
})

/**
 * Maximum number of pending items; more means a plan that feeds itself, and the engine throws instead of running out of
 * memory.
 */
export const maxAgendaItems = 1_000_000

/** The id is the tie-breaker: two copies may come to share a rank, and an order with ties would lose items. */
const before = (a: AgendaItem, b: AgendaItem): boolean =>
  a.due === b.due ? (a.rank === b.rank ? a.id < b.id : a.rank < b.rank) : a.due < b.due

/** Index of the chunk that holds or would hold an item (binary search). */
function chunkIndex(chunks: readonly AgendaItem[][], item: AgendaItem): number {
  let low = 0
  let high = chunks.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const last = chunks[middle]?.at(-1)
    if (last && before(last, item)) low = middle + 1
    else high = middle
  }
  return low
}

/** Index in a chunk that an item has or would have (binary search). */
function indexInChunk(chunk: readonly AgendaItem[], item: AgendaItem): number {
  let low = 0
  let high = chunk.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = chunk[middle]
    if (other && before(other, item)) low = middle + 1
    else high = middle
  }
  return low
}

function insert(agenda: Agenda, item: AgendaItem): void {
  const { chunks } = agenda
  if (chunks.length === 0) {
    chunks.push([item])
    return
  }
  const index = chunkIndex(chunks, item)
  const chunk = chunks[index]
  if (!chunk) throw new Error('the agenda lost a chunk')
  const place = indexInChunk(chunk, item)
  // Most items are appended and taken from the front: those need no splice.
  if (place === chunk.length) chunk.push(item)
  else chunk.splice(place, 0, item)
  if (chunk.length > chunkSize) chunks.splice(index + 1, 0, chunk.splice(chunkSize >> 1))
}

function extract(agenda: Agenda, item: AgendaItem): void {
  const index = chunkIndex(agenda.chunks, item)
  const chunk = agenda.chunks[index]
  const place = chunk ? indexInChunk(chunk, item) : -1
  if (!chunk || chunk[place]?.id !== item.id)
    throw new Error(`the agenda lost item ${item.id}: its order is broken`)
  if (place === 0) chunk.shift()
  else chunk.splice(place, 1)
  if (chunk.length === 0) agenda.chunks.splice(index, 1)
}

/** Adds an item to the schedule or to the held ones. */
export function putItem(agenda: Agenda, item: AgendaItem): void {
  if (agenda.byId.size >= maxAgendaItems)
    throw new Error(`the agenda is over its bound of ${maxAgendaItems} items`)
  agenda.byId.set(item.id, item)
  if (item.held) agenda.held.set(item.id, item)
  else {
    insert(agenda, item)
    if (item.wait) agenda.waiting.set(item.id, item)
    if (!item.background) agenda.foreground++
  }
  if (item.id >= agenda.nextId) agenda.nextId = item.id + 1
}

/** Removes an item, scheduled or held. */
export function removeItem(agenda: Agenda, id: number): AgendaItem | undefined {
  const item = agenda.byId.get(id)
  if (!item) return undefined
  agenda.byId.delete(id)
  if (item.held) agenda.held.delete(id)
  else {
    extract(agenda, item)
    if (item.wait) agenda.waiting.delete(id)
    if (!item.background) agenda.foreground--
  }
  return item
}

/** Replaces an item by a changed one of the same id. */
export function replaceItem(agenda: Agenda, item: AgendaItem): void {
  removeItem(agenda, item.id)
  putItem(agenda, item)
}

/** The item that comes due next. */
export const headItem = (agenda: Agenda): AgendaItem | undefined => agenda.chunks[0]?.[0]

export const nextDue = (agenda: Agenda): Instant | undefined => headItem(agenda)?.due

/** The scheduled items from the head on. */
export function* scheduledItems(agenda: Agenda): Generator<AgendaItem> {
  for (const chunk of agenda.chunks) yield* chunk
}

/** The first `max` items by due instant; held ones where they would have been. */
export function firstItems(
  agenda: Agenda,
  max: number,
  matches: (item: AgendaItem) => boolean = () => true,
): readonly AgendaItem[] {
  const held = [...agenda.held.values()].filter(matches).sort((a, b) => (before(a, b) ? -1 : 1))
  const items: AgendaItem[] = []
  let nextHeld = 0
  for (const item of scheduledItems(agenda)) {
    if (items.length >= max) break
    if (!matches(item)) continue
    for (let waiting = held[nextHeld]; waiting && before(waiting, item); waiting = held[nextHeld]) {
      items.push(waiting)
      nextHeld++
    }
    items.push(item)
  }
  items.push(...held.slice(nextHeld))
  return items.slice(0, max)
}

/** How long the service sleeps is its own affair: nothing takes the place of its pause. */
export const isOwnPause = ({ command }: AgendaItem): boolean =>
  command.kind === 'pause.end' && command.whose === 'subject'

/**
 * The new positions of all items between two when one moves to the other's position: each takes over the due instant
 * and rank of its neighbour, so the set of instants stays and only the order changes. A pause of the service itself
 * between them stays where it is: how long it sleeps is its own affair.
 */
export function rotatedPositions(
  agenda: Agenda,
  moved: AgendaItem,
  target: AgendaItem,
): readonly AgendaPosition[] {
  const down = before(moved, target)
  const [first, last] = down ? [moved, target] : [target, moved]
  const span: AgendaItem[] = []
  for (const item of itemsFrom(agenda, first)) {
    const isEnd = item.id === moved.id || item.id === target.id
    if (isEnd || !isOwnPause(item)) span.push(item)
    if (item.id === last.id) break
  }
  const order = down ? [...span.slice(1), moved] : [moved, ...span.slice(0, -1)]
  return distinctPositions(
    order.map((item, index) => {
      const place = span[index] ?? item
      return { id: item.id, due: place.due, rank: place.rank }
    }),
  )
}

function* itemsFrom(agenda: Agenda, item: AgendaItem): Generator<AgendaItem> {
  const start = chunkIndex(agenda.chunks, item)
  for (let index = start; index < agenda.chunks.length; index++) {
    const chunk = agenda.chunks[index] ?? []
    yield* index === start ? chunk.slice(indexInChunk(chunk, item)) : chunk
  }
}

/** The scheduled item right before or right after another. */
export function neighbourItem(
  agenda: Agenda,
  item: AgendaItem,
  side: 'before' | 'after',
): AgendaItem | undefined {
  const index = chunkIndex(agenda.chunks, item)
  const chunk = agenda.chunks[index]
  const place = chunk ? indexInChunk(chunk, item) : 0
  return side === 'before'
    ? (chunk?.[place - 1] ?? agenda.chunks[index - 1]?.at(-1))
    : (chunk?.[place + 1] ?? agenda.chunks[index + 1]?.[0])
}
