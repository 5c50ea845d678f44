/** The order book: every order that the store has heard of, in the one place that all who work on it share. */
import type { OrderStatus, Step } from './lifecycle.ts'
import type { Bell, Life } from './life.ts'
import type { Kept, Memory } from './memory.ts'
import type { OrderDocument } from './order-document.ts'
import { freshPatience, type Patience } from './patience.ts'

export interface Shipment {
  /** What it is known by to the platform: its X-Request-Id is made of it. */
  readonly key: string
  state: NonNullable<Kept['shipment']>['state']
  /** A creation went out: whatever came of it, there may be a delivery. */
  attempted: boolean
  /** Resolves when nothing more is done about it. */
  end?: Promise<void>
  /** The platform knows that the food is ready. */
  toldReady?: boolean
  /** What the platform said last, and when it is to be asked again. */
  status?: string
  lookAt: number
}

/** One order, as far as the store knows it. */
export interface Ticket {
  readonly orderId: string
  /** Rung when there is something new for whoever takes it through its life. */
  readonly bell: Bell
  /** The same for whoever sees to its delivery. */
  readonly shipmentBell: Bell
  /** The furthest that GET has shown. */
  status?: OrderStatus
  /** What GET has shown last. */
  order?: OrderDocument
  /** The event that told of its end: until GET has the last word, nothing more is done. */
  halted?: NonNullable<Kept['halted']>
  /** GET has shown that it ended by being cancelled. */
  cancelled: boolean
  /** Events since the last GET was begun. */
  news: number
  /** The event that told of its confirmation. */
  confirmedBy?: string
  /** When it is to be read again, if nothing is heard of it. */
  dueAt: number
  /** The last attempt to read it came to nothing. */
  unread: boolean
  /** Attempts to read it that found nothing, in a row. */
  missing: number
  /** It cannot be read, and there is no reason to try again before something new is heard. */
  lost: boolean
  /** A step that was accepted, and when; its effect is waited for. */
  asked?: { readonly step: Step; readonly at: number } | undefined
  /** The X-Request-Id of a step that has no answer yet. */
  readonly keys: Map<string, string>
  /** Steps that were refused in this status, with nothing new since. */
  readonly refused: Set<string>
  readonly patience: (operation: string) => Patience
  /** Since when a cancellation that was asked for has no outcome. */
  cancelling?: number | undefined
  shipment?: Shipment
  /** Its delivery is given back, because the order is about to be cancelled. */
  withdrawn?: true
  /** Somebody takes it through its life. */
  alive: boolean
  /** Called when what was heard last has been dealt with as far as it can be. */
  afterPass: (() => void)[]
}

export interface Book {
  readonly get: (orderId: string) => Ticket | undefined
  /** Puts an order down; undefined when there is no room for another that is open. */
  readonly open: (orderId: string) => Ticket | undefined
  readonly all: () => Iterable<Ticket>
  readonly save: (ticket: Ticket) => void
  readonly forget: (ticket: Ticket) => void
}

export interface BookParts {
  readonly life: Life
  readonly memory: Memory
  readonly mostOrders?: number | undefined
}

export function createBook({ life, memory, mostOrders = 5000 }: BookParts): Book {
  const tickets = new Map<string, Ticket>()

  function write(orderId: string, kept?: Kept): Ticket {
    const patiences = new Map<string, Patience>()
    const { status, shipment, halted, cancelled = false } = kept ?? {}
    const ticket: Ticket = {
      orderId,
      bell: life.bell(),
      shipmentBell: life.bell(),
      cancelled,
      news: 0,
      // One that was written down before is read at once; a new one has news.
      dueAt: kept ? 0 : Number.POSITIVE_INFINITY,
      unread: false,
      missing: 0,
      lost: false,
      keys: new Map(),
      refused: new Set(),
      patience(operation) {
        const known = patiences.get(operation) ?? freshPatience()
        patiences.set(operation, known)
        return known
      },
      alive: false,
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
    memory.drop(orderId)
  }

  /** The oldest order that nobody works on any more makes room for a new one. */
  function makeRoom(): boolean {
    if (tickets.size < mostOrders) return true
    for (const ticket of tickets.values()) {
      if (ticket.alive) continue
      forget(ticket)
      return true
    }
    return false
  }

  for (const kept of memory.orders()) write(kept.orderId, kept)

  return {
    get: (orderId) => tickets.get(orderId),
    all: () => tickets.values(),
    forget,
    open(orderId) {
      const known = tickets.get(orderId)
      if (known) return known
      return makeRoom() ? write(orderId) : undefined
    },
    save({ orderId, status, halted, cancelled, shipment }) {
      memory.keep({
        orderId,
        ...(status ? { status } : {}),
        ...(halted ? { halted } : {}),
        ...(cancelled ? { cancelled } : {}),
        ...(shipment ? { shipment: keptShipment(shipment) } : {}),
      })
    },
  }
}

const keptShipment = ({ key, state, attempted }: Shipment): NonNullable<Kept['shipment']> => ({
  key,
  state,
  attempted,
})
