/**
 * Errors as the protocol tells them: a status, a machine-readable code, a sentence, and whether a retry may help.
 * The list of codes is ours (TRN-UND-01); the meaning of each status is the transport table's (TRN-STA-01 to 12).
 */
import { z } from 'zod'

export interface ErrorRow {
  readonly status: number
  readonly retryable: boolean
  readonly means: string
}

export const errors = {
  INVALID_PAYLOAD: { status: 400, retryable: false, means: 'invalid or malformed payload' },
  UNAUTHORIZED: { status: 401, retryable: false, means: 'missing or invalid credentials' },
  FORBIDDEN: { status: 403, retryable: false, means: 'valid credentials, insufficient scope' },
  NOT_FOUND: { status: 404, retryable: false, means: 'resource not found' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, means: 'this path has no such method' },
  CONFLICT: { status: 409, retryable: false, means: 'conflicts with current state' },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, means: 'the body is over the limit' },
  INVALID_TRANSITION: { status: 409, retryable: false, means: 'no transition from this status' },
  EVENT_NOT_ALLOWED: { status: 422, retryable: false, means: 'forbidden for the order profile' },
  UNPROCESSABLE: { status: 422, retryable: false, means: 'semantically invalid request' },
  RATE_LIMITED: { status: 429, retryable: true, means: 'rate limit exceeded' },
  INTERNAL_ERROR: { status: 500, retryable: true, means: 'unexpected server error' },
  UNAVAILABLE: {
    status: 503,
    retryable: true,
    means: 'temporarily unavailable, retry with backoff',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errors

/** The error body of the documents: every 4xx and 5xx carries it (TRN-ERB-01, TRN-ERB-02). */
export const ErrorBody = z.looseObject({
  error: z.looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() }),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/** The shapes of an error body seen in the field; `wrapped` is the law, the others are partner dialects. */
export const errorShapes = ['wrapped', 'flat', 'problem'] as const
export type ErrorShape = (typeof errorShapes)[number]

export interface ErrorParts {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly status: number
}

const shaped: Record<ErrorShape, (parts: ErrorParts) => unknown> = {
  wrapped: ({ code, message, retryable }) => ({ error: { code, message, retryable } }),
  flat: ({ code, message }) => ({ code, message }),
  problem: ({ message, status }) => ({ title: message, status }),
}

/** An error body in the shape that the counterpart's dialect asks for. */
export const errorBody = (shape: ErrorShape, parts: ErrorParts): unknown => shaped[shape](parts)
