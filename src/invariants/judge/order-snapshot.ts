/** What a GET of an order was answered, as it is kept. */
import type { Instant } from '../../engine/instant.ts'
import { orderView } from '../../engine/orders/record.ts'
import { type OrderEventType, orderEventTypes } from '../../protocol/orders/events.ts'
import { type Order, type OrderStatus, orderStatuses } from '../../protocol/orders/order.ts'
import type { Reading } from './bodies.ts'
import type { SeenExchange } from './observations.ts'
import type { CitedCall, SeenReading } from '../tracking/order-reading.ts'

/**
 * Our own host writes the status last, or last but one; then only the root can be what ends there. To read a whole
 * order for that one word would cost more than all else that is done about an exchange.
 */
const lastStatus = /,"status":"(?<status>[A-Z_]+)"(?:,"lastEvent":"(?<lastEvent>[A-Z_]+)")?\}$/
const tail = 120

/** The end of the answer to a GET of an order, where it reads so. */
export const endIn = (text: string | undefined): RegExpExecArray | undefined =>
  (text === undefined ? undefined : lastStatus.exec(text.slice(-tail))) ?? undefined

/** The status in such an answer. */
export function statusIn(answer: unknown): OrderStatus | undefined {
  const told = typeof answer === 'object' && answer !== null && 'status' in answer && answer.status
  return orderStatuses.find((each) => each === told)
}

/**
 * What may be kept of a reading, for as long as its order is. Most say what the host had written down of the order then,
 * which is in memory anyway; of all others the text is kept.
 */
export class KeptReading implements SeenReading {
  readonly began: Instant
  readonly ended: Instant
  readonly cite: CitedCall
  readonly status: OrderStatus | undefined
  readonly #lastEvent: OrderEventType | undefined
  readonly #document: Order | undefined
  readonly #text: string | undefined
  readonly #reading: Reading

  constructor(
    { began, ended, cite, orderStatus, order, faulted, exchange }: SeenExchange,
    end: RegExpExecArray | undefined,
    reading: Reading,
  ) {
    const lastEvent = end?.groups?.['lastEvent']
    this.began = began
    this.ended = ended
    this.cite = cite
    this.status = orderStatus
    // Its own word for it: what a pattern finds holds on to the whole text.
    this.#lastEvent = orderEventTypes.find((each) => each === lastEvent)
    const isPlain = end !== undefined && !faulted && this.#lastEvent === lastEvent
    this.#document = isPlain && orderStatus !== undefined ? order?.document : undefined
    this.#text = this.#document ? undefined : exchange.reply?.body
    this.#reading = reading
  }

  answered(): unknown {
    const { status } = this
    if (!this.#document || !status) return this.#reading(this.#text)
    const lastEvent = this.#lastEvent
    return orderView({
      order: this.#document,
      status,
      ...(lastEvent === undefined ? {} : { lastEvent }),
    })
  }
}
