/**
 * Hand-written redemptions: an accepted redemption reserves points of the balance, 202 now, and later the burn, the
 * coupon with a unique code, and the event.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { benchProgram, coffeeReward, unaffordableReward, initialPoints } from './loyalty-program.ts'
import { createBoundedEventList } from './hand-events.ts'
import {
  jsonReply,
  type HandReply,
  invalidPayloadReply,
  notFoundReply,
  problemReply,
  serveByHand,
} from './hand-http.ts'
import { createRequestLimit } from './hand-limit.ts'
import { randomBetween, createDelayQueue } from './hand-queue.ts'

interface Account {
  readonly id: string
  readonly customerId: string
  readonly programId: string
  status: 'ENROLLED' | 'ACTIVE' | 'SUSPENDED'
  balance: number
  reserved: number
  updatedAt: string
  readonly transactions: unknown[]
}

interface Redemption {
  readonly id: string
  readonly account: Account
  readonly reward: Reward
  readonly quantity: number
  readonly points: number
  status: 'ACCEPTED' | 'COMPLETED'
  couponId?: string
}

interface Reward {
  readonly id: string
  readonly programId: string
  readonly name: string
  readonly type: keyof typeof couponTypes
  readonly cost: number
}

const couponTypes = { product: 'free_item', generic: 'discount' } as const

const id = z.string().min(1).max(200)
const Request = z
  .looseObject({
    accountId: id.optional(),
    customerId: id.optional(),
    programId: id.optional(),
    rewardId: id,
    quantity: z.int().min(1).max(1000).optional(),
    points: z.int().min(1).optional(),
    relatedOrderId: id.optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(
    ({ accountId, customerId, programId }) =>
      accountId !== undefined || (customerId !== undefined && programId !== undefined),
  )

const accounts = new Map<string, Account>()
/** Account id by program and customer. */
const accountIds = new Map<string, string>()
const rewards = new Map<string, Reward>(
  [coffeeReward, unaffordableReward].map((reward) => [reward.id, reward]),
)
const redemptions = new Map<string, Redemption>()
const coupons = new Map<string, unknown>()
const codes = new Set<string>()
const events = createBoundedEventList()
const later = createDelayQueue()
const limit = createRequestLimit(100_000)

const accountKey = (customerId: string, programId: string): string => `${programId}|${customerId}`

function create(count: number): readonly string[] {
  return Array.from({ length: count }, () => {
    const account: Account = {
      id: randomUUID(),
      customerId: `customer-${accounts.size + 1}`,
      programId: benchProgram.id,
      status: 'ACTIVE',
      balance: initialPoints,
      reserved: 0,
      updatedAt: new Date().toISOString(),
      transactions: [],
    }
    accounts.set(account.id, account)
    accountIds.set(accountKey(account.customerId, account.programId), account.id)
    return account.id
  })
}

function get(path: string): HandReply {
  const account = path.startsWith('/loyalty/accounts/') ? accounts.get(path.slice(18)) : undefined
  if (!account) return notFoundReply()
  const { reserved, transactions: _transactions, updatedAt, ...shown } = account
  return jsonReply(200, {
    ...shown,
    balanceType: 'points',
    summary: {
      pointsAvailable: account.balance - reserved,
      pointsPending: 0,
      pointsExpiringSoon: 0,
    },
    updatedAt,
  })
}

/** Letters and digits that are not mistaken for each other. */
const codeChars = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

function freshCode(): string {
  for (;;) {
    let code = ''
    for (let index = 0; index < 8; index++)
      code += codeChars.charAt(randomBetween(0, codeChars.length - 1))
    if (!codes.has(code)) return code
  }
}

function complete(redemption: Redemption): void {
  const { account, reward, quantity } = redemption
  if (redemption.status !== 'ACCEPTED') return
  const occurredAt = new Date().toISOString()
  account.reserved -= redemption.points
  account.balance -= redemption.points
  account.transactions.push({
    id: randomUUID(),
    occurredAt,
    accountId: account.id,
    type: 'burn',
    amount: -redemption.points,
    metadata: { redemptionId: redemption.id, rewardId: reward.id },
  })
  const coupon = {
    id: randomUUID(),
    code: freshCode(),
    type: couponTypes[reward.type],
    status: 'available',
    accountId: account.id,
    customerId: account.customerId,
    programId: account.programId,
    quantity,
    name: reward.name,
    redemptionId: redemption.id,
    updatedAt: occurredAt,
  }
  codes.add(coupon.code)
  coupons.set(coupon.id, coupon)
  redemption.status = 'COMPLETED'
  redemption.couponId = coupon.id
  events.add({
    event: {
      eventId: randomUUID(),
      eventType: 'loyalty.points_redeemed',
      entityType: 'loyalty',
      occurredAt,
      payload: {
        customerId: account.customerId,
        programId: account.programId,
        accountId: account.id,
        points: redemption.points,
        balance: account.balance - account.reserved,
        pending: 0,
        redemptionId: redemption.id,
        couponId: coupon.id,
        couponCode: coupon.code,
        couponStatus: coupon.status,
      },
    },
  })
}

function redeem(body: unknown): HandReply {
  const parsed = Request.safeParse(body)
  if (!parsed.success) return invalidPayloadReply()
  const { accountId, customerId = '', programId = '', rewardId, quantity = 1 } = parsed.data
  const account = accounts.get(accountId ?? accountIds.get(accountKey(customerId, programId)) ?? '')
  if (!account) return notFoundReply()
  const reward = rewards.get(rewardId)
  if (!reward) return notFoundReply()
  const cost = reward.cost * quantity
  const wrongPrice = parsed.data.points !== undefined && parsed.data.points !== cost
  if (reward.programId !== account.programId || wrongPrice)
    return problemReply(422, 'UNPROCESSABLE')
  if (account.status === 'SUSPENDED') return problemReply(409, 'LOYALTY_ACCOUNT_SUSPENDED')
  if (cost > account.balance - account.reserved) return problemReply(409, 'INSUFFICIENT_BALANCE')
  const { relatedOrderId } = parsed.data
  const redemption: Redemption = {
    id: randomUUID(),
    account,
    reward,
    quantity,
    points: cost,
    status: 'ACCEPTED',
  }
  redemptions.set(redemption.id, redemption)
  account.reserved += cost
  later.push({ at: Date.now() + randomBetween(80, 150), run: () => complete(redemption) })
  return jsonReply(202, {
    status: redemption.status,
    correlationId: redemption.id,
    id: redemption.id,
    accountId: account.id,
    customerId: account.customerId,
    programId: account.programId,
    rewardId,
    quantity,
    points: cost,
    ...(relatedOrderId === undefined ? {} : { relatedOrderId }),
    createdAt: new Date().toISOString(),
  })
}

serveByHand({
  scope: 'crm',
  get,
  post: (path, _query, body) => (path === '/loyalty/redemptions' ? redeem(body) : notFoundReply()),
  checkLimits: limit,
  delayQueue: later,
  create,
})
