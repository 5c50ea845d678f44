/** The words about accounts, deliveries, customers and points, which the service hosts, or we. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { compact } from '../../base/compact.ts'
import { operationOfTableAction } from '../../engine/indoor/tables.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { differenceFrom, type HostAnswer, type HostCall, type HostedKind } from '../hosts.ts'
import {
  balanceKeys,
  balanceDifference,
  CustomerSlot,
  DurationMs,
  EntityState,
  exactlyOne,
  jsonFields,
  onlyOfMove,
  onlyWhere,
  onlyWith,
  OperationName,
  OrderSlot,
  stateFields,
  StepFailure,
  within,
} from '../shared-shapes.ts'
import { asList, type StepContext } from '../step-context.ts'
import { jsonData } from '../../protocol/json-value.ts'
import { defineWord } from './word.ts'

const status = z.int().min(100).max(599)
const callKeys = () => ({
  answer: z
    .union([status, z.array(status).min(1)])
    .optional()
    .describe('the status of the answer, or those it may have; any success when absent'),
  times: z.int().min(1).max(100).optional().describe('sent so often, as one and the same request'),
})
interface Sent {
  readonly answer?: number | readonly number[] | undefined
  readonly times?: number | undefined
}

async function send(
  call: HostCall,
  { answer, times }: Sent,
  { hosts }: StepContext,
): Promise<HostAnswer> {
  const answered = await hosts.call(call, times)
  const isWanted =
    answer === undefined
      ? answered.status >= 200 && answered.status < 300
      : asList(answer).includes(answered.status)
  if (isWanted) return answered
  const wanted = answer === undefined ? 'with success' : asList(answer).join(' or ')
  const is = answered.status === 0 ? 'not answered' : `answered ${answered.status}`
  throw new StepFailure(`${call.operation} was ${is}, not ${wanted}`)
}

/** A move at our own host, by its name on the dashboard. */
async function moveOurs(
  kind: HostedKind,
  slot: string,
  move: string,
  { hosts, actions }: StepContext,
): Promise<void> {
  const entity = await hosts.ownEntity(kind, slot)
  const found = entity?.moves.find(({ trigger }) => trigger === move)
  if (found) return void (await actions.submit(found.command))
  const can = entity?.moves.map(({ trigger }) => trigger).join(', ')
  throw new StepFailure(
    entity
      ? `the ${kind} of ${slot} has no move ${move}: it has ${can}`
      : `there is no ${kind} of ${slot} yet`,
  )
}

interface AwaitedState {
  readonly is: z.output<typeof EntityState>
  readonly within?: number | undefined
  readonly optional?: boolean | undefined
}

async function awaitState(
  kind: HostedKind,
  slot: string,
  { is, within: withinMs, optional }: AwaitedState,
  { hosts }: StepContext,
): Promise<void> {
  const wrong = await hosts.waitFor(async () => {
    try {
      return differenceFrom(await hosts.document(kind, slot), stateFields(is))
    } catch (error) {
      if (error instanceof StepFailure) return error.message
      throw error
    }
  }, withinMs)
  if (wrong === undefined) return
  throw new StepFailure(`of the ${kind} of ${slot}, ${wrong}`, optional ? 'unserved' : undefined)
}

const stateKeys = () => ({
  is: EntityState.optional().describe('waits until its host says so: a status, or fields of it'),
  within,
  optional: z
    .boolean()
    .optional()
    .describe('for is: the host may decide otherwise; then the run shows nothing, and is skipped'),
})

const besideState = { within: ['is'], optional: ['is'] }

const accountOperations: Readonly<Record<string, OperationId>> = operationOfTableAction

