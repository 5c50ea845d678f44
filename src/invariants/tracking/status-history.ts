/**
 * The first moment of each status that an order may have, and what shows it. Every order that is watched has two of these,
 * so they are a few flat lists: an object for each moment would be most of what is kept of an order.
 */
import type { Instant } from '../../engine/instant.ts'
import { type OrderStatus, orderStatuses } from '../../protocol/orders/order.ts'
import type { Cited } from '../verdict.ts'
import { rankOf } from './status-rank.ts'

/** Something that shows a status, and when it did. */
export interface Showing {
  readonly status: OrderStatus
  readonly since: Instant
  /** Undefined as long as the exchange that shows it is under way. */
  readonly cite: Cited | undefined
}

/** A status that the subject knew, since when, and what shows it. */
export interface Knowledge extends Showing {
  readonly cite: Cited
  /** It read the order, had its acknowledgment accepted, or took the webhook. */
  readonly how: 'read' | 'acknowledged' | 'webhook'
}

export interface ByStatus<Moment> {
  get(status: OrderStatus): Moment | undefined
  set(moment: Moment): void
  has(status: OrderStatus): boolean
  /** Whether what shows it has come to its end. */
  isCited(status: OrderStatus): boolean
  /** Infinity when there was none. */
  since(status: OrderStatus): Instant
  /** In the order of an order's life. */
  statuses(): readonly OrderStatus[]
}

const never = orderStatuses.map(() => Infinity)
const blank = orderStatuses.map(() => undefined)

class Moments {
  readonly #since: Instant[] = never.slice()
  readonly #cites: Showing['cite'][] = blank.slice()

  get(status: OrderStatus): Showing | undefined {
    const since = this.since(status)
    return since === Infinity ? undefined : { status, since, cite: this.#cites[rankOf(status)] }
  }

  set({ status, since, cite }: Showing): void {
    const rank = rankOf(status)
    this.#since[rank] = since
    this.#cites[rank] = cite
  }

  has(status: OrderStatus): boolean {
    return this.since(status) !== Infinity
  }

  isCited(status: OrderStatus): boolean {
    return this.#cites[rankOf(status)] !== undefined
  }

  since(status: OrderStatus): Instant {
    return this.#since[rankOf(status)] ?? Infinity
  }

  statuses(): readonly OrderStatus[] {
    return orderStatuses.filter((status) => this.has(status))
  }
}

const hows = ['read', 'acknowledged', 'webhook'] as const satisfies readonly Knowledge['how'][]

class Known extends Moments {
  /** The places of all of them in their list, two bits for each status. */
  #hows = 0

  override get(status: OrderStatus): Knowledge | undefined {
    const shown = super.get(status)
    const how = hows[(this.#hows >> (2 * rankOf(status))) & 3]
    return shown?.cite && how && { ...shown, cite: shown.cite, how }
  }

  override set(knowledge: Knowledge): void {
    super.set(knowledge)
    const bit = 2 * rankOf(knowledge.status)
    this.#hows = (this.#hows & ~(3 << bit)) | (hows.indexOf(knowledge.how) << bit)
  }
}

export const createShown = (): ByStatus<Showing> => new Moments()
export const createKnown = (): ByStatus<Knowledge> => new Known()
