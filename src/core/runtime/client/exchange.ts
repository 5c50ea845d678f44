/**
 * Performs one outbound call as one exchange: applies active faults, sends it, and adds it to the traffic log whether
 * it succeeds or fails. The caller interprets the reply.
 */
import { compact } from '../../base/compact.ts'
import { type OutgoingCall, trialText } from '../../engine/calls/call.ts'
import type { Engine } from '../../engine/engine.ts'
import { callDiagnosis } from '../../rules/diagnosis/calls/catalogue.ts'
import { operation, type OperationId } from '../../protocol/catalogue.ts'
import {
  type Exchange,
  type ExchangeRequest,
  hasSucceeded,
  type SpanIds,
} from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import { plainReason } from '../../traffic/stated-reason.ts'
import { type CallFaults, createCallFaults, requestAsReceived } from './call-faults.ts'
import { failedOutcome } from './call-outcome.ts'
import { wallNow } from '../clock/clock.ts'
import type { CallPointParts } from '../server/fault-points.ts'
import type { SignedParts } from './signature.ts'
import {
  bodilessStatuses,
  type InboundReply,
  loggedContent,
  type OutboundRequest,
  type SendOptions,
} from '../server/messages.ts'
import type { Pause } from '../clock/pauses.ts'
import type { WorldTracer } from '../tracing/world-tracer.ts'
import type { Destination } from './destinations.ts'
import { addBounded } from '../../engine/bounded.ts'

const maxTokens = 1000

type Headers = Pick<OutboundRequest, 'headers'>

/**
 * What is no answer of a service that we end and start again: none while its process is down or starts, and a 401 to a
 * token that the process before has issued.
 */
class SubjectRestarts {
  #isAway = false
  #isDown = false
  readonly #tokens = { before: new Set<string>(), since: new Set<string>() }

  constructor({ onFact }: Pick<Engine, 'onFact'>) {
    onFact(({ fact }) => {
      if (fact.kind === 'session.subject-ended') this.#isDown = true
      else if (fact.kind === 'session.subject-renewed') this.#begin()
      else return
      this.#isAway = true
    })
  }

  /** A call is sent: what its token is of is known, whatever becomes of the call. */
  sent({ headers: { authorization: token } }: Headers): void {
    const { before, since } = this.#tokens
    if (token !== undefined && !before.has(token)) addBounded(since, token, maxTokens)
  }

  /** Why it did not answer the call as it would have, for the label of the exchange. */
  excuseOf({ headers }: Headers, { reply }: Pick<Exchange, 'reply'>): string | undefined {
    if (!reply) return this.#isAway ? 'restart: your service is down' : undefined
    // What is asked to end may still answer.
    this.#isAway = this.#isDown
    return reply.status === 401 && this.#tokens.before.has(headers['authorization'] ?? '')
      ? 'restart: the token is of the process before'
      : undefined
  }

  #begin(): void {
    this.#isDown = false
    const { before, since } = this.#tokens
    for (const token of since) addBounded(before, token, maxTokens)
    since.clear()
  }
}

export interface ExchangerOptions {
  readonly engine: Engine
  readonly log: TrafficLog
  /** Delays a call that a fault holds back. */
  readonly pause: Pause
  /** Aborted when the world that the calls belong to is stopped. */
  readonly worldStopped: AbortSignal
  /** Gives each call its span, in a session that is traced. */
  readonly tracer?: WorldTracer | undefined
  /** Whether timeouts for the subject run on the session's clock instead of the wall clock. */
  readonly usesSessionClock: () => boolean
}

/**
 * The members of a call that its exchange needs; one outside the protocol has no operation, and no fault matches it.
 */
export interface ExchangeCall extends Pick<
  OutgoingCall,
  'from' | 'to' | 'params' | 'attempt' | 'eventId' | 'body' | 'trial'
> {
  readonly operation?: OperationId
  /** Absent for a call that the engine has not planned. */
  readonly id?: number
}

/** The event that a call hands over. */
interface HandedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId?: string
  readonly merchantId?: string
}

export interface OutboundExchange {
  readonly call: ExchangeCall
  readonly request: OutboundRequest
  readonly event?: HandedEvent | undefined
  readonly orderId?: string | undefined
  /** Signature headers of a body, for one that a fault changes. */
  readonly sign?: (parts: SignedParts) => Readonly<Record<string, string>>
}

/** A reply or an error, and the exchange as it was logged. */
export interface ExchangeResult {
  /** Absent where the receiver is a role that we play: that side logs the exchange. */
  readonly exchange?: Exchange
  readonly reply?: InboundReply
  readonly error?: unknown
  /** A fault forged the call: its reply says nothing about the true call. */
  readonly forged?: true
}

/** Never rejects. */
export type Exchanger = (outbound: OutboundExchange, to: Destination) => Promise<ExchangeResult>

/** A request as it is logged. */
const loggedRequest = ({ method, url, headers, ...content }: OutboundRequest): ExchangeRequest => ({
  method,
  url,
  headers: Object.entries(headers),
  ...loggedContent(content),
})

const strayBodyAdvice = (status: number): string =>
  !bodilessStatuses.has(status)
    ? 'your service sends more bytes behind its reply than its head says (RFC 9112, 6.3): they were ignored, and the connection closed; Content-Length counts the bytes of the body in UTF-8, not its characters'
    : `your service sends a body with status ${status}, which has none (RFC 9112, 6.3): it was ignored, and the connection closed; leave out the body, or answer 200`

const isOfProtocol = (call: ExchangeCall): call is ExchangeCall & CallPointParts =>
  call.operation !== undefined

export class OutboundExchanger {
  readonly #options: ExchangerOptions
  readonly #faults: CallFaults
  readonly #restarts: SubjectRestarts | undefined

