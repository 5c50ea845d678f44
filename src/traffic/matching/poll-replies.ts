/**
 * Answers polls from a recording. The number of polls may differ in a replay, so recorded polls are not replayed in
 * sequence: each part of a batch waits for its causes (calls of the subject, earlier batches about the same order),
 * then for the recorded delay, and is returned by the next poll. Any other poll is answered without events.
 */
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import {
  type BatchSplitterOptions,
  createBatchSplitter,
  narrowPoll,
  type BatchPart,
  batchPartId,
} from './batch-splitter.ts'

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

export interface PollReplies {
  /** The next batch that is ready. `doneAt`: when a recorded exchange happened in this replay. */
  readonly next: (
    now: number,
    doneAt: (recordId: string) => number | undefined,
  ) => PollReply | undefined
  /** A recorded idle poll, if there is one. */
  readonly idle: RecordedExchange | undefined
  readonly unused: () => readonly string[]
  /** Number of these. */
  readonly unusedCount: () => number
}

type DoneAt = (id: string) => number | undefined

const endOf = ({ startedAt, tookMs }: RecordedExchange): number => startedAt + tookMs

export function createPollReplies(options: PollRepliesOptions): PollReplies {
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
    next(now, doneAt) {
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
    idle: polls.find((each) => !hasEvents(each) && each.reply && each.reply.status < 300),
    unusedCount: () => unusedCount,
    unused: () => batches.flatMap((batch) => (isComplete(batch) ? [] : [batch.recorded.recordId])),
  }
}
