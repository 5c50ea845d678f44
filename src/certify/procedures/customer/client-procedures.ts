/** Procedures in which a service calls: an Ordering Application pushes and redeems, a CRM pulls, both meet failures. */
import type { Command } from '../../../core/engine/command.ts'
import { newOrder, progress } from '../orders/host-orders.ts'
import { bodyValue, valuesAt } from '../../../core/rules/checks/assertion.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { emittedEvents, type Observed } from '../../../core/rules/checks/trace.ts'
import { knownToCrm } from './existing-customers.ts'
import { integrationModes } from '../../../core/rules/checks/customer/manifest.ts'
import { listRecords, push, send, sendEither } from './partner.ts'
import { containsText } from '../../../core/rules/checks/customer/records.ts'
import { sampleCustomer, sampleLead, sampleOrder, sampleReview } from './samples.ts'

/** How long an Ordering Application may collect what it pushes. */
const collectMs = 30_000
/** How long a CRM may wait between two pulls. */
const pullMs = 60_000

const untilEmitted = (
  context: ProcedureContext,
  orderId: string,
  eventType: string,
): Promise<unknown> =>
  context.until(
    () =>
      emittedEvents(context.observed()).some(
        (each) => each.eventType === eventType && containsText(each.event, orderId),
      ),
    { within: collectMs, what: `the event ${eventType} about order ${orderId}` },
  )

/** What our CRM has announced of the points for an order. */
const pointsEvent = (context: ProcedureContext, orderId: string): Observed | undefined =>
  context
    .observed()
    .find(
      ({ operation, isCall, request }) =>
        !isCall && operation === 'receiveLoyaltyEvent' && containsText(request, orderId),
    )

