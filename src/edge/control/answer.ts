/** Responses of the control API. Every 4xx and 5xx body is `{error: {code, message}}`. */
import { type ErrorCode, errors } from '../../protocol/errors.ts'
import type { Refusal } from '../../engine/refusal.ts'

export interface Answer {
  readonly status: number
  /** JSON; no body when undefined. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const answer = (body: unknown, status = 200): Answer => ({ status, body })

export const nothing: Answer = { status: 204 }

export const failure = (
  code: ErrorCode,
  message: string,
  status: number = errors[code].status,
): Answer => ({ status, body: { error: { code, message } } })

/** A refusal with the status of its code. */
export const refused = ({ code, message, status }: Refusal): Answer =>
  failure(code, message, status)

/** Marker instead of a response: stream all changes until the reader disconnects. */
export const streaming = { stream: true } as const
