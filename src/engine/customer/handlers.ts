/** What stands behind the operations of Customer: ingests and events as commands, lists and single records as views. */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { customerView } from '../../protocol/customer/customer-view.ts'
import type { HeardEvent } from '../../protocol/customer/event.ts'
import type { Entry } from '../../protocol/customer/intake.ts'
import type { RelatedOrder } from '../../protocol/customer/related-order.ts'
import { reviewView } from '../../protocol/customer/review.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { Answer, Handler, Handlers, Input } from '../handler.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { listView } from './lists.ts'
import { crmSide, sidePlayedBy } from './side.ts'
import { customerById, customerMeant } from './store.ts'
import type { CustomerStore } from './world.ts'

const caller = ({ client }: Input) => client?.role ?? crmSide.partner

/** The order that an ingest of one is about. */
function about(resource: RecordKind, { body }: Input): Pick<Answer, 'about'> {
  const records = body as readonly unknown[]
  const [first] = records
  if (resource !== 'order' || records.length !== 1) return {}
  const { id } = first as RelatedOrder
  return id ? { about: { orderId: id } } : {}
}

const ingestOf = (entity: RecordKind): Handler => ({
  kind: 'command',
  command: (input) =>
    ok({
      kind: 'customer.ingest',
      // Each has passed its schema; here it only gets its name.
      intake: (input.body as readonly unknown[]).map((record) => ({ entity, record }) as Entry),
      from: caller(input),
    }),
  answer: (facts, input) => {
    const accepted = facts.find((fact) => fact.kind === 'customer.accepted')
    const told = about(entity, input)
    return input.settings.conduct.customer.receipt === 'accepted'
      ? { ...told, body: { status: 'ACCEPTED', correlationId: accepted?.receipt } }
      : told
  },
})

/** Something that a store holds, or 404 with its own code. */
const one = (
  [code, what]: readonly ['CUSTOMER_NOT_FOUND' | 'ORDER_NOT_FOUND' | 'REVIEW_NOT_FOUND', string],
  find: (id: string, store: CustomerStore, input: Input) => unknown,
): Handler => ({
  kind: 'view',
  view: (input): Result<Answer, Refusal> => {
    const id = input.params['id'] ?? input.params['orderId'] ?? ''
    const body = find(id, sidePlayedBy(input.host).store(input.world), input)
    return body === undefined ? refuse(code, `there is no ${what} ${id}`) : ok({ body })
  },
})

/** By its id here, or by the one that the caller has for it. */
function customer(id: string, store: CustomerStore, input: Input): unknown {
  const found = customerById(id, store) ?? customerMeant({ id }, caller(input), store)
  return found && customerView(found, input.settings.conduct.customer)
}

function review(id: string, store: CustomerStore, { settings }: Input): unknown {
  const found = store.reviews.get(id)
  return found && reviewView(found.document, settings.conduct.customer.reviewShape)
}

const list = (resource: RecordKind): Handler => ({ kind: 'view', view: listView(resource) })

/** An event, for whichever side hears it; the two notations differ in their answer (CUS-TEN-05). */
const hearing = (notation: 'webhook' | 'binding'): Handler => ({
  kind: 'command',
  command: ({ host, body }) =>
    ok({ kind: `${sidePlayedBy(host).word}.hear`, event: body as HeardEvent }),
  answer: (_facts, { body, settings }) => {
    const { orderId, envelope } = body as HeardEvent
    const id = envelope['eventId'] ?? envelope['id']
    return {
      status: settings.conduct.customer.eventAnswer[notation],
      about: {
        ...(orderId === undefined ? {} : { orderId }),
        ...(typeof id === 'string' ? { eventIds: [id] } : {}),
      },
    }
  },
})

export const customerHandlers: Handlers = {
  'customer.ingest-customers': ingestOf('customer'),
  'customer.ingest-leads': ingestOf('lead'),
  'customer.ingest-orders': ingestOf('order'),
  'customer.ingest-reviews': ingestOf('review'),
  'customer.list-customers': list('customer'),
  'customer.list-leads': list('lead'),
  'customer.list-orders': list('order'),
  'customer.list-reviews': list('review'),
  'customer.customer': one(['CUSTOMER_NOT_FOUND', 'customer'], customer),
  'customer.order': one(
    ['ORDER_NOT_FOUND', 'order'],
    (id, store) => store.orders.get(id)?.document,
  ),
  'customer.review': one(['REVIEW_NOT_FOUND', 'review'], review),
  'customer.hear': hearing('webhook'),
  'customer.hear-by-binding': hearing('binding'),
}
