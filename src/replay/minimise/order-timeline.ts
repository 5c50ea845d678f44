/**
 * What the partner announced about each order of a replay, and which calls the subject made about it, in order of time.
 */
import { isCrash } from '../from-recording/history.ts'
import type { OperationId } from '../../core/protocol/catalogue.ts'
import { orderLifecycle } from '../../core/protocol/orders/lifecycle.ts'
import { v2OperationOf } from '../../core/protocol/v1/operation-names.ts'
import type { ReplayedExchange, ReplayReport } from '../../core/traffic/recording/replay-report.ts'
import { hasSucceeded } from '../../core/traffic/exchange.ts'
import { extractHandedOverEvents } from '../../core/traffic/entities/entities.ts'

/** Calls by which the subject moves an order on; to repeat one after its success changes nothing, or is refused. */
const movingCalls: ReadonlySet<OperationId> = new Set([
  'confirmOrder',
  'setOrderPreparing',
  'setOrderReadyForPickup',
  'dispatchOrder',
  'setOrderDelivered',
])

/** Events that announce a status, in the order of the lifecycle. */
const statusEvents: readonly string[] = [
  ...new Set(['CREATED', ...orderLifecycle.map(({ emits }) => emits)]),
]

const isEarlierStatus = (type: string, state: string | undefined): boolean =>
  state !== undefined && statusEvents.indexOf(type) < statusEvents.indexOf(state)

export const finalEvents: ReadonlySet<string> = new Set(['DELIVERED', 'CANCELLED', 'CONCLUDED'])

export interface MovingCall {
  readonly operation: OperationId
  readonly replayed: ReplayedExchange
  /** Whether it was accepted. */
  readonly ok: boolean
  /** It began after an announced status had been taken. */
  readonly isAfterState: boolean
}

export interface OrderProgress {
  /** The last status event that was announced; one of an earlier status that comes late is none. */
  state: string | undefined
  /** The exchange that announced it. */
  announcedBy: ReplayedExchange | undefined
  /** When the subject took the announcement; undefined where it did not. */
  takenAt: number | undefined
  readonly calls: MovingCall[]
}

export type OrderTimeline = ReturnType<typeof createOrderTimeline>

/** Over the live exchanges; for exchanges without a live side there is no state. */
export function createOrderTimeline({ exchanges, map }: Pick<ReplayReport, 'exchanges' | 'map'>) {
  const recordedNames = new Map(
    map.filter(({ kind }) => kind === 'order').map((name) => [name.new, name.old]),
  )
  const recordedName = (id: string | undefined): string | undefined =>
    id === undefined ? undefined : (recordedNames.get(id) ?? id)
  const statesBefore = new Map<ReplayedExchange, string>()
  const orders = new Map<string, OrderProgress>()

  const orderOf = ({ recorded, live }: ReplayedExchange): string | undefined =>
    recorded?.orderId ?? recordedName(live?.orderId)

  const progressOf = (order: string): OrderProgress => {
    const known = orders.get(order)
    if (known) return known
    const progress: OrderProgress = {
      state: undefined,
      announcedBy: undefined,
      takenAt: undefined,
      calls: [],
    }
    orders.set(order, progress)
    return progress
  }

  const byTime = exchanges
    .filter(({ live }) => live !== undefined)
    .toSorted((a, b) => (a.live?.startedAt ?? 0) - (b.live?.startedAt ?? 0))
  /** The last two event types by order: a repetition of an event does not follow itself. */
  const announced = new Map<string, readonly string[]>()

  for (const replayed of byTime) {
    const { live } = replayed
    if (!live) continue
    const events = extractHandedOverEvents(live)
    const order = orderOf(replayed)
    const own = events.length === 1 ? events[0]?.type : undefined
    const before =
      order === undefined ? undefined : announced.get(order)?.findLast((type) => type !== own)
    if (before !== undefined) statesBefore.set(replayed, before)
    for (const { type, about } of events)
      for (const entity of about) {
        if (!entity.startsWith('order ')) continue
        const id = recordedName(entity.slice('order '.length)) ?? ''
        const types = announced.get(id) ?? []
        if (types.at(-1) !== type) announced.set(id, [...types.slice(-1), type])
        const progress = statusEvents.includes(type) ? progressOf(id) : undefined
        if (!progress || isEarlierStatus(type, progress.state)) continue
        progress.state = type
        progress.announcedBy = replayed
        progress.takenAt = hasSucceeded(live.reply) ? live.startedAt + live.tookMs : undefined
      }
    const operation = live.operation && v2OperationOf(live.operation)
    if (order === undefined || operation === undefined || !movingCalls.has(operation)) continue
    if (live.from.party !== 'subject') continue
    const progress = progressOf(order)
    // A call that ended with its process is not what the service does: the one in its place goes on, or does not.
    const isGone = isCrash(live) && live.reply === undefined
    const isAfterState = !isGone && (progress.takenAt ?? Number.POSITIVE_INFINITY) < live.startedAt
    progress.calls.push({ operation, replayed, ok: hasSucceeded(live.reply), isAfterState })
  }
  return {
    /** The recorded id of the order that an exchange is about. */
    orderOf,
    /** The last event about its order before an exchange, of another type than its own. */
    stateBefore: (replayed: ReplayedExchange): string | undefined => statesBefore.get(replayed),
    /** By recorded id. */
    orders,
  }
}
