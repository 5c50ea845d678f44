/**
 * How the Ordering Application shares customers, leads, orders and reviews with the CRM (CUS-GEN-08): registers the
 * customer of each order, records the order and its end, and shares changes in batches after a collection time.
 * Reviews, consents and leads occur at random. It reacts to its own orders and relations only.
 */
import { batchKeys, ingestBodyOf } from '../../protocol/customer/batch.ts'
import { type CustomerSnapshot, customerView } from '../../protocol/customer/customer-view.ts'
import type { RelatedOrderOutcome } from '../../protocol/customer/related-order.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Chance } from '../../engine/chance.ts'
import type { CallIntent } from '../../engine/calls/call.ts'
import type { CustomerCommand } from '../../engine/customer/commands.ts'
import { type CustomerRecord, type SavedRecord, outboxSize } from '../../engine/customer/world.ts'
import { customerEventCall, customerReference } from '../../engine/customer/announce-changes.ts'
import {
  callableOperation,
  callsPerSecond,
  pullOperations,
  pushOperations,
} from '../../engine/customer/partner.ts'
import { applicationSide } from '../../engine/customer/side.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import { isoOf } from '../../engine/instant.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { drawDuration, planCall, plan } from './planning.ts'
import {
  type CustomerSupplierBehaviour,
  customerSupplierBehaviours,
  customerSupplierTrials,
} from './customer-behaviour.ts'
import type { BehaviourName } from './behaviour.ts'

interface ReviewText {
  /** Stars, from 1 to 5. */
  readonly rating: number
  readonly comment?: string
}

/** Mostly positive; low ratings have a comment. */
const reviewTexts: readonly ReviewText[] = [
  { rating: 5, comment: 'Chegou quentinho e antes do prazo, parabéns!' },
  { rating: 5, comment: 'O melhor do bairro, sempre peço aqui' },
  { rating: 5 },
  { rating: 5 },
  { rating: 4, comment: 'Muito bom, só faltou o guardanapo' },
  { rating: 4 },
  { rating: 3, comment: 'A comida é boa, mas demorou mais do que o previsto' },
  { rating: 3 },
  { rating: 2, comment: 'Veio trocado e sem a bebida' },
  { rating: 1, comment: 'Pedido chegou frio e a embalagem aberta' },
]

/** Capture sources of leads. */
const leadSources = ['app', 'instagram', 'panfleto', 'indicação', 'site'] as const

/** Contacts of leads: names, and telephone numbers that cannot be assigned. */
const leadContacts = [
  { name: 'Tainá Moreira', phone: '+5511900000101' },
  { name: 'Caio Bittencourt', phone: '+5511900000102' },
  { name: 'Rosângela Prado', phone: '+5511900000103' },
  { name: 'Iuri Salgado', phone: '+5511900000104' },
  { name: 'Mônica Aragão', phone: '+5511900000105' },
  { name: 'Valdir Nogueira', phone: '+5511900000106' },
  { name: 'Jussara Pimentel', phone: '+5511900000107' },
  { name: 'Otávio Quaresma', phone: '+5511900000108' },
] as const

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
  context: DecisionContext,
): readonly PlannedCommand[] {
  const { world, settings, chance } = context
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
  if (customer && drawn.oneIn(behaviour.reidentifiesOneIn))
    planned.push(...pushCustomer(otherKeys(customer, chance(`${stream}.keys`)), 3000, context))
  if (customer && consents === true && drawn.oneIn(behaviour.withdrawsByEventOneIn))
    planned.push(
      planCall(consentEvent('customer.opted_out', isoOf(context.now), customer, context), 0),
      ...listCustomers(readAfterMs, context),
    )
  if (customer && drawn.oneIn(behaviour.mistakesScopeOneIn))
    planned.push(
      ...pushCustomer(customer, 1000, context, {
        trial: 'its token has the scope customer.read alone',
        scopes: ['customer.read'],
      }),
    )
  if (drawn.oneIn(behaviour.listsOneIn)) planned.push(...listCustomers(readAfterMs, context))
  maybe(behaviour.acquaintanceOneIn, () => newLead(drawn, settings.conduct.customer.leadStatus))
  return planned
}

/**
 * A customer of a channel that has another id, and one of the known keys: the same one (CUS-OVR-09). Always by the same key,
 * since no host can recognise one who changes first one key and then the other.
 */
