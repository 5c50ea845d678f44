/**
 * Answers calls of a service from a recording: matches each call to a recorded exchange by operation, entity and
 * entity version, returns the recorded reply with current ids and times, and reports the result of each.
 */
import type { TimeShift } from '../../core/traffic/entities/shift-times.ts'
import { compact } from '../../core/base/compact.ts'
import type { Instant } from '../../core/engine/instant.ts'
import type { Role } from '../../core/protocol/role.ts'
import { type Exchange, type HeaderPairs, type Party } from '../../core/traffic/exchange.ts'
import { comparedHeaderNames } from '../difference/document.ts'
import { isHostIssued } from '../difference/candidate-index.ts'
import { notRecordedAnswer, recordedAnswer } from './recorded-answer.ts'
import type { Refusals } from './refusals.ts'
import type { MatchResult, ExchangeMatcher } from '../difference/matcher.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { MatchStrategy, ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import type { AnsweredCall, Responder } from '../../core/runtime/server/responder.ts'
import {
  fieldPairs,
  type IncomingRequest,
  loggedContent,
  type OutgoingReply,
} from '../../core/runtime/server/messages.ts'
import type { OperationRoute } from '../../core/runtime/server/route-index.ts'
import type { Forwarder } from './forwarder.ts'
import { judgeExchange, unsentBodyText } from '../minimise/judge-exchange.ts'
import { isPollCall } from '../../core/traffic/polling.ts'
import type { IdentifierBinding } from '../../core/traffic/recording/binding.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { EditRecorded } from '../difference/edit-recording.ts'

/** Reply to a call that is not in the recording: from our state machine (`synth`), from the partner, or custom. */
export type OnMiss =
  | 'synth'
  | Forwarder
  | ((live: Exchange, request: IncomingRequest) => OutgoingReply | undefined)

/** What an answerer needs: the recording, its bindings, and what to do with a call that the recording does not have. */
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
  /** Paths under which a host was called when this was recorded. */
  readonly basePaths: (host: Role) => readonly string[]
  /** The recorded calls like this one, which is no operation of the protocol, in their order. */
  readonly foreignCalls: (live: Exchange) => readonly RecordedExchange[]
  readonly refusals: Refusals
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
  readonly compare: (
    recorded: RecordedExchange,
    renamed: Exchange,
    shift: TimeShift,
  ) => readonly Difference[]
  readonly onReplayed: (replayed: ReplayedExchange, place: number) => void
  /** Called for a poll without events, which is reported nowhere else. */
  readonly onIdle: () => void
  /** Called with a reply that is awaited: time must not pass it. */
  readonly underWay: (reply: Promise<unknown>) => void
  /** Called for each recorded call that the service has made. */
  readonly onCallMade: (recorded: RecordedExchange) => void
}

