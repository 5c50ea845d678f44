/** A Loyalty host under certification: its accounts, transactions and coupons, read and moved. */
import { isUnknownRecord, type UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import type { OrderStatus } from '../../../core/protocol/orders/order.ts'
import { lacksData } from '../../judge/certification-data.ts'
import { bodyValue } from '../../../core/rules/checks/assertion.ts'
import { ifPossible } from '../orders/host-orders.ts'
import { type ProcedureContext, readUntil } from '../../judge/procedure.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { knownToCrm } from './existing-customers.ts'
import { customerFilter, push, send, sendEither, untilListed } from './partner.ts'
import { type NamedCustomer, sampleEvent, sampleOrder } from './samples.ts'
import { entriesIn } from '../../../core/rules/checks/customer/assertions.ts'
import { customerBlockIn } from '../../../core/rules/checks/customer/manifest.ts'
import { capabilitiesIn, operationNamesIn } from '../../../core/rules/checks/transport/manifests.ts'
import { loyaltyMapNames } from '../../../core/protocol/loyalty/operations.ts'

export const readAccounts = (
  context: ProcedureContext,
  step: string,
  customerId: string,
): Promise<Observed> =>
  send(context, step, 'listCustomerLoyaltyAccounts', { params: { customerId } })

export const readTransactions = (
  context: ProcedureContext,
  step: string,
  accountId: string,
): Promise<Observed> => send(context, step, 'listLoyaltyTransactions', { params: { accountId } })

export const readCoupons = (
  context: ProcedureContext,
  step: string,
  customerId: string,
): Promise<Observed> => send(context, step, 'listLoyaltyCoupons', { query: { customerId } })

/** Pushes the order in this status, and its fact as an event. */
export async function tellOrder(
  context: ProcedureContext,
  step: string,
  order: {
    readonly id: string
    readonly customer: NamedCustomer
    readonly status: OrderStatus
    readonly coupon?: string
  },
): Promise<unknown> {
  const { id, customer, status } = order
  await push(context, step, 'order', sampleOrder(context, order))
  const fact =
    status === 'CANCELLED'
      ? 'order.canceled'
      : status === 'DELIVERED'
        ? 'order.completed'
        : 'order.created'
  const { identifier, externalIds } = customer
  const payload = { orderId: id, customerId: customer.id, identifier, externalIds }
  const body = sampleEvent(context, fact, { payload })
  await sendEither(
    context,
    `${step}-event`,
    { binding: 'receiveCustomerEventByBinding', flow: 'receiveCustomerEvent' },
    { body },
  )
  return body
}

/** It lists operations of Customer, and none of a Loyalty host; events of Loyalty may come to others as well. */
function declaresNoLoyalty(manifest: unknown): boolean {
  const names = capabilitiesIn(manifest).flatMap(({ block }) => operationNamesIn(block))
  const ofHost = loyaltyMapNames.filter((name) => name !== 'receiveLoyaltyEvent')
  const isListed = operationNamesIn(customerBlockIn(manifest) ?? {}).length > 0
  return isListed && !ofHost.some((name) => names.includes(name))
}

export interface LoyaltyMember {
  readonly customer: NamedCustomer
  /** The order with which the account was opened. */
  readonly orderId: string
  readonly accountId: string
  readonly programId: string
}

/** The account of a customer in a program of --data, or in any program where --data names none. */
function accountOfMember(
  { data: { programs } }: ProcedureContext,
  reply: unknown,
): UnknownRecord | undefined {
  const accounts = entriesIn(reply)
  return programs.length === 0
    ? accounts[0]
    : accounts.find(({ programId }) => programs.some((id) => id === programId))
}

/**
 * A customer with an order that is open, and the account that the service has opened for it, or that a customer of --data
 * has. The slot chooses one of them, so that procedures share none where there are enough.
 */
export async function loyaltyMember(
  context: ProcedureContext,
  slot: number,
): Promise<LoyaltyMember> {
  const { reply: manifest } = await send(context, 'manifest', 'getManifest')
  if (declaresNoLoyalty(manifest)) context.skip('its manifest declares no Loyalty operation')
  const customer = await knownToCrm(context, 'customer', slot)
  const { email = customer.id } = customer.contacts
  const orderId = context.unknownId()
  if (!customer.isExisting)
    await untilListed(context, 'customer-listed', 'customer', {
      text: email,
      query: customerFilter(customer),
    })
  await readAccounts(context, 'before', customer.id)
  context.note('order-open', orderId)
  await tellOrder(context, 'open', { id: orderId, customer, status: 'CREATED' })
  context.leaves(`customer ${customer.id} with orders`)
  const opened = (): Promise<Observed> =>
    readUntil(
      context,
      () => readAccounts(context, 'opening', customer.id),
      ({ reply }) => accountOfMember(context, reply) !== undefined,
    )
  const openedAccount = async () => accountOfMember(context, (await opened()).reply)
  const account =
    (await openedAccount()) ??
    (await ifPossible(async () => {
      await context.ask({
        kind: 'other',
        instruction: `Open a loyalty account for customer ${customer.id}, ${email}, at your side.`,
      })
      return openedAccount()
    }))
  const { id, accountId = id, programId } = account ?? {}
  if (typeof accountId !== 'string' || typeof programId !== 'string')
    return context.skip(
      lacksData(
        `it shows no loyalty account of customer ${customer.id}${context.data.programs.length > 0 ? ' in a program of --data' : ''}`,
        'customers',
      ),
    )
  context.note('member-account', accountId)
  context.leaves(`loyalty account ${accountId} of customer ${customer.id}`)
  return { customer, orderId, accountId, programId }
}

/** The balance that can be spent, of one account in a list or of an account alone. */
export function availableIn(reply: unknown, accountId: string): number | undefined {
  const account = isUnknownRecord(reply) && 'summary' in reply ? reply : accountIn(reply, accountId)
  const points = bodyValue(account, '/summary/pointsAvailable')
  return typeof points === 'number' ? points : undefined
}

export const accountIn = (reply: unknown, id: string): UnknownRecord | undefined =>
  entriesIn(reply).find((each) => each['id'] === id || each['accountId'] === id)

/** Has points granted to the account, so that something can be redeemed. */
export async function givePoints(
  context: ProcedureContext,
  { accountId, customer }: LoyaltyMember,
  points: number,
): Promise<void> {
  await context.ask({
    kind: 'other',
    instruction: `Give loyalty account ${accountId} of customer ${customer.id} ${points} points at your side.`,
    command: { kind: 'loyalty.adjust', accountId, points },
  })
  await readUntil(
    context,
    () => readAccounts(context, 'given', customer.id),
    ({ reply }) => (availableIn(reply, accountId) ?? 0) >= points,
  )
}

export interface Offer {
  readonly rewardId: string
  readonly cost: number
}

/** The cheapest reward of the program. */
export async function cheapestReward(
  context: ProcedureContext,
  { programId }: LoyaltyMember,
): Promise<Offer> {
  const { reply } = await send(context, 'rewards', 'listLoyaltyRewards')
  const offers = entriesIn(reply).flatMap(({ id, cost, ...reward }) =>
    typeof id === 'string' &&
    typeof cost === 'number' &&
    (reward['programId'] ?? programId) === programId &&
    reward['available'] !== false
      ? [{ rewardId: id, cost }]
      : [],
  )
  const [offer] = offers.toSorted((a, b) => a.cost - b.cost)
  return (
    offer ??
    context.skip(lacksData(`it lists no reward of program ${programId} with its cost`, 'programs'))
  )
}

/** The body has every name that partners read: the documents show none (LOY-UND-05). */
export const redeem = (
  context: ProcedureContext,
  step: string,
  { accountId, programId, customer }: LoyaltyMember,
  { rewardId, cost, quantity = 1, orderId }: Offer & { quantity?: number; orderId?: string },
): Promise<Observed> =>
  send(context, step, 'createLoyaltyRedemption', {
    body: {
      accountId,
      customerId: customer.id,
      programId,
      rewardId,
      quantity,
      points: cost * quantity,
      ...(orderId === undefined ? {} : { relatedOrderId: orderId, orderId }),
    },
  })
