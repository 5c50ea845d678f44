/** Who plays in a session and how: the reactors of the roles that we play, from what the user configured. */
import type { Chance } from '../engine/chance.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Instant } from '../engine/instant.ts'
import type { Order, OrderType } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'
import { type Acquaintance, getsAcquainted, triesAgain } from './partners.ts'
import { orderingApplication } from './ordering-application.ts'
import { softwareService } from './software-service.ts'
import { draw } from './habit.ts'
import {
  orderingTemperaments,
  type OrderingTemperament,
  storeTemperaments,
  type StoreTemperament,
  type TemperamentName,
} from './temperament.ts'

export interface CastOptions {
  readonly roles: readonly Role[]
  /** The roles that can be called: those that we play, and the subject's if it has an address. */
  readonly reachable: ReadonlySet<Role>
  readonly webhooks: boolean
  readonly ordering: {
    readonly temperament: TemperamentName
    readonly processing?: number | undefined
    readonly concludeAfter?: number | undefined
    readonly arrivals?: { readonly everyMs: number; readonly limit?: number } | undefined
    readonly mix: Readonly<Partial<Record<OrderType, number>>>
  }
  readonly store: {
    readonly temperament: TemperamentName
    readonly pollEvery?: number | undefined
  }
  readonly makeOrder: (chance: Chance, now: Instant, type: OrderType) => Order
}

const fixed = (ms: number): readonly [number, number] => [ms, ms]

export function orderingTemperamentOf({ ordering }: CastOptions): OrderingTemperament {
  const { temperament, processing, concludeAfter } = ordering
  return {
    ...orderingTemperaments[temperament],
    ...(processing === undefined ? {} : { processing: fixed(processing) }),
    ...(concludeAfter === undefined ? {} : { conclude: fixed(concludeAfter) }),
  }
}

const storeTemperamentOf = ({ store }: CastOptions): StoreTemperament => {
  const temperament = storeTemperaments[store.temperament]
  return store.pollEvery === undefined
    ? temperament
    : { ...temperament, pollEvery: fixed(store.pollEvery) }
}

/** A profile, by the weights that it has in the mix. */
export function drawType(
  mix: Readonly<Partial<Record<OrderType, number>>>,
  chance: Chance,
): OrderType {
  const weights = Object.entries(mix) as [OrderType, number][]
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  if (total === 0) return 'DELIVERY'
  let left = chance.below(total)
  for (const [type, weight] of weights) {
    if (left < weight) return type
    left -= weight
  }
  return 'DELIVERY'
}

/** Who must know whom before the first business call. */
function acquaintances({ roles, reachable, webhooks }: CastOptions): readonly Acquaintance[] {
  const all: readonly (Acquaintance & { readonly needed: boolean })[] = [
    { from: 'software-service', to: 'ordering-application', needed: true },
    { from: 'ordering-application', to: 'software-service', needed: webhooks },
  ]
  return all.filter(({ from, to, needed }) => needed && roles.includes(from) && reachable.has(to))
}

export function castOf(options: CastOptions): readonly Reactor[] {
  const { roles, ordering, makeOrder } = options
  return [
    getsAcquainted(acquaintances(options)),
    triesAgain,
    ...(roles.includes('ordering-application')
      ? [
          orderingApplication({
            temperament: orderingTemperamentOf(options),
            ...(ordering.arrivals ? { arrivals: ordering.arrivals } : {}),
            makeOrder: (chance, now) => makeOrder(chance, now, drawType(ordering.mix, chance)),
          }),
        ]
      : []),
    ...(roles.includes('software-service') ? [softwareService(storeTemperamentOf(options))] : []),
  ]
}

/** How long the Ordering Application lets an event lie before it hands it over. */
export const handoverDelay =
  (options: CastOptions) =>
  (chance: Chance): number =>
    draw(orderingTemperamentOf(options).handover, chance)
