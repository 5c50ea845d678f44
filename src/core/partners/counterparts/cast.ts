/** Composes the reactors of the roles that we play from the session's configuration. */
import { compact } from '../../base/compact.ts'
import type { Chance } from '../../engine/chance.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Order, OrderType } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'
import type { FeatureSwitch } from '../../protocol/operation.ts'
import { customerHost } from './customer-host.ts'
import { customerSupplier } from './customer-supplier.ts'
import { type ConsumerHabits, deliveryConsumer } from './delivery-consumer.ts'
import { deliveryPlatform } from './delivery-platform.ts'
import { indoorGuest, placeOfOrder, type OrderPlace } from './indoor-guest.ts'
import { indoorHost } from './indoor-host.ts'
import { loyaltyHost } from './loyalty-host.ts'
import { exchangeManifests, type PartnerPair, retryCalls } from './partners.ts'
import { cancelByCustomer, orderingApplication } from './ordering-application.ts'
import { softwareService } from './software-service.ts'
import { v1Merchant, v1Originator } from './v1-habits.ts'
import { drawDuration, planCall, plan } from './planning.ts'
import {
  type OrderingBehaviour,
  orderingBehaviours,
  type StoreBehaviour,
  storeBehaviours,
  storeTrials,
  type BehaviourName,
} from './behaviour.ts'
import type { LoyaltyAccount } from '../../protocol/loyalty/account.ts'
import type { PartnerReward } from '../../protocol/loyalty/program.ts'
import { madeUpId } from '../../engine/calls/call.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Fact } from '../../engine/fact.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import type { ReadableResource } from '../../engine/loyalty/commands.ts'
import { hostDeclares, readOperations } from '../../engine/loyalty/guest-commands.ts'
import {
  type LoyaltyGuestBehaviour,
  loyaltyGuestBehaviours,
  loyaltyGuestTrials,
} from './loyalty-behaviour.ts'

/**
 * Autonomous behaviour of the Ordering Application in Loyalty: reads the accounts of customers who order, redeems what
 * the balance covers, and reads an account again after an event. It reacts to facts of its own slices only, and redeems
 * only after a read that an order caused, so that a host which never deducts points cannot cause an endless loop.
 */
const stream = 'loyalty-guest'

interface ReadTarget {
  readonly customerId?: string
  readonly accountId?: string
  readonly orderId?: string
}

/** Schedules a read, if the host declares the operation. */
const read = (
  what: ReadableResource,
  about: ReadTarget,
  afterMs: number,
  { world }: DecisionContext,
): readonly PlannedCommand[] =>
  hostDeclares(readOperations[what], world)
    ? [plan({ kind: 'reward.read', what, ...about }, afterMs)]
    : []

/** Reads an account that does not exist. */
function readNothing(context: DecisionContext): readonly PlannedCommand[] {
  const { account: operation } = readOperations
  if (!hostDeclares(operation, context.world)) return []
  const params = { accountId: madeUpId(context.chance('made-up ids')) }
  const trial = 'no account has this id'
  return [planCall({ from: 'ordering-application', to: 'crm', operation, params, trial }, 0)]
}

/** Events that change a balance. */
const balanceEvents: ReadonlySet<string> = new Set([
  'loyalty.account_linked',
  'loyalty.points_accrued',
  'loyalty.points_expired',
  'loyalty.points_redeemed',
  'loyalty.redemption_reversed',
])

const finishedStatuses: ReadonlySet<string> = new Set(['DELIVERED', 'CANCELLED', 'CONCLUDED'])

/** The available rewards of an account's program, cheapest first. */
const rewardsFor = (
  { programId }: LoyaltyAccount,
  { world }: DecisionContext,
): readonly (PartnerReward & { readonly cost: number })[] =>
  [...world.loyalty.guest.rewards.values()]
    .flatMap((reward) => (reward.cost === undefined ? [] : [{ ...reward, cost: reward.cost }]))
    .filter((reward) => reward.available !== false && (reward.programId ?? programId) === programId)
    .sort((a, b) => a.cost - b.cost)