const AccountStep = strictObject(() => ({
  order: OrderSlot,
  move: z
    .string()
    .min(1)
    .optional()
    .describe(
      `at your service: ${Object.keys(accountOperations).join(', ')}; at our house also discount, courtesy …`,
    ),
  amount: z
    .union([z.number().positive(), z.enum(['due', 'half'])])
    .optional()
    .describe('for pay: an amount, all that is due (when absent), or the half of it'),
  tip: z.number().positive().optional().describe('for pay: what is paid besides'),
  line: z.int().min(1).optional().describe('for cancel-item and transfer: the item, from 1'),
  to: OrderSlot.optional().describe('for transfer: the account of this order'),
  ...callKeys(),
  ...stateKeys(),
}))
  .superRefine(exactlyOne('account', ['move', 'is']))
  .superRefine(onlyOfMove('amount', 'pay'))
  .superRefine(onlyOfMove('tip', 'pay'))
  .superRefine(onlyOfMove('line', 'cancel-item', 'transfer'))
  .superRefine(onlyOfMove('to', 'transfer'))
  .superRefine(onlyWith({ answer: ['move'], times: ['move'], ...besideState }))

/** The part of a call that its move adds to the reference of the account. */
async function accountBody(
  { order, move, amount = 'due', tip, line, to }: z.output<typeof AccountStep>,
  { hosts }: StepContext,
): Promise<Pick<HostCall, 'params' | 'body'>> {
  if (move === 'pay' && typeof amount === 'number')
    return { body: { amount, methodInfo: { method: 'CASH' }, ...compact({ tip }) } }
  if (!['pay', 'cancel-item', 'transfer'].includes(move ?? '')) return { body: {} }
  const account = await hosts.document('account', order)
  const { totals, items } = (isUnknownRecord(account) ? account : {}) as {
    readonly totals?: { readonly due?: number }
    readonly items?: readonly UnknownRecord[]
  }
  if (move === 'pay') {
    const cents = Math.round((totals?.due ?? 0) * 100)
    const paid = (amount === 'half' ? Math.floor(cents / 2) : cents) / 100
    return { body: { amount: paid, methodInfo: { method: 'CASH' }, ...compact({ tip }) } }
  }
  const itemId = items?.[(line ?? 1) - 1]?.['itemId']
  if (typeof itemId !== 'string') throw new StepFailure(`the account has no item ${line ?? 1}`)
  if (move === 'cancel-item') return { params: { itemId }, body: {} }
  if (to === undefined) throw new StepFailure('say with "to" where it is transferred to')
  const target = await hosts.placeOf(to)
  const other = await hosts.document('account', to)
  const targetAccountId = isUnknownRecord(other) ? other['accountId'] : undefined
  const transferType = line === undefined ? 'FULL_ACCOUNT' : 'ITEMS'
  const itemIds = line === undefined ? [] : [itemId]
  return { body: { transferType, itemIds, target, ...compact({ targetAccountId }) } }
}

const deliveryCalls: Readonly<
  Record<string, { readonly operation: OperationId; readonly code?: string }>
> = {
  'ready-for-pickup': { operation: 'setDeliveryReadyForPickup' },
  collected: { operation: 'setDeliveryCollected' },
  delivered: { operation: 'setDeliveryDelivered' },
  problem: { operation: 'reportDeliveryProblem', code: 'problemCode' },
  cancel: { operation: 'cancelDelivery', code: 'cancellationCode' },
}

const DeliveryStep = strictObject(() => ({
  order: OrderSlot,
  move: z
    .string()
    .min(1)
    .optional()
    .describe(
      `at your service: ${Object.keys(deliveryCalls).join(', ')}; at our platform also assign, fail …`,
    ),
  code: z.string().min(1).optional().describe('for problem and cancel: the code'),
  recoverable: z.boolean().optional().describe('for problem: whether it can still be delivered'),
  ...callKeys(),
  ...stateKeys(),
}))
  .superRefine(exactlyOne('delivery', ['move', 'is']))
  .superRefine(onlyOfMove('code', 'problem', 'cancel'))
  .superRefine(onlyOfMove('recoverable', 'problem'))
  .superRefine(onlyWith({ answer: ['move'], times: ['move'], ...besideState }))

