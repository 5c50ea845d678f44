/** Responses of the control API. Every 4xx and 5xx body is `{error: {code, message}}`. */
import { type ErrorCode, protocolErrors } from '../../protocol/errors.ts'
import type { Refusal } from '../../engine/refusal.ts'

export interface ControlAnswer {
  readonly status: number
  /** JSON; no body when undefined. */
  readonly body?: unknown
  /** The text of the body, where it was made before: JSON, or another format, whose type is among the headers. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const jsonAnswer = (body: unknown, status = 200): ControlAnswer => ({ status, body })

export const noContent: ControlAnswer = { status: 204 }

export const errorAnswer = (
  code: ErrorCode,
  message: string,
  status: number = protocolErrors[code].status,
): ControlAnswer => ({ status, body: { error: { code, message } } })

/** A refusal with the status of its code. */
export const refusalAnswer = ({ code, message, status }: Refusal): ControlAnswer =>
  errorAnswer(code, message, status)

/** Instead of a response: what is streamed until the reader disconnects. */
export type ControlStream =
  /** All changes after a position, `<fact>-<exchange>`, else from now on. */
  | { readonly stream: 'changes'; readonly after?: string }
  /** How far the session is. */
  | { readonly stream: 'position' }

/**
 * Instead of a response: one that comes later, or as soon as the signal is aborted, because the client has
 * disconnected.
 */
export interface ControlWait {
  readonly wait: (signal: AbortSignal) => Promise<ControlAnswer>
}
