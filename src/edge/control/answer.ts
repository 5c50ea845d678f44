/** What a route of the control API answers, and its errors: every 4xx and 5xx is `{error: {code, message}}`. */
import { type ErrorCode, errors } from '../../protocol/errors.ts'
import type { Refusal } from '../../engine/refusal.ts'

export interface Answer {
  readonly status: number
  /** JSON; nothing is sent when it is undefined. */
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

/** The world's lawful no, with the status that belongs to its code. */
export const refused = ({ code, message, status }: Refusal): Answer =>
  failure(code, message, status)

/** Instead of an answer: everything new, for as long as the reader stays. */
export const streaming = { stream: true } as const
