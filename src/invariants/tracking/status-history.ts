/**
 * The first instant of each status of an order, with its evidence. Every tracked order has two of these, so they are
 * flat arrays: one object per instant would dominate the memory per order.
 */
import type { Instant } from '../../engine/instant.ts'
import { type OrderStatus, orderStatuses } from '../../protocol/orders/order.ts'
import type { Evidence } from '../verdict.ts'
import { statusRank } from './status-rank.ts'

/** A status that was shown to the subject, since when. */
export interface ShownStatus {
  readonly status: OrderStatus
  readonly since: Instant
  /** Undefined while the exchange that shows it is in flight. */
  readonly evidence: Evidence | undefined
}

/** A status that the subject knew, with evidence. */
export interface KnownStatus extends ShownStatus {
  readonly evidence: Evidence
  /** How: it read the order, its acknowledgment was accepted, or it answered the webhook 2xx. */
  readonly source: 'read' | 'acknowledged' | 'webhook'
}

export interface StatusHistory<Moment> {
  get(status: OrderStatus): Moment | undefined
  set(moment: Moment): void
  has(status: OrderStatus): boolean
  /** Whether the exchange that shows it has ended. */
  hasEvidence(status: OrderStatus): boolean
  /** Infinity if the status never occurred. */
  since(status: OrderStatus): Instant
  /** In lifecycle order. */
  statuses(): readonly OrderStatus[]
}

const never = orderStatuses.map(() => Infinity)
const blank = orderStatuses.map(() => undefined)

class Moments {
  readonly #since: Instant[] = never.slice()
  readonly #cites: ShownStatus['evidence'][] = blank.slice()

  get(status: OrderStatus): ShownStatus | undefined {
    const since = this.since(status)
    return since === Infinity
      ? undefined
      : { status, since, evidence: this.#cites[statusRank(status)] }
  }

  set({ status, since, evidence }: ShownStatus): void {
    const rank = statusRank(status)
    this.#since[rank] = since
    this.#cites[rank] = evidence
  }

  has(status: OrderStatus): boolean {
    return this.since(status) !== Infinity
  }

  hasEvidence(status: OrderStatus): boolean {
    return this.#cites[statusRank(status)] !== undefined
  }

  since(status: OrderStatus): Instant {
    return this.#since[statusRank(status)] ?? Infinity
  }

  statuses(): readonly OrderStatus[] {
    return orderStatuses.filter((status) => this.has(status))
  }
}

const hows = ['read', 'acknowledged', 'webhook'] as const satisfies readonly KnownStatus['source'][]

class Known extends Moments {
  /** Indexes into the list of sources, two bits per status. */
  #hows = 0

  override get(status: OrderStatus): KnownStatus | undefined {
    const shown = super.get(status)
    const how = hows[(this.#hows >> (2 * statusRank(status))) & 3]
    return shown?.evidence && how && { ...shown, evidence: shown.evidence, source: how }
  }

  override set(knowledge: KnownStatus): void {
    super.set(knowledge)
    const bit = 2 * statusRank(knowledge.status)
    this.#hows = (this.#hows & ~(3 << bit)) | (hows.indexOf(knowledge.source) << bit)
  }
}

export const createShownStatuses = (): StatusHistory<ShownStatus> => new Moments()
export const createKnownStatuses = (): StatusHistory<KnownStatus> => new Known()
