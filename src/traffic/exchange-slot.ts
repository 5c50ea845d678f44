/**
 * An exchange in memory, laid out flat in a place that is used again and again. Thousands are kept at any time, and each
 * is soon overwritten: as objects of their own they would grow old before they go, and what is old is collected seldom,
 * with the bodies that it holds. A place grows old once, and what leaves it is free at once.
 */
import type { Instant } from '../engine/instant.ts'
import type { Exchange, HeaderPairs, Wire } from './exchange.ts'

type Optional =
  | 'operation'
  | 'params'
  | 'orderId'
  | 'eventIds'
  | 'attempt'
  | 'failure'
  | 'fault'
  | 'sentMs'
  | 'repliedMs'

type Kept = {
  [Key in Exclude<keyof Exchange, Optional | 'request' | 'reply'>]: Exchange[Key]
} & { [Key in Optional]: Exchange[Key] | undefined }

export interface Place extends Kept {
  /** In the session's time. */
  began: Instant
  ended: Instant
  method: string
  url: string
  sentHeaders: HeaderPairs
  sentBody: string | undefined
  sentWire: Wire | undefined
  /** 0 when there was no reply. */
  status: number
  gotHeaders: HeaderPairs
  gotBody: string | undefined
  gotWire: Wire | undefined
}

const noHeaders: HeaderPairs = []

/** The letters of its bodies: by far the most of what it takes. */
export const lettersIn = ({ sentBody, gotBody, sentWire, gotWire }: Place): number =>
  (sentBody?.length ?? 0) +
  (gotBody?.length ?? 0) +
  (sentWire?.base64?.length ?? 0) +
  (gotWire?.base64?.length ?? 0)

export const createPlace = ({ from, to }: Pick<Exchange, 'from' | 'to'>): Place => ({
  seq: 0,
  // Not whole, so that every place is laid out for fractions from the start.
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
  sentMs: undefined,
  repliedMs: undefined,
  method: '',
  url: '',
  sentHeaders: noHeaders,
  sentBody: undefined,
  sentWire: undefined,
  status: 0,
  gotHeaders: noHeaders,
  gotBody: undefined,
  gotWire: undefined,
})

/** Puts an exchange where another was, or none yet. */
export function putIn(place: Place, exchange: Exchange): void {
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
  place.sentMs = exchange.sentMs
  place.repliedMs = exchange.repliedMs
  place.method = request.method
  place.url = request.url
  place.sentHeaders = request.headers
  place.sentBody = request.body
  place.sentWire = request.wire
  place.status = reply?.status ?? 0
  place.gotHeaders = reply?.headers ?? noHeaders
  place.gotBody = reply?.body
  place.gotWire = reply?.wire
}

/** Lets go of the exchange in a place before another comes: no number is 0, and what is left is small. */
export function empty(place: Place): void {
  place.seq = 0
  place.sentBody = undefined
  place.gotBody = undefined
  place.sentWire = undefined
  place.gotWire = undefined
}

/** A message again, without the members that it did not have. */
function messageOf<Head extends object>(
  head: Head,
  body: string | undefined,
  wire: Wire | undefined,
): Head & { readonly body?: string; readonly wire?: Wire } {
  if (wire) return body === undefined ? { ...head, wire } : { ...head, body, wire }
  return body === undefined ? head : { ...head, body }
}

/** The exchange again, without members that it did not have. */
export function exchangeIn(place: Place): Exchange {
  const { operation, params, orderId, eventIds, attempt, failure, sentMs, repliedMs } = place
  const { fault } = place
  const { method, url, sentHeaders, status, gotHeaders } = place
  const request = { method, url, headers: sentHeaders }
  const reply = { status, headers: gotHeaders }
  return {
    seq: place.seq,
    startedAt: place.startedAt,
    tookMs: place.tookMs,
    ...(sentMs === undefined ? {} : { sentMs }),
    ...(repliedMs === undefined ? {} : { repliedMs }),
    from: place.from,
    to: place.to,
    ...(operation === undefined ? {} : { operation }),
    ...(params === undefined ? {} : { params }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(eventIds === undefined ? {} : { eventIds }),
    ...(attempt === undefined ? {} : { attempt }),
    request: messageOf(request, place.sentBody, place.sentWire),
    ...(status === 0 ? {} : { reply: messageOf(reply, place.gotBody, place.gotWire) }),
    ...(failure === undefined ? {} : { failure }),
    ...(fault === undefined ? {} : { fault }),
  }
}
