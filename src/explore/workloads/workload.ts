/**
 * A workload: what happens in a schedule besides its faults, as orders and steps of a scenario. Orders are placed at their
 * times, so that many schedules run side by side with order slots that are known beforehand.
 */
import type { Capability } from '../../core/protocol/operation.ts'
import type { OrderType } from '../../core/protocol/orders/order.ts'
import type { Role } from '../../core/protocol/role.ts'
import { Scenario, type ScenarioInput, type ScenarioSession } from '../../core/scenario/schema.ts'

export interface Workload {
  /** Unique: schedules, records and buckets name it. */
  readonly name: string
  /** One sentence. */
  readonly about: string
  /** The roles of a subject that it is for. */
  readonly subjects: readonly Role[]
  readonly orders: Scenario['orders']
  readonly steps: Scenario['steps']
  /** As written, for the scenario that is kept. */
  readonly written: Pick<ScenarioInput, 'orders' | 'steps'>
  readonly session: ScenarioSession
  /**
   * It cannot run beside others: orders are placed by steps, or by the subject as it likes, or it has settings of its
   * own.
   */
  readonly isExclusive: boolean
  /** It is played without faults only. */
  readonly isFaultFree: boolean
  /** It is searched where a call of this capability was answered with 2xx. */
  readonly needs: Capability | undefined
}

export interface WorkloadInput extends Pick<ScenarioInput, 'orders' | 'steps' | 'session'> {
  readonly name: string
  readonly about: string
  readonly subjects: readonly Role[]
  /** It is played without faults only: because of its size, or because the partner is at fault in it. */
  readonly faultFree?: true
  /** A call of this capability must be answered with 2xx: without tables an evening at tables is a few orders. */
  readonly needs?: Capability
}

/** The workloads of the catalogue of one role, by name, in the order in which they are played. */
export type RoleWorkloads = Readonly<Record<string, Omit<WorkloadInput, 'name' | 'subjects'>>>

/** An order by its type, with the time at which it is placed where that is not the beginning. */
type PlacedOrder = OrderType | `${OrderType} at ${string}`

/** The orders o1, o2, …; of one customer, where a name is stated. */
export const placed = (
  orders: readonly PlacedOrder[],
  name?: string,
): NonNullable<WorkloadInput['orders']> =>
  Object.fromEntries(
    orders.map((order, index) => {
      const [type, at] = order.split(' at ')
      const customer = name === undefined ? {} : { customer: { name } }
      const when = at === undefined ? {} : { at }
      return [`o${index + 1}`, { type: type as OrderType, ...customer, ...when }]
    }),
  )

/** Orders that our Ordering Application places by itself within a time, as in `up`. */
export const generated = (
  every: string,
  limit: number,
  mix: Readonly<Partial<Record<OrderType, number>>>,
): NonNullable<WorkloadInput['session']> => ({
  counterparts: { 'ordering-application': { orders: { every, limit, mix } } },
})

/** The steps that place orders. */
const placingSteps: readonly string[] = ['create', 'crowd']

export function createWorkload({ subjects, faultFree, needs, ...input }: WorkloadInput): Workload {
  const { name, about, orders, steps } = Scenario.parse(input)
  const session: ScenarioSession = input.session ?? {}
  const hasOwnSettings = Object.keys(session).length > 0
  const placesBySteps = steps.some((step) => placingSteps.some((kind) => kind in step))
  const placesItself = subjects.includes('ordering-application') && Object.keys(orders).length === 0
  return {
    name,
    about,
    subjects,
    orders: placesBySteps
      ? orders
      : Object.fromEntries(
          Object.entries(orders).map(([slot, order]) => [slot, { ...order, at: order.at ?? 0 }]),
        ),
    steps,
    session,
    written: {
      ...(input.orders ? { orders: input.orders } : {}),
      ...(input.steps ? { steps: input.steps } : {}),
    },
    isExclusive: placesBySteps || hasOwnSettings || placesItself,
    isFaultFree: faultFree === true,
    needs,
  }
}

/** One order, and nothing happens to it. */
export const isPlain = ({ isExclusive, steps, orders }: Workload): boolean =>
  !isExclusive && steps.length === 0 && Object.keys(orders).length === 1

export const workloadsByName = (workloads: readonly Workload[]): ReadonlyMap<string, Workload> =>
  new Map(workloads.map((each) => [each.name, each]))

/** What is left of a workload in a schedule that was shrunk. */
export interface WorkloadTrim {
  /** Only its first steps, so many. */
  readonly steps?: number
  /** Only these orders. */
  readonly orders?: readonly string[]
  /** Faults stay in force for so many ms after the steps. */
  readonly faultPhaseMs?: number
}

/** What is left of a workload when it is trimmed. */
export function trimWorkload(workload: Workload, trim: WorkloadTrim | undefined): Workload {
  if (!trim) return workload
  const { steps = workload.steps.length, orders: kept } = trim
  const keep = <Value>(orders: Readonly<Record<string, Value>> = {}): Record<string, Value> =>
    Object.fromEntries(Object.entries(orders).filter(([slot]) => kept?.includes(slot) ?? true))
  const { written } = workload
  return {
    ...workload,
    orders: keep(workload.orders),
    steps: workload.steps.slice(0, steps),
    written: {
      ...(written.orders ? { orders: keep(written.orders) } : {}),
      ...(written.steps ? { steps: written.steps.slice(0, steps) } : {}),
    },
  }
}

/** How many orders are placed in a workload, as far as it says so. */
export const orderCount = ({ orders, steps }: Pick<Workload, 'orders' | 'steps'>): number =>
  steps.reduce((sum, { crowd }) => sum + (crowd?.times ?? 0), Object.keys(orders).length)

/** The slots of a workload that is not exclusive, in the order in which its orders are placed. */
export const placementOrder = ({ orders }: Pick<Workload, 'orders'>): readonly string[] =>
  Object.entries(orders)
    .sort(([, one], [, other]) => (one.at ?? 0) - (other.at ?? 0))
    .map(([slot]) => slot)

/** The slots of orders that are placed when others are under way. */
export function laterSlots({ orders }: Pick<Workload, 'orders'>): ReadonlySet<string> {
  const first = Math.min(...Object.values(orders).map(({ at = 0 }) => at))
  return new Set(Object.keys(orders).filter((slot) => (orders[slot]?.at ?? 0) > first))
}
