/**
 * Answers calls of a service from a recording: matches each call to a recorded exchange by operation, entity and
 * entity version, returns the recorded reply with current ids and times, and reports the result of each.
 */
import { compact } from '../../core/base/compact.ts'
import type { Instant } from '../../core/engine/instant.ts'
import type { Role } from '../../core/protocol/role.ts'
import {
  type Exchange,
  type ExchangeReply,
  type HeaderPairs,
  type Party,
  wireWithTrailers,
} from '../../core/traffic/exchange.ts'
import { isHostIssued } from '../difference/matchable-exchanges.ts'
import type { MatchResult, ExchangeMatcher } from '../difference/matcher.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { MatchStrategy } from '../../core/traffic/recording/match-strategy.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import type { Responder } from '../../core/runtime/server/responder.ts'
import type { IncomingRequest, OutgoingReply } from '../../core/runtime/server/messages.ts'
import type { OperationRoute } from '../../core/runtime/server/route-index.ts'
import type { Forwarder } from './forwarder.ts'
import { judgeExchange } from '../minimise/judge-exchange.ts'
import { isPollCall } from '../../core/traffic/polling.ts'
import type { AffectedEntities } from '../../core/engine/handler.ts'
import type { MatchExplanation } from '../difference/explain-match.ts'
import { replayableReplyHeaders } from '../../core/traffic/replayable-headers.ts'
import type { IdentifierBinding } from '../../core/traffic/recording/binding.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { EditRecorded } from '../difference/edit-recording.ts'

// What an answerer needs: the recording, its bindings, and what to do with a call that the recording does not have.

/** Reply to a call that is not in the recording: from our state machine (`synth`), from the partner, or custom. */
export type OnMiss =
  | 'synth'
  | Forwarder
  | ((live: Exchange, request: IncomingRequest) => OutgoingReply | undefined)

export interface AnswererOptions {
  /** Name of the recording. */
  readonly recording: string
  readonly matcher: ExchangeMatcher
  readonly binding: IdentifierBinding
  /** The role of the service whose calls are answered. */
  readonly subject: Role
  /** Entities that share one time shift: which order, for instance. */
  readonly entities: (exchange: Exchange) => readonly string[]
  readonly now: () => Instant
  /** Start of the recording's times, in milliseconds since 1970. */
  readonly t0: number
  readonly base: (host: Role) => string
  /** Looks up a recorded exchange and its place. */
  readonly findRecorded: (
    recordId: string,
  ) => { readonly recorded: RecordedExchange; readonly place: number } | undefined
  /** The exchange as it is played, with its edits. */
  readonly edited: EditRecorded
  /** Whether the request introduces an id of the service's own. */
  readonly namesNewId: (recordId: string) => boolean
  readonly onMiss?: OnMiss | undefined
  /** Compares a call that the host rejected itself with the recording. */
  readonly compare: (recorded: RecordedExchange, renamed: Exchange) => readonly Difference[]
  readonly onReplayed: (replayed: ReplayedExchange, place: number) => void
  /** Called for a poll without events, which is reported nowhere else. */
  readonly onIdle: () => void
  /** Called with a reply that is awaited: time must not pass it. */
  readonly underWay: (reply: Promise<unknown>) => void
  /** Called for each recorded call that the service has made. */
  readonly onCallMade: (recorded: RecordedExchange) => void
}

// Converts a recorded reply to a live response, and builds the 501 response to a call that is not
// in the recording.

/** Joins repeated headers with commas (RFC 9110, 5.3). */
function headersOf({ headers }: ExchangeReply): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    if (key.startsWith(':')) continue
    const before = joined[key]
    joined[key] = before === undefined ? value : `${before}, ${value}`
  }
  return joined
}

/** Current ids of its order and events, for the traffic log. */
function currentIds(
  { orderId, eventIds }: RecordedExchange,
  { newName }: Pick<IdentifierBinding, 'newName'>,
): AffectedEntities | undefined {
  if (orderId === undefined && eventIds === undefined) return undefined
  return {
    ...(orderId === undefined ? {} : { orderId: newName('order', orderId) ?? orderId }),
    ...(eventIds ? { eventIds: eventIds.map((id) => newName('event', id) ?? id) } : {}),
  }
}

