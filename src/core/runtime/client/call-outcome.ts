/** Parses the outcome of an outbound call: error codes, Retry-After, Cache-Control, the JSON body. */
import type { CallOutcome } from '../../engine/calls/call.ts'

/** The error of an outbound call without a reply; journal and traffic show its `code`. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** An error as a failed outcome, with the code of node's error or of ours, else `FAILED`. */
export function failedOutcome(error: unknown): CallOutcome & { kind: 'failed' } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : 'FAILED'
  const message = cause instanceof Error && cause.message !== '' ? cause.message : code
  return { kind: 'failed', code, message }
}

/** Upper bound of a requested pause: a wrong Retry-After must not stop an integration for good. */
const longestPauseMs = 24 * 3_600_000

/** Retry-After, in seconds or as a date, converted to milliseconds from `now`. */
export function parseRetryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const pauseMs = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(pauseMs) ? undefined : Math.min(Math.max(0, pauseMs), longestPauseMs)
}

/** Cache lifetime in milliseconds by Cache-Control: 0 for no-store or no-cache, undefined without a max-age. */
export function parseFreshForMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/\bno-(store|cache)\b/i.test(value)) return 0
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(value)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** A body parsed as JSON; undefined when it is empty or no JSON. */
export const parseJsonBody = (text: string): unknown => readBody(text).body

/** The JSON of a reply's body, or why what begins as an object or a list cannot be parsed. */
export function readBody(text: string): { readonly body: unknown; readonly malformed?: string } {
  try {
    return { body: text === '' ? undefined : JSON.parse(text) }
  } catch (error) {
    return /^\s*[{[]/.test(text) && error instanceof Error
      ? { body: undefined, malformed: error.message }
      : { body: undefined }
  }
}
