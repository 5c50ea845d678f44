/**
 * One call of ours as one exchange: faults in force have their way with it, it goes out, and it is written down, whatever
 * came of it. Who calls, and what is made of the answer, is the business of whoever asks for it.
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
  /** How a call waits that a fault holds back. */
  readonly pause: Pause
  /** Aborted when the world that the calls come from is no more. */
  readonly struck: AbortSignal
  /** Whether it is the session's time that passes while the subject is waited for. */
  readonly patient: () => boolean
}

/** A call as far as its exchange tells of it; one outside the protocol has no operation, and no fault means it. */
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
  /** What a body is signed with, for one that a fault changes. */
  readonly sign?: (body: string) => Readonly<Record<string, string>>
}

/** What came of it: a reply or an error, and the exchange as it was written down. */
export interface Exchanged {
  /** None where the other end is ours: a role that we play writes down what arrives. */
  readonly exchange?: Exchange
  readonly reply?: InboundReply
  readonly error?: unknown
  /** A stranger made the call in our name, by a fault: the answer says nothing of ours. */
  readonly forged?: true
}

/** Never rejects. */
export type Exchanger = (calls: Calls, to: Destination) => Promise<Exchanged>

/** A request as it is written down. */
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

  /** How long the subject is waited for, on whose clock. */
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
    // What we hold back has not begun: nobody waits for the subject meanwhile.
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
