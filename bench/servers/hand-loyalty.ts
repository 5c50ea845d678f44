/**
 * Hand-written redemptions: an accepted redemption reserves points of the balance, 202 now, and later the burn and the
 * coupon with a unique code, which both can be listed. Nobody receives events, so there are none.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { benchProgram, coffeeReward, unaffordableReward, initialPoints } from './loyalty-program.ts'
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
  readonly transactions: Transaction[]
}

interface Transaction {
  readonly id: string
  readonly occurredAt: string
  readonly accountId: string
  readonly type: 'burn' | 'adjust'
  readonly amount: number
  readonly metadata: Readonly<Record<string, string>>
  readonly relatedOrderId?: string
}

interface Redemption {
  readonly id: string
  readonly account: Account
  readonly reward: Reward
  readonly quantity: number
  readonly points: number
  readonly relatedOrderId?: string
}

interface Coupon {
  readonly id: string
  readonly code: string
  readonly customerId: string
  readonly programId: string
  readonly [field: string]: unknown
}

interface Reward {
  readonly id: string
  readonly programId: string
  readonly name: string
  readonly type: keyof typeof couponTypes
  readonly cost: number
}

const couponTypes = { product: 'free_item', generic: 'discount' } as const

const Id = z.string().min(1).max(200)
const Request = z
  .looseObject({
    accountId: Id.optional(),
    customerId: Id.optional(),
    programId: Id.optional(),
    rewardId: Id,
    quantity: z.int().min(1).max(1000).optional(),
    points: z.int().min(1).optional(),
    relatedOrderId: Id.optional(),
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
const coupons: Coupon[] = []
const codes = new Set<string>()
const later = createDelayQueue()
const limit = createRequestLimit(100_000)

const accountKey = (customerId: string, programId: string): string => `${programId}|${customerId}`

function create(count: number): readonly string[] {
  return Array.from({ length: count }, () => {
    const id = randomUUID()
    const now = new Date().toISOString()
    const account: Account = {
      id,
      customerId: `customer-${accounts.size + 1}`,
      programId: benchProgram.id,
      status: 'ACTIVE',
      balance: initialPoints,
      reserved: 0,
      updatedAt: now,
      transactions: [
        {
          id: randomUUID(),
          occurredAt: now,
          accountId: id,
          type: 'adjust',
          amount: initialPoints,
          metadata: { reason: 'by_hand' },
        },
      ],
    }
    accounts.set(account.id, account)
    accountIds.set(accountKey(account.customerId, account.programId), account.id)
    return account.id
  })
}

function accountReply({ reserved, transactions: _transactions, updatedAt, ...shown }: Account) {
  return jsonReply(200, {
    ...shown,
    balanceType: 'points',
    summary: {
      pointsAvailable: shown.balance - reserved,
      pointsPending: 0,
      pointsExpiringSoon: 0,
    },
    updatedAt,
  })
}

const pageSize = 50

/** The first page of a list. */
const pageReply = (all: readonly unknown[]): HandReply =>
  jsonReply(200, { items: all.slice(0, pageSize), page: 1, pageSize, total: all.length })

const transactionView = (transaction: Transaction) => ({
  ...transaction,
  points: transaction.amount,
  ...(transaction.relatedOrderId === undefined ? {} : { orderId: transaction.relatedOrderId }),
})

function get(path: string, query: string): HandReply {
  if (path === '/loyalty/coupons') {
    const customerId = new URLSearchParams(query).get('customerId')
    return pageReply(coupons.filter((coupon) => coupon.customerId === customerId))
  }
  const [, loyalty, accountsName, accountId = '', list] = path.split('/')
  const account =
    loyalty === 'loyalty' && accountsName === 'accounts' ? accounts.get(accountId) : undefined
  if (!account) return notFoundReply()
  if (list === undefined) return accountReply(account)
  return list === 'transactions'
    ? pageReply(account.transactions.map(transactionView))
    : notFoundReply()
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

function complete({ id, account, reward, quantity, points, relatedOrderId }: Redemption): void {
  const occurredAt = new Date().toISOString()
  const related = relatedOrderId === undefined ? {} : { relatedOrderId }
  account.reserved -= points
  account.balance -= points
  account.transactions.push({
    id: randomUUID(),
    occurredAt,
    accountId: account.id,
    type: 'burn',
    amount: -points,
    metadata: { redemptionId: id, rewardId: reward.id },
    ...related,
  })
  const code = freshCode()
  codes.add(code)
  coupons.push({
    id: randomUUID(),
    code,
    type: couponTypes[reward.type],
    status: relatedOrderId === undefined ? 'available' : 'applied',
    accountId: account.id,
    customerId: account.customerId,
    programId: account.programId,
    source: 'redemption',
    redemptionId: id,
    ...related,
    name: reward.name,
    quantity,
    updatedAt: occurredAt,
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
  const id = randomUUID()
  const related = relatedOrderId === undefined ? {} : { relatedOrderId }
  account.reserved += cost
  const redemption = { id, account, reward, quantity, points: cost, ...related }
  later.push({ at: Date.now() + randomBetween(80, 150), run: () => complete(redemption) })
  return jsonReply(202, {
    status: 'ACCEPTED',
    correlationId: id,
    id,
    accountId: account.id,
    customerId: account.customerId,
    programId: account.programId,
    rewardId,
    quantity,
    points: cost,
    ...related,
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
