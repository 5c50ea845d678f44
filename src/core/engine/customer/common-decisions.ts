/**
 * Decisions of the commands that both sides accept: receive an event, and change a side's own data, which is announced to
 * the other side.
 */
import { compact } from '../../base/compact.ts'
import { readCustomer } from '../../protocol/customer/customer.ts'
import { formatExternalId } from '../../protocol/customer/identifier.ts'
import { customerStep, customerTriggerTarget } from '../../protocol/customer/lifecycle.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { isoOf } from '../instant.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { CommonCommand } from './commands.ts'
import { consentStateOf, withConsent } from './consent.ts'
import { mergeEntry } from './ingest.ts'
import { changeCustomer, mergeCustomer } from './merge.ts'
import { createMergeContext } from './merge-context.ts'
import { identifierOfLead, mergeReview } from './records.ts'
import { exchangesRecords, saveAndAnnounce } from './announce-changes.ts'
import { receiveCustomerEvent } from './receive-event.ts'
import type { CustomerSide } from './side.ts'
import { customerById } from './store.ts'
import type { CustomerRecord, LeadRecord } from './world.ts'

type CommonDecisions = {
  readonly [Word in CommonCommand['kind']]: (
    command: Omit<Extract<CommonCommand, { readonly kind: Word }>, 'kind'>,
    context: DecisionContext,
  ) => Decision
}

function findCustomerOf(
  customerId: string,
  side: CustomerSide,
  { world }: DecisionContext,
): Result<CustomerRecord, Refusal> {
  const customer = customerById(customerId, side.store(world))
  return customer
    ? ok(customer)
    : refuse('CUSTOMER_NOT_FOUND', `there is no customer ${customerId}`)
}

/** The data of a new customer, taken from a lead. */
function customerOfLead({ id, document }: LeadRecord) {
  const identifier = identifierOfLead(document) ?? ({ type: 'custom', value: id } as const)
  const contacts =
    identifier.type === 'phone' || identifier.type === 'email'
      ? { contacts: { [identifier.type]: identifier.value } }
      : {}
  return readCustomer({
    identifier,
    externalIds: (document.externalIds ?? []).map(formatExternalId),
    ...compact({ name: document.name }),
    ...contacts,
  })
}

export const commonDecisions = (side: CustomerSide): CommonDecisions => ({
  hear: ({ event }, context) => receiveCustomerEvent(event, side, context),

  enter: ({ entry }, context) =>
    ok(saveAndAnnounce(side, mergeEntry(entry, side, side.role, context), context)),

  consent({ customerId, marketing }, context) {
    const found = findCustomerOf(customerId, side, context)
    if (!found.ok) return found
    const { now } = context
    const record = found.value
    // Unchanged consent is not announced again.
    if (record.document.consent?.marketing === marketing) return ok([])
    const after = withConsent(consentStateOf(record), marketing, now)
    const saved = changeCustomer(record, { consent: after }, now)
    return ok(saveAndAnnounce(side, saved ? [saved] : [], context))
  },

  move({ customerId, trigger, force }, context) {
    const found = findCustomerOf(customerId, side, context)
    if (!found.ok) return found
    const record = found.value
    const step = customerStep(record.status, trigger)
    if (step.kind === 'applied') return ok([])
    if (step.kind === 'refused' && !force)
      return refuse(
        'INVALID_TRANSITION',
        `${trigger} is not possible for customer ${record.document.id}, who is ${record.status}`,
      )
    const moved = { status: customerTriggerTarget[trigger], trigger }
    const saved = changeCustomer(record, { moved }, context.now)
    const forced = step.kind === 'refused' ? { forced: true as const } : {}
    return ok(saveAndAnnounce(side, saved ? [{ ...saved, ...forced }] : [], context))
  },

  convert({ leadId }, context) {
    const { world, now } = context
    const store = side.store(world)
    const lead = store.leads.get(leadId)
    if (!lead) return refuse('LEAD_NOT_FOUND', `there is no lead ${leadId}`)
    if (lead.convertedAt !== undefined)
      return refuse('INVALID_TRANSITION', `lead ${leadId} is converted already`)
    const known = customerById(lead.customerId ?? '', store)
    const activated = known && customerStep(known.status, 'activate').kind === 'moves'
    const saved = known
      ? activated &&
        changeCustomer(known, { moved: { status: 'active', trigger: 'activate' } }, now)
      : mergeCustomer(customerOfLead(lead), {
          ...createMergeContext(side, side.role, context),
          initialStatus: 'active',
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
      saveAndAnnounce(
        side,
        [...(saved ? [saved] : []), { entity: 'lead', lead: converted, isNew: false }],
        context,
      ),
    )
  },

  /** The store keeps the plain rating; `reviewView` writes it in the configured shape. */
  review({ customerId, orderId, rating, comment }, context) {
    if (!exchangesRecords('review', context.settings))
      return refuse('CONFLICT', 'reviews are no part of this session')
    const found = findCustomerOf(customerId, side, context)
    if (!found.ok) return found
    const { document } = found.value
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
      createMergeContext(side, side.role, context),
    )
    return ok(saveAndAnnounce(side, saved ? [saved] : [], context))
  },
})
