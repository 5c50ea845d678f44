/** The pace of a playback: maps the times of recorded exchanges to those of the playback. */

export interface PlaybackPace {
  /**
   * `original`: the recording's times, divided by `speed`; `asap`: only causes are waited for; `rate`: a fixed number
   * of exchanges per second.
   */
  readonly mode: 'original' | 'asap' | 'rate'
  /** 2 is twice as fast. */
  readonly speed?: number
  readonly perSecond?: number
  /** Maximum pause in milliseconds of playback time. */
  readonly maxGapMs?: number
  /**
   * Effect of a subject slower than in the recording: with `causal`, dependants of its answers are postponed too; with
   * `recorded`, the recorded schedule stays.
   */
  readonly timing?: 'causal' | 'recorded'
}

export interface PlaybackPacer {
  /** Due time of the next exchange in milliseconds after the start of the playback, from its recorded start. */
  readonly next: (startedAt: number) => number
  /** The think time between a cause and its effect, scaled. */
  readonly think: (ms: number) => number
}

export function createPacer({
  mode,
  speed = 1,
  perSecond = 1,
  maxGapMs = Number.POSITIVE_INFINITY,
  timing = 'causal',
}: PlaybackPace): PlaybackPacer {
  let previousStart: number | undefined
  let atMs = 0
  let count = 0
  const scaled = (ms: number): number => Math.min(Math.max(0, ms) / speed, maxGapMs)
  return {
    next(startedAt) {
      if (mode === 'asap') return 0
      if (mode === 'rate') return (count++ * 1000) / perSecond
      // A start before that of the predecessor (clocks of two machines) is treated as the same.
      if (previousStart !== undefined) atMs += scaled(startedAt - previousStart)
      previousStart = Math.max(previousStart ?? startedAt, startedAt)
      return atMs
    },
    think: (ms) => (mode === 'original' && timing === 'causal' ? scaled(ms) : 0),
  }
}
