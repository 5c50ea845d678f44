/**
 * The error table of the protocol: HTTP status, machine-readable code, message, and whether the call may be retried.
 * The codes are ours (TRN-UND-01); the meaning of each status is the transport table's (TRN-STA-01 to 12).
 */
import type { Role } from './role.ts'
import { z } from 'zod'
import { withKnownValues } from './known-values.ts'
import { looseObject } from '../base/lazy-object.ts'

export interface ErrorRow {
  readonly status: number
  readonly retryable: boolean
  readonly means: string
}

export const protocolErrors = {
  INVALID_PAYLOAD: { status: 400, retryable: false, means: 'invalid or malformed payload' },
  INVALID_GRANT: { status: 400, retryable: false, means: 'this authorization code will not do' },
  BATCH_TOO_LARGE: { status: 400, retryable: false, means: 'more records than declared' },
  BATCH_NOT_SUPPORTED: { status: 400, retryable: false, means: 'one record at a time' },
  PERIOD_TOO_LONG: { status: 400, retryable: false, means: 'a longer period than declared' },
  UNAUTHORIZED: { status: 401, retryable: false, means: 'missing or invalid credentials' },
  FORBIDDEN: { status: 403, retryable: false, means: 'valid credentials, insufficient scope' },
  NOT_FOUND: { status: 404, retryable: false, means: 'resource not found' },
  CUSTOMER_NOT_FOUND: { status: 404, retryable: false, means: 'there is no such customer' },
  LEAD_NOT_FOUND: { status: 404, retryable: false, means: 'there is no such lead' },
  REVIEW_NOT_FOUND: { status: 404, retryable: false, means: 'there is no such review' },
  ORDER_NOT_FOUND: { status: 404, retryable: false, means: 'there is no such order' },
  DELIVERY_NOT_FOUND: { status: 404, retryable: false, means: 'there is no such delivery' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, means: 'this path has no such method' },
  ACCOUNT_NOT_FOUND: { status: 404, retryable: false, means: 'no such account, or none open' },
  CONFLICT: { status: 409, retryable: false, means: 'conflicts with current state' },
  DUPLICATE: { status: 409, retryable: false, means: 'this is known already' },
  VERSION_CONFLICT: { status: 409, retryable: false, means: 'a newer version is known' },
  INVALID_ACCOUNT_STATE: {
    status: 409,
    retryable: false,
    means: 'not possible in the status of the account',
  },
  INSUFFICIENT_PAYMENT: { status: 409, retryable: false, means: 'payments do not cover it' },
  PAYMENT_EXCEEDS_DUE: { status: 409, retryable: false, means: 'more than what is due' },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, means: 'the body is over the limit' },
  INSUFFICIENT_BALANCE: { status: 409, retryable: false, means: 'not so many points are there' },
  LOYALTY_ACCOUNT_SUSPENDED: { status: 409, retryable: false, means: 'the account may not move' },
  COUPON_NOT_USABLE: { status: 409, retryable: false, means: 'the coupon cannot be used' },
  INVALID_TRANSITION: { status: 409, retryable: false, means: 'no transition from this status' },
  EVENT_NOT_ALLOWED: { status: 422, retryable: false, means: 'forbidden for the order profile' },
  DELIVERY_AREA_NOT_COVERED: { status: 422, retryable: false, means: 'nothing is delivered there' },
  UNPROCESSABLE: { status: 422, retryable: false, means: 'semantically invalid request' },
  RATE_LIMITED: { status: 429, retryable: true, means: 'rate limit exceeded' },
  INTERNAL_ERROR: { status: 500, retryable: true, means: 'unexpected server error' },
  UNAVAILABLE: {
    status: 503,
    retryable: true,
    means: 'temporarily unavailable, retry with backoff',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof protocolErrors

/** The specified error body of every 4xx and 5xx (TRN-ERB-01, TRN-ERB-02). */
export const ErrorBody = looseObject(() => ({
  error: z.looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() }),
}))
export type ErrorBody = z.infer<typeof ErrorBody>

/** Shapes of an error body: `wrapped` is the specified one, the others are partner dialects. */
export const errorShapes = ['wrapped', 'flat', 'flat-details', 'problem', 'problem+json'] as const
export type ErrorShape = (typeof errorShapes)[number]

export interface ErrorParts {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly status: number
  /** What is wrong with each field, where there are several. */
  readonly details?: readonly string[]
  /** Additional fields of a partner's error body. */
  readonly more?: Readonly<Record<string, unknown>>
}

const bodyBuilders: Record<ErrorShape, (parts: ErrorParts) => unknown> = {
  wrapped: ({ code, message, retryable }) => ({ error: { code, message, retryable } }),
  flat: ({ code, message }) => ({ code, message }),
  'flat-details': ({ code, message, details = [message] }) => ({ code, message, details }),
  problem: ({ message, status, more }) => ({ title: message, status, ...more }),
  'problem+json': ({ code, message, status, more }) => ({
    type: 'about:blank',
    title: code,
    status,
    detail: message,
    ...more,
  }),
}

/** Builds an error body in the shape of the dialect. */
export const formatErrorBody = (shape: ErrorShape, parts: ErrorParts): unknown =>
  bodyBuilders[shape](parts)

/** Schemas of the error bodies for API documents, with the codes that are known. */
export const errorBodySchemas: Record<ErrorShape, (codes: readonly string[]) => z.ZodType> = {
  wrapped: (codes) =>
    z.looseObject({
      error: z.looseObject({ ...codedFields(codes), retryable: z.boolean() }),
    }),
  flat: (codes) => z.looseObject(codedFields(codes)),
  'flat-details': (codes) => z.looseObject({ ...codedFields(codes), details: z.array(z.string()) }),
  problem: () => z.looseObject(titledFields()),
  'problem+json': () => z.looseObject({ type: z.string(), ...titledFields(), detail: z.string() }),
}

const codedFields = (codes: readonly string[]) => ({
  code: withKnownValues(z.string(), codes),
  message: z.string(),
})
const titledFields = () => ({ title: z.string(), status: z.int() })

/** The shape of the errors of a host: a platform of deliveries may have its own. */
export const errorShapeOf = ({ errorBody, logistics }: ErrorShapes, host: Role): ErrorShape =>
  host === 'delivery-platform' ? (logistics.errorBody ?? errorBody) : errorBody

interface ErrorShapes {
  readonly errorBody: ErrorShape
  readonly logistics: { readonly errorBody?: ErrorShape | undefined }
}

/** The Content-Type of an error body in that shape. */
export const errorMediaType = (shape: ErrorShape): string =>
  `application/${shape === 'problem+json' ? shape : 'json'}; charset=utf-8`
