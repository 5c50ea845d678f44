/** Durations in configuration and options: `250ms`, `5s`, `2m`, `24h`, or a number of milliseconds. */
import { z } from 'zod'

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const
const pattern = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/

/** Parses a duration to milliseconds; undefined when it is invalid. `0` needs no unit. */
export function parseDuration(text: string): number | undefined {
  if (text.trim() === '0') return 0
  const match = pattern.exec(text.trim())
  if (!match) return undefined
  const unit = match[2] as keyof typeof unitMs
  return Math.round(Number(match[1]) * unitMs[unit])
}

/** Formats milliseconds in hours or minutes where they are whole, else in seconds (fractional if need be) or ms. */
export function formatDuration(ms: number): string {
  if (ms >= 3_600_000 && ms % 3_600_000 === 0) return `${ms / 3_600_000}h`
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000}m`
  return ms >= 1000 ? `${ms / 1000}s` : `${ms}ms`
}

/** Schema of a shift in time: a duration, or one with a minus before it, `-5m`; parsed to milliseconds. */
export const ClockShift = z.union([
  z.int(),
  z.string().transform((text, context) => {
    const ms = parseDuration(text.replace(/^-/, ''))
    if (ms !== undefined) return text.startsWith('-') ? -ms : ms
    context.issues.push({
      code: 'custom',
      input: text,
      message: `"${text}" is no shift in time; write 5m or -30s`,
    })
    return z.NEVER
  }),
])

/** Schema of a duration in configuration: a text such as `5s`, or milliseconds; parsed to milliseconds. */
export const Duration = z.union([
  z.int().min(0),
  z.string().transform((text, context) => {
    const ms = parseDuration(text)
    if (ms !== undefined) return ms
    context.issues.push({
      code: 'custom',
      input: text,
      message: `"${text}" is no duration; write 250ms, 5s, 2m or 1h`,
    })
    return z.NEVER
  }),
])
