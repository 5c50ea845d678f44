/**
 * The host of one role: a function from a request to its reply, shared by the HTTP server and the fetch handler.
 * Generic over operations: route, access, body, command or view, reply.
 */
import { compact } from '../../base/compact.ts'
import { createHash } from 'node:crypto'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import type { WebhookName } from '../../protocol/operation.ts'
import type { SpanIds } from '../../traffic/exchange.ts'
import { basePathOf } from '../../protocol/dialects/settings.ts'
import { bodyTranslator } from '../../protocol/translation/translator.ts'
import type { ErrorCode } from '../../protocol/errors.ts'
import type { Role } from '../../protocol/role.ts'
import type { Engine } from '../../engine/engine.ts'
import type { HandlerAnswer, HandlerInput } from '../../engine/handler.ts'
import type { Instant } from '../../engine/instant.ts'
import type { FactOrigin } from '../../engine/journal.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { Client, Settings } from '../../engine/settings.ts'
import { createIdempotencyStore } from '../../engine/idempotency.ts'
import { type Adviser, createAdviser } from '../../rules/diagnosis/answered/adviser.ts'
import { type AccessControl, createAccessControl } from './access-control.ts'
import type { Responder } from './responder.ts'
import { parseRequestBody } from './request-body.ts'
import type { ReplyDistortion } from './send-distorted.ts'
import { createHostDocument } from './host-document.ts'
import { HostFaults } from './host-faults.ts'
import { createHostReplies, discoveryCors, type HostReplies } from './host-replies.ts'
import type { IncomingRequest, OutgoingReply } from './messages.ts'
import type { Pause } from '../clock/pauses.ts'
import { identifyCaller } from './identify-caller.ts'
import { servedOperations } from '../../engine/served-operations.ts'
import { createRequestLimits, type RequestLimiter } from './request-limits.ts'
import { requirementRefusal, unmetByRequest } from './request-requirements.ts'
import { createRouteIndex, type OperationRoute, type RouteIndex } from './route-index.ts'
import type { RefusedRequest } from '../../rules/diagnosis/requests/refused-request.ts'
import type { UnmetRequirement } from '../../protocol/partner-requirements/catalogue.ts'
import { refusedRequestReason } from '../../rules/diagnosis/requests/catalogue.ts'
import type { Fact } from '../../engine/fact.ts'
import { handlerOf } from '../../engine/handlers.ts'
import { ok, type Result } from '../../protocol/result.ts'

interface PerformerOptions {
  readonly engine: Engine
  readonly replies: HostReplies
  readonly adviser: Adviser
  /** Current time on the subject's clock. */
  readonly subjectNow: () => Instant
}

interface PerformedRequest {
  readonly row: CatalogueRow
  readonly input: HandlerInput
  readonly by: FactOrigin
  /** The partner requirements that the request does not meet. */
  readonly unmet: () => readonly UnmetRequirement[]
}

interface Performed {
  readonly answer: HandlerAnswer
  readonly facts: readonly Fact[]
}

const noFacts: readonly Fact[] = []

/**
 * Performs an operation: runs its view or submits its command, composes the reply, and asks for advice on the request.
 */
function createPerformer({ engine, replies, adviser, subjectNow }: PerformerOptions) {
  function perform({ row, input, by }: PerformedRequest): Result<Performed, Refusal> {
    const handler = handlerOf(row.handler.name)
    if (handler.kind === 'view') {
      const view = handler.view(input)
      return view.ok ? ok({ answer: view.value, facts: noFacts }) : view
    }
    const command = handler.command(input)
    if (!command.ok) return command
    const decision = engine.submit(command.value, by)
    if (!decision.ok) return decision
    const facts = decision.value
    return ok({ answer: handler.answer?.(facts, input) ?? {}, facts })
  }

  return (request: PerformedRequest): OutgoingReply => {
    const performed = perform(request)
    if (!performed.ok) return replies.refusal(performed.error)
    const { row, input, unmet } = request
    const { answer, facts } = performed.value
    const reply = replies.success(row, answer)
    const advice = adviser.advise({ operation: row.id, input, facts, unmet }, subjectNow())
    return advice === undefined ? reply : { ...reply, advice }
  }
}

interface RefusalReasonOptions {
  readonly engine: Engine
  readonly role: Role
  readonly served: readonly CatalogueRow[]
  /** The base URL of a role that we play. */
  readonly urlOf: (role: Role) => string
}

/** Path and query of a request. */
interface RequestTarget {
  readonly path: string
  readonly query: string
}

