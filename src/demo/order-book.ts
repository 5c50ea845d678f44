/** The order book: the state of every order that the service knows, shared by all of its components. */
import type { OrderStatus, Step } from './lifecycle.ts'
import type { WakeSignal, Lifetime } from './lifetime.ts'
import type { OrderRecord, DurableStore } from './durable-store.ts'
import type { OrderDocument } from './order-document.ts'
import { createRetryState, type RetryState } from './retry-state.ts'

export interface Shipment {
  /** The idempotency key of the delivery; its X-Request-Ids are derived from it. */
  readonly key: string
  state: NonNullable<OrderRecord['shipment']>['state']
  /** A creation was sent, so the delivery may exist whatever the outcome was. */
  attempted: boolean
  /** Resolves when the loop of this delivery has ended. */
  end?: Promise<void>
  /** The platform was notified that the food is ready for pickup. */
  readyReported?: boolean
  /** The status that the platform returned last, and the instant (ms) of the next read. */
  status?: string
  lookAt: number
}

/** The state of one order, as far as the service knows it. */
export interface Ticket {
  readonly orderId: string
  /** Wakes the processing loop of the order. */
  readonly wakeSignal: WakeSignal
  /** Wakes the loop of its delivery. */
  readonly shipmentSignal: WakeSignal
  /** The most advanced status that GET has shown. */
  status?: OrderStatus
  /** The document that GET returned last. */
  order?: OrderDocument
  /** The final status that an event announced; no step is taken until GET confirms or refutes it. */
  halted?: NonNullable<OrderRecord['halted']>
  /** GET has shown that the order was cancelled. */
  cancelled: boolean
  /** Kitchen tickets that were printed for it. */
  printed: number
  /** Number of events received since the last GET started. */
  unreadEvents: number
  /** The id of the CONFIRMED event. */
  confirmedBy?: string
  /** Instant (ms) of the next read if no event arrives before. */
  dueAt: number
  /** The last read failed. */
  readFailed: boolean
  /** Number of consecutive reads that ended with 404. */
  notFoundCount: number
  /** The order cannot be read; reads resume only after a new event. */
  isUnreadable: boolean
  /** The accepted step whose effect is awaited, and the instant (ms) of its 202. */
  pendingStep?: { readonly step: Step; readonly at: number } | undefined
  /** The X-Request-Id of each call that has no final reply yet, by call. */
  readonly requestIds: Map<string, string>
  /** Calls refused in the current status; cleared by a new event or status. */
  readonly refused: Set<string>
  readonly retryState: (operation: string) => RetryState
  /** Instant (ms) of a cancellation request without outcome. */
  cancellationAskedAt?: number | undefined
  shipment?: Shipment
  /** Its delivery is being cancelled because the order is about to be. */
  isWithdrawn?: true
  /** It was stored by a process before this one. */
  readonly isRestored: boolean
  /** A processing loop runs for the order. */
  hasLoop: boolean
  /** Callbacks for the end of the next pass of the processing loop. */
  afterPass: (() => void)[]
}

export interface OrderBook {
  readonly get: (orderId: string) => Ticket | undefined
  /** The order, created if unknown; undefined when the book is full of open orders. */
  readonly open: (orderId: string) => Ticket | undefined
  readonly all: () => Iterable<Ticket>
  readonly save: (ticket: Ticket) => void
  readonly forget: (ticket: Ticket) => void
}

export interface OrderBookParts {
  readonly life: Lifetime
  readonly memory: DurableStore
  readonly maxOrders?: number | undefined
}

export function createOrderBook({ life, memory, maxOrders = 5000 }: OrderBookParts): OrderBook {
  const tickets = new Map<string, Ticket>()

  function createTicket(orderId: string, kept?: OrderRecord): Ticket {
    const retryStates = new Map<string, RetryState>()
    const { status, shipment, halted, cancelled = false, printed = 0 } = kept ?? {}
    const ticket: Ticket = {
      orderId,
      wakeSignal: life.createSignal(),
      shipmentSignal: life.createSignal(),
      cancelled,
      printed,
      unreadEvents: 0,
      // A restored order is read at once; a new one is read because of its event.
      dueAt: kept ? 0 : Number.POSITIVE_INFINITY,
      readFailed: false,
      notFoundCount: 0,
      isUnreadable: false,
      requestIds: new Map(),
      refused: new Set(),
      retryState(operation) {
        const known = retryStates.get(operation) ?? createRetryState()
        retryStates.set(operation, known)
        return known
      },
      isRestored: kept !== undefined,
      hasLoop: false,
      afterPass: [],
      ...(halted ? { halted } : {}),
      ...(status === undefined ? {} : { status }),
      ...(shipment === undefined ? {} : { shipment: { ...shipment, lookAt: 0 } }),
    }
    tickets.set(orderId, ticket)
    return ticket
  }

  function forget({ orderId }: Ticket): void {
    tickets.delete(orderId)
    memory.removeOrder(orderId)
  }

  /** Evicts the oldest order without a processing loop; false when there is none. */
  function makeRoom(): boolean {
    if (tickets.size < maxOrders) return true
    for (const ticket of tickets.values()) {
      if (ticket.hasLoop) continue
      forget(ticket)
      return true
    }
    return false
  }

  for (const kept of memory.orders()) createTicket(kept.orderId, kept)

  return {
    get: (orderId) => tickets.get(orderId),
    all: () => tickets.values(),
    forget,
    open(orderId) {
      const known = tickets.get(orderId)
      if (known) return known
      return makeRoom() ? createTicket(orderId) : undefined
    },
    save({ orderId, status, halted, cancelled, printed, shipment }) {
      memory.saveOrder({
        orderId,
        ...(status ? { status } : {}),
        ...(halted ? { halted } : {}),
        ...(cancelled ? { cancelled } : {}),
        ...(printed > 0 ? { printed } : {}),
        ...(shipment ? { shipment: shipmentRecord(shipment) } : {}),
      })
    },
  }
}

const shipmentRecord = ({
  key,
  state,
  attempted,
}: Shipment): NonNullable<OrderRecord['shipment']> => ({
  key,
  state,
  attempted,
})