const CustomerStep = strictObject(() => ({
  customer: CustomerSlot,
  move: z.string().min(1).optional().describe('at our CRM: opt-out, opt-in, review …'),
  by: z
    .enum(['record', 'event'])
    .optional()
    .describe('how it is shared: as a record (when absent), or consent by its event alone'),
  name: z.string().min(1).optional(),
  consent: z.boolean().optional().describe('whether marketing is agreed to'),
  ago: DurationMs.optional().describe('so long ago it was so; now, when absent'),
  without: z
    .enum(['phone', 'externalId'])
    .optional()
    .describe('it comes with another phone, or another external id, than the slot has'),
  ...callKeys(),
  ...stateKeys(),
}))
  .superRefine(onlyWhere(['move'], ({ is }) => is === undefined, 'a customer without is'))
  .superRefine(
    onlyWhere(
      ['by', 'consent', 'ago', 'answer', 'times'],
      ({ is, move }) => is === undefined && move === undefined,
      'a customer that is shared, without is and move',
    ),
  )
  .superRefine(
    onlyWhere(
      ['name', 'without'],
      ({ is, move, by }) => is === undefined && move === undefined && by !== 'event',
      'a customer that is shared as a record',
    ),
  )
  .superRefine(onlyWith(besideState))

async function shareCustomer(
  input: z.output<typeof CustomerStep>,
  context: StepContext,
): Promise<void> {
  const { customer: slot, move, by, name, consent, ago = 0, without, is } = input
  if (is !== undefined) return awaitState('customer', slot, { ...input, is }, context)
  if (move !== undefined) return moveOurs('customer', slot, move, context)
  const { hosts } = context
  const { id, phone, externalId } = await hosts.identityOf(slot)
  const at = await hosts.ago(ago)
  if (by === 'event') {
    const eventType = consent === false ? 'customer.opted_out' : 'customer.opted_in'
    const identifier = { type: 'phone', value: phone }
    const payload = { customerId: id, identifier, consent: { marketing: consent !== false } }
    const eventId = `${id}-${eventType}-${at}`
    const event = { eventId, eventType, entityType: 'customer', occurredAt: at, payload }
    return void (await send({ operation: 'receiveCustomerEvent', body: { event } }, input, context))
  }
  const other = `${id}-other`
  const number = without === 'phone' ? phone.replace('+55119', '+55218') : phone
  const record = {
    ...(without === undefined ? { id } : { id: other }),
    identifier: { type: 'phone', value: number },
    externalIds: [without === 'externalId' ? `app:${other}` : externalId],
    name: name ?? slot,
    contacts: { phone: number },
    consent: { marketing: consent ?? false, updatedAt: at },
    createdAt: await hosts.ago(ago + 1000),
    updatedAt: at,
  }
  await send({ operation: 'upsertCustomers', body: { customer: record } }, input, context)
}

