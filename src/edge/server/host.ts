/**
 * A role that we play, as one function from a request to its answer. The server and the msw handlers both call it, so
 * whatever the one does the other does. It knows no operation by name: route, access, body, command or view, reply.
 */
import { compact } from '../../compact.ts'
import { createHash } from 'node:crypto'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import type { WebhookName } from '../../protocol/operation.ts'
import { basePathOf } from '../../protocol/dialects/settings.ts'
import { requestLimitsOf } from '../../protocol/customer/limits.ts'
import { type ErrorCode, errorBody, errors, errorType } from '../../protocol/errors.ts'
import type { Role } from '../../protocol/role.ts'
import type { Engine } from '../../engine/engine.ts'
import type { HandlerAnswer, HandlerInput } from '../../engine/handler.ts'
import { handlerOf } from '../../engine/handlers.ts'
import type { Instant } from '../../engine/instant.ts'
import type { FactOrigin } from '../../engine/journal.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { Client } from '../../engine/settings.ts'
import {
  type Allowance,
  createRateLimit,
  createIdempotencyStore,
  type RateLimit,
} from '../../engine/idempotency.ts'
import { createAccess } from './access.ts'
import type { Answering } from './responder.ts'
import { readBody } from './body.ts'
import type { Way } from './send-distorted.ts'
import { createHostFaults } from './host-faults.ts'
import type { Incoming, Outgoing } from './messages.ts'
import type { Pause } from '../clock/pauses.ts'
import { whoCalls } from './identify-caller.ts'
import { createRoutes, type Route, servedBy } from './routes.ts'

export interface HostOptions {
  readonly engine: Engine
  readonly role: Role
  /** The declared base URL; asked for each time, since a port may be known only once it is listened on. */
  readonly base: () => string
  /** The paths on which webhooks are taken. */
  readonly webhooks: Readonly<Record<WebhookName, string>>
  /** How an answer waits that a fault holds back. */
  readonly pause: Pause
  /** Aborted when the world that it stands in is no more. */
  readonly struck: AbortSignal
  /** What the subject's clock says: the wall's time, or the session's where it goes by that. */
  readonly theirNow: () => Instant
  readonly answering?: Answering | undefined
}

/** An answer, and what it was an answer to: for the log of traffic. */
export interface Served {
  readonly reply: Outgoing
  readonly route?: Route
  readonly client?: Client
  /** Who asks, where no client says so and something else does. */
  readonly caller?: Role
  /** How it goes out, where a fault has anything to do with it. */
  readonly way?: Way
}

/** What a request comes to, when it is not known already. */
type Act = () => Outgoing

export interface Host {
  readonly role: Role
  readonly served: readonly CatalogueRow[]
  readonly base: () => string
  readonly answer: (request: Incoming) => Served
  /** An error in this session's shape, for what goes wrong before a request is whole. */
  readonly error: (code: ErrorCode, message: string) => Outgoing
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-allow-headers': 'Accept, Content-Type, X-Request-Id',
} as const

const json = { 'content-type': 'application/json; charset=utf-8' } as const
const none = {} as const

