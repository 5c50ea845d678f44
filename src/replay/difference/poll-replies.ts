/**
 * Answers polls from a recording. The number of polls may differ in a replay, so recorded polls are not replayed in
 * sequence: each part of a batch waits for its causes (calls of the subject, earlier batches about the same order),
 * then for the recorded delay, and is returned by the next poll. Any other poll is answered without events.
 */
import type { RecordedExchange, Cause } from '../../core/traffic/recording/recorded-exchange.ts'
import { endOf } from '../../core/traffic/exchange.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import type { HandoverEvent } from './entity-versions.ts'
import { appendTo } from '../../core/traffic/append-to.ts'

export interface PollRepliesOptions extends BatchSplitterOptions {
  /** Polls of one caller, in the order of the recording. */
  readonly polls: readonly RecordedExchange[]
  /** Speed of recorded time; `asap` does not wait for it. */
  readonly speed: number | 'asap'
  /** Start of the recording, in milliseconds since 1970. */
  readonly t0: number
}

export interface PollReply {
  /** The recorded poll; with a subset of its events when others have to wait. */
  readonly recorded: RecordedExchange
  /** All of its events have been returned now. */
  readonly whole: boolean
}

export type PollReplies = ReturnType<typeof createPollReplies>

type DoneAt = (id: string) => number | undefined

export function createPollReplies(options: PollRepliesOptions) {
  const { polls, newsIn, speed, t0 } = options
  const hasEvents = ({ eventIds }: RecordedExchange): boolean => (eventIds?.length ?? 0) > 0
  const partsOf = createBatchSplitter(options)
  const batches = polls
    .filter(hasEvents)
    .map((recorded) => ({ recorded, parts: partsOf(recorded) }))
  const isComplete = ({ parts }: { readonly parts: readonly BatchPart[] }): boolean =>
    parts.every(({ used }) => used)
  const partsDone = new Map<string, number>()
  /** All batches before this index are complete. */
  let firstIncomplete = 0
  let unusedCount = batches.length

  function isReady({ recorded, waitsFor }: BatchPart, now: number, doneAt: DoneAt): boolean {
    const done = (id: string): number | undefined => partsDone.get(id) ?? doneAt(id)
    if (speed === 'asap') return waitsFor.every(({ id }) => done(id) !== undefined)
    if (waitsFor.length === 0) return now >= (endOf(recorded) - t0) / speed
    return waitsFor.every(({ id, thinkMs }) => {
      const index = done(id)
      return index !== undefined && now >= index + thinkMs / speed
    })
  }

  return {
    /** The next batch that is ready. `doneAt`: when a recorded exchange happened in this replay. */
    next(now: number, doneAt: (recordId: string) => number | undefined): PollReply | undefined {
      for (
        let next = batches[firstIncomplete];
        next && isComplete(next);
        next = batches[firstIncomplete]
      )
        firstIncomplete++
      for (let index = firstIncomplete; index < batches.length; index++) {
        const batch = batches[index]
        const ready = batch?.parts.filter((part) => !part.used && isReady(part, now, doneAt)) ?? []
        if (!batch || ready.length === 0) continue
        for (const part of ready) {
          part.used = true
          partsDone.set(batchPartId(part), now)
        }
        const whole = isComplete(batch)
        if (whole) unusedCount--
        const { recorded, parts } = batch
        if (ready.length === parts.length) return { recorded, whole }
        const places = new Set(ready.flatMap((part) => part.places))
        return { recorded: narrowPoll(recorded, places, newsIn(recorded)), whole }
      }
      return undefined
    },
    /** A recorded idle poll, if there is one. */
    idle: polls.find((each) => !hasEvents(each) && each.reply && each.reply.status < 300),
    /** Number of these. */
    unusedCount: () => unusedCount,
    unused: (): readonly string[] =>
      batches.flatMap((batch) => (isComplete(batch) ? [] : [batch.recorded.recordId])),
  }
}

interface BatchPart {
  readonly recorded: RecordedExchange
  /** The first entity that its events name. */
  readonly entity: string
  /** Indices into the list of the batch. */
  readonly places: readonly number[]
  readonly waitsFor: readonly PartDependency[]
  used: boolean
}

interface PartDependency {
  /** `recordId` of an exchange, or id of a part of a batch. */
  readonly id: string
  /** Recorded milliseconds from the end of that to the end of this. */
  readonly thinkMs: number
}