export const entityWords = {
  call: defineWord({
    shape: strictObject(() => ({
      make: OperationName,
      params: z.record(z.string(), z.string()).optional().describe('what its path names'),
      query: z.record(z.string(), z.string()).optional(),
      body: jsonData().optional(),
      shows: jsonFields.optional().describe('what the answer says, in part'),
      ...callKeys(),
    })).describe('our counterpart makes this call at your service; o1 in params is the order’s id'),
    text: ({ make }) => `our counterpart calls ${make}`,
    async perform({ make: operation, params = {}, shows, ...input }, context) {
      const named = Object.entries(params).map(([name, value]) => [
        name,
        /^o[1-9]\d*$/.test(value) ? context.actions.order(value) : value,
      ])
      const call = { operation, params: Object.fromEntries(named) as Record<string, string> }
      const { query, body } = input
      const answered = await send({ ...call, ...compact({ query, body }) }, input, context)
      const wrong = shows === undefined ? undefined : differenceFrom(answered.body, shows)
      if (wrong !== undefined) throw new StepFailure(`in the answer to ${operation}, ${wrong}`)
    },
  }),
  account: defineWord({
    shape: AccountStep.describe('a guest, or our house, acts on the account of an order'),
    text: ({ order, move, is }) => `the account of ${order}: ${move ?? JSON.stringify(is)}`,
    async perform(input, context) {
      const { order, move = '', is } = input
      if (is !== undefined) return awaitState('account', order, { ...input, is }, context)
      if (!context.hosts.isOfSubject('account')) return moveOurs('account', order, move, context)
      const operation = accountOperations[move]
      if (!operation) throw new StepFailure(`there is no call ${move} on an account`)
      const query = await context.hosts.placeOf(order)
      const { params, body } = await accountBody(input, context)
      const call = { operation, query, body: { ...query, ...(body as object) } }
      await send({ ...call, ...compact({ params }) }, input, context)
    },
  }),
  delivery: defineWord({
    shape: DeliveryStep.describe('the consumer, or our platform, acts on the delivery of an order'),
    text: ({ order, move, is }) => `the delivery of ${order}: ${move ?? JSON.stringify(is)}`,
    async perform(input, context) {
      const { order, move = '', is, code, recoverable } = input
      if (is !== undefined) return awaitState('delivery', order, { ...input, is }, context)
      if (!context.hosts.isOfSubject('delivery')) return moveOurs('delivery', order, move, context)
      const row = deliveryCalls[move]
      if (!row) throw new StepFailure(`there is no call ${move} on a delivery`)
      const body = {
        ...(row.code ? { [row.code]: code ?? 'OTHER' } : {}),
        ...compact({ recoverable }),
      }
      const params = { orderId: context.actions.order(order) }
      await send({ operation: row.operation, params, body }, input, context)
    },
  }),
  customer: defineWord({
    shape: CustomerStep.describe('our Ordering Application shares a customer, or a consent'),
    text: ({ customer, is, move }) =>
      `the customer ${customer}: ${move ?? (is === undefined ? 'is shared' : JSON.stringify(is))}`,
    perform: shareCustomer,
  }),
  redemption: defineWord({
    shape: strictObject(() => ({
      customer: CustomerSlot,
      quantity: z.int().min(1).max(1000).optional().describe('how many of it'),
      order: OrderSlot.optional().describe('the order that it is for'),
      ...callKeys(),
    })).describe('a customer redeems the reward that costs least'),
    text: ({ customer, quantity = 1 }) => `${customer} redeems ${quantity} of a reward`,
    async perform({ customer, quantity, order, ...input }, context) {
      const { hosts, actions } = context
      const { account, reward } = await hosts.reward(customer)
      const { id: accountId } = account
      const { id: rewardId } = reward
      const relatedOrderId = order === undefined ? undefined : actions.order(order)
      const body = { accountId, rewardId, ...compact({ quantity, relatedOrderId }) }
      await send({ operation: 'createLoyaltyRedemption', body }, input, context)
    },
  }),
  balance: defineWord({
    shape: strictObject(() => ({
      customer: CustomerSlot,
      ...balanceKeys(),
      remember: z.string().min(1).optional().describe('a name for it, to compare with later'),
      within,
    })).describe('waits until a customer may spend so many points'),
    text: ({ customer }) => `the points of ${customer}`,
    async perform({ customer, remember, within: withinMs, ...wanted }, { hosts }) {
      if (Object.values(wanted).includes('reward')) {
        const isKnown = async () => (await hosts.loyaltyAccount(customer)) !== undefined
        await hosts.waitFor(async () => ((await isKnown()) ? undefined : 'unknown'), withinMs)
        hosts.remember('reward', (await hosts.reward(customer)).cost)
      }
      let points: number | undefined
      const wrong = await hosts.waitFor(async () => {
        points = await hosts.balance(customer)
        return balanceDifference(points, wanted, (each) => hosts.numberOf(each))
      }, withinMs)
      if (wrong !== undefined) throw new StepFailure(`the balance of ${customer} ${wrong}`)
      if (remember !== undefined) hosts.remember(remember, points ?? 0)
    },
  }),
}
