/**
 * Applies active faults to an admitted request: whether it takes effect, and which reply is sent in place of the true
 * one. The idempotency store always keeps the true reply.
 */
import { compact } from '../../base/compact.ts'
import type { Engine } from '../../engine/engine.ts'
import { couldAnyFaultMatch } from '../../engine/faults/match.ts'
import type { Distortion, InjectedReply } from '../../engine/faults/distortion.ts'
import type { HandlerInput } from '../../engine/handler.ts'
import { handlerOf } from '../../engine/handlers.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { Client, Settings } from '../../engine/settings.ts'
import type { World } from '../../engine/world.ts'
import { changeBody } from '../../faults/change-body.ts'
import type { Role } from '../../protocol/role.ts'
import type { ReplyDistortion } from './send-distorted.ts'
import {
  answerPointOf,
  endSubject,
  submitFollowUps,
  triggerFault,
  type FaultHit,
} from './fault-points.ts'
import type { IncomingRequest, OutgoingReply } from './messages.ts'
import type { Pause } from '../clock/pauses.ts'
import type { OperationRoute } from './route-index.ts'
import { clientNamedInBody, findOwnCall } from './identify-caller.ts'

export interface HostFaultsOptions {
  readonly engine: Engine
  readonly role: Role
  readonly pause: Pause
  /** Aborted when the host's world is stopped. */
  readonly worldStopped: AbortSignal
  /** Current time on the subject's clock. */
  readonly subjectNow: () => Instant
  /** A refusal as an error reply in this session's format. */
  readonly refusalReply: (
    refusal: Refusal,
    headers?: Readonly<Record<string, string>>,
  ) => OutgoingReply
}

/** A request that passed access control. */
export interface AdmittedRequest {
  readonly request: IncomingRequest
  readonly route: OperationRoute
  readonly client: Client | undefined
  /** Undefined when the body is invalid. Parsed on first use. */
  readonly input: () => HandlerInput | undefined
}

export interface FaultedReply {
  readonly reply: OutgoingReply
  /** How the reply is sent, if a fault distorts it. */
  readonly distortion?: ReplyDistortion
}

/** In the query of a request that follows a redirect, which is not redirected again. */
const redirectMark = 'moved=1'

const jsonType = { 'content-type': 'application/json; charset=utf-8' } as const

/** Drops Transfer-Encoding from a 204, where HTTP forbids it. */
function withoutChunkedOn204(
  { status }: OutgoingReply,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { 'transfer-encoding': _coding, ...others } = headers
  return status === 204 ? others : headers
}

/** Merges headers; an empty value removes the header. */
export function mergeHeaders<Value extends string | string[]>(
  headers: Readonly<Record<string, Value>>,
  others: Readonly<Record<string, string>> = {},
): Readonly<Record<string, Value | string>> {
  const all = Object.entries<Value | string>({ ...headers, ...others })
  return Object.fromEntries(all.filter(([name]) => others[name] !== ''))
}

export class HostFaults {
  readonly #options: HostFaultsOptions
  readonly #settings: Settings
  readonly #world: World

  constructor(options: HostFaultsOptions) {
    this.#options = options
    const { engine } = options
    this.#settings = engine.settings
    this.#world = engine.world
  }

