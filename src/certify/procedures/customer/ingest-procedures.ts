/** Procedures that push to a CRM: customers, leads, orders and reviews, whole and in part, and again. */
import { identifierTypes } from '../../../core/protocol/customer/identifier.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { knownToCrm } from './existing-customers.ts'
import { customerFilter, listRecords, push, untilListed } from './partner.ts'
import {
  sampleCustomer,
  sampleLead,
  sampleOrder,
  samplePhone,
  sampleReview,
  type SampleCustomer,
} from './samples.ts'

/** A value of an identifier that is unique. */
const identifierValue = (context: ProcedureContext, type: (typeof identifierTypes)[number]) =>
  type === 'phone'
    ? samplePhone(context)
    : type === 'email'
      ? `${context.unknownId()}@example.org`
      : type === 'document'
        ? String(10_000_000_000 + context.random(89_999_999) * 1000)
        : context.unknownId()

/** Customers with an identifier alone, one of each type. */
async function pushIdentifiers(context: ProcedureContext): Promise<void> {
  for (const type of identifierTypes) {
    const identifier = { type, value: identifierValue(context, type) }
    await push(context, `identifier-${type}`, 'customer', { identifier })
    context.leaves(`customer with the ${type} ${identifier.value}`)
  }
}

/** A customer with an identifier alone, who is completed later. */
async function enrich(context: ProcedureContext): Promise<void> {
  const identifier = { type: 'email', value: `${context.unknownId()}@example.org` }
  const { contacts, name } = sampleCustomer(context)
  await context.bringAbout({ note: 'enriched', text: identifier.value }, () =>
    push(context, 'identifier-alone', 'customer', { identifier }),
  )
  await untilListed(context, 'until-identifier-listed', 'customer', {
    text: identifier.value,
    query: customerFilter({ identifier }),
  })
  await push(context, 'enrichment', 'customer', {
    identifier,
    name,
    contacts: { ...contacts, email: identifier.value },
  })
  await untilListed(context, 'until-enriched', 'customer', {
    text: contacts.phone,
    query: customerFilter({ identifier }),
  })
  await listRecords(context, 'after-enrichment', 'customer', customerFilter({ identifier }))
  context.leaves(`customer ${identifier.value}`)
}

/** The same customer twice, once more with another external id, and by another identifier with a known one. */
async function repeat(context: ProcedureContext, customer: SampleCustomer): Promise<void> {
  await context.bringAbout({ note: 'repeated', text: customer.contacts.email }, () =>
    push(context, 'repeated', 'customer', customer),
  )
  const other = { type: 'custom', value: context.unknownId() }
  const { externalIds, identifier } = customer
  await push(context, 'shared-identifier', 'customer', {
    identifier,
    externalIds: [`app:${context.unknownId()}`],
    name: customer.name,
  })
  await push(context, 'shared-external-id', 'customer', {
    identifier: other,
    externalIds,
    name: 'Ana Souza Lima',
  })
  await untilListed(context, 'until-merged', 'customer', { text: 'Ana Souza Lima' })
  await listRecords(context, 'after-repeated', 'customer')
}

const shared = { roles: ['crm'], needs: ['customer'] } as const

export const ingestProcedures = defineProcedures(shared, {
  'customer-ingest': {
    about:
      'pushes customers with all fields and with an identifier alone, completes and repeats them',
    changes: 'eight customers',
    async run(context) {
      const customer = sampleCustomer(context)
      const filter = customerFilter(customer)
      const whole = { note: 'whole-customer', text: customer.contacts.email }
      const { status } = await context.bringAbout(whole, () =>
        push(context, 'whole', 'customer', customer),
      )
      if (status === 404 || status === 405)
        context.skip(`it serves no ingest of customers (it answers ${status})`)
      await untilListed(context, 'until-whole', 'customer', {
        text: customer.contacts.email,
        query: filter,
      })
      await listRecords(context, 'whole-listed', 'customer', filter)
      await pushIdentifiers(context)
      await enrich(context)
      await repeat(context, customer)
      context.leaves(`customer ${customer.id}`)
    },
  },
  'related-ingest': {
    about: 'pushes a lead, an order in relationship context and a review of it, and queries them',
    changes: 'one customer with an order, a lead and a review',
    async run(context) {
      const customer = await knownToCrm(context, 'customer')
      const order = sampleOrder(context, { id: context.unknownId(), customer })
      const lead = sampleLead(context, customer.id)
      const review = sampleReview(context, order.id, customer)
      await context.bringAbout({ note: 'lead-pushed', text: lead.contact.value }, () =>
        push(context, 'lead', 'lead', lead),
      )
      await context.bringAbout({ note: 'order-pushed', text: order.id }, () =>
        push(context, 'order', 'order', order),
      )
      await push(context, 'review', 'review', review)
      await untilListed(context, 'orders-listed', 'order', { text: order.id })
      await untilListed(context, 'leads-listed', 'lead', { text: lead.contact.value })
      await untilListed(context, 'reviews-listed', 'review', { text: order.id })
      context.leaves(`customer ${customer.id} with an order, a lead and a review`)
    },
  },
})
