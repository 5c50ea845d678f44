/** Short texts for durations, ages, due times and times of day. */
import { clockOf, type Instant } from '../../../../core/engine/instant.ts'

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** A duration: `0.4ms`, `14ms`, `2.0s`, `1m05s`, `3h20m`. */
export function shortDurationText(ms: number): string {
  if (ms < 10) return `${(Math.ceil(ms * 10) / 10).toFixed(1)}ms`
  if (ms < 1000) return `${Math.round(ms)}ms`
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)}s`
  return coarseText(Math.floor(ms / 1000))
}

/** An age in whole seconds: `0s`, `42s`, `1m05s`, `3h20m`, `2d4h`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return seconds < 60 ? `${seconds}s` : coarseText(seconds)
}

function coarseText(seconds: number): string {
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${twoDigits(seconds % 60)}s`
  if (seconds < 86_400)
    return `${Math.floor(seconds / 3600)}h${twoDigits(Math.floor(seconds / 60) % 60)}m`
  return `${Math.floor(seconds / 86_400)}d${Math.floor(seconds / 3600) % 24}h`
}

/** A due time relative to now: `now`, `+0.8s`, `+1m05s`. */
export function dueText(due: Instant, now: Instant): string {
  if (due <= now) return 'now'
  const ms = due - now
  return `+${ms < 1000 ? `${(Math.ceil(ms / 100) / 10).toFixed(1)}s` : shortDurationText(ms)}`
}

/** Time of day, optionally with milliseconds. */
export const timeText = (instant: Instant, precise: boolean): string =>
  clockOf(instant).slice(0, precise ? 12 : 8)