interface BatchSplitterOptions {
  readonly causes: (recordId: string) => readonly Cause[]
  readonly exchange: (recordId: string) => RecordedExchange | undefined
  readonly entities: (recorded: RecordedExchange) => readonly string[]
  readonly newsIn: (recorded: RecordedExchange) => readonly HandoverEvent[]
  /**
   * Whether it can happen in this replay; dependencies on an exchange that cannot are replaced by those of that
   * exchange.
   */
  readonly happens: (recorded: RecordedExchange) => boolean
}

/** Kinds of causes that produce an event or its repetition. */
const handoverCauses: ReadonlySet<Cause['kind']> = new Set([
  'followup',
  'callback',
  'event',
  'retry',
])

const batchPartId = ({ recorded: { recordId }, entity }: Pick<BatchPart, 'recorded' | 'entity'>) =>
  `${recordId} ${entity}`

function listIn({ reply }: RecordedExchange): readonly unknown[] | undefined {
  const value = tryParseJson(reply?.body)
  return Array.isArray(value) ? value : undefined
}

/** The poll with a subset of its events. */
function narrowPoll(
  recorded: RecordedExchange,
  places: ReadonlySet<number>,
  news: readonly HandoverEvent[],
): RecordedExchange {
  const events = listIn(recorded)
  if (!events || !recorded.reply || places.size >= events.length) return recorded
  const ids = news.flatMap(({ id }, place) => (places.has(place) && id !== undefined ? [id] : []))
  const body = JSON.stringify(events.filter((_, place) => places.has(place)))
  return { ...recorded, eventIds: ids, reply: { ...recorded.reply, body } }
}

/**
 * Splits the event batches of recorded polls into one part per entity. Which entities share a batch depends on the
 * moment of the poll, so each part is released when its own causes have happened.
 */
function createBatchSplitter(options: BatchSplitterOptions) {
  const { causes, exchange, entities, newsIn, happens } = options
  /** By entity: its last part. */
  const lastPartByEntity = new Map<string, BatchPart>()
  const parts = new Map<string, BatchPart>()

  /** The exchanges that caused a batch; for those that cannot happen, their causes. */
  function collectCauses({ recordId }: RecordedExchange): ReadonlySet<RecordedExchange> {
    const found = new Set<RecordedExchange>()
    const known = new Set<string>()
    // Iterating a set includes members added during the iteration; not recursive, since a message may have thousands of
    // attempts.
    const open = new Set([recordId])
    for (const each of open)
      for (const { id, kind } of causes(each)) {
        if (!handoverCauses.has(kind) || known.has(id)) continue
        known.add(id)
        const cause = exchange(id)
        if (cause && happens(cause)) found.add(cause)
        else if (cause) open.add(id)
      }
    return found
  }

  /** In a batch with several entities, a cause about one of them concerns only that one. */
  function isRelevantTo(
    cause: RecordedExchange,
    entity: string,
    others: ReadonlySet<string>,
  ): boolean {
    const about = entities(cause)
    return about.includes(entity) || !about.some((each) => others.has(each))
  }

  function groupByEntity(recorded: RecordedExchange): ReadonlyMap<string, readonly number[]> {
    const news = newsIn(recorded)
    const events = listIn(recorded)
    const [first = ''] = entities(recorded)
    if (!events || events.length !== news.length) return new Map([[first, []]])
    const found = new Map<string, number[]>()
    for (const [place, { about }] of news.entries()) {
      appendTo(found, about[0] ?? '', place)
    }
    return found
  }

  return function partsOf(recorded: RecordedExchange): readonly BatchPart[] {
    const all = collectCauses(recorded)
    const split = groupByEntity(recorded)
    const others = new Set(split.keys())
    return [...split].map(([entity, places]) => {
      const waitsFor: PartDependency[] = []
      const addDependency = (id: string, cause: RecordedExchange): void => {
        const thinkMs = Math.max(0, endOf(recorded) - endOf(cause))
        waitsFor.push({ id, thinkMs })
      }
      for (const cause of all) {
        if (!isRelevantTo(cause, entity, others)) continue
        const part = batchPartId({ recorded: cause, entity })
        addDependency(parts.has(part) ? part : cause.recordId, cause)
      }
      // Parts of one entity keep their order.
      for (const each of split.size === 1 ? entities(recorded) : [entity]) {
        const last = lastPartByEntity.get(each)
        if (last) addDependency(batchPartId(last), last.recorded)
      }
      const part: BatchPart = { recorded, entity, places, waitsFor, used: false }
      for (const each of split.size === 1 ? entities(recorded) : [entity])
        lastPartByEntity.set(each, part)
      parts.set(batchPartId(part), part)
      return part
    })
  }
}
