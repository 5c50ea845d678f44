/**
 * The first instant of each status of an order, with its evidence. Every tracked order has two of these, so they are
 * flat arrays: one object per instant would dominate the memory per order.
 */
import type { Instant } from '../../engine/instant.ts'
import { type OrderStatus, orderStatuses } from '../../protocol/orders/order.ts'
import type { Cited } from '../verdict.ts'
import { rankOf } from './status-rank.ts'

/** A status that was shown to the subject, since when. */
export interface Showing {
  readonly status: OrderStatus
  readonly since: Instant
  /** Undefined while the exchange that shows it is in flight. */
  readonly cite: Cited | undefined
}

/** A status that the subject knew, with evidence. */
export interface Knowledge extends Showing {
  readonly cite: Cited
  /** How: it read the order, its acknowledgment was accepted, or it answered the webhook 2xx. */
  readonly how: 'read' | 'acknowledged' | 'webhook'
}

export interface ByStatus<Moment> {
  get(status: OrderStatus): Moment | undefined
  set(moment: Moment): void
  has(status: OrderStatus): boolean
  /** Whether the exchange that shows it has ended. */
  isCited(status: OrderStatus): boolean
  /** Infinity if the status never occurred. */
  since(status: OrderStatus): Instant
  /** In lifecycle order. */
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

  set({ status, since, cite: evidence }: Showing): void {
    const rank = rankOf(status)
    this.#since[rank] = since
    this.#cites[rank] = evidence
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
  /** Indexes into the list of sources, two bits per status. */
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