function recordedAnswer(
  recorded: RecordedExchange,
  reply: ExchangeReply,
  binding: Pick<IdentifierBinding, 'newName'>,
): OutgoingReply {
  const { status, body, wire } = reply
  const trailers = replayableReplyHeaders(wire?.trailers ?? [])
  const about = currentIds(recorded, binding)
  return {
    status,
    headers: headersOf(reply),
    ...(body === undefined || status === 204 ? {} : { body }),
    ...(trailers.length > 0 ? { trailers } : {}),
    ...compact({ about }),
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' } as const

/** One near match, as shown in the response body. */
const candidateBody = ({
  recorded: { seq, operation, request, reply },
  because,
}: MatchExplanation['candidates'][number]) => ({
  exchange: seq,
  operation: operation ?? `${request.method} ${request.url}`,
  status: reply?.status ?? 0,
  because,
})

/** Default response to an unknown call: 501 with the reason and near matches. */
function notRecordedAnswer(
  { request, operation }: Exchange,
  recording: string,
  explanation: MatchExplanation | undefined,
): OutgoingReply {
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '').slice(0, 200)
  const message = `${recording} has no answer to ${operation ?? request.method} ${path}`
  const error = {
    code: 'NOT_RECORDED',
    message,
    ...(explanation
      ? { help: explanation.help, candidates: explanation.candidates.map(candidateBody) }
      : {}),
  }
  return { status: 501, headers: json, body: JSON.stringify({ error }) }
}

/** The headers of a live call that are compared with the recording, or that contain ids. */
const comparedNames = [
  'content-type',
  'x-request-id',
  'x-correlation-id',
  'idempotency-key',
  'x-idempotency-key',
  'x-app-id',
  'x-app-merchantid',
] as const

function comparedRequestHeaders({ header }: IncomingRequest): HeaderPairs {
  const pairs: (readonly [string, string])[] = []
  for (const name of comparedNames) {
    const value = header(name)
    if (value !== undefined) pairs.push([name, value])
  }
  return pairs
}

export interface Answerer {
  readonly answering: Responder
  /** To be called with every exchange that ends; also reports those that the host answered without us. */
  readonly onExchange: (exchange: Exchange) => void
  /** To be called when one of our recorded requests is sent. */
  readonly onSent: (recorded: RecordedExchange, intended: Instant) => void
  /** Number of requests of the service so far. */
  readonly callCount: () => number
  /** Number of calls that advanced the recording: no idle polls, no repetitions. */
  readonly progressCount: () => number
  /** Milliseconds since the first call. */
  readonly elapsedMs: () => number
  /** Reports recorded calls that were not made, except those already reported. */
  readonly reportUnused: (isReported: (recordId: string) => boolean) => void
}

/** Statuses of the host's own access checks, which precede the operation. */
const accessStatuses: ReadonlySet<number> = new Set([401, 429])

export function createAnswerer(options: AnswererOptions): Answerer {
  const { matcher, binding, subject, entities, now, t0, onMiss, onReplayed, edited } = options
  const from: Party = { role: subject, party: 'subject' }
  const forwarder = typeof onMiss === 'object' ? onMiss : undefined
  /** Time shift (ms) per entity: an order's own timestamps must not change from reply to reply. */
  const shifts = new Map<string, number>()
  /** Handlers of calls answered here whose exchanges have not ended yet, by method and URL. */
  const open = new Map<string, ((ended: Exchange) => void)[]>()
  let startedAt: Instant | undefined
  let count = 0
  let calls = 0
  let progress = 0
  let lastPlace = -1

  const began = (): Instant => (startedAt ??= now())

  function shiftOf(recorded: RecordedExchange, at: Instant): number {
    const about = entities(recorded)
    for (const entity of about) {
      const known = shifts.get(entity)
      if (known !== undefined) return known
    }
    const shift = Math.round(at - recorded.startedAt)
    for (const entity of about) shifts.set(entity, shift)
    return shift
  }

  function liveOf(
    request: IncomingRequest,
    route: OperationRoute | undefined,
    host: Role,
  ): Exchange {
    const orderId = route?.params['orderId']
    return {
      seq: ++count,
      startedAt: now(),
      tookMs: 0,
      from,
      to: { role: host, party: 'sparring' },
      ...(route ? { operation: route.row.id, params: route.params } : {}),
      ...compact({ orderId }),
      request: {
        method: request.method,
        url: `${options.base(host)}${request.target}`,
        headers: comparedRequestHeaders(request),
        ...(request.body === '' ? {} : { body: request.body }),
      },
    }
  }

  function report(replayed: ReplayedExchange): void {
    const { recorded } = replayed
    if (recorded) lastPlace = options.findRecorded(recorded.recordId)?.place ?? lastPlace
    onReplayed(replayed, recorded ? lastPlace : lastPlace + 0.5)
  }

  function markMade({ completed }: MatchResult): void {
    for (const each of completed) {
      progress++
      options.onCallMade(each)
    }
  }

  const because = ({
    because: reason,
    explanation,
  }: MatchResult): { readonly because?: string } => {
    const text = reason ?? explanation?.help
    return text === undefined ? {} : { because: text }
  }

  function answerUnknown(
    live: Exchange,
    request: IncomingRequest,
    found?: MatchResult,
  ): OutgoingReply | undefined {
    const row = (strategy: MatchStrategy, reply?: Exchange['reply'], reason?: string): void =>
      report({
        standing: 'extra',
        live: { ...live, ...compact({ reply }) },
        differences: [],
        strategy,
        ...(found ? because(found) : {}),
        ...compact({ because: reason }),
      })
    if (onMiss === 'synth') {
      onExchangeEnd(live, ({ reply }) => row('synth', reply))
      return undefined
    }
    if (forwarder) {
      const reason = `it was passed on to ${forwarder.target}`
      onExchangeEnd(live, ({ reply }) => row('forward', reply, reason))
      return passOn(forwarder, request)
    }
    const custom = typeof onMiss === 'function' ? onMiss(live, request) : undefined
    const answer = custom ?? notRecordedAnswer(live, options.recording, found?.explanation)
    row('miss', replyOf(answer))
    onExchangeEnd(live)
    return answer
  }

  function passOn(to: Forwarder, request: IncomingRequest): OutgoingReply {
    const later = to.forward(request)
    options.underWay(later)
    // Not to be remembered as the reply to this request id: the partner decides what a repetition is.
    return { status: 502, headers: {}, later }
  }

  /** Registers a handler for the end of this call's exchange; by default nothing more is reported for it. */
  function onExchangeEnd(
    { request }: Exchange,
    then: (ended: Exchange) => void = () => undefined,
  ): void {
    const key = `${request.method} ${request.url}`
    const others = open.get(key)
    if (others) others.push(then)
    else open.set(key, [then])
  }

  const replyOf = ({
    status,
    headers,
    body,
    trailers,
  }: OutgoingReply): NonNullable<Exchange['reply']> => ({
    status,
    headers: Object.entries(headers),
    ...compact({ body }),
    ...wireWithTrailers(trailers),
  })

  function answered(live: Exchange, found: MatchResult, recorded: RecordedExchange): OutgoingReply {
    const shift = shiftOf(recorded, live.startedAt)
    let conflicts = options.namesNewId(recorded.recordId) ? binding.learn(recorded, live) : []
    let reply = binding.reply(recorded, shift)
    if (!reply.ok) {
      // The call that should have introduced the id was never made.
      conflicts = binding.learn(recorded, live)
      reply = binding.reply(recorded, shift)
    }
    const { strategy, differences, renamed } = found
    if (!reply.ok) {
      const why = reply.error.because
      report({ standing: 'unresolved', recorded, live, differences, strategy, because: why })
      const explanation = { candidates: [], help: why }
      return notRecordedAnswer(live, options.recording, explanation)
    }
    const answer = recordedAnswer(recorded, reply.value, binding)
    const whole = { ...live, reply: replyOf(answer) }
    const { standing, because: trouble } = judgeExchange({
      recorded,
      live: whole,
      differences,
      conflicts,
    })
    report({
      standing: standing === 'same' && strategy === 'ahead' ? 'noise' : standing,
      recorded,
      live: whole,
      renamed: recorded.reply ? { ...renamed, reply: recorded.reply } : renamed,
      differences,
      strategy,
      ...because(found),
      ...compact({ because: trouble }),
    })
    return answer
  }

  function idle(recorded: RecordedExchange | undefined): OutgoingReply | undefined {
    options.onIdle()
    // The state machine knows the reply to a poll without events, and may have events of its own.
    if (!recorded || onMiss === 'synth') return undefined
    const reply = binding.reply(recorded, 0)
    return reply.ok ? recordedAnswer(recorded, reply.value, binding) : undefined
  }

  /** A call that the host rejected before we were asked; it may have been rejected in the recording as well. */
  function refused(exchange: Exchange): void {
    const at = now()
    const found = matcher.find(exchange, at - began(), began() - t0)
    const { recorded, strategy, renamed, idle: nothing } = found
    if (nothing) return options.onIdle()
    markMade(found)
    if (!recorded)
      return report({
        standing: 'extra',
        live: exchange,
        differences: [],
        strategy,
        ...because(found),
      })
    const live = binding.renamed(exchange, shiftOf(recorded, at))
    const differences = options.compare(recorded, live)
    const judged = judgeExchange({ recorded, live: exchange, differences, conflicts: [] })
    report({ ...judged, recorded, live: exchange, renamed, differences, strategy })
  }

  return {
    answering(request, route, host, caller) {
      if (!route) return forwarder && answerUnknown(liveOf(request, route, host), request)
      if (isHostIssued({ operation: route.row.id })) {
        if (route.row.handler.name === 'token.issue') forwarder?.onTokenRequest(request)
        return undefined
      }
      if (caller !== undefined && caller !== subject) return undefined
      const live = liveOf(request, route, host)
      const found = matcher.find(live, live.startedAt - began(), began() - t0)
      if (found.idle && !(forwarder && !found.recorded)) {
        onExchangeEnd(live)
        return idle(found.recorded)
      }
      markMade(found)
      if (!found.recorded) return answerUnknown(live, request, found)
      onExchangeEnd(live)
      return answered(live, found, edited(found.recorded))
    },
    onExchange(exchange) {
      if (exchange.from.role !== subject || exchange.to.party !== 'sparring') return
      calls++
      const key = `${exchange.request.method} ${exchange.request.url}`
      const waiting = open.get(key)
      const then = waiting?.shift()
      if (waiting?.length === 0) open.delete(key)
      if (then) return then(exchange)
      const { operation, reply } = exchange
      if (operation === undefined || isHostIssued(exchange) || !reply) return
      if (reply.status >= 400 && reply.status < 500 && !accessStatuses.has(reply.status))
        refused(exchange)
    },
    onSent(recorded, intended) {
      const at = now()
      shiftOf(recorded, intended)
      matcher.sent(recorded, at - began())
    },
    callCount: () => calls,
    progressCount: () => progress,
    elapsedMs: () => (startedAt === undefined ? 0 : now() - startedAt),
    reportUnused(isReported) {
      for (const recordId of matcher.unused()) {
        const known = isReported(recordId) ? undefined : options.findRecorded(recordId)
        if (!known) continue
        const { place } = known
        const recorded = edited(known.recorded)
        const why = isPollCall(recorded)
          ? 'your service did not poll for it'
          : 'your service did not make this call'
        onReplayed({ standing: 'missing', recorded, differences: [], because: why }, place)
      }
    },
  }
}
