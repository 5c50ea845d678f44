/**
 * Commands that change a side's own data: enter a record, set consent, move a status, convert a lead, add a review.
 * Each change is announced to the other side.
 */
import { compact } from '../../compact.ts'
import { customerOf } from '../../protocol/customer/customer.ts'
import { externalText } from '../../protocol/customer/identifier.ts'
import { customerStep, targetOf } from '../../protocol/customer/lifecycle.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import { isoOf } from '../instant.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { CustomerCommand } from './command.ts'
import { consentOf, consentSaid } from './consent.ts'
import { entered } from './ingest.ts'
import { changeCustomer, mergeCustomer } from './merge.ts'
import { mergingOf } from './merging.ts'
import { identifierOfLead, mergeReview } from './records.ts'
import { exchanges, saidHere } from './share.ts'
import { sideOf } from './side.ts'
import { customerById } from './store.ts'
import type { CustomerRecord, LeadRecord } from './world.ts'

type Of<Kind extends CustomerCommand['kind']> = Extract<CustomerCommand, { kind: Kind }>
type Common<Verb extends string> = Of<Extract<CustomerCommand['kind'], `${string}.${Verb}`>>

function findCustomerOf(
  { kind, customerId }: Pick<Common<'consent' | 'move' | 'review'>, 'kind' | 'customerId'>,
  { world }: Context,
): Result<CustomerRecord, Refusal> {
  const customer = customerById(customerId, sideOf(kind).store(world))
  return customer
    ? ok(customer)
    : refuse('CUSTOMER_NOT_FOUND', `there is no customer ${customerId}`)
}

export function enter({ kind, entry }: Common<'enter'>, context: Context): Decision {
  const side = sideOf(kind)
  return ok(saidHere(side, entered(entry, side, side.role, context), context))
}

export function consent(command: Common<'consent'>, context: Context): Decision {
  const found = findCustomerOf(command, context)
  if (!found.ok) return found
  const { now } = context
  const record = found.value
  // Unchanged consent is not announced again.
  if (record.document.consent?.marketing === command.marketing) return ok([])
  const after = consentSaid(consentOf(record), command.marketing, now)
  const saved = changeCustomer(record, { consent: after }, now)
  return ok(saidHere(sideOf(command.kind), saved ? [saved] : [], context))
}

export function move(command: Common<'move'>, context: Context): Decision {
  const found = findCustomerOf(command, context)
  if (!found.ok) return found
  const record = found.value
  const { trigger, force } = command
  const step = customerStep(record.status, trigger)
  if (step.kind === 'applied') return ok([])
  if (step.kind === 'refused' && !force)
    return refuse(
      'INVALID_TRANSITION',
      `${trigger} is not possible for customer ${record.document.id}, who is ${record.status}`,
    )
  const moved = { status: targetOf[trigger], trigger }
  const saved = changeCustomer(record, { moved }, context.now)
  const forced = step.kind === 'refused' ? { forced: true as const } : {}
  return ok(saidHere(sideOf(command.kind), saved ? [{ ...saved, ...forced }] : [], context))
}

/** The data of a new customer, taken from a lead. */
function customerOfLead({ id, document }: LeadRecord) {
  const identifier = identifierOfLead(document) ?? ({ type: 'custom', value: id } as const)
  const contacts =
    identifier.type === 'phone' || identifier.type === 'email'
      ? { contacts: { [identifier.type]: identifier.value } }
      : {}
  return customerOf({
    identifier,
    externalIds: (document.externalIds ?? []).map(externalText),
    ...compact({ name: document.name }),
    ...contacts,
  })
}

export function convert({ kind, leadId }: Common<'convert'>, context: Context): Decision {
  const side = sideOf(kind)
  const { world, now } = context
  const store = side.store(world)
  const lead = store.leads.get(leadId)
  if (!lead) return refuse('LEAD_NOT_FOUND', `there is no lead ${leadId}`)
  if (lead.convertedAt !== undefined)
    return refuse('INVALID_TRANSITION', `lead ${leadId} is converted already`)
  const known = customerById(lead.customerId ?? '', store)
  const activated = known && customerStep(known.status, 'activate').kind === 'moves'
  const saved = known
    ? activated && changeCustomer(known, { moved: { status: 'active', trigger: 'activate' } }, now)
    : mergeCustomer(customerOfLead(lead), {
        ...mergingOf(side, side.role, context),
        beginsAs: 'active',
      })
  const customerId = (saved || undefined)?.customer.document.id ?? lead.customerId
  const converted: LeadRecord = {
    ...lead,
    document: { ...lead.document, status: 'converted', updatedAt: isoOf(now) },
    convertedAt: now,
    changedAt: now,
    ...compact({ customerId }),
  }
  return ok(
    saidHere(
      side,
      [...(saved ? [saved] : []), { entity: 'lead', lead: converted, isNew: false }],
      context,
    ),
  )
}

/** Adds a review. The store keeps the plain rating; `reviewView` writes it in the configured shape. */
export function review(command: Common<'review'>, context: Context): Decision {
  if (!exchanges('review', context.settings))
    return refuse('CONFLICT', 'reviews are no part of this session')
  const found = findCustomerOf(command, context)
  if (!found.ok) return found
  const { document } = found.value
  const { orderId, rating, comment } = command
  const side = sideOf(command.kind)
  const merchantId = side.store(context.world).orders.get(orderId ?? '')?.merchantId
  const saved = mergeReview(
    {
      customerId: document.id,
      customerIdentifier: document.identifier,
      ...compact({ orderId, merchantId }),
      rating,
      ...compact({ comment }),
      createdAt: isoOf(context.now),
    },
    mergingOf(side, side.role, context),
  )
  return ok(saidHere(side, saved ? [saved] : [], context))
}