function otherKeys({ document, status }: CustomerSnapshot, chance: Chance): CustomerSnapshot {
  const { id } = document
  const keys = chance.fork(id).oneIn(2)
    ? { externalIds: [`fidelidade:${id}`] }
    : { identifier: { type: 'custom' as const, value: `cartao-${id}` } }
  return { status, document: { ...document, id: `${id}-fidelidade`, ...keys } }
}

/** Pushes a customer in a state that our own store does not keep. */
function pushCustomer(
  snapshot: CustomerSnapshot,
  afterMs: number,
  context: DecisionContext,
  trial: Pick<CallIntent, 'trial' | 'scopes'> = {},
) {
  const { customer } = context.settings.conduct
  const pair = ['push', pushOperations.customer] as const
  const operation = callableOperation(applicationSide, pair, context)
  if (operation === undefined) return []
  const { role: from, partner: to } = applicationSide
  const body = ingestBodyOf([customerView(snapshot, customer)], batchKeys.customer, customer)
  return [planCall({ from, to, operation, body, ...trial }, afterMs)]
}

/** Reads the list of customers, where the CRM declares one, by pull or by push. */
function listCustomers(afterMs: number, context: DecisionContext): readonly PlannedCommand[] {
  const pair = pullOperations.customer
  const operation =
    callableOperation(applicationSide, ['pull', pair], context) ??
    callableOperation(applicationSide, ['push', pair], context)
  const { role: from, partner: to } = applicationSide
  return operation === undefined
    ? []
    : [planCall({ from, to, operation, query: { page: '1', pageSize: '100' } }, afterMs)]
}

/** How long after a change the list of customers is read, which shows it by then. */
const readAfterMs = 18_000

/** How much older a late consent is than its withdrawal. */
const lateMs = 60_000

/** A withdrawn consent is shown by the list, and not undone by what is older (CUS-EVR-01). */
function afterConsent(
  { saved }: Extract<Fact, { kind: 'relation.saved' }>,
  behaviour: CustomerSupplierBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] {
  if (saved.entity !== 'customer' || saved.isNew) return []
  const { document } = saved.customer
  const isWithdrawn = saved.changed.some((path) => path.startsWith('consent'))
  if (!isWithdrawn || document.consent?.marketing !== false || behaviour.listsOneIn === 0) return []
  const chance = context.chance(`${stream}.consents`)
  const reads = listCustomers(readAfterMs, context)
  if (!chance.oneIn(behaviour.sendsOldConsentOneIn)) return reads
  const occurredAt = isoOf(context.now - lateMs)
  const consent = { ...document.consent, marketing: true, updatedAt: occurredAt }
  const event = consentEvent('customer.opted_in', occurredAt, saved.customer, context)
  return [
    planCall(event, 4000),
    ...pushCustomer(
      { ...saved.customer, document: { ...document, consent, updatedAt: occurredAt } },
      5000,
      context,
    ),
    ...reads,
  ]
}

function consentEvent(
  eventType: 'customer.opted_in' | 'customer.opted_out',
  occurredAt: string,
  customer: CustomerRecord,
  context: DecisionContext,
): CallIntent {
  const payload = { ...customerReference(customer), changedFields: ['consent.marketing'] }
  const draft = { eventType, occurredAt, entityId: customer.document.id, payload }
  const eventId = context.chance(`${stream}.consents`).uuid()
  return customerEventCall(applicationSide, draft, eventId, context)
}

/** The same event once more (CUS-EVT-02). */
function repeatEvent(
  { event: { from, operation, eventId, eventType } }: Extract<Fact, { kind: 'event.announced' }>,
  { repeatsOneIn }: CustomerSupplierBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] {
  if (repeatsOneIn === 0 || from !== applicationSide.role) return []
  if (!operation.startsWith('receiveCustomer')) return []
  const isOften = eventType === 'order.completed'
  const chance = context.chance(`${stream}.events`)
  return chance.oneIn(isOften ? 2 : repeatsOneIn)
    ? [plan({ kind: 'event.push', eventId, attempt: 1 }, chance.between(4000, 8000))]
    : []
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
          : afterConsent(fact, behaviour, context)
      }
      case 'event.announced':
        return repeatEvent(fact, behaviour, context)
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
