/**
 * A reusable, flat slot for one exchange in the traffic log's ring buffer. Thousands of exchanges are held and soon
 * overwritten: as objects of their own they would be promoted to the old generation with their bodies, which is
 * collected seldom. A slot is promoted once, and its content is free as soon as it is overwritten.
 */
import { compact } from '../base/compact.ts'
import type { Instant } from '../engine/instant.ts'
import { type Exchange, type HeaderPairs, largeChars, type Wire } from './exchange.ts'

type OptionalMember =
  | 'operation'
  | 'params'
  | 'orderId'
  | 'eventIds'
  | 'attempt'
  | 'failure'
  | 'fault'
  | 'unparsed'
  | 'resendOf'
  | 'reason'
  | 'advice'
  | 'sentMs'
  | 'repliedMs'
  | 'wall'
  | 'trace'

type SlotFields = {
  [Key in Exclude<keyof Exchange, OptionalMember | 'request' | 'reply'>]: Exchange[Key]
} & { [Key in OptionalMember]: Exchange[Key] | undefined }

export interface ExchangeSlot extends SlotFields {
  /** In session time. */
  began: Instant
  ended: Instant
  method: string
  url: string
  sentHeaders: HeaderPairs
  sentBody: string | undefined
  sentWire: Wire | undefined
  /** 0 without a reply. */
  status: number
  gotHeaders: HeaderPairs
  gotBody: string | undefined
  gotWire: Wire | undefined
  /** Characters that count towards the limit of the log. */
  chars: number
}

const noHeaders: HeaderPairs = []

export const createExchangeSlot = ({ from, to }: Pick<Exchange, 'from' | 'to'>): ExchangeSlot => ({
  seq: 0,
  // Not whole numbers, so that V8 lays every slot out for fractions from the start.
  startedAt: 0.5,
  tookMs: 0.5,
  began: 0,
  ended: 0,
  from,
  to,
  operation: undefined,
  params: undefined,
  orderId: undefined,
  eventIds: undefined,
  attempt: undefined,
  failure: undefined,
  fault: undefined,
  unparsed: undefined,
  resendOf: undefined,
  reason: undefined,
  advice: undefined,
  sentMs: undefined,
  repliedMs: undefined,
  wall: undefined,
  trace: undefined,
  method: '',
  url: '',
  sentHeaders: noHeaders,
  sentBody: undefined,
  sentWire: undefined,
  status: 0,
  gotHeaders: noHeaders,
  gotBody: undefined,
  gotWire: undefined,
  chars: 0,
})

/** Overwrites the slot with an exchange. */
export function fillSlot(place: ExchangeSlot, exchange: Exchange): void {
  const { request, reply } = exchange
  place.seq = exchange.seq
  place.startedAt = exchange.startedAt
  place.tookMs = exchange.tookMs
  place.from = exchange.from
  place.to = exchange.to
  place.operation = exchange.operation
  place.params = exchange.params
  place.orderId = exchange.orderId
  place.eventIds = exchange.eventIds
  place.attempt = exchange.attempt
  place.failure = exchange.failure
  place.fault = exchange.fault
  place.unparsed = exchange.unparsed
  place.resendOf = exchange.resendOf
  place.reason = exchange.reason
  place.advice = exchange.advice
  place.sentMs = exchange.sentMs
  place.repliedMs = exchange.repliedMs
  place.wall = exchange.wall
  place.trace = exchange.trace
  place.method = request.method
  place.url = request.url
  place.sentHeaders = request.headers
  place.sentBody = request.body
  place.sentWire = request.wire
  place.status = reply?.status ?? 0
  place.gotHeaders = reply?.headers ?? noHeaders
  place.gotBody = reply?.body
  place.gotWire = reply?.wire
  place.chars = largeChars(exchange)
}

/** Releases what may be large and marks the slot as empty: sequence numbers begin at 1. */
export function clearSlot(place: ExchangeSlot): void {
  place.seq = 0
  place.chars = 0
  place.url = ''
  place.params = undefined
  place.eventIds = undefined
  place.reason = undefined
  place.advice = undefined
  place.trace = undefined
  place.sentHeaders = noHeaders
  place.gotHeaders = noHeaders
  place.sentBody = undefined
  place.gotBody = undefined
  place.sentWire = undefined
  place.gotWire = undefined
}

/** A message with `body` and `wire` only where they exist. */
function messageOf<Head extends object>(
  head: Head,
  body: string | undefined,
  wire: Wire | undefined,
): Head & { readonly body?: string; readonly wire?: Wire } {
  if (wire) return body === undefined ? { ...head, wire } : { ...head, body, wire }
  return body === undefined ? head : { ...head, body }
}

/** The exchange in a slot, without its absent optional members. */
export function exchangeFromSlot(place: ExchangeSlot): Exchange {
  const { operation, params, orderId, eventIds, attempt, failure, sentMs, repliedMs } = place
  const { fault, wall, unparsed, resendOf, reason, advice, trace } = place
  const { method, url, sentHeaders, status, gotHeaders } = place
  const request = { method, url, headers: sentHeaders }
  const reply = { status, headers: gotHeaders }
  return {
    seq: place.seq,
    startedAt: place.startedAt,
    tookMs: place.tookMs,
    ...compact({ sentMs, repliedMs, wall }),
    from: place.from,
    to: place.to,
    ...compact({ operation, params, orderId, eventIds, attempt }),
    request: messageOf(request, place.sentBody, place.sentWire),
    ...(status === 0 ? {} : { reply: messageOf(reply, place.gotBody, place.gotWire) }),
    ...compact({ failure, fault, unparsed, resendOf, reason, advice, trace }),
  }
}
