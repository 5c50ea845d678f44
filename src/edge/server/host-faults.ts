/**
 * What the faults in force make of a request that a role of ours admits: whether it takes effect, and what goes out in
 * place of the true answer. What is remembered of a request is always the true one.
 */
import { compact } from '../../compact.ts'
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
import type { Way } from './send-distorted.ts'
import { answerMeeting, followUp, meet, type Met } from './fault-points.ts'
import type { Incoming, Outgoing } from './messages.ts'
import type { Pause } from '../clock/pauses.ts'
import type { Route } from './routes.ts'
import { clientNamed, ownCall } from './identify-caller.ts'

export interface HostFaultsOptions {
  readonly engine: Engine
  readonly role: Role
  readonly pause: Pause
  /** The world that the host stands in is no more. */
  readonly struck: AbortSignal
  /** What the subject's clock says. */
  readonly theirNow: () => Instant
  /** An error in this session's shape. */
  readonly refused: (refusal: Refusal, headers?: Readonly<Record<string, string>>) => Outgoing
}

/** A request that was admitted. */
export interface Admitted {
  readonly request: Incoming
  readonly route: Route
  readonly client: Client | undefined
  /** Undefined when its body is none. Read when it is first asked for. */
  readonly input: () => HandlerInput | undefined
}

export interface Faulted {
  readonly reply: Outgoing
  /** How it goes out, where a fault has anything to do with it. */
  readonly way?: Way
}

const typed = { 'content-type': 'application/json; charset=utf-8' } as const

/** Nothing comes in chunks where nothing comes at all: HTTP forbids it to say so with 204. */
function fitting(
  { status }: Outgoing,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { 'transfer-encoding': _coding, ...others } = headers
  return status === 204 ? others : headers
}

/** Headers with others in their place; an empty one is taken away. */
export function withHeaders(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const all = Object.entries({ ...headers, ...others })
  return Object.fromEntries(all.filter(([name]) => others[name] !== ''))
}

export function createHostFaults(
  options: HostFaultsOptions,
): (admitted: Admitted, act: () => Outgoing) => Faulted {
  const { engine, role, pause, struck, theirNow, refused } = options
  const { settings, world } = engine

  /** Who asks for a token says so in the body: no token can say it. */
  const clientIn = ({ client, request }: Admitted): Client | undefined =>
    client ?? clientNamed(request, settings)

  /** A call that we know of: one of our own roles makes it. */
  const isOurs = ({ request }: Admitted): boolean => ownCall(request, role, world) !== undefined

  /** Faults are for the subject; where there is none, for everybody. */
  function isMeant(admitted: Admitted, client: Client | undefined): boolean {
    if (settings.subject === undefined) return true
    return client ? client.role === settings.subject : !isOurs(admitted)
  }

  const lost = (): Outgoing =>
    refused({ code: 'UNAVAILABLE', message: 'the request was lost on its way' })

  /** Whole seconds are all that such a date can say: rather later than too early. */
  const dateIn = (ms: number): string =>
    new Date(Math.ceil((theirNow() + ms) / 1000) * 1000).toUTCString()

  function falseAnswer({ status, headers: said, retryAtMs, error, body }: InjectedReply): Outgoing {
    const headers = retryAtMs === undefined ? said : { ...said, 'retry-after': dateIn(retryAtMs) }
    if (error) return refused({ ...error, status }, headers)
    return body === undefined
      ? { status, headers: { ...headers } }
      : { status, headers: { ...typed, ...headers }, body }
  }

  /** What a reply is about once its body is another: the events that are still in it. */
  function aboutOf(body: string, { about }: Outgoing): Outgoing['about'] {
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

  function changed(reply: Outgoing, { change, headers }: Distortion): Outgoing {
    const dressed = headers
      ? { ...reply, headers: withHeaders(reply.headers, fitting(reply, headers)) }
      : reply
    if (!change || (dressed.body === undefined && change.kind !== 'text')) return dressed
    const body = changeBody(dressed.body ?? '', change)
    if (change.kind === 'text') return { ...dressed, body }
    const about = aboutOf(body, dressed)
    return { ...dressed, body, ...compact({ about }) }
  }

  /** What goes out in the place of the true answer is still about the same; what a GET would have brought it does not. */
  function aboutFalse(
    { about }: Outgoing,
    { row }: Route,
    { orderId }: Met,
  ): Pick<Outgoing, 'about'> {
    const eventIds = row.method === 'GET' ? undefined : about?.eventIds
    const told = {
      ...compact({ orderId, eventIds }),
    }
    return { about: told }
  }

  function distorted(met: Met, admitted: Admitted, act: () => Outgoing): Outgoing {
    const { distortion } = met
    const { effect, reply: other } = distortion
    // Whatever goes wrong on the way, the work is done first, and remembered as it was.
    const truth = effect ? act() : lost()
    followUp(engine, distortion)
    if (!other && effect) return changed(truth, distortion)
    const reply = other ? falseAnswer(other) : truth
    return { ...changed(reply, distortion), ...aboutFalse(truth, admitted.route, met) }
  }

  function wayOf({ id, fault, distortion, orderId }: Met, ours: boolean): Way {
    const { afterMs, end } = distortion
    return {
      fault,
      struck,
      wait: (ms, enough) =>
        pause({
          whose: 'answer',
          ms,
          text: fault,
          orderId,
          fault: id,
          enough,
          ...(ours ? { ours } : {}),
          ...(end === 'hang' ? { hung: true } : {}),
        }),
      ...compact({ afterMs, end }),
    }
  }

  return (admitted, act) => {
    const { row, params } = admitted.route
    const glimpse = { kind: 'answer', operation: row.id, orderId: params['orderId'] } as const
    if (!couldAnyFaultMatch(world, glimpse)) return { reply: act() }
    const client = clientIn(admitted)
    if (!isMeant(admitted, client)) return { reply: act() }
    const { route } = admitted
    const input = admitted.input()
    const handler = input && handlerOf(route.row.behind.name)
    const asked = handler?.kind === 'command' && input ? handler.command(input) : undefined
    const command = asked?.ok ? asked.value : undefined
    const meeting = answerMeeting({
      route,
      to: role,
      client,
      body: input?.body,
      command,
      world,
      settings,
    })
    const met = meet(engine, meeting)
    if (!met) return { reply: act() }
    return { reply: distorted(met, admitted, act), way: wayOf(met, isOurs(admitted)) }
  }
}