/** Redeems at most one reward for an order of the customer with these accounts. */
function planRedemption(
  { accounts, orderId }: Extract<Fact, { kind: 'reward.accounts-read' }>,
  behaviour: LoyaltyGuestBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] {
  if (orderId === undefined || !hostDeclares('createLoyaltyRedemption', context.world)) return []
  const order = context.world.ordering.orders.get(orderId)
  if (!order || finishedStatuses.has(order.status)) return []
  const chance = context.chance(stream)
  const overspends = chance.oneIn(behaviour.overspendsOneIn)
  for (const account of accounts) {
    const { id: accountId, status, summary } = account
    const rewards = rewardsFor(account, context)
    const [cheapest] = rewards
    if (accountId === undefined || !cheapest) continue
    const command = { kind: 'reward.redeem', accountId, orderId } as const
    if (overspends) {
      const quantity = Math.min(1000, Math.floor(summary.pointsAvailable / cheapest.cost) + 1)
      return [plan({ ...command, rewardId: cheapest.id, quantity }, 0)]
    }
    const covered = rewards.filter(({ cost }) => cost <= summary.pointsAvailable)
    if (covered.length === 0) continue
    if (status === 'SUSPENDED' && !chance.oneIn(behaviour.redeemsSuspendedOneIn)) continue
    if (!chance.oneIn(behaviour.redeemsOneIn)) return []
    const { id: rewardId } = chance.pick(covered)
    const repeats = chance.oneIn(behaviour.repeatsCallOneIn)
    return Array.from({ length: repeats ? 2 : 1 }, () => plan({ ...command, rewardId }, 0))
  }
  return []
}

const loyaltyGuest = (name: BehaviourName, tries: boolean): Reactor => {
  const behaviour = { ...loyaltyGuestBehaviours[name], ...(tries ? loyaltyGuestTrials : {}) }
  return (fact, context) => {
    const chance = context.chance(stream)
    switch (fact.kind) {
      case 'partner.accepted':
        return fact.from === 'ordering-application' && fact.partner === 'crm'
          ? [...read('programs', {}, 0, context), ...read('rewards', {}, 0, context)]
          : []
      case 'order.created': {
        const { id: orderId, customer } = fact.order
        if (!customer || !chance.oneIn(behaviour.looksOneIn)) return []
        const about = { customerId: customer.id, orderId }
        return read('accounts', about, drawDuration(behaviour.looksAfter, chance), context)
      }
      case 'reward.accounts-read':
        return [
          ...planRedemption(fact, behaviour, context),
          ...(chance.oneIn(behaviour.mistakesIdOneIn) ? readNothing(context) : []),
        ]
      case 'reward.accepted': {
        const { orderId } = fact
        return orderId !== undefined && chance.oneIn(behaviour.cancelsOneIn)
          ? [cancelByCustomer(orderId, 3000, context)]
          : []
      }
      case 'reward.heard': {
        const { accountId, eventType } = fact
        if (accountId === undefined || !balanceEvents.has(eventType)) return []
        if (chance.oneIn(behaviour.forgetsEventOneIn)) return []
        return read('account', { accountId }, drawDuration(behaviour.rereadsAfter, chance), context)
      }
      case 'reward.account-read': {
        const { id: accountId, customerId } = fact.account
        if (accountId === undefined || !chance.oneIn(behaviour.auditsOneIn)) return []
        return [
          ...read('transactions', { accountId }, 0, context),
          ...read('coupons', { customerId }, 0, context),
          // Once more, where the host is the one under test: the list is of one balance then.
          ...(tries && customerId !== undefined
            ? read('accounts', { customerId }, 1500, context)
            : []),
        ]
      }
      default:
        return []
    }
  }
}

/** What is known of a generated order before it is drawn. */
export interface OrderAim extends Partial<OrderPlace> {
  /** The customer, by number among the regulars. */
  readonly regular?: number
}

