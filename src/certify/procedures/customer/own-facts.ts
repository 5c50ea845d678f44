/** Procedures that have something done at the service: facts of its own, which it has to announce. */
import type { IngestEntry } from '../../../core/protocol/customer/ingest-batch.ts'
import type { OrderStatus } from '../../../core/protocol/orders/order.ts'
import type { UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import {
  type BroughtAbout,
  defineProcedures,
  type ProcedureContext,
} from '../../judge/procedure.ts'
import { emittedEvents } from '../../../core/rules/checks/trace.ts'
import { anyCustomer, existingCustomer } from './existing-customers.ts'
import { customerFilter, listRecords } from './partner.ts'
import { containsText } from '../../../core/rules/checks/customer/records.ts'
import {
  type NamedCustomer,
  type SampleCustomer,
  sampleCustomer,
  sampleLead,
  sampleOrder,
} from './samples.ts'

/** How long an event may take from the change that it announces. */
const announcementMs = 15_000

const prefixOf = ({ role }: ProcedureContext) =>
  role === 'crm' ? ('customer' as const) : ('relation' as const)

/** Has a fact brought about, and waits for an event of this type that comes after what there is now, if one comes. */
async function untilAnnounced(
  context: ProcedureContext,
  eventType: string,
  fact: BroughtAbout,
  act: () => Promise<void>,
): Promise<void> {
  const count = (): number =>
    emittedEvents(context.observed()).filter((each) => each.eventType === eventType).length
  const before = count()
  await context.bringAbout(fact, act)
  await context.until(() => count() > before, {
    within: announcementMs,
    what: `the event ${eventType}`,
  })
}

const enter = (context: ProcedureContext, instruction: string, entry: IngestEntry): Promise<void> =>
  context.ask({
    kind: 'other',
    instruction,
    command: { kind: `${prefixOf(context)}.enter`, entry },
  })

const about = ({ id, contacts: { phone, email } }: NamedCustomer): string =>
  phone === undefined || email === undefined
    ? `the customer ${id}`
    : `the customer with the telephone number ${phone} and the e-mail address ${email}`

const listOne = (
  context: ProcedureContext,
  step: string,
  customer: NamedCustomer,
): Promise<readonly UnknownRecord[]> =>
  listRecords(context, step, 'customer', customerFilter(customer))

/** Has a customer created at the service, without marketing consent; gives the id that it has there. */
async function createCustomer(
  context: ProcedureContext,
  customer: SampleCustomer,
): Promise<string> {
  const { email } = customer.contacts
  const fact = { note: 'customer-created', text: email }
  await untilAnnounced(context, 'customer.created', fact, () =>
    enter(
      context,
      `Create ${about(customer)} at your side, with the name ${customer.name}, who has given no consent to marketing.`,
      { entity: 'customer', record: customer },
    ),
  )
  context.leaves(`customer ${email}`)
  const found = (await listOne(context, 'after-created', customer)).find((each) =>
    containsText(each, email),
  )
  const id = found?.['id']
  return typeof id === 'string' ? id : customer.id
}

async function setConsent(
  context: ProcedureContext,
  customer: SampleCustomer,
  customerId: string,
  marketing: boolean,
): Promise<void> {
  const word = marketing ? 'opted-in' : 'opted-out'
  const eventType = marketing ? 'customer.opted_in' : 'customer.opted_out'
  const fact = { note: word, text: customer.contacts.email }
  await untilAnnounced(context, eventType, fact, () =>
    context.ask({
      kind: 'other',
      instruction: `Let ${about(customer)} ${marketing ? 'give' : 'withdraw'} the consent to marketing at your side.`,
      command: { kind: `${prefixOf(context)}.consent`, customerId, marketing },
    }),
  )
  await listOne(context, `after-${word}`, customer)
}

/** A customer of --data, else one that is created at the service; by the id that it has there. */
async function ownCustomer(context: ProcedureContext): Promise<NamedCustomer> {
  const existing = await existingCustomer(context)
  if (existing) return existing
  const customer = withoutConsent(context)
  return { ...customer, id: await createCustomer(context, customer) }
}

const withoutConsent = (context: ProcedureContext): SampleCustomer => {
  const customer = sampleCustomer(context)
  return { ...customer, consent: { ...customer.consent, marketing: false } }
}

const shared = { roles: ['ordering-application', 'crm'], needs: ['customer'] } as const

export const ownFactProcedures = defineProcedures(shared, {
  'own-customers': {
    about: 'has a customer created and changed at the service, and consent given and withdrawn',
    actions: ['a customer who is created, changed, and gives and withdraws consent to marketing'],
    changes: 'one customer',
    async run(context) {
      const customer = withoutConsent(context)
      const id = await createCustomer(context, customer)
      const renamed = { note: 'customer-updated', text: customer.contacts.email }
      await untilAnnounced(context, 'customer.updated', renamed, () =>
        enter(context, `Rename ${about(customer)} to Ana Maria Souza at your side.`, {
          entity: 'customer',
          record: {
            identifier: { type: 'phone', value: customer.contacts.phone },
            name: 'Ana Maria Souza',
          },
        }),
      )
      await listOne(context, 'after-updated', customer)
      await setConsent(context, customer, id, true)
      await setConsent(context, customer, id, false)
    },
  },
  'own-leads': {
    about: 'has a lead captured at the service',
    actions: ['a customer with a lead'],
    changes: 'one customer with a lead',
    async run(context) {
      const customer = await ownCustomer(context)
      const lead = sampleLead(context, customer.id)
      const fact = { note: 'lead-created', text: lead.contact.value }
      await untilAnnounced(context, 'lead.created', fact, () =>
        enter(
          context,
          `Capture a lead of ${about(customer)} at your side, with the name ${lead.name} and the e-mail address ${lead.contact.value}.`,
          { entity: 'lead', record: lead },
        ),
      )
      context.leaves(`lead ${lead.contact.value}`)
      await listRecords(context, 'after-created', 'lead')
    },
  },
  'own-reviews': {
    about: 'has a review submitted at the service',
    actions: ['a review of a customer'],
    changes: 'one customer with a review',
    async run(context) {
      const customer = await ownCustomer(context)
      const comment = `Muito bom ${context.unknownId()}`
      const fact = { note: 'review-created', text: comment, member: 'comment' }
      await untilAnnounced(context, 'review.created', fact, () =>
        context.ask({
          kind: 'other',
          instruction: `Let ${about(customer)} submit a review of 5 at your side, with the comment: ${comment}`,
          command: {
            kind: `${prefixOf(context)}.review`,
            customerId: customer.id,
            rating: 5,
            comment,
          },
        }),
      )
      await listRecords(context, 'after-created', 'review')
    },
  },
  /** Orders that only the CRM knows: in a restaurant's own books. An Ordering Application has real ones. */
  'own-orders': {
    about: 'has an order entered and completed at the service, and another one cancelled',
    roles: ['crm'],
    actions: ['an order that is completed, and one that is cancelled'],
    changes: 'one customer with two orders',
    async run(context) {
      const customer = await anyCustomer(context)
      const turn = async (id: string, status: OrderStatus, word: string): Promise<void> =>
        untilAnnounced(context, `order.${word}`, { note: `order-${word}`, text: id }, () =>
          enter(
            context,
            `Enter the order ${id} of ${about(customer)} as ${word} at your side, in relationship context only.`,
            { entity: 'order', record: sampleOrder(context, { id, customer, status }) },
          ),
        )
      const [completed, cancelled] = [context.unknownId(), context.unknownId()]
      await turn(completed, 'CREATED', 'created')
      await turn(completed, 'DELIVERED', 'completed')
      await turn(cancelled, 'CREATED', 'created')
      await turn(cancelled, 'CANCELLED', 'canceled')
      await listRecords(context, 'history', 'order')
      context.leaves(`the orders ${completed} and ${cancelled} of customer ${customer.id}`)
    },
  },
})