/** The headers of a live call that are compared with the recording, or that contain ids. */
const comparedNames = [
  ...comparedHeaderNames,
  'x-correlation-id',
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

/** Statuses of the host's own access checks, which precede the operation. */
const accessStatuses: ReadonlySet<number> = new Set([401, 429])

const because = ({ because: reason, explanation }: MatchResult): { readonly because?: string } => {
  const text = reason ?? explanation?.help
  return text === undefined ? {} : { because: text }
}

const replyOf = ({
  status,
  headers,
  ...content
}: OutgoingReply): NonNullable<Exchange['reply']> => ({
  status,
  headers: fieldPairs(headers),
  ...loggedContent(content),
})

export class Answerer {
  readonly #options: AnswererOptions
  readonly #from: Party
  readonly #forwarder: Forwarder | undefined
  /** Time shift per entity: an order's own timestamps must not change from reply to reply. */
  readonly #shifts = new Map<string, TimeShift>()
  /** Handlers of calls answered here whose exchanges have not ended yet, by method and URL. */
  readonly #open = new Map<string, ((ended: Exchange) => void)[]>()
  /** How often calls outside the protocol were answered, by the first that was recorded. */
  readonly #foreignTurns = new Map<string, number>()
  #startedAt: Instant | undefined
  #count = 0
  #calls = 0
  #progress = 0
  #lastPlace = -1
  #extraCount = 0
  /** Places of calls that we refused, which are reported at the end. */
  readonly #refusedPlaces = new WeakMap<Exchange, number>()

  constructor(options: AnswererOptions) {
    this.#options = options
    this.#from = { role: options.subject, party: 'subject' }
    this.#forwarder = typeof options.onMiss === 'object' ? options.onMiss : undefined
    this.answering = Object.assign(this.#answer, { basePaths: options.basePaths })
  }

  readonly answering: Responder

  readonly #answer = (
    request: IncomingRequest,
    route: OperationRoute | undefined,
    { host, caller, isInvalid }: AnsweredCall,
  ): OutgoingReply | undefined => {
    if (!route) {
      const live = this.#liveOf(request, route, host)
      return this.#foreign(live) ?? (this.#forwarder && this.#answerUnknown(live, request))
    }
    if (isHostIssued({ operation: route.row.id })) {
      if (route.row.handler.name === 'token.issue') this.#forwarder?.onTokenRequest(request)
      return undefined
    }
    if (caller !== undefined && caller !== this.#options.subject) return undefined
    const live = this.#liveOf(request, route, host)
    const found = this.#options.matcher.find(
      live,
      live.startedAt - this.#began(),
      this.shiftOfAll(),
    )
    if (found.idle && !(this.#forwarder && !found.recorded)) {
      this.#onExchangeEnd(live)
      return this.#idle(found.recorded)
    }
    this.#markMade(found)
    // Our world refuses an invalid body that the recording does not have.
    if (!found.recorded && isInvalid && !this.#forwarder) return undefined
    if (!found.recorded) return this.#answerUnknown(live, request, found)
    this.#onExchangeEnd(live)
    return this.#answered(live, found, this.#options.edited(found.recorded))
  }

  /** To be called with every exchange that ends; also reports those that the host answered without us. */
  onExchange(exchange: Exchange): void {
    if (exchange.from.role !== this.#options.subject || exchange.to.party !== 'sparring') return
    this.#calls++
    const key = `${exchange.request.method} ${exchange.request.url}`
    const waiting = this.#open.get(key)
    const then = waiting?.shift()
    if (waiting?.length === 0) this.#open.delete(key)
    const { operation, reply, reason } = exchange
    if (then) {
      if (operation !== undefined && reply) this.#takeAnswered(exchange)
      return then(exchange)
    }
    if (
      operation === undefined &&
      reply?.status === 404 &&
      this.#options.foreignCalls(exchange).length === 0
    )
      return this.#report({
        standing: 'extra',
        live: exchange,
        differences: [],
        strategy: 'miss',
        because: reason ?? 'it is no operation of the protocol',
      })
    if (operation === undefined || !reply) return
    if (this.#takeAnswered(exchange)) return this.#reportRefusal(exchange)
    if (isHostIssued(exchange)) return
    if (reply.status >= 400 && reply.status < 500 && !accessStatuses.has(reply.status))
      this.#refused(exchange)
  }

  /** Whether we have refused a call as the recording does not. */
  #takeAnswered(exchange: Exchange): boolean {
    const { binding, refusals } = this.#options
    if (exchange.reply?.status === 401) this.#refusedPlaces.set(exchange, this.#nextPlace())
    return refusals.take(exchange, binding.renamed(exchange, this.shiftOfAll()))
  }

  /** A refused token keeps it from everything: what it would do then is not known. */
  #reportRefusal(live: Exchange): void {
    this.#report({
      standing: isHostIssued(live) ? 'auth' : 'extra',
      live,
      differences: [],
      strategy: 'miss',
      because: `we refused it with 401, which the recording does not${live.reason === undefined ? '' : `: ${live.reason}`}`,
    })
  }

  /** Reports calls that were refused and never made again. */
  reportUnretried(): void {
    for (const live of this.#options.refusals.unretried()) this.#reportRefusal(live)
  }

  /** To be called when one of our recorded requests is sent. */
  onSent(recorded: RecordedExchange, intended: Instant): void {
    const at = this.#options.now()
    this.#shiftOf(recorded, intended)
    this.#options.matcher.sent(recorded, at - this.#began())
  }

  /** Number of requests of the service so far. */
  callCount(): number {
    return this.#calls
  }

  /** Number of calls that advanced the recording: no idle polls, no repetitions. */
  progressCount(): number {
    return this.#progress
  }

  /** Milliseconds since the first call. */
  elapsedMs(): number {
    return this.#startedAt === undefined ? 0 : this.#options.now() - this.#startedAt
  }

  /** Reports recorded calls that were not made, except those already reported. */
  reportUnused(isReported: (recordId: string) => boolean): void {
    for (const recordId of this.#options.matcher.unused()) {
      const known = isReported(recordId) ? undefined : this.#options.findRecorded(recordId)
      if (!known) continue
      const { place } = known
      const recorded = this.#options.edited(known.recorded)
      const why = isPollCall(recorded)
        ? 'your service did not poll for it'
        : 'your service did not make this call'
      this.#options.onReplayed(
        { standing: 'missing', recorded, differences: [], because: why },
        place,
      )
    }
  }

  /** The shift of what the service calls: from the begin of the recording to its first call. */
  shiftOfAll(): TimeShift {
    const from = this.#options.t0
    return { shiftMs: this.#began() - from, from }
  }

  #began(): Instant {
    return (this.#startedAt ??= this.#options.now())
  }

  #shiftOf(recorded: RecordedExchange, at: Instant): TimeShift {
    const about = this.#options.entities(recorded)
    for (const entity of about) {
      const known = this.#shifts.get(entity)
      if (known !== undefined) return known
    }
    const from = recorded.startedAt
    const shift = { shiftMs: Math.floor(at - from), from }
    for (const entity of about) this.#shifts.set(entity, shift)
    return shift
  }

  #liveOf(request: IncomingRequest, route: OperationRoute | undefined, host: Role): Exchange {
    const orderId = route?.params['orderId']
    return {
      seq: ++this.#count,
      startedAt: this.#options.now(),
      tookMs: 0,
      from: this.#from,
      to: { role: host, party: 'sparring' },
      ...(route ? { operation: route.row.id, params: route.params } : {}),
      ...compact({ orderId }),
      request: {
        method: request.method,
        url: `${this.#options.base(host)}${request.target}`,
        headers: comparedRequestHeaders(request),
        ...(request.body === '' ? {} : loggedContent(request)),
      },
    }
  }

  #report(replayed: ReplayedExchange): void {
    const { recorded, live } = replayed
    if (recorded)
      this.#lastPlace = this.#options.findRecorded(recorded.recordId)?.place ?? this.#lastPlace
    const refusedPlace = live && this.#refusedPlaces.get(live)
    const place = recorded ? this.#lastPlace : (refusedPlace ?? this.#nextPlace())
    this.#options.onReplayed(replayed, place)
  }

  /** Of a call that is not recorded: between two recorded ones, after those that came before it. */
  #nextPlace(): number {
    return this.#lastPlace + 1 - 1 / (++this.#extraCount + 1)
  }

  #markMade({ completed }: MatchResult): void {
    for (const each of completed) {
      this.#progress++
      this.#options.onCallMade(each)
    }
  }

  /** The answer to a call outside the protocol, as recorded: each in its turn, then the last. Our host refuses it by itself. */
  #foreign(live: Exchange): OutgoingReply | undefined {
    const recorded = this.#options.foreignCalls(live).filter(({ reply }) => reply?.status !== 404)
    const key = recorded[0]?.recordId ?? ''
    const turn = this.#foreignTurns.get(key) ?? 0
    const next = recorded[turn] ?? recorded.at(-1)
    if (!next) return undefined
    const reply = this.#options.binding.reply(next, this.#shiftOf(next, live.startedAt))
    if (!reply.ok) return undefined
    this.#foreignTurns.set(key, turn + 1)
    const answer = recordedAnswer(next, reply.value, this.#options.binding)
    this.#report({
      standing: 'same',
      recorded: next,
      live: { ...live, reply: replyOf(answer) },
      differences: [],
      strategy: turn < recorded.length ? 'exact' : 'repeat',
    })
    this.#onExchangeEnd(live)
    return answer
  }

  #answerUnknown(
    live: Exchange,
    request: IncomingRequest,
    found?: MatchResult,
  ): OutgoingReply | undefined {
    const { onMiss } = this.#options

    const row = (strategy: MatchStrategy, reply?: Exchange['reply'], reason?: string): void =>
      this.#report({
        standing: 'extra',
        live: { ...live, ...compact({ reply }) },
        differences: [],
        strategy,
        ...(found ? because(found) : {}),
        ...compact({ because: reason }),
      })
    if (onMiss === 'synth') {
      this.#onExchangeEnd(live, ({ reply }) => row('synth', reply))
      return undefined
    }
    if (this.#forwarder) {
      const reason = `it was passed on to ${this.#forwarder.target}`
      this.#onExchangeEnd(live, ({ reply }) => row('forward', reply, reason))
      return this.#passOn(this.#forwarder, request)
    }
    const custom = typeof onMiss === 'function' ? onMiss(live, request) : undefined
    const answer = custom ?? notRecordedAnswer(live, this.#options.recording, found?.explanation)
    row('miss', replyOf(answer))
    this.#onExchangeEnd(live)
    return answer
  }

  #passOn(to: Forwarder, request: IncomingRequest): OutgoingReply {
    const later = to.forward(request)
    this.#options.underWay(later)
    // Not to be remembered as the reply to this request id: the partner decides what a repetition is.
    return { status: 502, headers: {}, later }
  }

  /** Registers a handler for the end of this call's exchange; by default nothing more is reported for it. */
  #onExchangeEnd({ request }: Exchange, then: (ended: Exchange) => void = () => undefined): void {
    const key = `${request.method} ${request.url}`
    const others = this.#open.get(key)
    if (others) others.push(then)
    else this.#open.set(key, [then])
  }

  #answered(live: Exchange, found: MatchResult, recorded: RecordedExchange): OutgoingReply {
    const { binding } = this.#options

    const shift = this.#shiftOf(recorded, live.startedAt)
    const isNew = this.#options.namesNewId(recorded.recordId)
    let conflicts = isNew ? binding.learn(recorded, live) : []
    let reply = binding.reply(recorded, shift)
    if (!reply.ok) {
      // The call that should have introduced the id was never made.
      conflicts = binding.learn(recorded, live)
      reply = binding.reply(recorded, shift)
    }
    const { strategy } = found
    const { renamed, differences } = isNew ? this.#comparedAgain(live, found) : found
    if (!reply.ok) {
      const why = reply.error.because
      this.#report({ standing: 'unresolved', recorded, live, differences, strategy, because: why })
      const explanation = { candidates: [], help: why }
      return notRecordedAnswer(live, this.#options.recording, explanation)
    }
    const answer = recordedAnswer(recorded, reply.value, binding)
    const whole = { ...live, reply: replyOf(answer) }
    const unsent = recorded.reply && unsentBodyText(recorded.reply, reply.value)
    const { standing, because: trouble } = judgeExchange({
      recorded,
      live: whole,
      differences,
      conflicts,
    })
    this.#report({
      standing: standing === 'same' && (strategy === 'ahead' || unsent) ? 'noise' : standing,
      recorded,
      live: whole,
      renamed: recorded.reply ? { ...renamed, reply: recorded.reply } : renamed,
      differences,
      strategy,
      ...because(found),
      ...compact({ because: trouble ?? unsent }),
    })
    return answer
  }

  /** With the ids that were learned from it. */
  #comparedAgain(
    live: Exchange,
    { recorded }: MatchResult,
  ): Pick<MatchResult, 'renamed' | 'differences'> {
    const renamed = this.#options.binding.renamed(live, this.shiftOfAll())
    const differences = recorded ? this.#options.matcher.asked(recorded, renamed) : []
    return { renamed, differences }
  }

  #idle(recorded: RecordedExchange | undefined): OutgoingReply | undefined {
    const { onMiss, binding } = this.#options

    this.#options.onIdle()
    // The state machine knows the reply to a poll without events, and may have events of its own.
    if (!recorded || onMiss === 'synth') return undefined
    const reply = binding.reply(recorded, { shiftMs: 0 })
    return reply.ok ? recordedAnswer(recorded, reply.value, binding) : undefined
  }

  /** A call that the host rejected before we were asked; it may have been rejected in the recording as well. */
  #refused(exchange: Exchange): void {
    const at = this.#options.now()
    const found = this.#options.matcher.find(exchange, at - this.#began(), this.shiftOfAll())
    const { recorded, strategy, idle: nothing } = found
    if (nothing) return this.#options.onIdle()
    this.#markMade(found)
    if (!recorded)
      return this.#report({
        standing: 'extra',
        live: exchange,
        differences: [],
        strategy,
        ...because(found),
      })
    const { binding, namesNewId } = this.#options
    const conflicts = namesNewId(recorded.recordId) ? binding.learn(recorded, exchange) : []
    const shift = this.#shiftOf(recorded, at)
    const live = binding.renamed(exchange, shift)
    const differences = this.#options.compare(recorded, live, shift)
    const judged = judgeExchange({ recorded, live: exchange, differences, conflicts })
    this.#report({ ...judged, recorded, live: exchange, renamed: live, differences, strategy })
  }
}
