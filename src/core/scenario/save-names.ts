/** Names in a saved scenario: orders by slot, agenda items by selector, events by type and index. */
import type { AgendaRow, SessionApi } from '../session-api/session-api.ts'
import { itemIdsOf } from '../session-api/order-lines.ts'
import { type ItemSelector, shortestSelector } from './item.ts'

export interface SavedNames {
  /** Ids of the orders that have a slot, oldest first. */
  readonly orderIds: readonly string[]
  readonly slotOf: (orderId: string) => string | undefined
  readonly idOf: (slot: string) => string | undefined
  /** The line of an item of an order, from 1. */
  readonly lineOf: (orderId: string, itemId: string) => Promise<number | undefined>
  /** Selector of an item on the agenda after a fact; `held`: among held items only. */
  readonly item: (row: AgendaRow, after: number, held?: true) => Promise<ItemSelector>
  /** The agenda after a fact, or what of it is about an order. */
  readonly rowsAt: (after: number, orderId?: string) => Promise<readonly AgendaRow[]>
  /** Row of an item on the agenda after a fact. */
  readonly rowOf: (id: number, after: number, orderId?: string) => Promise<AgendaRow | undefined>
  /** Order, type and 1-based index of an event among those of its type. */
  readonly event: (
    eventId: string,
  ) => Promise<
    { readonly order: string; readonly event: string; readonly nth?: number } | undefined
  >
}

/** Maximum rows of one view. */
const maxRows = 1000

/** Ids of all orders, oldest first; order rows come newest first. */
export async function orderIdsIn(session: SessionApi): Promise<readonly string[]> {
  const ids: string[] = []
  for (;;) {
    const { orders } = await session.look({ orders: { limit: maxRows, offset: ids.length } })
    ids.push(...orders.map(({ orderId }) => orderId))
    if (orders.length < maxRows) break
  }
  return ids.toReversed()
}

/** Names where these orders are all that there are. */
export function createSavedNames(session: SessionApi, orderIds: readonly string[]): SavedNames {
  const slots = new Map(orderIds.map((id, index) => [id, `o${index + 1}`]))

  async function rowsAt(after: number, orderId?: string): Promise<readonly AgendaRow[]> {
    const filter = orderId === undefined ? {} : { orderId }
    return (await session.look({ at: after, agenda: { limit: maxRows, ...filter } })).agenda
  }

  return {
    orderIds,
    slotOf: (orderId) => slots.get(orderId),
    idOf: (slot) => orderIds[Number(slot.slice(1)) - 1],
    async lineOf(orderId, itemId) {
      const index = (await itemIdsOf(session, orderId)).indexOf(itemId)
      return index < 0 ? undefined : index + 1
    },
    rowsAt,
    async item(row, after, held) {
      const slot = row.orderId === undefined ? undefined : slots.get(row.orderId)
      // An order without a slot cannot be selected.
      const rows = await rowsAt(after, slot === undefined ? undefined : row.orderId)
      return shortestSelector(row, held ? rows.filter((each) => each.held) : rows, slot)
    },
    rowOf: async (id, after, orderId) =>
      (await rowsAt(after, orderId)).find((row) => row.id === id),
    async event(eventId) {
      for (const [orderId, slot] of slots) {
        const { order } = await session.look({ orderId })
        const found = order?.events.find((each) => each.eventId === eventId)
        if (!found) continue
        const same = order?.events.filter(({ eventType }) => eventType === found.eventType) ?? []
        const nth = same.findIndex((each) => each.eventId === eventId) + 1
        return { order: slot, event: found.eventType, ...(nth > 1 ? { nth } : {}) }
      }
      return undefined
    },
  }
}
