/**
 * How the Ordering Application shares customers, leads, orders and reviews with the CRM (CUS-GEN-08): registers the
 * customer of each order, records the order and its end, and shares changes in batches after a collection time.
 * Reviews, consents and leads occur at random. It reacts to its own orders and relations only.
 */
import type { RelatedOrderOutcome } from '../../protocol/customer/related-order.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Chance } from '../../engine/chance.ts'
import type { CustomerCommand } from '../../engine/customer/commands.ts'
import { type CustomerRecord, type SavedRecord, outboxSize } from '../../engine/customer/world.ts'
import { callsPerSecond } from '../../engine/customer/partner.ts'
import { applicationSide } from '../../engine/customer/side.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { leadContacts, leadSources, reviewTexts } from '../seed-data/reviews-and-leads.ts'
import { drawDuration, plan } from './planning.ts'
import {
  type CustomerSupplierBehaviour,
  customerSupplierBehaviours,
  customerSupplierTrials,
} from './customer-behaviour.ts'
import type { BehaviourName } from './behaviour.ts'

const stream = 'customer-supplier'

const share = (afterMs: number): PlannedCommand => plan({ kind: 'relation.share' }, afterMs)

/**
 * Registers the customer at once and records the order only after that was shared, so that a lead counts as a lead
 * first.
 */
function onOrderCreated(
  { order }: Extract<Fact, { kind: 'order.created' }>,
  behaviour: CustomerSupplierBehaviour,
  { settings, chance: streamOf }: DecisionContext,
): readonly PlannedCommand[] {
  if (!order.customer) return []
  const chance = streamOf(stream)
  const { collect } = settings.conduct.customer
  const orderId = order.id
  const captured = chance.oneIn(behaviour.leadOneIn)
  return [
    plan(
      {
        kind: 'relation.register',
        orderId,
        marketing: !chance.oneIn(behaviour.declinesOneIn),
        ...(captured ? { leadSource: chance.pick(leadSources) } : {}),
      },
      0,
    ),
    plan(
      { kind: 'relation.record', orderId, fate: 'created' },
      collect + drawDuration(behaviour.note, chance),
    ),
  ]
}

const outcomeOf: Readonly<Partial<Record<OrderStatus, RelatedOrderOutcome>>> = {
  DELIVERED: 'completed',
  CANCELLED: 'canceled',
}

/** Records the end of an order, never before its beginning. */
function onOrderEnded(
  { orderId, to }: Extract<Fact, { kind: 'order.moved' }>,
  behaviour: CustomerSupplierBehaviour,
  { world, settings, chance }: DecisionContext,
): readonly PlannedCommand[] {
  const fate = outcomeOf[to]
  const hasCustomer = world.ordering.orders.get(orderId)?.order.customer !== undefined
  if (!fate || !hasCustomer) return []
  const drawn = chance(stream)
  if (drawn.oneIn(behaviour.forgetsEndOneIn)) return []
  const after = settings.conduct.customer.collect + behaviour.note[1]
  return [plan({ kind: 'relation.record', orderId, fate }, after)]
}

/** Random reactions of a customer to a completed order: review, consent, a new lead. */
function onOrderCompleted(
  { order }: Extract<SavedRecord, { entity: 'order' }>,
  behaviour: CustomerSupplierBehaviour,
  { world, settings, chance }: DecisionContext,
): readonly PlannedCommand[] {
  const { id: orderId, customerId } = order
  const drawn = chance(stream)
  const planned: PlannedCommand[] = []
  const maybe = (oneIn: number, command: () => CustomerCommand): void => {
    if (drawn.oneIn(oneIn))
      planned.push(plan(command(), drawDuration(behaviour.reviewAfter, drawn)))
  }
  if (customerId !== undefined && !settings.switchedOff.has('reviews'))
    maybe(behaviour.reviewOneIn, () => ({
      kind: 'relation.review',
      customerId,
      orderId,
      ...drawn.pick(reviewTexts),
    }))
  const customer = applicationSide.store(world).customers.get(customerId ?? '')
  const consents = customer?.document.consent?.marketing
  if (customerId !== undefined && consents !== undefined)
    maybe(consents ? behaviour.optsOutOneIn : behaviour.optsInOneIn, () => ({
      kind: 'relation.consent',
      customerId,
      marketing: !consents,
    }))
  if (customer) maybe(behaviour.reidentifiesOneIn, () => otherKeys(customer, drawn))
  maybe(behaviour.acquaintanceOneIn, () => newLead(drawn, settings.conduct.customer.leadStatus))
  return planned
}

/** The customer by another identifier and known external ids, or by another external id: the same one (CUS-OVR-09). */
function otherKeys({ document }: CustomerRecord, chance: Chance): CustomerCommand {
  const { id, identifier, externalIds } = document
  const record = chance.oneIn(2)
    ? { identifier, externalIds: [`fidelidade:${id}`] }
    : {
        identifier: { type: 'custom', value: `cartao-${id}` } as const,
        externalIds: [...externalIds],
      }
  return { kind: 'relation.enter', entry: { entity: 'customer', record: { id, ...record } } }
}

/** A new contact becomes a lead; the same contact again is the same lead. */
function newLead(chance: Chance, status: string): CustomerCommand {
  const { name, phone } = chance.pick(leadContacts)
  const record = {
    id: `lead-${phone.slice(-3)}`,
    name,
    contact: { type: 'phone', value: phone },
    source: chance.pick(leadSources),
    status,
  }
  return { kind: 'relation.enter', entry: { entity: 'lead', record } }
}

/** The pause between two calls in ms: at most half of the call rate that the CRM allows (LIM-CUS-03). */
const callPause = (context: DecisionContext): number =>
  Math.ceil(1000 / callsPerSecond(applicationSide, context))

const continueSharing = (
  { left }: { readonly left: number },
  afterMs: number,
): readonly PlannedCommand[] => (left > 0 ? [share(afterMs)] : [])

const isToCrm = (fact: Extract<Fact, { kind: 'partner.accepted' | 'partner.restored' }>): boolean =>
  fact.from === 'ordering-application' && fact.partner === 'crm'

export const customerSupplier =
  (name: BehaviourName, tries: boolean): Reactor =>
  (fact, context) => {
    const behaviour = {
      ...customerSupplierBehaviours[name],
      ...(tries ? customerSupplierTrials : {}),
    }
    switch (fact.kind) {
      case 'order.created':
        return onOrderCreated(fact, behaviour, context)
      case 'order.moved':
        return onOrderEnded(fact, behaviour, context)
      case 'relation.saved': {
        const { saved } = fact
        return saved.entity === 'order' && saved.order.fate === 'completed'
          ? onOrderCompleted(saved, behaviour, context)
          : []
      }
      case 'relation.queued':
        return fact.wakes ? [share(context.settings.conduct.customer.collect)] : []
      case 'relation.sent':
      case 'relation.told':
        return continueSharing(fact, callPause(context))
      case 'relation.left-out':
        return continueSharing(fact, 0)
      case 'partner.accepted':
      case 'partner.restored':
        return isToCrm(fact) && outboxSize(context.world.customer.outbox) > 0 ? [share(0)] : []
      default:
        return []
    }
  }
