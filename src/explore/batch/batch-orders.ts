/** The orders of a batch: when each is placed, under which slot of the session, and to which schedule it belongs. */
import type { ScenarioObserver } from '../../core/scenario/observer.ts'
import type { ScenarioOrder } from '../../core/scenario/shared-shapes.ts'
import { placementOrder } from '../workloads/workload.ts'
import type { BatchEntry } from './batch-entry.ts'
import type { OrderOwner } from './batch-observer.ts'

export interface Placement {
  readonly at: number
  readonly entry: number
  readonly slot: string
  readonly order: ScenarioOrder
}

export interface BatchOrders {
  /** The orders that no step places, in their order. */
  readonly placing: readonly Placement[]
  /** The slot in the session of an order of a schedule; undefined for one that a step places. */
  readonly sessionSlotOf: (entry: number, slot: string) => string | undefined
  readonly placed: (entry: number, slot: string, orderId: string) => void
  /** Whether all orders of a schedule that come at its beginning have been placed. */
  readonly areFirstPlaced: (entry: number) => boolean
  /** The schedule of an order, and its slot there. */
  readonly ownerOf: (orderId: string) => OrderOwner | undefined
  /** The ids of the orders of a schedule. */
  readonly ordersOf: (entry: number) => Iterable<string>
  /** The observer as one schedule sees it: with its own orders by their slots. */
  readonly observerOf: (entry: number) => ScenarioObserver
}

function placements(entries: readonly BatchEntry[]): readonly Placement[] {
  return entries
    .flatMap(({ workload }, entry) =>
      placementOrder(workload).flatMap((slot): readonly Placement[] => {
        const { [slot]: order = {} } = workload.orders
        return order.at === undefined ? [] : [{ at: order.at, entry, slot, order }]
      }),
    )
    .sort((one, other) => one.at - other.at || one.entry - other.entry)
}

export function createBatchOrders(
  entries: readonly BatchEntry[],
  observer: ScenarioObserver,
): BatchOrders {
  /** All orders of an exclusive workload are its own, those that its steps place as well. */
  const isAlone = entries.length === 1 && entries[0]?.workload.isExclusive === true
  const placing = placements(entries)
  const owners = new Map(
    placing.map(({ entry, slot }, index): [string, OrderOwner] => [
      isAlone ? slot : `o${index + 1}`,
      { entry, slot },
    ]),
  )
  const sessionSlots = new Map(
    Array.from(owners, ([name, { entry, slot }]) => [`${entry} ${slot}`, name]),
  )
  const slotsOf = entries.map(() => new Map<string, string>())

  return {
    placing,
    sessionSlotOf: (entry, slot) => sessionSlots.get(`${entry} ${slot}`),
    placed: (entry, slot, orderId) => void slotsOf[entry]?.set(slot, orderId),
    areFirstPlaced: (entry) =>
      placing.every(
        (each) => each.entry !== entry || each.at !== 0 || slotsOf[entry]?.has(each.slot) === true,
      ),
    ownerOf(orderId) {
      const slot = observer.orders.slotOf(orderId)
      if (slot === undefined) return undefined
      return isAlone ? { entry: 0, slot } : owners.get(slot)
    },
    ordersOf: (entry) => (isAlone ? observer.orders.slots : slotsOf[entry])?.values() ?? [],
    observerOf(entry) {
      if (isAlone) return observer
      const slots = slotsOf[entry] ?? new Map<string, string>()
      const slotOf = (orderId: string) => [...slots].find(([, id]) => id === orderId)?.[0]
      return { ...observer, orders: { ...observer.orders, slots, slotOf } }
    },
  }
}
