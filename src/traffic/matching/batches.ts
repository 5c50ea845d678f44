/**
 * The batches of events of recorded polls, in parts: what one of them says of one order. How orders meet in a batch is an
 * accident of the moment at which somebody polled, so each part goes out when what it came of has happened.
 */
import { jsonIn } from '../json/json-value.ts'
import type { Cause, RecordedExchange } from '../recording/recorded-exchange.ts'
import type { News } from './entity-versions.ts'

export interface Part {
  readonly recorded: RecordedExchange
  /** What it is about: the first thing that its events name. */
  readonly entity: string
  /** Places in the list of the batch. */
  readonly places: readonly number[]
  readonly waitsFor: readonly Wait[]
  used: boolean
}

export interface Wait {
  /** An exchange, or a part of a batch. */
  readonly id: string
  /** Milliseconds between the end of that and this, as it was recorded. */
  readonly thinkMs: number
}

export interface BatchOptions {
  readonly causes: (recordId: string) => readonly Cause[]
  readonly exchange: (recordId: string) => RecordedExchange | undefined
  readonly entities: (recorded: RecordedExchange) => readonly string[]
  readonly newsIn: (recorded: RecordedExchange) => readonly News[]
  /** Whether it can happen in this replay at all: what comes of one that cannot comes of what that came of. */
  readonly happens: (recorded: RecordedExchange) => boolean
}

/** Reasons why there is anything to be told, and it was not told before. */
const telling: ReadonlySet<Cause['kind']> = new Set(['followup', 'callback', 'event', 'retry'])

const endOf = ({ startedAt, tookMs }: RecordedExchange): number => startedAt + tookMs

export const partId = ({ recorded: { recordId }, entity }: Pick<Part, 'recorded' | 'entity'>) =>
  `${recordId} ${entity}`

function listIn({ reply }: RecordedExchange): readonly unknown[] | undefined {
  const value = jsonIn(reply?.body)
  return Array.isArray(value) ? value : undefined
}

/** The same poll with some of its events. */
export function narrowed(
  recorded: RecordedExchange,
  places: ReadonlySet<number>,
  news: readonly News[],
): RecordedExchange {
  const list = listIn(recorded)
  if (!list || !recorded.reply || places.size >= list.length) return recorded
  const ids = news.flatMap(({ id }, place) => (places.has(place) && id !== undefined ? [id] : []))
  const body = JSON.stringify(list.filter((_, place) => places.has(place)))
  return { ...recorded, eventIds: ids, reply: { ...recorded.reply, body } }
}

export function createParts(options: BatchOptions) {
  const { causes, exchange, entities, newsIn, happens } = options
  /** By what it is about: the part that told of it last. */
  const before = new Map<string, Part>()
  const parts = new Map<string, Part>()

  /** The exchanges that a batch came of; of those that do not happen, what they came of. */
  function gather({ recordId }: RecordedExchange): ReadonlySet<RecordedExchange> {
    const found = new Set<RecordedExchange>()
    const seen = new Set<string>()
    // A set that grows while it is walked is walked to its end; a message may have been tried thousands of times.
    const open = new Set([recordId])
    for (const each of open)
      for (const { id, kind } of causes(each)) {
        if (!telling.has(kind) || seen.has(id)) continue
        seen.add(id)
        const cause = exchange(id)
        if (cause && happens(cause)) found.add(cause)
        else if (cause) open.add(id)
      }
    return found
  }

  /** Of several orders, what came of a call about one is a matter of that one alone. */
  function concerns(cause: RecordedExchange, entity: string, others: ReadonlySet<string>): boolean {
    const about = entities(cause)
    return about.includes(entity) || !about.some((each) => others.has(each))
  }

  function groups(recorded: RecordedExchange): ReadonlyMap<string, readonly number[]> {
    const news = newsIn(recorded)
    const list = listIn(recorded)
    const [first = ''] = entities(recorded)
    if (!list || list.length !== news.length) return new Map([[first, []]])
    const found = new Map<string, number[]>()
    for (const [place, { about }] of news.entries()) {
      const entity = about[0] ?? ''
      const places = found.get(entity)
      if (places) places.push(place)
      else found.set(entity, [place])
    }
    return found
  }

  return function partsOf(recorded: RecordedExchange): readonly Part[] {
    const all = gather(recorded)
    const split = groups(recorded)
    const others = new Set(split.keys())
    return [...split].map(([entity, places]) => {
      const waitsFor: Wait[] = []
      const wait = (id: string, cause: RecordedExchange): void => {
        const thinkMs = Math.max(0, endOf(recorded) - endOf(cause))
        waitsFor.push({ id, thinkMs })
      }
      for (const cause of all) {
        if (!concerns(cause, entity, others)) continue
        const part = partId({ recorded: cause, entity })
        wait(parts.has(part) ? part : cause.recordId, cause)
      }
      // Of one order, what was told first is told first.
      for (const each of split.size === 1 ? entities(recorded) : [entity]) {
        const last = before.get(each)
        if (last) wait(partId(last), last.recorded)
      }
      const part: Part = { recorded, entity, places, waitsFor, used: false }
      for (const each of split.size === 1 ? entities(recorded) : [entity]) before.set(each, part)
      parts.set(partId(part), part)
      return part
    })
  }
}
