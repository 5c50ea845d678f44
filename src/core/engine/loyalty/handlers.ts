/** Operation handlers of Loyalty. A credential limited to one store cannot see other stores' programs. */
import { compact } from '../../base/compact.ts'
import { isInPeriod, parsePaging, parsePeriod, type Period } from '../../protocol/customer/query.ts'
import type { CouponUse } from '../../protocol/loyalty/coupon.ts'
import type { LoyaltyEventBody } from '../../protocol/loyalty/event.ts'
import { type Program, type ProgramBatch, programsOf } from '../../protocol/loyalty/program.ts'
import type { RedemptionRequest } from '../../protocol/loyalty/redemption.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { HandlerAnswer, HandlerInput, OperationHandlers, ViewHandler } from '../handler.ts'
import { type Refusal, refuse } from '../refusal.ts'
import {
  accountOfRequest,
  accountsOf,
  customerIdsOf,
  findLoyaltyAccount,
  findLoyaltyCoupon,
} from './find.ts'
import { couponView, loyaltyAccountView, redemptionView, transactionView } from './views.ts'
import type { LoyaltyAccountRecord } from './world.ts'

type Query = Pick<HandlerInput, 'query'>

const orRefusal = <Value>(read: Result<Value, string>): Result<Value, Refusal> =>
  read.ok ? read : err({ code: 'INVALID_PAYLOAD', message: read.error })

/** One page of a list (C10), of which only its own items are serialised; an invalid parameter is refused by name. */
function pageAnswer<Value>(
  values: readonly Value[],
  view: (value: Value) => unknown,
  { query }: Query,
): Result<HandlerAnswer, Refusal> {
  const paging = orRefusal(parsePaging(query))
  if (!paging.ok) return paging
  const { page, pageSize } = paging.value
  const from = (page - 1) * pageSize
  const items = values.slice(from, from + pageSize).map(view)
  return ok({ body: { items, page, pageSize, total: values.length } })
}

/** The period from createdFrom to createdTo. */
const createdPeriod = ({ query }: Query): Result<Period, Refusal> =>
  orRefusal(parsePeriod(query, 'created', true))

type View = (input: HandlerInput) => Result<HandlerAnswer, Refusal>
const view = (look: View): ViewHandler => ({ kind: 'view', view: look })

const param = ({ params }: HandlerInput, name: string): string => params[name] ?? ''

const hostWorldOf = ({ world }: HandlerInput) => world.loyalty.host

/** A filter by an optional query parameter. */
const matchesQuery =
  (name: string, input: HandlerInput) =>
  (value: string | undefined): boolean => {
    const [wanted] = input.query(name)
    return wanted === undefined || wanted === value
  }

/** Whether the client may see data of this store; data without a store is visible to every client. */
const isVisible = (merchantId: string | undefined, { client }: HandlerInput): boolean =>
  merchantId === undefined || (client?.merchants?.includes(merchantId) ?? true)

const visiblePrograms = (input: HandlerInput): readonly Program[] =>
  [...hostWorldOf(input).programs.values()].filter(({ merchantId }) => isVisible(merchantId, input))

const isVisibleProgram = (programId: string, input: HandlerInput): boolean =>
  isVisible(hostWorldOf(input).programs.get(programId)?.merchantId, input)

function visibleAccount(
  accountId: string,
  input: HandlerInput,
): Result<LoyaltyAccountRecord, Refusal> {
  const found = findLoyaltyAccount(accountId, input.world)
  return found.ok && !isVisible(found.value.merchantId, input)
    ? err({ code: 'NOT_FOUND', message: `there is no loyalty account ${accountId}` })
    : found
}

const identity = <Value>(value: Value): Value => value