/** So many customers of a CRM under test order again and again. */
const loyalCustomers = 3

export interface CastOptions {
  readonly roles: readonly Role[]
  /** The roles that can be called: those that we play, and the subject if it has an address. */
  readonly reachable: ReadonlySet<Role>
  readonly webhooks: boolean
  /** Capabilities that this session has switched off. */
  readonly switchedOff: ReadonlySet<FeatureSwitch>
  readonly ordering: {
    readonly behaviour: BehaviourName
    readonly processing?: number | undefined
    readonly concludeAfter?: number | undefined
    readonly arrivals?: { readonly everyMs: number; readonly limit?: number } | undefined
    readonly mix: Readonly<Partial<Record<OrderType, number>>>
    /** It has its orders delivered, and sends courier events. */
    readonly deliveries: boolean
    readonly courierEvents: boolean
  }
  readonly store: {
    readonly behaviour: BehaviourName
    readonly deliveries: boolean
    readonly pollEvery?: number | undefined
  }
  readonly platform: {
    readonly behaviour: BehaviourName
    /** Base URLs of further platforms. */
    readonly others: readonly string[]
  }
  readonly crm: { readonly behaviour: BehaviourName }
  readonly makeOrder: (chance: Chance, now: Instant, type: OrderType, more?: OrderAim) => Order
}

const fixed = (ms: number): readonly [number, number] => [ms, ms]

export function orderingBehaviourOf({ ordering }: CastOptions): OrderingBehaviour {
  const { behaviour, processing, concludeAfter } = ordering
  return {
    ...orderingBehaviours[behaviour],
    ...(processing === undefined ? {} : { processing: fixed(processing) }),
    ...(concludeAfter === undefined ? {} : { conclude: fixed(concludeAfter) }),
  }
}

const storeBehaviourOf = ({ store, roles }: CastOptions): StoreBehaviour => {
  const tries = store.behaviour === 'hostile' && !roles.includes('ordering-application')
  const behaviour = { ...storeBehaviours[store.behaviour], ...(tries ? storeTrials : {}) }
  return store.pollEvery === undefined
    ? behaviour
    : { ...behaviour, pollEvery: fixed(store.pollEvery) }
}

