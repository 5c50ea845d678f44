/** Procedures with a Loyalty host: points that are earned, redeemed, rolled back, blocked and expired. */
import { compact } from '../../../core/base/compact.ts'
import type { UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { lacksData } from '../../judge/certification-data.ts'
import { defineProcedures, type ProcedureContext, readUntil } from '../../judge/procedure.ts'
import { emittedEvents } from '../../../core/rules/checks/trace.ts'
import {
  availableIn,
  cheapestReward,
  givePoints,
  loyaltyMember,
  readAccounts,
  readCoupons,
  readTransactions,
  redeem,
  tellOrder,
} from './loyalty-host.ts'
import { entriesIn } from '../../../core/rules/checks/customer/assertions.ts'
import { send, sendEither } from './partner.ts'

/** How long what must not come is waited for. */
const quietMs = 2000
const enoughPoints = 1000

/** The code of a coupon that the customer may use: one of --data, else one of a redemption. */
async function usableCoupon(
  context: ProcedureContext,
  customerId: string,
): Promise<string | undefined> {
  const { coupons: configured } = context.data
  const isUsable = ({ code, status = 'available' }: UnknownRecord): boolean =>
    status === 'available' && (configured.length === 0 || configured.some((each) => each === code))
  const { reply } = await readUntil(
    context,
    () => readCoupons(context, 'coupons', customerId),
    (page) => entriesIn(page.reply).some(isUsable),
  )
  const code = entriesIn(reply).find(isUsable)?.['code'] ?? configured[0]
  return typeof code === 'string' ? code : undefined
}

const shared = { roles: ['crm'], needs: ['customer'] } as const

export const loyaltyProcedures = defineProcedures(shared, {
  'loyalty-accrual': {
    about: 'completes an order of a customer with a loyalty account, and tells it again',
    changes: 'one customer with an order and a loyalty account',
    async run(context) {
      const { customer, orderId, accountId } = await loyaltyMember(context, 0)
      await send(context, 'programs', 'listLoyaltyPrograms')
      await context.sleep(quietMs)
      await readAccounts(context, 'opened', customer.id)
      await send(context, 'opened-account', 'getLoyaltyAccountById', { params: { accountId } })
      const { reply } = await readTransactions(context, 'opened-transactions', accountId)
      const count = entriesIn(reply).length
      context.note('order-completed', orderId)
      const event = await tellOrder(context, 'completed', {
        id: orderId,
        customer,
        status: 'DELIVERED',
      })
      await readUntil(
        context,
        () => readTransactions(context, 'completing-transactions', accountId),
        (page) => entriesIn(page.reply).length > count,
      )
      await readTransactions(context, 'completed-transactions', accountId)
      await readAccounts(context, 'accrued', customer.id)
      await sendEither(
        context,
        'completed-again',
        { binding: 'receiveCustomerEventByBinding', flow: 'receiveCustomerEvent' },
        { body: event },
      )
      await context.sleep(quietMs)
      await readTransactions(context, 'repeated-transactions', accountId)
      await readAccounts(context, 'repeated', customer.id)
    },
  },
  'loyalty-redemption': {
    about:
      'redeems what the balance covers and what it does not, and cancels the order of the redemptions',
    actions: ['points for a loyalty account'],
    changes: 'one customer with orders and a loyalty account, and redemptions that are rolled back',
    async run(context) {
      const member = await loyaltyMember(context, 1)
      const { customer, accountId } = member
      const offer = await cheapestReward(context, member)
      await givePoints(context, member, Math.max(enoughPoints, 3 * offer.cost))
      const orderId = context.unknownId()
      await tellOrder(context, 'order', { id: orderId, customer, status: 'CREATED' })
      const accounts = (step: string) => readAccounts(context, step, customer.id)
      const transactions = (step: string) => readTransactions(context, step, accountId)
      const points = async (step: string): Promise<number> =>
        availableIn((await accounts(step)).reply, accountId) ?? 0

      await transactions('start-transactions')
      await readCoupons(context, 'start-coupons', customer.id)
      await points('start')
      context.note('redeemed-order', orderId)
      await redeem(context, 'redeem', member, { ...offer, orderId })
      await readUntil(
        context,
        () => transactions('redeeming-transactions'),
        ({ reply }) => entriesIn(reply).some(({ type }) => type === 'burn'),
      )
      await transactions('redeemed-transactions')
      await context.sleep(quietMs)
      const rest = await points('redeemed')
      await readCoupons(context, 'redeemed-coupons', customer.id)

      const affordable = Math.floor(rest / offer.cost)
      await redeem(context, 'over', member, { ...offer, quantity: affordable + 1, orderId })
      await context.sleep(quietMs)
      await transactions('over-transactions')
      await points('over-accounts')

      for (const step of ['all', 'all-again'])
        await redeem(context, step, member, {
          ...offer,
          quantity: Math.max(1, affordable),
          orderId,
        })
      await context.sleep(quietMs)
      await transactions('all-transactions')
      await points('all-accounts')

      context.note('cancelled-order', orderId)
      await tellOrder(context, 'cancelled', { id: orderId, customer, status: 'CANCELLED' })
      await readUntil(
        context,
        () => accounts('reversing'),
        ({ reply }) => (availableIn(reply, accountId) ?? 0) > rest,
      )
      await context.sleep(quietMs)
      await points('reversed')
      await transactions('reversed-transactions')
      await readCoupons(context, 'reversed-coupons', customer.id)
    },
  },
  'loyalty-suspension': {
    about:
      'has a loyalty account suspended, tries to earn, redeem and use a coupon, and has it reactivated',
    actions: [
      'points for a loyalty account',
      'a loyalty account that is suspended and reactivated',
    ],
    changes: 'one customer with orders, a coupon and a loyalty account',
    async run(context) {
      const member = await loyaltyMember(context, 2)
      const { customer, accountId } = member
      const offer = await cheapestReward(context, member)
      await givePoints(context, member, Math.max(enoughPoints, 3 * offer.cost))
      await redeem(context, 'coupon', member, offer)
      const code = await usableCoupon(context, customer.id)
      await context.sleep(quietMs)
      const move = async (trigger: 'suspension' | 'reactivation', word: string): Promise<void> => {
        await context.bringAbout({ note: word, text: accountId }, () =>
          context.ask({
            kind: 'other',
            instruction: `${trigger === 'suspension' ? 'Suspend' : 'Reactivate'} loyalty account ${accountId} of customer ${customer.id} at your side.`,
            command: { kind: 'loyalty.move-account', accountId, trigger },
          }),
        )
        await readAccounts(context, word, customer.id)
        await send(context, `${word}-account`, 'getLoyaltyAccountById', { params: { accountId } })
        await readTransactions(context, `${word}-transactions`, accountId)
      }
      await move('suspension', 'suspended')
      await redeem(context, 'suspended-redeem', member, offer)
      const order = {
        id: context.unknownId(),
        customer,
        ...compact({ coupon: code }),
      }
      context.note('suspended-order', order.id)
      if (code !== undefined) context.note('suspended-coupon', code)
      await tellOrder(context, 'suspended-order', { ...order, status: 'CREATED' })
      await context.sleep(quietMs)
      await tellOrder(context, 'suspended-completed', { ...order, status: 'DELIVERED' })
      await context.sleep(quietMs)
      await readAccounts(context, 'blocked', customer.id)
      await readTransactions(context, 'blocked-transactions', accountId)
      await readCoupons(context, 'blocked-coupons', customer.id)
      await move('reactivation', 'reactivated')
      if (code === undefined)
        context.skip(lacksData('a redemption gives no coupon that could be used', 'coupons'))
    },
  },
  'loyalty-expiry': {
    about: 'has points of a loyalty account expire',
    actions: ['points for a loyalty account, which expire'],
    changes: 'one customer with an order and a loyalty account',
    async run(context) {
      const member = await loyaltyMember(context, 3)
      const { customer, accountId } = member
      await givePoints(context, member, enoughPoints)
      await readTransactions(context, 'given-transactions', accountId)
      await context.bringAbout({ note: 'expired', text: accountId }, () =>
        context.ask({
          kind: 'other',
          instruction: `Let the points of loyalty account ${accountId} of customer ${customer.id} expire at your side.`,
          command: { kind: 'loyalty.expire', accountId },
        }),
      )
      await readUntil(
        context,
        () => readAccounts(context, 'expiring', customer.id),
        ({ reply }) => (availableIn(reply, accountId) ?? enoughPoints) < enoughPoints,
      )
      await context.until(() =>
        emittedEvents(context.observed()).some(
          ({ eventType }) => eventType === 'loyalty.points_expired',
        ),
      )
      await readAccounts(context, 'expired', customer.id)
      await readTransactions(context, 'expired-transactions', accountId)
    },
  },
})
