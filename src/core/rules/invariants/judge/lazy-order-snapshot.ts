/** What is retained of a GET of an order. */
import { compact } from '../../../base/compact.ts'
import type { Instant } from '../../../engine/instant.ts'
import { orderView } from '../../../engine/orders/record.ts'
import { type OrderEventType, orderEventTypes } from '../../../protocol/orders/events.ts'
import { type Order, type OrderStatus, orderStatuses } from '../../../protocol/orders/order.ts'
import { v1StatusOfEvent } from '../../../protocol/v1/events.ts'
import { valueAt } from '../tracking/exchange-fields.ts'
import type { JsonReader } from './json-reader.ts'
import type { ObservedExchange } from './observations.ts'
import type { CallEvidence, OrderSnapshot } from '../tracking/tracker-state.ts'

/**
 * Our host writes the status last, or last but one, so at the end of the text it is the root's. Parsing a whole order
 * for this field would cost more than all else about an exchange.
 */
const lastStatus = /,"status":"(?<status>[A-Z_]+)"(?:,"lastEvent":"(?<lastEvent>[A-Z_]+)")?\}$/
const tail = 120

/** Longest body that is retained; of a longer one only the status is. */
const maxTextChars = 64_000

/** Matches the end of such a body. */
export const trailingStatusOf = (text: string | undefined): RegExpExecArray | undefined =>
  (text === undefined ? undefined : lastStatus.exec(text.slice(-tail))) ?? undefined

/** The status in a parsed body. */
export function orderStatusOf(answer: unknown): OrderStatus | undefined {
  const status =
    typeof answer === 'object' && answer !== null && 'status' in answer && answer.status
  return orderStatuses.find((each) => each === status)
}

/** A V1 order has no status: its last event implies it, where the order says what that was. */
export function v1OrderStatusOf(answer: unknown): OrderStatus | undefined {
  const lastEvent = valueAt(answer, 'lastEvent')
  return typeof lastEvent === 'string' ? v1StatusOfEvent(lastEvent) : undefined
}

/**
 * The retained part of a GET, which lives as long as its order. Most bodies equal what the host recorded of the order,
 * which is in memory anyway; of others the text is retained.
 */
export class LazyOrderSnapshot implements OrderSnapshot {
  readonly began: Instant
  readonly ended: Instant
  readonly evidence: CallEvidence
  readonly status: OrderStatus | undefined
  readonly #lastEvent: OrderEventType | undefined
  readonly #document: Order | undefined
  readonly #text: string | undefined
  readonly #reading: JsonReader

  constructor(
    { began, ended, evidence, orderStatus, order, isFaulted, exchange }: ObservedExchange,
    end: RegExpExecArray | undefined,
    reading: JsonReader,
  ) {
    const lastEvent = end?.groups?.['lastEvent']
    this.began = began
    this.ended = ended
    this.evidence = evidence
    this.status = orderStatus
    // The interned constant: a substring of a match would retain the whole text.
    this.#lastEvent = orderEventTypes.find((each) => each === lastEvent)
    const isPlain = end !== undefined && !isFaulted && this.#lastEvent === lastEvent
    this.#document = isPlain && orderStatus !== undefined ? order?.document : undefined
    const text = this.#document ? undefined : exchange.reply?.body
    this.#text = text !== undefined && text.length > maxTextChars ? undefined : text
    this.#reading = reading
  }

  responseJson(): unknown {
    const { status } = this
    if (!this.#document || !status)
      return this.#text === undefined ? compact({ status }) : this.#reading.read(this.#text)
    const lastEvent = this.#lastEvent
    return orderView({
      order: this.#document,
      status,
      ...compact({ lastEvent }),
    })
  }
}
