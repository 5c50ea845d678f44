/**
 * What a poll is answered from a recording. Recorded polls cannot be taken in their order: how often somebody polls is
 * nobody's business. So what a batch says of an order waits for what it came of (calls of the subject, earlier batches
 * about the same order), then for the time that the partner took, and goes out with the next poll; any other poll is
 * answered that there is nothing.
 */
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { type BatchOptions, createParts, narrowed, type Part, partId } from './batches.ts'

export interface PollOptions extends BatchOptions {
  /** Polls of one caller, in the order of the recording. */
  readonly polls: readonly RecordedExchange[]
  /** The recording's time is run at this speed, or not waited for. */
  readonly speed: number | 'asap'
  /** The wall clock of the recording at its beginning, in milliseconds since 1970. */
  readonly t0: number
}

export interface Brought {
  /** The recorded poll; with some of its events, where the others have to wait. */
  readonly recorded: RecordedExchange
  /** All of its events are out now. */
  readonly whole: boolean
}

export interface Polls {
  /** The batch that may go out now. `doneAt`: when a recorded exchange happened in this replay. */
  readonly next: (
    now: number,
    doneAt: (recordId: string) => number | undefined,
  ) => Brought | undefined
  /** How a poll was answered that brought nothing, if one was. */
  readonly idle: RecordedExchange | undefined
  readonly unused: () => readonly string[]
  /** How many those are. */
  readonly left: () => number
}

type DoneAt = (id: string) => number | undefined

const endOf = ({ startedAt, tookMs }: RecordedExchange): number => startedAt + tookMs

export function createPolls(options: PollOptions): Polls {
  const { polls, newsIn, speed, t0 } = options
  const isNews = ({ eventIds }: RecordedExchange): boolean => (eventIds?.length ?? 0) > 0
  const partsOf = createParts(options)
  const batches = polls.filter(isNews).map((recorded) => ({ recorded, parts: partsOf(recorded) }))
  const isOut = ({ parts }: { readonly parts: readonly Part[] }): boolean =>
    parts.every(({ used }) => used)
  const partsDone = new Map<string, number>()
  /** Every batch before this place is out. */
  let first = 0
  let left = batches.length

  function mayGo({ recorded, waitsFor }: Part, now: number, doneAt: DoneAt): boolean {
    const done = (id: string): number | undefined => partsDone.get(id) ?? doneAt(id)
    if (speed === 'asap') return waitsFor.every(({ id }) => done(id) !== undefined)
    if (waitsFor.length === 0) return now >= (endOf(recorded) - t0) / speed
    return waitsFor.every(({ id, thinkMs }) => {
      const at = done(id)
      return at !== undefined && now >= at + thinkMs / speed
    })
  }

  return {
    next(now, doneAt) {
      for (let next = batches[first]; next && isOut(next); next = batches[first]) first++
      for (let at = first; at < batches.length; at++) {
        const batch = batches[at]
        const ready = batch?.parts.filter((part) => !part.used && mayGo(part, now, doneAt)) ?? []
        if (!batch || ready.length === 0) continue
        for (const part of ready) {
          part.used = true
          partsDone.set(partId(part), now)
        }
        const whole = isOut(batch)
        if (whole) left--
        const { recorded, parts } = batch
        if (ready.length === parts.length) return { recorded, whole }
        const places = new Set(ready.flatMap((part) => part.places))
        return { recorded: narrowed(recorded, places, newsIn(recorded)), whole }
      }
      return undefined
    },
    idle: polls.find((each) => !isNews(each) && each.reply && each.reply.status < 300),
    left: () => left,
    unused: () => batches.flatMap((batch) => (isOut(batch) ? [] : [batch.recorded.recordId])),
  }
}