export const loyaltyHandlers = {
  'loyalty.programs': view((input) => {
    const wanted = matchesQuery('merchantId', input)
    const programs = visiblePrograms(input).filter(
      ({ merchantId }) => merchantId === undefined || wanted(merchantId),
    )
    return pageAnswer(programs, identity, input)
  }),
  'loyalty.program': view((input) => {
    const id = param(input, 'programId')
    const program = visiblePrograms(input).find((each) => each.id === id)
    return program ? ok({ body: program }) : refuse('NOT_FOUND', `there is no program ${id}`)
  }),
  'loyalty.store-programs': {
    kind: 'command',
    command: ({ body }) =>
      ok({ kind: 'loyalty.store-programs', programs: programsOf(body as ProgramBatch) }),
    answer: (_facts, { body }) => ({
      body: { status: 'ACCEPTED', correlationId: programsOf(body as ProgramBatch)[0]?.id },
    }),
  },
  /** Not paged; empty for a customer who is not enrolled. */
  'loyalty.accounts-of': view((input) => {
    const wanted = matchesQuery('programId', input)
    const items = accountsOf(param(input, 'customerId'), input.world)
      .filter(({ programId, merchantId }) => wanted(programId) && isVisible(merchantId, input))
      .map(loyaltyAccountView)
    return ok({ body: { items } })
  }),
  'loyalty.account': view((input) => {
    const found = visibleAccount(param(input, 'accountId'), input)
    return found.ok ? ok({ body: loyaltyAccountView(found.value) }) : found
  }),
  'loyalty.transactions': view((input) => {
    const found = visibleAccount(param(input, 'accountId'), input)
    if (!found.ok) return found
    const period = createdPeriod(input)
    if (!period.ok) return period
    const all = hostWorldOf(input).transactions.get(found.value.id) ?? []
    const within = all.filter(({ occurredAt }) => isInPeriod(period.value, occurredAt))
    return pageAnswer(within, transactionView, input)
  }),
  'loyalty.rewards': view((input) => {
    const wanted = matchesQuery('programId', input)
    const rewards = [...hostWorldOf(input).rewards.values()].filter(
      ({ programId }) => wanted(programId) && isVisibleProgram(programId, input),
    )
    return pageAnswer(rewards, identity, input)
  }),
  'loyalty.redeem': {
    kind: 'command',
    command: (input) => {
      const request = input.body as RedemptionRequest
      const found = accountOfRequest(request, input.world)
      if (!found.ok) return found
      const visible = visibleAccount(found.value.id, input)
      return visible.ok ? ok({ kind: 'loyalty.redeem', request }) : visible
    },
    answer: (facts, { world, body }) => {
      const accepted = facts.find((fact) => fact.kind === 'loyalty.redemption-accepted')
      const account = accountOfRequest(body as RedemptionRequest, world)
      const orderId = accepted?.redemption.orderId
      return {
        ...(orderId === undefined ? {} : { about: { orderId } }),
        body:
          accepted && account.ok
            ? redemptionView(accepted.redemption, account.value)
            : { status: 'ACCEPTED' },
      }
    },
  },
  'loyalty.coupons': view((input) => {
    const { coupons, programs } = hostWorldOf(input)
    const [program, merchant] = [
      matchesQuery('programId', input),
      matchesQuery('merchantId', input),
    ]
    const [customer] = input.query('customerId')
    const ids = customer === undefined ? undefined : customerIdsOf(customer, input.world)
    const wanted = [...coupons.values()].filter(
      ({ programId, customerId }) =>
        program(programId) &&
        (ids === undefined || ids.has(customerId)) &&
        merchant(programs.get(programId)?.merchantId) &&
        isVisibleProgram(programId, input),
    )
    return pageAnswer(wanted, couponView, input)
  }),
  'loyalty.use-coupon': {
    kind: 'command',
    command: (input) => {
      const couponId = param(input, 'couponId')
      const found = findLoyaltyCoupon(couponId, input.world)
      if (!found.ok) return found
      if (!isVisibleProgram(found.value.programId, input))
        return refuse('NOT_FOUND', `there is no coupon ${couponId}`)
      const { relatedOrderId: orderId } = (input.body ?? {}) as CouponUse
      return ok({
        kind: 'loyalty.move-coupon',
        couponId,
        trigger: 'use',
        ...compact({ orderId }),
      })
    },
    answer: (_facts, input) => {
      const coupon = hostWorldOf(input).coupons.get(param(input, 'couponId'))
      return coupon ? { body: couponView(coupon) } : {}
    },
  },
  'loyalty.receive': {
    kind: 'command',
    command: ({ host, body }) =>
      ok({
        kind: host === 'crm' ? 'loyalty.notify' : 'reward.notify',
        event: body as LoyaltyEventBody,
      }),
    answer: (facts) => {
      const heard = facts.find(
        (fact) => fact.kind === 'reward.heard' || fact.kind === 'loyalty.event-heard',
      )
      const orderId = heard?.kind === 'reward.heard' ? heard.orderId : undefined
      return {
        about: {
          ...(heard ? { eventIds: [heard.eventId] } : {}),
          ...compact({ orderId }),
        },
      }
    },
  },
} satisfies OperationHandlers
