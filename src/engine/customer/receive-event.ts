/**
 * An event reaches a side (CUS-EVT-02): stored once, however often it comes, and taken as data only (CUS-EVT-01). Nothing
 * is told on because of it, or two sides would tell each other the same for ever.
 */
import { eventKey, type HeardEvent } from '../../protocol/customer/event.ts'
import { type CustomerEventType, eventNamed } from '../../protocol/customer/events.ts'
import type { OrderFate } from '../../protocol/customer/related-order.ts'
import { customerStep } from '../../protocol/customer/lifecycle.ts'
import { ok } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { CustomerCommand } from './command.ts'
import { consentOf, consentSaid } from './consent.ts'
import type { Saved } from './fact.ts'
import { changeCustomer, mergeCustomer } from './merge.ts'
import { mergingOf } from './merging.ts'
import { turnOrder } from './records.ts'
import { sideOf, type Side } from './side.ts'
import { customerMeant, keysOf } from './store.ts'
import type { CustomerRecord, Remark } from './world.ts'

type Hear = Extract<CustomerCommand, { kind: 'customer.hear' | 'relation.hear' }>

/** What an event says of consent; the field's `customer.consent.updated` says it in its payload. */
function marketingIn({ eventType, payload }: HeardEvent): boolean | undefined {
  if (eventType === 'customer.opted_in') return true
  if (eventType === 'customer.opted_out') return false
  if (eventType !== 'customer.consent.updated') return undefined
  const { marketing, status } = payload
  if (typeof marketing === 'boolean') return marketing
  if (status === 'opt_in') return true
  return status === 'opt_out' || status === 'revoked' ? false : undefined
}

const fateIn: Readonly<Partial<Record<CustomerEventType, OrderFate>>> = {
  'order.created': 'created',
  'order.completed': 'completed',
  'order.canceled': 'canceled',
}

/** The customer that an event names: by identifier or external ids, or by an id that the teller has for it. */
const customerIn = (
  { customerId: id, identifier, externalIds }: HeardEvent,
  side: Side,
  { world }: Context,
): CustomerRecord | undefined =>
  customerMeant({ id, identifier, externalIds }, side.partner, side.store(world))

/** A customer of whom an event is the first thing heard may begin with its identifier alone (CUS-OVR-08). */
function introduced(event: HeardEvent, side: Side, context: Context): readonly Saved[] {
  const { customerId, identifier, externalIds } = event
  if (!identifier) return []
  const given = {
    ...(customerId === undefined ? {} : { id: customerId }),
    identifier,
    externalIds,
    fields: {},
  }
  const saved = mergeCustomer(given, mergingOf(side, side.partner, context))
  return saved ? [saved] : []
}

function aboutOrder(
  event: HeardEvent,
  fate: OrderFate,
  side: Side,
  context: Context,
): readonly Saved[] {
  const { orderId } = event
  if (orderId === undefined) return []
  const { now, settings, world } = context
  const customer = customerIn(event, side, context)
  const customerId = customer?.document.id
  const store = side.store(world)
  const saved = turnOrder({ id: orderId, customerId, fate }, { store, now })
  if (!saved) return []
  if (!customer || !saved.isNew || !settings.conduct.customer.firstOrder) return [saved]
  const step = customerStep(customer.status, 'order')
  if (step.kind !== 'moves') return [saved]
  const moved = changeCustomer(customer, { moved: { status: step.row.to, trigger: 'order' } }, now)
  return moved ? [moved, saved] : [saved]
}

/** What becomes so because of an event; what it says of somebody unknown is kept until that customer comes. */
function follows(
  event: HeardEvent,
  side: Side,
  context: Context,
): { readonly saved: readonly Saved[]; readonly remark?: Remark & { keys: readonly string[] } } {
  const type = eventNamed(event.eventType)
  const fate = type && fateIn[type]
  if (fate) return { saved: aboutOrder(event, fate, side, context) }
  const marketing = marketingIn(event)
  const customer = customerIn(event, side, context)
  if (marketing === undefined) {
    const isIntroduction = type === 'customer.created' || type === 'customer.updated'
    return { saved: isIntroduction && !customer ? introduced(event, side, context) : [] }
  }
  const { customerId: id, identifier, externalIds, at } = event
  if (!customer) {
    const keys = keysOf({ id, identifier, externalIds }, side.partner)
    return { saved: [], ...(keys.length > 0 ? { remark: { marketing, at, keys } } : {}) }
  }
  const consent = consentSaid(consentOf(customer), marketing, at)
  const saved = changeCustomer(customer, { consent }, context.now)
  return { saved: saved ? [saved] : [] }
}

export function hear({ kind, event }: Hear, context: Context): Decision {
  const side = sideOf(kind)
  const { world, settings } = context
  const key = eventKey(event, settings.conduct.customer.eventIdField)
  if (side.store(world).heard.has(key)) return ok([{ kind: `${side.word}.event-repeated`, key }])
  const { saved, remark } = follows(event, side, context)
  const { eventType, occurredAt, orderId } = event
  const customerId = customerIn(event, side, context)?.document.id ?? event.customerId
  return ok([
    {
      kind: `${side.word}.heard`,
      key,
      eventType,
      occurredAt,
      ...(customerId === undefined ? {} : { customerId }),
      ...(orderId === undefined ? {} : { orderId }),
      ...(remark ? { remark } : {}),
    },
    ...saved.map((each): Fact => ({ kind: `${side.word}.saved`, saved: each })),
  ])
}
