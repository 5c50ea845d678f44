/**
 * Fault points at the edge: describes an incoming request or an outbound call so that faults can match it. Built only
 * while a fault is active.
 */
import { compact } from '../../base/compact.ts'
import type { OutgoingCall } from '../../engine/calls/call.ts'
import type { Command } from '../../engine/command.ts'
import type { Engine } from '../../engine/engine.ts'
import type { SubjectCrash, Distortion } from '../../engine/faults/distortion.ts'
import type {
  AnswerPoint,
  CallPoint,
  FaultPointEvent,
  MessagePoint,
} from '../../engine/faults/fault-point.ts'
import { doesAnyFaultMatch } from '../../engine/faults/match.ts'
import type { Client, Settings } from '../../engine/settings.ts'
import type { World } from '../../engine/world.ts'
import { operation } from '../../protocol/catalogue.ts'
import { textMember } from '../../protocol/unknown-record.ts'
import type { Role } from '../../protocol/role.ts'
import type { OperationRoute } from './route-index.ts'

/** A fault that matched a message, with its distortion. */
export interface FaultHit {
  readonly id: number
  /** Label in the exchange: `reset on req(confirmOrder,o2)`. */
  readonly fault: string
  readonly distortion: Distortion
  readonly orderId?: string
}

type Events = readonly FaultPointEvent[]

/** The merchant of a known order. */
const merchantOf = (orderId: string | undefined, { ordering }: World): string | undefined =>
  orderId === undefined ? undefined : ordering.orders.get(orderId)?.order.merchant.id

/** Events by their ids; unknown ids are left out. */
const eventsById = (eventIds: readonly string[], { ordering }: World): Events =>
  eventIds.flatMap((eventId) => {
    const event = ordering.events.get(eventId)
    return event ? [{ eventId, eventType: event.eventType, orderId: event.orderId }] : []
  })

/** The events that a poll would return now. */
function pollableEvents(
  { merchants, eventTypes }: Extract<Command, { kind: 'events.poll' }>,
  { ordering: { mailbox, events } }: World,
  { conduct }: Settings,
): Events {
  const found: FaultPointEvent[] = []
  for (const [eventId, copies] of mailbox) {
    const event = events.get(eventId)
    if (!event || (merchants && !merchants.includes(event.merchantId))) continue
    if (eventTypes && !eventTypes.includes(event.eventType)) continue
    const { eventType, orderId } = event
    for (let copy = 0; copy < copies; copy++) {
      if (found.length >= conduct.pollBatch) return found
      found.push({ eventId, eventType, orderId })
    }
  }
  return found
}

/** The events that a request concerns: those a poll would return, or those it acknowledges. */
function requestEvents(command: Command | undefined, world: World, settings: Settings): Events {
  switch (command?.kind) {
    case 'events.poll':
      return pollableEvents(command, world, settings)
    case 'events.acknowledge':
      return eventsById(command.eventIds, world)
    default:
      return []
  }
}

/** The merchant of a poll that is filtered to one merchant. */
const polledMerchant = (command: Command | undefined): string | undefined =>
  command?.kind === 'events.poll' && command.merchants?.length === 1
    ? command.merchants[0]
    : undefined

export interface AnswerPointParts {
  readonly route: OperationRoute
  readonly to: Role
  readonly client: Client | undefined
  readonly body: unknown
  /** The command of the request, if it is a valid one. */
  readonly command: Command | undefined
  /** Whether the request follows a redirect of ours. */
  readonly redirected?: boolean
  readonly world: World
  readonly settings: Settings
}

export function answerPointOf(parts: AnswerPointParts): AnswerPoint {
  const { route, to, client, body, command, world, settings, redirected = false } = parts
  const { row, params } = route
  const { subject } = settings
  const orderId = params['orderId'] ?? textMember(body, 'orderId')
  const merchantId = merchantOf(orderId, world) ?? polledMerchant(command)
  const eventType = row.webhook ? textMember(body, 'eventType') : undefined
  const subjectCaller = subject && row.callers.includes(subject) ? subject : undefined
  return {
    kind: 'answer',
    operation: row.id,
    method: row.method,
    from: client?.role ?? subjectCaller ?? row.callers.find((role) => role !== to) ?? to,
    to,
    ...compact({ orderId, merchantId, eventType }),
    ...(client ? { clientId: client.clientId } : {}),
    ...(redirected ? { redirected } : {}),
    events: requestEvents(command, world, settings),
  }
}

/** The event that an outbound call hands over. */
interface HandedEvent {
  readonly eventType: string
  readonly orderId?: string
  readonly merchantId?: string
}

export type CallPointParts = Pick<
  OutgoingCall,
  'from' | 'to' | 'operation' | 'params' | 'attempt' | 'eventId'
> &
  Partial<Pick<OutgoingCall, 'body' | 'id'>>

export function callPointOf(
  { from, to, operation: id, params, attempt, eventId, body }: CallPointParts,
  event: HandedEvent | undefined,
  world: World,
): CallPoint {
  const orderId = params?.['orderId'] ?? event?.orderId ?? textMember(body, 'orderId')
  const merchantId = event?.merchantId ?? merchantOf(orderId, world)
  const eventRefs = {
    ...compact({ eventId }),
    ...(event?.orderId === undefined ? {} : { orderId: event.orderId }),
  }
  return {
    kind: 'call',
    operation: id,
    method: operation(id).method,
    from,
    to,
    attempt,
    ...compact({ orderId, merchantId }),
    ...(event ? { eventType: event.eventType } : {}),
    ...compact({ eventId }),
    events: event ? [{ eventType: event.eventType, ...eventRefs }] : [],
  }
}

/** Submits a message to the active faults; returns the hit of the fault that distorts it, if any. */
export function triggerFault(engine: Engine, meeting: MessagePoint): FaultHit | undefined {
  if (!doesAnyFaultMatch(meeting, engine.world)) return undefined
  const decision = engine.submit({ kind: 'fault.meet', meeting }, 'session')
  for (const fact of decision.ok ? decision.value : []) {
    if (fact.kind !== 'fault.fired' || !fact.distortion) continue
    const { id, name, on, distortion } = fact
    const { orderId } = meeting
    return {
      id,
      fault: `${name} on ${on}`,
      distortion,
      ...compact({ orderId }),
    }
  }
  return undefined
}

/** Ends the process of the user's service at this moment of a message. */
export const endSubject = (engine: Engine, { signal, downMs }: SubjectCrash): void =>
  void engine.submit({ kind: 'session.end-subject', signal, downMs }, 'session')

/** Submits the commands that a distortion plans: due ones now, before the answer is sent; later ones to the agenda. */
export function submitFollowUps(engine: Engine, { plans = [] }: Distortion): void {
  for (const { command, afterMs } of plans)
    if (afterMs <= 0) engine.submit(command, 'session')
    else engine.submit({ kind: 'agenda.plan', command, afterMs }, 'session')
}