/** Path and query of the target as the request line has it. */
function splitTarget(target: string): RequestTarget {
  const mark = target.indexOf('?')
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** Why a host refused a request of the user's service, for the traffic log: nothing of it is in the protocol's answer. */
const createRefusalReason =
  ({ engine, role, served, urlOf }: RefusalReasonOptions) =>
  (
    request: IncomingRequest,
    { path, query }: RequestTarget,
    refusal: Pick<Refusal, 'code' | 'message' | 'unmet'>,
    route?: OperationRoute,
  ): string => {
    const { method, header, body } = request
    const { settings, world } = engine
    const refused: RefusedRequest = {
      host: role,
      method,
      path,
      query,
      header,
      body,
      refusal,
      ...(route ? { row: route.row } : {}),
      params: route?.params ?? {},
      served,
      settings,
      world,
      now: engine.now(),
      urlOf,
    }
    return refusedRequestReason(refused)
  }

export interface HostOptions {
  readonly engine: Engine
  readonly role: Role
  /** The declared base URL; a function, since the port may be known only after listening. */
  readonly base: () => string
  /** The base URL of any role that we play. */
  readonly urlOf: (role: Role) => string
  /** Paths that receive webhooks. */
  readonly webhooks: Readonly<Record<WebhookName, string>>
  /** Delays a reply that a fault holds back. */
  readonly pause: Pause
  /** Aborted when the host's world is stopped. */
  readonly worldStopped: AbortSignal
  /** Current time on the subject's clock: wall time, or session time if the subject uses that. */
  readonly subjectNow: () => Instant
  readonly answering?: Responder | undefined
}

/** A reply with the route and caller of its request, for the traffic log. */
export interface ServedRequest {
  readonly reply: OutgoingReply
  readonly route?: OperationRoute
  readonly client?: Client
  /** The calling role, where it is known without a client. */
  readonly caller?: Role
  /** How the reply is sent, if a fault distorts it. */
  readonly distortion?: ReplyDistortion
  /** Why it was refused. */
  readonly reason?: string
  /** Its span, in a session that is traced. */
  readonly trace?: SpanIds
}

/** Executes a request that is no duplicate. */
type Act = () => OutgoingReply

/** Its public members are bound: a traced session wraps it spread. */
export class RoleHost {
  readonly role: Role
  readonly served: readonly CatalogueRow[]
  readonly base: () => string
  readonly #options: HostOptions
  readonly #engine: Engine
  readonly #conduct: Settings['conduct']
  readonly #routes: RouteIndex
  readonly #idempotency = createIdempotencyStore<OutgoingReply>(({ body = '' }) => body.length)
  readonly #access: AccessControl
  readonly #prefix: string
  readonly #translator: ReturnType<typeof bodyTranslator>
  readonly #refusalReply: HostReplies['refusal']
  readonly #limits: RequestLimiter
  readonly #adviser: Adviser
  readonly #reasonOf: ReturnType<typeof createRefusalReason>
  readonly #documentReply: ReturnType<typeof createHostDocument>
  readonly #perform: ReturnType<typeof createPerformer>
  readonly #faults: HostFaults
  #pathOf: { readonly base: string; readonly path: string } | undefined

  constructor(options: HostOptions) {
    const { engine, role, base, urlOf, pause, worldStopped, subjectNow } = options
    const { settings } = engine
    const { conduct } = settings
    const replies = createHostReplies(conduct, role)
    const refusalReply = replies.refusal
    const offered = servedOperations(role, settings, options.webhooks)
    const routes = createRouteIndex(role, offered, conduct)
    const { served } = routes
    const failed = (message: string): OutgoingReply => this.error('INTERNAL_ERROR', message)
    const adviser = createAdviser(settings)
    this.role = role
    this.served = served
    this.base = base
    this.#options = options
    this.#engine = engine
    this.#conduct = conduct
    this.#routes = routes
    this.#access = createAccessControl(engine, role, base)
    this.#prefix = basePathOf(conduct)
    this.#translator = bodyTranslator(conduct)
    this.#refusalReply = refusalReply
    this.#limits = createRequestLimits(conduct, engine.now, refusalReply)
    this.#adviser = adviser
    this.#reasonOf = createRefusalReason({ engine, role, served, urlOf })
    this.#documentReply = createHostDocument({ role, settings, served, base, failed })
    this.#perform = createPerformer({ engine, replies, adviser, subjectNow })
    const faultParts = { engine, role, pause, worldStopped, subjectNow, refusalReply }
    this.#faults = new HostFaults(faultParts)
  }

  /**
   * An error reply in this session's format, for failures before a request is complete; `status` instead of its code's.
   */
  readonly error = (code: ErrorCode, message: string, status?: number): OutgoingReply =>
    this.#refusalReply({ code, message, ...compact({ status }) })

  readonly answer = (request: IncomingRequest): ServedRequest => {
    const served = this.#respond(request)
    const requestId = request.header('x-request-id')
    const { clockSkew, requestIds } = this.#conduct
    const isNamed = requestId !== undefined && requestIds
    if (!isNamed && clockSkew === 0) return served
    const headers = {
      ...served.reply.headers,
      ...(isNamed ? { 'x-request-id': truncate(requestId) } : {}),
      ...(clockSkew === 0 ? {} : { date: this.#dateOf(clockSkew) }),
    }
    return { ...served, reply: { ...served.reply, headers } }
  }

  #dateOf(clockSkew: number): string {
    return new Date(this.#options.subjectNow() + clockSkew).toUTCString()
  }

  #originOf({ byOperator }: IncomingRequest, client: Client | undefined): FactOrigin {
    if (byOperator) return 'operator'
    return client && client.role !== this.#engine.settings.subject ? 'counterpart' : 'subject'
  }

  /**
   * Idempotency: a mutation repeated with its X-Request-Id gets the stored reply and does not run again (TRN-UND-03).
   * The key has the client, not the token, so a retry with a renewed token is still the same request.
   */
  #idempotent(
    request: IncomingRequest,
    row: CatalogueRow,
    client: Client | undefined,
    act: Act,
  ): OutgoingReply {
    const requestId = this.#conduct.requestIds && request.header('x-request-id')
    if (!requestId || !client || row.method === 'GET') return act()
    const key = digest([client.clientId, request.target, requestId].join('\n'))
    const content = digest(request.body)
    const stored = this.#idempotency.recall(key, content, this.#engine.now())
    if (stored === 'conflict')
      return this.error(
        'CONFLICT',
        `X-Request-Id ${truncate(requestId)} came before with another body`,
      )
    if (stored) return stored
    const outcome = act()
    // A temporary refusal (5xx, 429) is not stored: it may be retried under the same id.
    if (outcome.status < 500 && outcome.status !== 429)
      this.#idempotency.remember(
        key,
        content,
        outcome,
        this.#engine.now() + this.#conduct.requestIdMemory,
      )
    return outcome
  }

  /** Serves a request with a known route. */
  #serve(
    request: IncomingRequest,
    { row, params }: OperationRoute,
    query: string,
  ): ServedRequest & { route: OperationRoute } {
    const route = { row, params }
    const admitted = this.#access.admit(row, request)
    const client = admitted.ok ? admitted.value : undefined
    const caller = client ? undefined : identifyCaller(request, row.id, this.role, this.#engine)
    if (!admitted.ok) {
      const reply = this.#refusalReply(admitted.error, challenge(admitted.error))
      return { route, ...compact({ caller }), reply }
    }
    const callerInfo = client ? { client } : caller ? { caller } : {}
    const { byOperator } = request
    if (client && !byOperator) this.#adviser.called(client)
    const limited = byOperator ? undefined : this.#limits.overLimit(request, row, client)
    if (limited) return { route, ...callerInfo, reply: limited }
    // Both are cached: a fault may need them before the operation does.
    let parsedBody: ReturnType<typeof parseRequestBody> | undefined
    const bodyOf = () => (parsedBody ??= parseRequestBody(request, row, this.#translator))
    let cachedInput: HandlerInput | undefined
    const inputOf = (body: unknown): HandlerInput => (cachedInput ??= createInput(body))
    const createInput = (body: unknown): HandlerInput => {
      const search = query === '' ? undefined : new URLSearchParams(query)
      return {
        host: this.role,
        origin: this.base(),
        base: `${this.base()}${this.#prefix}`,
        params,
        query: (name) => search?.getAll(name) ?? [],
        header: request.header,
        body,
        ...compact({ client }),
        world: this.#engine.world,
        settings: this.#engine.settings,
        now: this.#engine.now(),
        served: this.#routes.served,
      }
    }
    const call = { host: this.role, caller: client?.role }
    const refused = (refusal: () => OutgoingReply): OutgoingReply =>
      this.#options.answering?.(request, route, { ...call, isInvalid: true }) ?? refusal()
    const act: Act = () => {
      const body = bodyOf()
      if (!body.ok) {
        const refusal = { code: 'INVALID_PAYLOAD', message: body.error } as const
        // A client that asks for a token may have no log of this session: the answer says what is wrong.
        const isToken = row.id === 'issueToken'
        const target = splitTarget(request.target)
        const text = isToken ? this.#reasonOf(request, target, refusal, route) : body.error
        return refused(() => this.error(refusal.code, text))
      }
      const { value, sent } = body.value
      const handled = inputOf(value)
      const unmet = () => unmetByRequest(row.id, sent, handled)
      const strict = this.#conduct.bodies === 'strict' ? requirementRefusal(unmet()) : undefined
      if (strict) return refused(() => this.#refusalReply(strict))
      const replaced =
        (byOperator ? undefined : this.#limits.overBurstLimit(row, client)) ??
        this.#options.answering?.(request, route, call)
      return (
        replaced ??
        this.#perform({ row, input: handled, by: this.#originOf(request, client), unmet })
      )
    }
    const actOnce: Act = () => this.#idempotent(request, row, client, act)
    if (this.#engine.world.faults.live.size === 0) return { route, ...callerInfo, reply: actOnce() }
    const input = (): HandlerInput | undefined => {
      const body = bodyOf()
      return body.ok ? inputOf(body.value.value) : undefined
    }
    return {
      route,
      ...callerInfo,
      ...this.#faults.apply({ request, route, client, input }, actOnce),
    }
  }

  /** The error for an unknown path, or a known one with another method. */
  #unknownRoute(
    request: IncomingRequest,
    target: RequestTarget,
    found: 'method' | undefined,
  ): OutgoingReply {
    if (found && request.method === 'OPTIONS') {
      const discovery = this.#routes.find('GET', target.path)
      if (typeof discovery === 'object' && discovery.row.capability === 'discovery')
        return { status: 204, headers: discoveryCors }
    }
    const code = found && this.#conduct.unlistedMethod === 405 ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'
    const reason = this.#reasonOf(request, target, { code, message: '' })
    const reply = this.error(code, `${request.method} ${truncate(target.path)}: ${reason}`)
    return { ...reply, refusal: { code, message: reason } }
  }

  /** A reverse proxy may leave the path of our declared URL on, or take it away. */
  #withoutBasePath(path: string): string {
    const base = this.base()
    if (this.#pathOf?.base !== base)
      this.#pathOf = { base, path: URL.parse(base)?.pathname.replace(/\/$/, '') ?? '' }
    const below = this.#pathOf.path
    return below !== '' && path.startsWith(`${below}/`) ? path.slice(below.length) : path
  }

  /** The route of a request, which may be under a path of its own where answers come from a recording. */
  #routeOf(method: string, target: RequestTarget) {
    const route = this.#routes.find(method, target.path)
    if (typeof route === 'object') return { target, route }
    for (const base of this.#options.answering?.basePaths?.(this.role) ?? []) {
      if (!target.path.startsWith(`${base}/`)) continue
      const bare = { ...target, path: target.path.slice(base.length) }
      const found = this.#routes.find(method, bare.path)
      if (typeof found === 'object') return { target: bare, route: found }
    }
    return { target, route }
  }

  #respond(request: IncomingRequest): ServedRequest {
    const { path: fullPath, query } = splitTarget(request.target)
    const { target, route } = this.#routeOf(request.method, {
      path: this.#withoutBasePath(fullPath),
      query,
    })
    if (typeof route !== 'object') {
      const replaced = this.#options.answering?.(request, undefined, { host: this.role })
      const own = replaced ?? this.#documentReply(request, target.path)
      return { reply: own ?? this.#unknownRoute(request, target, route) }
    }
    const answered = this.#serve(request, route, query)
    const { refusal } = answered.reply
    // What a fault put in place of a reply is no mistake, and our own roles make none.
    const isDiagnosed =
      refusal !== undefined &&
      answered.distortion === undefined &&
      !this.#engine.settings.roles.some(
        (each) => each === (answered.client?.role ?? answered.caller),
      )
    return isDiagnosed
      ? { ...answered, reason: this.#reasonOf(request, target, refusal, route) }
      : answered
  }
}

/** A host, or one that wraps it. */
export type Host = Pick<RoleHost, keyof RoleHost>

/** Client text, truncated for quoting. */
const truncate = (text: string): string => text.slice(0, 200)

/** A short text itself, or a hash of a long one, to keep the idempotency store small. */
const digest = (text: string): string =>
  text.length <= 200 ? text : createHash('sha256').update(text).digest('base64')

const challenge = ({ code }: Refusal): Record<string, string> =>
  code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer' } : {}
