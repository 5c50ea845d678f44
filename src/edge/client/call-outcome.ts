/** What a call of ours came to, read from an answer or from what went wrong: headers, a body, a code. */
import type { CallOutcome } from '../../engine/calls/call.ts'

/** What goes wrong on the way, as an outcome: the code of node's error, of ours, or none known. */
export function failure(error: unknown): CallOutcome & { kind: 'failed' } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : 'FAILED'
  const message = cause instanceof Error && cause.message !== '' ? cause.message : code
  return { kind: 'failed', code, message }
}

/** No pause that somebody asks for is longer: a slip of theirs must not end an integration. */
const longestPauseMs = 24 * 3_600_000

/** Retry-After, given in seconds or as a date, in milliseconds. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const asked = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(0, asked), longestPauseMs)
}

/** How long an answer may be kept, by its Cache-Control: not at all, so many seconds, or it does not say. */
export function freshForMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/\bno-(store|cache)\b/i.test(value)) return 0
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(value)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** A body as JSON; undefined when there is none, or it is none. */
export function parsed(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