  apply(admitted: AdmittedRequest, act: () => OutgoingReply): FaultedReply {
    const { row, params } = admitted.route
    const preview = { kind: 'answer', operation: row.id, orderId: params['orderId'] } as const
    if (!couldAnyFaultMatch(this.#world, preview)) return { reply: act() }
    const client = this.#callingClient(admitted)
    if (!this.#appliesTo(admitted, client)) return { reply: act() }
    const { route } = admitted
    const input = admitted.input()
    const handler = input && handlerOf(route.row.handler.name)
    const checked = handler?.kind === 'command' && input ? handler.command(input) : undefined
    const command = checked?.ok ? checked.value : undefined
    const redirected = admitted.request.target.includes(redirectMark)
    const point = answerPointOf({
      redirected,
      route,
      to: this.#options.role,
      client,
      body: input?.body,
      command,
      world: this.#world,
      settings: this.#settings,
    })
    const hit = triggerFault(this.#options.engine, point)
    if (!hit) return { reply: act() }
    return {
      reply: this.#distortedReply(hit, admitted, act),
      distortion: this.#distortionOf(hit, admitted),
    }
  }

  /** A token request names its client in the body, since it carries no token. */
  #callingClient({ client, request }: AdmittedRequest): Client | undefined {
    return client ?? clientNamedInBody(request, this.#settings)
  }

  /** Whether one of our own roles makes the request. */
  #isOwnCall({ request, route }: AdmittedRequest): boolean {
    return (
      findOwnCall(request, route.row.id, this.#options.role, this.#options.engine) !== undefined
    )
  }

  /** Faults apply to requests of the subject; without a subject, to all requests. */
  #appliesTo(admitted: AdmittedRequest, client: Client | undefined): boolean {
    if (this.#settings.subject === undefined) return true
    return client ? client.role === this.#settings.subject : !this.#isOwnCall(admitted)
  }

  #unavailable(): OutgoingReply {
    return this.#options.refusalReply({
      code: 'UNAVAILABLE',
      message: 'the request was lost on its way',
    })
  }

  /** An HTTP date has whole seconds: rounded up, rather late than too early. */
  #httpDateIn(ms: number): string {
    return new Date(Math.ceil((this.#options.subjectNow() + ms) / 1000) * 1000).toUTCString()
  }

  #injectedReply(
    { status, headers: base, retryAtMs, moved, error, body }: InjectedReply,
    { request: { target } }: AdmittedRequest,
  ): OutgoingReply {
    const headers = {
      ...base,
      ...(retryAtMs === undefined ? {} : { 'retry-after': this.#httpDateIn(retryAtMs) }),
      ...(moved ? { location: `${target}${target.includes('?') ? '&' : '?'}${redirectMark}` } : {}),
    }
    if (error) return this.#options.refusalReply({ ...error, status }, headers)
    return body === undefined
      ? { status, headers: { ...headers } }
      : { status, headers: { ...jsonType, ...headers }, body }
  }

  /** The affected entities of a changed body: only the events that are still in it. */
  #aboutChanged(body: string, { about }: OutgoingReply): OutgoingReply['about'] {
    if (!about?.eventIds) return about
    const events: unknown = JSON.parse(body)
    const named = new Set(about.eventIds)
    const eventIds = (Array.isArray(events) ? events : [])
      .map((event: { readonly eventId?: string; readonly id?: string }) => {
        const name = event.eventId ?? event.id ?? ''
        return this.#world.ordering.eventIdByAlias.get(name) ?? name
      })
      .filter((eventId) => named.has(eventId))
    return { ...about, eventIds }
  }

  #changedReply(reply: OutgoingReply, { change, headers }: Distortion): OutgoingReply {
    const withNewHeaders = headers
      ? { ...reply, headers: mergeHeaders(reply.headers, withoutChunkedOn204(reply, headers)) }
      : reply
    if (!change || (withNewHeaders.body === undefined && change.kind !== 'text'))
      return withNewHeaders
    const body = changeBody(withNewHeaders.body ?? '', change)
    if (change.kind === 'text') return { ...withNewHeaders, body }
    const about = this.#aboutChanged(body, withNewHeaders)
    return { ...withNewHeaders, body, ...compact({ about }) }
  }

  /**
   * The affected entities of an injected reply: those of the true one, but without the events that a GET would have
   * returned.
   */
  #aboutInjected(
    { about }: OutgoingReply,
    { row }: OperationRoute,
    { orderId }: FaultHit,
  ): Pick<OutgoingReply, 'about'> {
    const eventIds = row.method === 'GET' ? undefined : about?.eventIds
    const aboutReply = compact({ orderId, eventIds })
    return { about: aboutReply }
  }

  #distortedReply(
    hit: FaultHit,
    admitted: AdmittedRequest,
    act: () => OutgoingReply,
  ): OutgoingReply {
    const { distortion } = hit
    const { effect, reply: other, plansFirst } = distortion
    if (plansFirst) submitFollowUps(this.#options.engine, distortion)
    // The request takes effect first, and its true reply is stored, whatever happens to the reply afterwards.
    const trueReply = effect ? act() : this.#unavailable()
    if (!plansFirst) submitFollowUps(this.#options.engine, distortion)
    if (!other && effect) return this.#changedReply(trueReply, distortion)
    const reply = other ? this.#injectedReply(other, admitted) : trueReply
    return {
      ...this.#changedReply(reply, distortion),
      ...this.#aboutInjected(trueReply, admitted.route, hit),
    }
  }

  #distortionOf(
    { id, fault, distortion, orderId }: FaultHit,
    admitted: AdmittedRequest,
  ): ReplyDistortion {
    const { afterMs, end, crash, encoding: wanted } = distortion
    const ours = this.#isOwnCall(admitted)
    const accepted = admitted.request.header('accept-encoding') ?? ''
    const encoding = wanted && new RegExp(`\\b${wanted}\\b`).test(accepted) ? wanted : undefined
    return {
      fault,
      ...(crash
        ? { crash: { when: crash.when, end: () => endSubject(this.#options.engine, crash) } }
        : {}),
      worldStopped: this.#options.worldStopped,
      wait: (ms, enough) =>
        this.#options.pause({
          whose: 'answer',
          ms,
          text: fault,
          orderId,
          fault: id,
          enough,
          ...(ours ? { isOwnCall: ours } : {}),
          ...(end === 'hang' ? { hung: true } : {}),
        }),
      ...compact({ afterMs, end, encoding }),
    }
  }
}