/** Draws an order type by weight. */
export function drawOrderType(
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

/** The pairs of roles that exchange manifests before the first business call. */
export function manifestPairs(
  options: Pick<CastOptions, 'roles' | 'reachable' | 'webhooks' | 'switchedOff' | 'store'>,
): readonly PartnerPair[] {
  const { roles, reachable, webhooks, switchedOff, store } = options
  // It is unknown whether a subject that plays the store has its orders delivered; assumed that it does.
  const storeDelivers = store.deliveries || !roles.includes('software-service')
  const orders = !switchedOff.has('orders')
  const indoor = !switchedOff.has('indoor')
  const logistics = !switchedOff.has('logistics')
  const customer = !switchedOff.has('customer')
  const all: readonly (PartnerPair & { readonly needed: boolean })[] = [
    { from: 'software-service', to: 'ordering-application', needed: orders },
    {
      from: 'ordering-application',
      to: 'software-service',
      needed: (orders && webhooks) || indoor,
    },
    { from: 'ordering-application', to: 'delivery-platform', needed: logistics },
    { from: 'delivery-platform', to: 'ordering-application', needed: logistics },
    { from: 'software-service', to: 'delivery-platform', needed: logistics && store.deliveries },
    { from: 'delivery-platform', to: 'software-service', needed: logistics && storeDelivers },
    { from: 'ordering-application', to: 'crm', needed: customer },
    { from: 'crm', to: 'ordering-application', needed: customer },
  ]
  return all.filter(({ from, to, needed }) => needed && roles.includes(from) && reachable.has(to))
}

/** The platforms available to a consumer, by number: 0 is the default one, if it can be called. */
const platformsOf = ({ reachable, platform }: CastOptions): readonly number[] => [
  ...(reachable.has('delivery-platform') ? [0] : []),
  ...platform.others.map((_, index) => index + 1),
]

/** Whether a role is under test in a session that generates orders. */
const triesRole = (role: Role, { roles, ordering }: CastOptions): boolean =>
  ordering.arrivals !== undefined && !roles.includes(role)

const consumerOf = (options: CastOptions): ConsumerHabits => ({
  role: 'ordering-application',
  behaviour: options.ordering.behaviour,
  demands: options.ordering.deliveries,
  informs: options.ordering.courierEvents,
  tries: triesRole('delivery-platform', options),
  platforms: platformsOf(options),
})

const storeConsumerOf = (options: CastOptions): ConsumerHabits => ({
  role: 'software-service',
  behaviour: options.store.behaviour,
  demands: options.store.deliveries,
  informs: false,
  tries: triesRole('delivery-platform', options),
  platforms: platformsOf(options),
})

/** The reactors of the capabilities beside Orders, for the roles and capabilities of this session. */
function capabilityHabits(options: CastOptions): readonly Reactor[] {
  const { roles, switchedOff, ordering, store, platform, crm } = options
  const rows: readonly (readonly [FeatureSwitch, Role, () => Reactor])[] = [
    ['indoor', 'software-service', () => indoorHost(store.behaviour)],
    [
      'indoor',
      'ordering-application',
      () => indoorGuest(ordering.behaviour, triesRole('software-service', options)),
    ],
    ['logistics', 'delivery-platform', () => deliveryPlatform(platform.behaviour)],
    ['logistics', 'ordering-application', () => deliveryConsumer(consumerOf(options))],
    ['logistics', 'software-service', () => deliveryConsumer(storeConsumerOf(options))],
    ['customer', 'crm', () => customerHost(crm.behaviour)],
    [
      'customer',
      'ordering-application',
      () => customerSupplier(ordering.behaviour, triesRole('crm', options)),
    ],
    ['loyalty', 'crm', () => loyaltyHost(crm.behaviour)],
    [
      'loyalty',
      'ordering-application',
      () => loyaltyGuest(ordering.behaviour, triesRole('crm', options)),
    ],
  ]
  return rows
    .filter(([needs, role]) => !switchedOff.has(needs) && roles.includes(role))
    .map(([, , habit]) => habit())
}

export function createCast(options: CastOptions): readonly Reactor[] {
  const { roles, switchedOff, ordering, makeOrder } = options
  const orders = !switchedOff.has('orders')
  const triesCrm = triesRole('crm', options) && options.reachable.has('crm')
  return [
    exchangeManifests(manifestPairs(options)),
    retryCalls,
    ...(orders && roles.includes('ordering-application')
      ? [
          orderingApplication({
            behaviour: orderingBehaviourOf(options),
            ...compact({ arrivals: ordering.arrivals }),
            makeOrder(now, context) {
              const chance = context.chance('arrivals')
              const type = drawOrderType(ordering.mix, chance)
              const place =
                type === 'INDOOR' && !switchedOff.has('indoor')
                  ? placeOfOrder(now, ordering.behaviour, context)
                  : {}
              const loyal = context.chance('loyal-customers')
              const customer =
                triesCrm && loyal.oneIn(2) ? { regular: loyal.below(loyalCustomers) } : {}
              return makeOrder(chance, now, type, { ...place, ...customer })
            },
          }),
          v1Originator,
        ]
      : []),
    ...(orders && roles.includes('software-service')
      ? [softwareService(storeBehaviourOf(options)), v1Merchant]
      : []),
    ...capabilityHabits(options),
  ]
}

/** The delay in ms before the Ordering Application hands an event over. */
export function handoverDelay(options: CastOptions): (chance: Chance) => number {
  const { handover } = orderingBehaviourOf(options)
  return (chance) => drawDuration(handover, chance)
}
