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
import type { Client } from '../../engine/settings.ts'
import { changeBody } from '../../faults/change-body.ts'
import type { Role } from '../../protocol/role.ts'
import type { ReplyDistortion } from './send-distorted.ts'
import { answerPointOf, submitFollowUps, triggerFault, type FaultHit } from './fault-points.ts'
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
export function mergeHeaders(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const all = Object.entries({ ...headers, ...others })
  return Object.fromEntries(all.filter(([name]) => others[name] !== ''))
}

export function createHostFaults(
  options: HostFaultsOptions,
): (admitted: AdmittedRequest, act: () => OutgoingReply) => FaultedReply {
  const { engine, role, pause, worldStopped, subjectNow, refusalReply } = options
  const { settings, world } = engine

  /** A token request names its client in the body, since it carries no token. */
  const callingClient = ({ client, request }: AdmittedRequest): Client | undefined =>
    client ?? clientNamedInBody(request, settings)

  /** Whether one of our own roles makes the request. */
  const isOwnCall = ({ request, route }: AdmittedRequest): boolean =>
    findOwnCall(request, route.row.id, role, engine) !== undefined

  /** Faults apply to requests of the subject; without a subject, to all requests. */
  function appliesTo(admitted: AdmittedRequest, client: Client | undefined): boolean {
    if (settings.subject === undefined) return true
    return client ? client.role === settings.subject : !isOwnCall(admitted)
  }

  const unavailable = (): OutgoingReply =>
    refusalReply({ code: 'UNAVAILABLE', message: 'the request was lost on its way' })

  /** An HTTP date has whole seconds: rounded up, rather late than too early. */
  const httpDateIn = (ms: number): string =>
    new Date(Math.ceil((subjectNow() + ms) / 1000) * 1000).toUTCString()

  function injectedReply({
    status,
    headers: base,
    retryAtMs,
    error,
    body,
  }: InjectedReply): OutgoingReply {
    const headers =
      retryAtMs === undefined ? base : { ...base, 'retry-after': httpDateIn(retryAtMs) }
    if (error) return refusalReply({ ...error, status }, headers)
    return body === undefined
      ? { status, headers: { ...headers } }
      : { status, headers: { ...jsonType, ...headers }, body }
  }

  /** The affected entities of a changed body: only the events that are still in it. */
  function aboutChanged(body: string, { about }: OutgoingReply): OutgoingReply['about'] {
    if (!about?.eventIds) return about
    const events: unknown = JSON.parse(body)
    const named = new Set(about.eventIds)
    const eventIds = (Array.isArray(events) ? events : [])
      .map((event: { readonly eventId?: string; readonly id?: string }) => {
        const name = event.eventId ?? event.id ?? ''
        return world.ordering.eventIdByAlias.get(name) ?? name
      })
      .filter((eventId) => named.has(eventId))
    return { ...about, eventIds }
  }

  function changedReply(reply: OutgoingReply, { change, headers }: Distortion): OutgoingReply {
    const withNewHeaders = headers
      ? { ...reply, headers: mergeHeaders(reply.headers, withoutChunkedOn204(reply, headers)) }
      : reply
    if (!change || (withNewHeaders.body === undefined && change.kind !== 'text'))
      return withNewHeaders
    const body = changeBody(withNewHeaders.body ?? '', change)
    if (change.kind === 'text') return { ...withNewHeaders, body }
    const about = aboutChanged(body, withNewHeaders)
    return { ...withNewHeaders, body, ...compact({ about }) }
  }

  /**
   * The affected entities of an injected reply: those of the true one, but without the events that a GET would have
   * returned.
   */
  function aboutInjected(
    { about }: OutgoingReply,
    { row }: OperationRoute,
    { orderId }: FaultHit,
  ): Pick<OutgoingReply, 'about'> {
    const eventIds = row.method === 'GET' ? undefined : about?.eventIds
    const aboutReply = compact({ orderId, eventIds })
    return { about: aboutReply }
  }

  function distortedReply(
    hit: FaultHit,
    admitted: AdmittedRequest,
    act: () => OutgoingReply,
  ): OutgoingReply {
    const { distortion } = hit
    const { effect, reply: other } = distortion
    // The request takes effect first, and its true reply is stored, whatever happens to the reply afterwards.
    const trueReply = effect ? act() : unavailable()
    submitFollowUps(engine, distortion)
    if (!other && effect) return changedReply(trueReply, distortion)
    const reply = other ? injectedReply(other) : trueReply
    return { ...changedReply(reply, distortion), ...aboutInjected(trueReply, admitted.route, hit) }
  }

  function distortionOf(
    { id, fault, distortion, orderId }: FaultHit,
    ours: boolean,
  ): ReplyDistortion {
    const { afterMs, end } = distortion
    return {
      fault,
      worldStopped,
      wait: (ms, enough) =>
        pause({
          whose: 'answer',
          ms,
          text: fault,
          orderId,
          fault: id,
          enough,
          ...(ours ? { isOwnCall: ours } : {}),
          ...(end === 'hang' ? { hung: true } : {}),
        }),
      ...compact({ afterMs, end }),
    }
  }

  return (admitted, act) => {
    const { row, params } = admitted.route
    const preview = { kind: 'answer', operation: row.id, orderId: params['orderId'] } as const
    if (!couldAnyFaultMatch(world, preview)) return { reply: act() }
    const client = callingClient(admitted)
    if (!appliesTo(admitted, client)) return { reply: act() }
    const { route } = admitted
    const input = admitted.input()
    const handler = input && handlerOf(route.row.handler.name)
    const checked = handler?.kind === 'command' && input ? handler.command(input) : undefined
    const command = checked?.ok ? checked.value : undefined
    const point = answerPointOf({
      route,
      to: role,
      client,
      body: input?.body,
      command,
      world,
      settings,
    })
    const hit = triggerFault(engine, point)
    if (!hit) return { reply: act() }
    return {
      reply: distortedReply(hit, admitted, act),
      distortion: distortionOf(hit, isOwnCall(admitted)),
    }
  }
}
