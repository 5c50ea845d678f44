/** How fast a recording is played: from the times that its exchanges had to those that they get. */

export interface Pace {
  /**
   * `original` by the recording's own clock, so many times as fast; `asap` by what comes of what alone; `rate` so many
   * in a second, whatever the recording's clock says.
   */
  readonly mode: 'original' | 'asap' | 'rate'
  /** 2 is twice as fast. */
  readonly speed?: number
  readonly perSecond?: number
  /** No pause is longer, in the time of the playback. */
  readonly maxGapMs?: number
  /**
   * What a subject that is slower than it was does to the rest: with `cause` whatever comes of its answer is put off as
   * well, with `wall` the schedule stays as it was recorded.
   */
  readonly anchor?: 'cause' | 'wall'
}

export interface Pacer {
  /** The time of the next exchange after the beginning of the playback, from when it began in the recording. */
  readonly next: (startedAt: number) => number
  /** The pause that is left of one in the recording, between a cause and what came of it. */
  readonly think: (ms: number) => number
}

export function createPacer({
  mode,
  speed = 1,
  perSecond = 1,
  maxGapMs = Number.POSITIVE_INFINITY,
  anchor = 'cause',
}: Pace): Pacer {
  let before: number | undefined
  let atMs = 0
  let count = 0
  const scaled = (ms: number): number => Math.min(Math.max(0, ms) / speed, maxGapMs)
  return {
    next(startedAt) {
      if (mode === 'asap') return 0
      if (mode === 'rate') return (count++ * 1000) / perSecond
      // One that begins before its predecessor, as clocks of two machines have it, goes out with it.
      if (before !== undefined) atMs += scaled(startedAt - before)
      before = Math.max(before ?? startedAt, startedAt)
      return atMs
    },
    think: (ms) => (mode === 'original' && anchor === 'cause' ? scaled(ms) : 0),
  }
}