export function createHost(options: HostOptions): Host {
  const { engine, role, base } = options
  const { settings, world } = engine
  const { conduct } = settings
  const routes = createRoutes(role, servedBy(role, settings, options.webhooks), conduct)
  const memory = createIdempotencyStore<Outgoing>()
  const rate = createRateLimit(conduct.requestsPerMinute)
  /** Requests of a second, by the capability that declares how many there may be. */
  const bursts = new Map<string, RateLimit>()
  const access = createAccess(engine, role)
  const prefix = basePathOf(conduct)
  const erring = { 'content-type': errorType(conduct.errorBody) }

  function refused({ code, message, status, more }: Refusal, headers = {}): Outgoing {
    const row = errors[code]
    const answered = status ?? row.status
    const body = errorBody(conduct.errorBody, {
      code: conduct.errorCodes[code] ?? code,
      message,
      retryable: row.retryable,
      status: answered,
      ...compact({ more }),
    })
    return { status: answered, headers: { ...erring, ...headers }, body: JSON.stringify(body) }
  }

  const error = (code: ErrorCode, message: string): Outgoing => refused({ code, message })
  const { pause, struck, theirNow, answering } = options
  const faulted = createHostFaults({ engine, role, pause, struck, theirNow, refused })

  function reply(row: CatalogueRow, answer: HandlerAnswer): Outgoing {
    const status = answer.status ?? row.success
    const text =
      answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body))
    const body = status === 204 ? undefined : text
    const open = row.capability === 'discovery' ? cors : none
    const typed = body === undefined ? none : json
    // Most answers say no more than their type: those share one object.
    const headers =
      open === none && !answer.headers ? typed : { ...typed, ...open, ...answer.headers }
    const outgoing = body === undefined ? { status, headers } : { status, headers, body }
    return answer.about ? { ...outgoing, about: answer.about } : outgoing
  }

  /** The command or the view behind a row, done. */
  function perform(row: CatalogueRow, input: HandlerInput): Outgoing {
    const handler = handlerOf(row.behind.name)
    if (handler.kind === 'view') {
      const seen = handler.view(input)
      return seen.ok ? reply(row, seen.value) : refused(seen.error)
    }
    const command = handler.command(input)
    if (!command.ok) return refused(command.error)
    const by: FactOrigin =
      input.client && input.client.role !== settings.subject ? 'counterpart' : 'subject'
    const decision = engine.submit(command.value, by)
    if (!decision.ok) return refused(decision.error)
    return reply(row, handler.answer?.(decision.value, input) ?? {})
  }

  /**
   * A mutation that came before under its X-Request-Id is answered as it was, and does not happen again (TRN-UND-03). It
   * is known by its client, not by its token: whoever renewed a token meanwhile tries the same thing again.
   */
  function once(
    request: Incoming,
    row: CatalogueRow,
    client: Client | undefined,
    act: Act,
  ): Outgoing {
    const requestId = request.header('x-request-id')
    if (!requestId || !client || row.method === 'GET') return act()
    const key = digest([client.clientId, request.target, requestId].join('\n'))
    const content = digest(request.body)
    const known = memory.recall(key, content, engine.now())
    if (known === 'conflict')
      return error('CONFLICT', `X-Request-Id ${brief(requestId)} came before with another body`)
    if (known) return known
    const answered = act()
    // What was turned away for now is to be tried again under the same id.
    if (answered.status < 500 && answered.status !== 429)
      memory.remember(key, content, answered, engine.now() + conduct.requestIdMemory)
    return answered
  }

  function wait({ limit, resetMs }: Allowance, unit: string): Outgoing {
    const seconds = String(Math.ceil(resetMs / 1000))
    return refused(
      { code: 'RATE_LIMITED', message: `more than ${limit} a ${unit}` },
      {
        'retry-after': seconds,
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': seconds,
      },
    )
  }

  /** What a request is answered that is too large, or one too many of its client's in this minute. */
  function exceeded(
    request: Incoming,
    row: CatalogueRow,
    client: Client | undefined,
  ): Outgoing | undefined {
    const minute = client && rate(client.clientId, engine.now())
    if (minute && minute.remaining < 0) return wait(minute, 'minute')
    const limits = requestLimitsOf(row, conduct)
    return limits && Buffer.byteLength(request.body) > limits.payloadBytes
      ? error('PAYLOAD_TOO_LARGE', `the body is over ${limits.payloadBytes / 1024} kB`)
      : undefined
  }

  /** Too many in this second, where the capability declares how many there may be; what is malformed does not count. */
  function tooFast(row: CatalogueRow, client: Client | undefined): Outgoing | undefined {
    const limits = requestLimitsOf(row, conduct)
    if (!client || !limits) return undefined
    const burst = bursts.get(row.capability) ?? createRateLimit(limits.requestsPerSecond, 1000)
    bursts.set(row.capability, burst)
    const second = burst(client.clientId, engine.now())
    return second && second.remaining < 0 ? wait(second, 'second') : undefined
  }

  /** A route that is there, for whoever may use it. */
  function serve(
    request: Incoming,
    { row, params }: Route,
    query: string,
  ): Served & { route: Route } {
    const route = { row, params }
    const admitted = access.admit(row, request)
    if (!admitted.ok) return { route, reply: refused(admitted.error, challenge(admitted.error)) }
    const client = admitted.value
    const caller = client ? undefined : whoCalls(request, role, engine)
    const named = client ? { client } : caller ? { caller } : {}
    const over = exceeded(request, row, client)
    if (over) return { route, ...named, reply: over }
    // Both may be asked for twice, by a fault and by what is done in the end.
    let read: ReturnType<typeof readBody> | undefined
    const bodyOf = () => (read ??= readBody(request.body, request.header('content-type'), row))
    let known: HandlerInput | undefined
    const inputOf = (body: unknown): HandlerInput => (known ??= createInput(body))
    const createInput = (body: unknown): HandlerInput => {
      const search = query === '' ? undefined : new URLSearchParams(query)
      return {
        host: role,
        base: `${base()}${prefix}`,
        params,
        query: (name) => search?.getAll(name) ?? [],
        header: request.header,
        body,
        ...compact({ client }),
        world,
        settings,
        now: engine.now(),
        served: routes.served,
      }
    }
    const act: Act = () => {
      const body = bodyOf()
      if (!body.ok) return error('INVALID_PAYLOAD', body.error)
      const told = tooFast(row, client) ?? answering?.(request, route, role, client?.role)
      return told ?? perform(row, inputOf(body.value))
    }
    const acted: Act = () => once(request, row, client, act)
    if (world.faults.live.size === 0) return { route, ...named, reply: acted() }
    const input = (): HandlerInput | undefined => {
      const body = bodyOf()
      return body.ok ? inputOf(body.value) : undefined
    }
    return { route, ...named, ...faulted({ request, route, client, input }, acted) }
  }

  /** A path that is no operation here, or one that is with another method. */
  function unlisted({ method }: Incoming, path: string, found: 'method' | undefined): Outgoing {
    if (found && method === 'OPTIONS') {
      const discovery = routes.find('GET', path)
      if (typeof discovery === 'object' && discovery.row.capability === 'discovery')
        return { status: 204, headers: cors }
    }
    const code = found && conduct.unlistedMethod === 405 ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'
    return error(code, `${method} ${brief(path)} is no operation of the ${role}`)
  }

  function respond(request: Incoming): Served {
    const mark = request.target.indexOf('?')
    const path = mark === -1 ? request.target : request.target.slice(0, mark)
    const query = mark === -1 ? '' : request.target.slice(mark + 1)
    const route = routes.find(request.method, path)
    return typeof route === 'object'
      ? serve(request, route, query)
      : { reply: unlisted(request, path, route) }
  }

  return {
    role,
    served: routes.served,
    base,
    error,
    answer(request) {
      const served = respond(request)
      const requestId = request.header('x-request-id')
      if (requestId === undefined) return served
      const headers = { ...served.reply.headers, 'x-request-id': brief(requestId) }
      return { ...served, reply: { ...served.reply, headers } }
    },
  }
}

/** As much of a stranger's text as is worth repeating. */
const brief = (text: string): string => text.slice(0, 200)

/** What stands for a text that may be long: what is remembered of it must stay small. */
const digest = (text: string): string =>
  text.length <= 200 ? text : createHash('sha256').update(text).digest('base64')

const challenge = ({ code }: Refusal): Record<string, string> =>
  code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer' } : {}
