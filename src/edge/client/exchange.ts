/**
 * Performs one outbound call as one exchange: applies active faults, sends it, and adds it to the traffic log whether it
 * succeeds or fails. The caller interprets the reply.
 */
import { compact } from '../../compact.ts'
import type { OutgoingCall } from '../../engine/calls/call.ts'
import type { Engine } from '../../engine/engine.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Exchange, ExchangeRequest } from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import { arrivedOf, createCallFaults } from './call-faults.ts'
import { failure } from './call-outcome.ts'
import { wallNow } from '../clock/clock.ts'
import type { CallParts } from '../server/fault-points.ts'
import type { InboundReply, OutboundRequest, Sending } from '../server/messages.ts'
import type { Pause } from '../clock/pauses.ts'
import type { Destination } from './destinations.ts'

export interface ExchangerOptions {
  readonly engine: Engine
  readonly log: TrafficLog
  /** Delays a call that a fault holds back. */
  readonly pause: Pause
  /** Aborted when the world that the calls belong to is stopped. */
  readonly struck: AbortSignal
  /** Whether timeouts for the subject run on the session's clock instead of the wall clock. */
  readonly patient: () => boolean
}

/** The members of a call that its exchange needs; one outside the protocol has no operation, and no fault matches it. */
export interface Calling extends Pick<
  OutgoingCall,
  'from' | 'to' | 'params' | 'attempt' | 'eventId' | 'body'
> {
  readonly operation?: OperationId
}

/** The event that a call hands over. */
interface HandedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId?: string
  readonly merchantId?: string
}

export interface Calls {
  readonly call: Calling
  readonly request: OutboundRequest
  readonly event?: HandedEvent | undefined
  readonly orderId?: string | undefined
  /** Signature headers of a body, for one that a fault changes. */
  readonly sign?: (body: string) => Readonly<Record<string, string>>
}

/** A reply or an error, and the exchange as it was logged. */
export interface Exchanged {
  /** Absent where the receiver is a role that we play: that side logs the exchange. */
  readonly exchange?: Exchange
  readonly reply?: InboundReply
  readonly error?: unknown
  /** A fault forged the call: its reply says nothing about the true call. */
  readonly forged?: true
}

/** Never rejects. */
export type Exchanger = (calls: Calls, to: Destination) => Promise<Exchanged>

/** A request as it is logged. */
const written = ({ method, url, headers, body }: OutboundRequest): ExchangeRequest => ({
  method,
  url,
  headers: Object.entries(headers),
  ...compact({ body }),
})

const isOfProtocol = (call: Calling): call is Calling & CallParts => call.operation !== undefined

export function createExchanger(options: ExchangerOptions): Exchanger {
  const { engine, log, pause, struck } = options
  const faults = createCallFaults({ engine, pause, struck })

  /** The timeout for the subject on the session's clock, where it uses that. */
  const patience = (): Sending =>
    options.patient()
      ? {
          patience: (ms, enough) =>
            pause({ whose: 'call', ms, text: 'the time-out of a call', enough }),
        }
      : {}

  return async (calls, to) => {
    const { call, event, sign = () => ({}) } = calls
    if (to.party === 'sparring')
      return to.reach(calls.request).then(
        (reply) => ({ reply }),
        (error: unknown) => ({ error }),
      )
    const faulty = to.party === 'subject' && engine.world.faults.live.size > 0
    // A delayed call has not begun: `startedAt` is taken after the delay.
    const met = faulty && isOfProtocol(call) ? await faults.meet(call, event) : undefined
    const request = met ? faults.altered(calls.request, met, sign) : calls.request
    const startedAt = wallNow()
    const orderId = calls.orderId ?? call.params?.['orderId'] ?? event?.orderId
    const known = (end: Pick<Exchange, 'reply' | 'failure'>) => ({
      from: { role: call.from, party: 'sparring' as const },
      to: { role: call.to, party: to.party },
      ...compact({ operation: call.operation }),
      attempt: call.attempt,
      ...compact({ params: call.params, orderId }),
      ...(event ? { eventIds: [event.eventId] } : {}),
      request: written(arrivedOf(request, end.failure?.code ?? '')),
      ...end,
      ...(met ? { fault: met.fault } : {}),
    })
    const seq = log.begin({ startedAt, soFar: () => known({}) })
    const exchanged = (end: Pick<Exchange, 'reply' | 'failure'>): Exchange => {
      const exchange = { seq, startedAt, tookMs: wallNow() - startedAt, ...known(end) }
      log.add(exchange)
      return exchange
    }
    try {
      const waiting = to.party === 'subject' ? patience() : {}
      const reply = met
        ? await faults.send(to.reach, request, met, waiting)
        : await to.reach(request, waiting)
      const { status, headers, body } = reply
      const told = { reply: { status, headers, ...(body === '' ? {} : { body }) } }
      const forged = met?.distortion.forged ? { forged: true as const } : {}
      return { reply, exchange: exchanged(told), ...forged }
    } catch (error) {
      const { code, message } = failure(error)
      return { error, exchange: exchanged({ failure: { code, message } }) }
    }
  }
}
