/** Operation handlers of Customer: ingests and events become commands; lists and single records are views. */
import { compact } from '../../base/compact.ts'
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { customerView } from '../../protocol/customer/customer-view.ts'
import type { ReceivedCustomerEvent } from '../../protocol/customer/event.ts'
import type { IngestEntry } from '../../protocol/customer/ingest-batch.ts'
import type { RelatedOrder } from '../../protocol/customer/related-order.ts'
import { reviewView } from '../../protocol/customer/review.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type {
  HandlerAnswer,
  OperationHandlers,
  HandlerInput,
  CommandHandler,
  ViewHandler,
} from '../handler.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { listView } from './lists.ts'
import { crmSide, sideOfRole } from './side.ts'
import { customerById, findCustomer } from './store.ts'
import type { CustomerStore } from './world.ts'

const callerRole = ({ client }: HandlerInput) => client?.role ?? crmSide.partner

/** The order id, if the ingest carries exactly one order. */
function aboutOrder(resource: RecordKind, { body }: HandlerInput): Pick<HandlerAnswer, 'about'> {
  const records = body as readonly unknown[]
  const [first] = records
  if (resource !== 'order' || records.length !== 1) return {}
  const { id } = first as RelatedOrder
  return id ? { about: { orderId: id } } : {}
}

const ingestHandler = (entity: RecordKind): CommandHandler => ({
  kind: 'command',
  command: (input) =>
    ok({
      kind: 'customer.ingest',
      // Each record has passed its schema; only the discriminator is added.
      intake: (input.body as readonly unknown[]).map(
        (record) => ({ entity, record }) as IngestEntry,
      ),
      from: callerRole(input),
    }),
  answer: (facts, input) => {
    const accepted = facts.find((fact) => fact.kind === 'customer.accepted')
    const answerAbout = aboutOrder(entity, input)
    return input.settings.conduct.customer.receipt === 'accepted'
      ? { ...answerAbout, body: { status: 'ACCEPTED', correlationId: accepted?.receipt } }
      : answerAbout
  },
})

/** A single record from the store, or 404 with a code of its own. */
const singleRecordView = (
  [code, what]: readonly ['CUSTOMER_NOT_FOUND' | 'ORDER_NOT_FOUND' | 'REVIEW_NOT_FOUND', string],
  find: (id: string, store: CustomerStore, input: HandlerInput) => unknown,
): ViewHandler => ({
  kind: 'view',
  view: (input): Result<HandlerAnswer, Refusal> => {
    const id = input.params['id'] ?? input.params['orderId'] ?? ''
    const body = find(id, sideOfRole(input.host).store(input.world), input)
    return body === undefined ? refuse(code, `there is no ${what} ${id}`) : ok({ body })
  },
})

/** Looks a customer up by its id in this store, or by the caller's id for it. */
function customerBody(id: string, store: CustomerStore, input: HandlerInput): unknown {
  const found = customerById(id, store) ?? findCustomer({ id }, callerRole(input), store)
  return found && customerView(found, input.settings.conduct.customer)
}

function reviewBody(id: string, store: CustomerStore, { settings }: HandlerInput): unknown {
  const found = store.reviews.get(id)
  return found && reviewView(found.document, settings.conduct.customer)
}

const listHandler = (resource: RecordKind): ViewHandler => ({
  kind: 'view',
  view: listView(resource),
})

/** An event, received by the side that hosts the call; the two notations differ in their answer (CUS-TEN-05). */
const eventHandler = (notation: 'webhook' | 'binding'): CommandHandler => ({
  kind: 'command',
  command: ({ host, body }) =>
    ok({ kind: `${sideOfRole(host).prefix}.hear`, event: body as ReceivedCustomerEvent }),
  answer: (_facts, { body, settings }) => {
    const { orderId, envelope } = body as ReceivedCustomerEvent
    const id = envelope['eventId'] ?? envelope['id']
    return {
      status: settings.conduct.customer.eventAnswer[notation],
      about: {
        ...compact({ orderId }),
        ...(typeof id === 'string' ? { eventIds: [id] } : {}),
      },
    }
  },
})

export const customerHandlers = {
  'customer.ingest-customers': ingestHandler('customer'),
  'customer.ingest-leads': ingestHandler('lead'),
  'customer.ingest-orders': ingestHandler('order'),
  'customer.ingest-reviews': ingestHandler('review'),
  'customer.list-customers': listHandler('customer'),
  'customer.list-leads': listHandler('lead'),
  'customer.list-orders': listHandler('order'),
  'customer.list-reviews': listHandler('review'),
  'customer.customer': singleRecordView(['CUSTOMER_NOT_FOUND', 'customer'], customerBody),
  'customer.order': singleRecordView(
    ['ORDER_NOT_FOUND', 'order'],
    (id, store) => store.orders.get(id)?.document,
  ),
  'customer.review': singleRecordView(['REVIEW_NOT_FOUND', 'review'], reviewBody),
  'customer.hear': eventHandler('webhook'),
  'customer.hear-by-binding': eventHandler('binding'),
} satisfies OperationHandlers
