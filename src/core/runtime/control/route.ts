/**
 * Definition of a control API route: schemas for its input, a function of the session API for its response. Routing,
 * validation and `/openapi.json` are derived from it.
 */
import type { z } from 'zod'
import type { ErrorCode } from '../../protocol/errors.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import type { ControlAnswer, ControlStream, ControlWait } from './answer.ts'

type Outcome = Promise<ControlAnswer | ControlStream | ControlWait>

export interface RouteInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** What the world may refuse a command with. */
export const commandRefusals = [
  'INVALID_PAYLOAD',
  'NOT_FOUND',
  'CONFLICT',
  'UNPROCESSABLE',
] as const satisfies readonly ErrorCode[]

interface Shape {
  /** Its name in the description, unique among the routes. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `{name}` is a parameter. */
  readonly path: string
  readonly summary: string
  /** No token required. */
  readonly open?: true
  /** It changes nothing, although it is no GET: a token for viewers is enough. */
  readonly reads?: true
  /** Requests with `?age=` share answers that are at most so many milliseconds old. */
  readonly shared?: true
  /** The success response. */
  readonly success: {
    readonly status: 200 | 201 | 204
    readonly what: string
    readonly type?: string
    /** Schema of the JSON body. */
    readonly response?: z.ZodType
    /** When there is no body, and the status is 204. */
    readonly empty?: string
  }
  /** What it may be refused with, beside what follows from its form. */
  readonly refuses?: readonly ErrorCode[]
}

export interface ControlRoute extends Shape {
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  answer(session: SessionApi, input: RouteInput): Outcome
}

/** Types `answer` with the output of the route's schemas. */
export const defineRoute = <
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  route: Shape & {
    readonly params?: Params
    readonly query?: Query
    readonly body?: Body
    answer(
      session: SessionApi,
      input: {
        readonly params: z.output<Params>
        readonly query: z.output<Query>
        readonly body: z.output<Body>
      },
    ): Outcome
  },
): ControlRoute => ({ ...route, answer: (session, input) => route.answer(session, input as never) })

/** Its name, its method and its path: `...postRoute('setClock', '/clock')`. */
const callWith =
  (method: Shape['method']) =>
  (id: string, path: string): Pick<Shape, 'id' | 'method' | 'path'> => ({ id, method, path })

export const getRoute = callWith('GET')
export const postRoute = callWith('POST')
export const deleteRoute = callWith('DELETE')

/** A 200 with a JSON body. */
export const gives = (what: string, response: z.ZodType): Shape['success'] => ({
  status: 200,
  what,
  response,
})

interface Matched {
  readonly route: ControlRoute
  readonly params: Readonly<Record<string, string>>
}

/** Finds the routes of a path, one per method, with their path parameters. */
export type RouteFinder = (path: string) => readonly Matched[]

const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

function decoded(params: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    const pairs = Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)])
    return Object.fromEntries(pairs) as Record<string, string>
  } catch {
    return undefined
  }
}

export function createRouteFinder(routes: readonly ControlRoute[]): RouteFinder {
  const compiled = routes.map((route) => ({ route, expression: pattern(route.path) }))
  return (path) =>
    compiled.flatMap(({ route, expression }) => {
      const match = expression.exec(path)
      const params = match ? decoded(match.groups ?? {}) : undefined
      return params ? [{ route, params }] : []
    })
}
