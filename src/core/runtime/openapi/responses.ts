/** Responses of an operation in an OpenAPI document: its successes, and its refusals with the error body of the dialect. */
import { compact } from '../../base/compact.ts'
import { refusalsOf, successAnswersOf } from '../../protocol/answers.ts'
import type { Conduct } from '../../protocol/conduct.ts'
import {
  type ErrorCode,
  errorBodySchemas,
  errorMediaType,
  formatErrorBody,
  protocolErrors,
} from '../../protocol/errors.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { SchemaComponents } from './components.ts'
import { bodySchema } from './body-schema.ts'
import { capitalised, type Json, pascalCase, referenceTo } from './json.ts'

const string = { type: 'string' } as const
const integer = { type: 'integer' } as const

/** Headers of many answers, by the name of the component. */
export const sharedHeaders = {
  RequestId: { description: 'The X-Request-Id of the request, where it has one.', schema: string },
  Challenge: { description: '`Bearer`, where a token is missing.', schema: string },
  RetryAfter: { description: 'Seconds until the next request is taken.', schema: integer },
  RateLimit: { description: 'Requests that are taken in the period.', schema: integer },
  RateRemaining: { description: 'Requests that are left of it.', schema: integer },
  RateReset: { description: 'Seconds until the period ends.', schema: integer },
} as const satisfies Readonly<Record<string, Json>>

const header = (name: keyof typeof sharedHeaders): Json => referenceTo('headers', name)

/** The headers of every answer. */
const everyAnswer = ({ requestIds }: Conduct): Json =>
  requestIds ? { 'X-Request-Id': header('RequestId') } : {}

const headersOfStatus: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('Challenge') },
  429: {
    'Retry-After': header('RetryAfter'),
    'X-RateLimit-Limit': header('RateLimit'),
    'X-RateLimit-Remaining': header('RateRemaining'),
    'X-RateLimit-Reset': header('RateReset'),
  },
}

/** The media type of error bodies, without its parameters. */
const mediaTypeOf = (conduct: Conduct): string =>
  errorMediaType(conduct.errorBody).split(';')[0] ?? 'application/json'

/** The name of a code in the dialect. */
const nameOf = (code: ErrorCode, { errorCodes }: Conduct): string => errorCodes[code] ?? code

const meaningOf = (code: ErrorCode): string => `${capitalised(protocolErrors[code].means)}.`

/** An error response: what its codes mean, and the body that each of them has. */
function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  schema: Json,
  conduct: Conduct,
): Json {
  const examples = codes.map((code) => {
    const { means, retryable } = protocolErrors[code]
    const named = nameOf(code, conduct)
    const parts = { code: named, message: means, retryable, status }
    return [code, { summary: named, value: formatErrorBody(conduct.errorBody, parts) }] as const
  })
  return {
    description: codes.map(meaningOf).join(' '),
    headers: { ...everyAnswer(conduct), ...headersOfStatus[status] },
    content: {
      [mediaTypeOf(conduct)]: {
        schema,
        examples: Object.fromEntries(examples),
      },
    },
  }
}

export interface ErrorResponses {
  /** The responses of an operation, by status. */
  readonly of: (row: Operation) => Json
  /** The responses that several operations share, by the name of the component. */
  readonly shared: () => Json
}

/** Error responses; one with a single code is a component. */
export function createErrorResponses(
  conduct: Conduct,
  { refer }: SchemaComponents,
): ErrorResponses {
  const known = Object.keys(protocolErrors) as ErrorCode[]
  const names = [...new Set(known.map((code) => nameOf(code, conduct)))]
  const schema = refer(errorBodySchemas[conduct.errorBody](names), 'Error')
  const shared: Record<string, Json> = {}
  function responseFor(status: number, codes: readonly ErrorCode[]): Json {
    const [only] = codes
    if (only === undefined || codes.length > 1) return errorResponse(status, codes, schema, conduct)
    // A code may have several statuses.
    const isUsual = protocolErrors[only].status === status
    const name = `${pascalCase(only)}${isUsual ? '' : status}`
    shared[name] ??= errorResponse(status, codes, schema, conduct)
    return referenceTo('responses', name)
  }
  return {
    of: (row) =>
      Object.fromEntries(
        [...refusalsOf(row, conduct)].map(([status, refusals]) => [
          String(status),
          responseFor(status, refusals),
        ]),
      ),
    shared: () => shared,
  }
}

const successTexts = {
  200: 'Success, with the result.',
  201: 'Created.',
  202: 'Accepted: the effect may come later.',
  204: 'Success, without a body.',
  302: 'A redirect.',
} as const

/** The success responses of an operation, by status. */
export function successResponses(
  row: Operation,
  conduct: Conduct,
  components: SchemaComponents,
  example: unknown,
): Json {
  const headers = {
    ...everyAnswer(conduct),
    ...Object.fromEntries(
      Object.entries(row.replyHeaders ?? {}).map(([name, says]) => [
        name,
        { description: `${capitalised(says)}.`, schema: string },
      ]),
    ),
  }
  return Object.fromEntries(
    successAnswersOf(row, conduct).map(({ status, response }) => {
      const schema =
        response &&
        bodySchema({ schema: response(), operation: row.id, part: 'reply' }, conduct, components)
      const content = schema && {
        'application/json': { schema, ...compact({ example }) },
      }
      return [
        String(status),
        { description: successTexts[status], headers, ...compact({ content }) },
      ]
    }),
  )
}