export const customerClientProcedures = defineProcedures(
  {},
  {
    'customer-orders': {
      about:
        'has two orders placed, completes one and has the other cancelled, and queries the history',
      roles: ['ordering-application'],
      needs: ['customer', 'orders'],
      actions: ['two orders of customers, one of which is cancelled'],
      changes: 'two orders',
      async run(context) {
        const delivered = await newOrder(context, 'DELIVERY')
        const { orderId: completed } = delivered
        const { orderId: cancelled } = await newOrder(context, 'DELIVERY')
        for (const orderId of [completed, cancelled]) context.note('order-created', orderId)
        async function complete(): Promise<void> {
          await untilEmitted(context, completed, 'order.created')
          await progress(context, [delivered], 'DELIVERED')
          context.note('order-completed', completed)
          await untilEmitted(context, completed, 'order.completed')
          await listRecords(context, 'history', 'order')
        }
        async function cancel(): Promise<void> {
          await untilEmitted(context, cancelled, 'order.created')
          await context.bringAbout({ note: 'order-canceled', text: cancelled }, () =>
            context.ask({ kind: 'cancel-order', orderId: cancelled }),
          )
          await untilEmitted(context, cancelled, 'order.canceled')
        }
        const ends = await Promise.allSettled([complete(), cancel()])
        for (const end of ends) if (end.status === 'rejected') throw end.reason
        context.leaves(`the orders ${completed} and ${cancelled}`)
      },
    },
    /** Changes at our Ordering Application, which a CRM that pulls comes to know. */
    'customer-pulls': {
      about:
        'has a customer, a lead, an order and a review at our Ordering Application, and waits to be asked',
      roles: ['crm'],
      needs: ['customer'],
      changes: 'one customer with an order, a lead and a review',
      async run(context) {
        const manifest = await send(context, 'manifest', 'getManifest')
        if (!(integrationModes(manifest.reply) ?? ['pull']).includes('pull'))
          context.skip('it does not declare that it pulls')
        const customer = sampleCustomer(context)
        const order = sampleOrder(context, { id: context.unknownId(), customer })
        for (const entry of [
          { entity: 'customer', record: customer },
          { entity: 'lead', record: sampleLead(context) },
          { entity: 'order', record: order },
          { entity: 'review', record: sampleReview(context, order.id, customer) },
        ] as const)
          await context.submit({ kind: 'relation.enter', entry })
        const isQuery = /\/(customers|leads|orders|reviews)$/
        const isPull = ({ isCall, url, exchange }: Observed): boolean =>
          isCall && exchange.request.method === 'GET' && isQuery.test(url.pathname)
        await context.until(() => [...context.earlier(), ...context.observed()].some(isPull), {
          within: pullMs,
        })
        // One resource after the other.
        await context.sleep(3000)
        context.leaves(`customer ${customer.id} with an order, a lead and a review`)
      },
    },
    /** An Ordering Application as the client of our Loyalty host. */
    'loyalty-reading': {
      about:
        'has a customer order who has points at our CRM, read them at the service, and redeem some',
      roles: ['ordering-application'],
      needs: ['customer', 'orders'],
      actions: [
        'an order',
        'a look at the points, transactions, rewards and coupons of a customer, and a redemption',
      ],
      changes: 'one order, and points of our CRM',
      async run(context) {
        const { orderId } = await newOrder(context, 'DELIVERY')
        const event = await context.until(() => pointsEvent(context, orderId), {
          within: collectMs,
        })
        const accountId = bodyValue(event?.request, '/event/payload/accountId')
        const customerId = bodyValue(event?.request, '/event/payload/customerId')
        if (typeof accountId !== 'string' || typeof customerId !== 'string') {
          context.skip('no order of a customer has reached our CRM')
          return
        }
        await context.submit({ kind: 'loyalty.adjust', accountId, points: 500 })
        const show = (
          what: string,
          read: Omit<Extract<Command, { kind: 'reward.read' }>, 'kind'>,
        ): Promise<void> =>
          context.ask({
            kind: 'other',
            instruction: `Show ${what}.`,
            command: { kind: 'reward.read', ...read },
          })
        const who = `the customer of order ${orderId}`
        await show('the loyalty programs at your side', { what: 'programs' })
        await show('the rewards at your side', { what: 'rewards' })
        await show(`${who} the loyalty accounts`, { what: 'accounts', customerId, orderId })
        await show(`${who} the account ${accountId}`, { what: 'account', accountId })
        await show(`${who} the transactions of account ${accountId}`, {
          what: 'transactions',
          accountId,
        })
        await show(`${who} the coupons`, { what: 'coupons', customerId })
        const rewards = (): readonly unknown[] =>
          context
            .observed()
            .filter(({ operation, isCall }) => isCall && operation === 'listLoyaltyRewards')
            .flatMap(({ reply }) => valuesAt(reply, '/items/*/id').map(({ value }) => value))
        const rewardId = await context.until(() => rewards()[0])
        if (typeof rewardId !== 'string') {
          context.skip('it has not read the rewards')
          return
        }
        await context.ask({
          kind: 'other',
          instruction: `Let ${who} redeem the reward ${rewardId} from account ${accountId}.`,
          command: { kind: 'reward.redeem', accountId, rewardId, orderId },
        })
        await context.until(() =>
          context
            .observed()
            .some(({ operation, isCall }) => isCall && operation === 'createLoyaltyRedemption'),
        )
        context.leaves(`order ${orderId}`)
      },
    },
    'customer-failures': {
      about: 'answers the first call of the service about customers with 500',
      roles: ['ordering-application', 'crm'],
      needs: ['customer'],
      actions: ['an order of a customer'],
      changes: 'one order of a customer',
      async run(context) {
        const receivers = ['receiveCustomerEvent', 'receiveLoyaltyEvent']
        const pushes = [
          'ingestCustomer',
          'upsertCustomers',
          'receiveCustomerEvent',
          'receiveCustomerEventByBinding',
        ]
        for (const operation of context.role === 'crm' ? receivers : pushes)
          context.fault({ fail: { status: 500, operation, limit: 1 } })
        if (context.role === 'crm') {
          const customer = await knownToCrm(context, 'customer')
          const order = sampleOrder(context, { id: context.unknownId(), customer })
          await push(context, 'order', 'order', order)
          context.leaves(`customer ${customer.id} with an order`)
        } else context.leaves(`order ${(await newOrder(context, 'DELIVERY')).orderId}`)
        const isOver = (): boolean => {
          const calls = context.observed().filter(({ isCall }) => isCall)
          const last = calls.findLastIndex(({ status }) => status === 500)
          return last >= 0 && last < calls.length - 1
        }
        await context.until(isOver, { within: collectMs })
        await sendEither(context, 'alive', { binding: 'getCustomers', flow: 'listCustomers' })
        // Another of its calls may have failed in the meantime.
        await context.until(isOver, { within: collectMs })
      },
    },
  },
)