  constructor(options: ExchangerOptions) {
    this.#options = options
    const { engine, pause, worldStopped } = options
    this.#faults = createCallFaults({ engine, pause, worldStopped })
    this.#restarts = engine.settings.startsSubject ? new SubjectRestarts(engine) : undefined
  }

  async exchange(outbound: OutboundExchange, to: Destination): Promise<ExchangeResult> {
    const { call, event, sign = () => ({}) } = outbound
    const traced = this.#options.tracer?.startCall(call, outbound.request)
    const composed = traced?.request ?? outbound.request
    if (to.party === 'sparring') return this.#callOwnRole(call, composed, to, traced?.trace)
    const faulty = to.party === 'subject' && this.#options.engine.world.faults.live.size > 0
    // A delayed call has not begun: `startedAt` is taken after the delay.
    const hit =
      faulty && isOfProtocol(call) ? await this.#faults.triggerFault(call, event) : undefined
    const request = hit ? this.#faults.alterRequest(composed, hit, sign) : composed
    if (to.party === 'subject') this.#restarts?.sent(request)
    const startedAt = wallNow()
    const orderId = outbound.orderId ?? call.params?.['orderId'] ?? event?.orderId
    const draftWith = (end: Pick<Exchange, 'reply' | 'failure'>) => ({
      from: { role: call.from, party: 'sparring' as const },
      to: { role: call.to, party: to.party },
      ...compact({ operation: call.operation }),
      attempt: call.attempt,
      ...compact({ params: call.params, orderId }),
      ...(event ? { eventIds: [event.eventId] } : {}),
      request: loggedRequest(requestAsReceived(request, end.failure?.code ?? '')),
      ...end,
      ...(hit ? { fault: hit.fault } : {}),
      ...(traced ? { trace: traced.trace } : {}),
    })
    const seq = this.#options.log.begin({ startedAt, soFar: () => draftWith({}) })
    /** What a fault did is no mistake of the service. */
    const diagnosisOf = (end: Pick<Exchange, 'reply' | 'failure'>) => {
      if (hit || to.party !== 'subject') return {}
      const trial = trialText(call)
      if (trial !== undefined && end.reply && hasSucceeded(end.reply)) return { advice: trial }
      // It is right to refuse it: its own words say why.
      if (trial !== undefined && end.reply && end.reply.status < 500)
        return { reason: [trial, plainReason(end)].filter(Boolean).join('; ') }
      const diagnosis = callDiagnosis({
        ...end,
        from: call.from,
        method: request.method,
        url: request.url,
        ...(call.operation === undefined ? {} : { row: operation(call.operation) }),
        hasToken: request.headers['authorization'] !== undefined,
        settings: this.#options.engine.settings,
      })
      return trial !== undefined && end.reply
        ? { ...diagnosis, reason: [trial, diagnosis.reason].filter(Boolean).join('; ') }
        : diagnosis
    }
    const logExchange = (
      end: Pick<Exchange, 'reply' | 'failure'>,
      stray: Pick<Exchange, 'advice'> = {},
    ): Exchange => {
      const excuse =
        hit || to.party !== 'subject' ? undefined : this.#restarts?.excuseOf(request, end)
      return this.#options.log.add({
        seq,
        startedAt,
        tookMs: wallNow() - startedAt,
        ...draftWith(end),
        ...(to.party === 'subject' && !hit ? stray : {}),
        ...(excuse === undefined ? diagnosisOf(end) : { fault: excuse }),
      })
    }
    try {
      const timeoutOption = to.party === 'subject' ? this.#sessionTimeout() : {}
      const reply = hit
        ? await this.#faults.send(to.transport, request, hit, timeoutOption)
        : await to.transport(request, timeoutOption)
      const { status, headers, body, hasStrayBody, ...rest } = reply
      const received = {
        reply: { status, headers, ...loggedContent({ ...rest, ...(body === '' ? {} : { body }) }) },
      }
      const forged = hit?.distortion.forged ? { forged: true as const } : {}
      const stray = hasStrayBody ? { advice: strayBodyAdvice(status) } : {}
      return { reply, exchange: logExchange(received, stray), ...forged }
    } catch (error) {
      const { code, message } = failedOutcome(error)
      return { error, exchange: logExchange({ failure: { code, message } }) }
    }
  }

  /** The timeout for the subject on the session's clock, where it uses that. */
  #sessionTimeout(): SendOptions {
    return this.#options.usesSessionClock()
      ? {
          timeout: (ms, enough) =>
            this.#options.pause({ whose: 'call', ms, text: 'the time-out of a call', enough }),
        }
      : {}
  }

  /** A call between two roles that we play: its receiver logs it, and its caller has a span of its own. */
  async #callOwnRole(
    call: ExchangeCall,
    request: OutboundRequest,
    to: Destination,
    trace: SpanIds | undefined,
  ): Promise<ExchangeResult> {
    const startedAt = wallNow()
    const ended = (end: Pick<Exchange, 'reply' | 'failure'>): void => {
      if (!this.#options.tracer || !trace) return
      this.#options.tracer.callerSaw({
        seq: 0,
        startedAt,
        tookMs: wallNow() - startedAt,
        from: { role: call.from, party: 'sparring' },
        to: { role: call.to, party: 'sparring' },
        ...compact({ operation: call.operation, orderId: call.params?.['orderId'] }),
        attempt: call.attempt,
        request: loggedRequest(request),
        ...end,
        trace,
      })
    }
    try {
      const reply = await to.transport(request)
      ended({ reply: { status: reply.status, headers: reply.headers } })
      return { reply }
    } catch (error) {
      const { code, message } = failedOutcome(error)
      ended({ failure: { code, message } })
      return { error }
    }
  }
}
