/**
 * Places transfers in time. A transcript has no date: `--trace-time` gives the local time of day, and the `Date` header
 * of a reply the instant in whole seconds; both together give the instant, since zones differ by quarters of an hour.
 */

const dayMs = 86_400_000
const quarterMs = 900_000

export interface TransferTimes {
  /** Times of day in ms, of the request and the end of the reply. */
  readonly from?: number
  readonly to?: number
  /** The instant of the `Date` header. */
  readonly date?: number
}

export type TraceClock = ReturnType<typeof createTraceClock>

export function createTraceClock(now: number) {
  /** Instant of the midnight that times of day count from. */
  let midnight: number | undefined
  let isDateKnown = false
  let lastTimeOfDay = 0
  let next: number | undefined

  return {
    /** In the order of the transcript. */
    place({ from, to = from, date }: TransferTimes): {
      readonly startedAt: number
      readonly tookMs: number
      /** No instant is known. */
      readonly isInferred: boolean
    } {
      const passedMidnight = from !== undefined && to !== undefined && to < from
      const tookMs =
        from === undefined || to === undefined ? 0 : to - from + (passedMidnight ? dayMs : 0)
      if (from === undefined) {
        const startedAt = Math.max(date ?? next ?? now, next ?? 0)
        next = startedAt + 1
        return { startedAt, tookMs, isInferred: date === undefined }
      }
      if (midnight !== undefined && from < lastTimeOfDay) midnight += dayMs
      lastTimeOfDay = from
      if (date !== undefined && !isDateKnown) {
        midnight = Math.round((date - (from + tookMs)) / quarterMs) * quarterMs
        isDateKnown = true
      }
      midnight ??= now - from
      return { startedAt: midnight + from, tookMs, isInferred: !isDateKnown }
    },
  }
}
