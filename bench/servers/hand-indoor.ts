/**
 * Hand-written dining accounts: one per table, with the items of its orders and the payments. A payment is checked
 * against status and amount due and takes effect at once; totals are computed on read.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createOrderSource, type BenchOrder } from '../documents.ts'
import {
  jsonReply,
  type HandReply,
  invalidPayloadReply,
  notFoundReply,
  problemReply,
  serveByHand,
} from './hand-http.ts'
import { tableOrder } from './table-order.ts'

const { orders: file } = JSON.parse(process.argv[2] ?? '{}') as { orders: string }
const nextOrder = createOrderSource(file)

const Mode = z.enum(['TABLE', 'TAB', 'COUNTER'])
const Money = z.number().positive().max(1_000_000_000)
const id = z.string().min(1).max(200)
const charge = z.looseObject({ rate: z.number().optional(), amount: z.number().optional() })
const brands = [
  'VISA',
  'MASTERCARD',
  'AMEX',
  'ELO',
  'HIPERCARD',
  'AURA',
  'SODEXO',
  'VR',
  'BENEFIT',
  'OTHER',
] as const

const Payment = z.looseObject({
  operationMode: Mode.optional(),
  identifier: id.optional(),
  accountId: id.optional(),
  merchantId: id.optional(),
  amount: z.union([Money, z.looseObject({ value: Money, currency: z.string().length(3) })]),
  methodInfo: z
    .looseObject({
      method: z.enum(['CASH', 'CREDIT_CARD', 'DEBIT_CARD', 'PIX', 'VOUCHER', 'OTHER']),
      brand: z.enum(brands).optional(),
      nsu: z.string().optional(),
    })
    .optional(),
  serviceCharge: charge.optional(),
  tip: z.number().min(0).optional(),
  items: z.array(id).max(1000).optional(),
  seat: z.string().max(200).optional(),
})
type Payment = z.infer<typeof Payment>

interface AccountItem {
  readonly itemId: string
  readonly totalPrice: number
  readonly [field: string]: unknown
}

interface StoredPayment {
  readonly paymentId: string
  readonly amount: number
  readonly [field: string]: unknown
}

interface Account {
  readonly accountId: string
  readonly merchantId: string
  readonly operationMode: string
  readonly identifier: string
  status: 'IN_USE' | 'IN_PAYMENT' | 'CLOSED'
  lastEvent: string
  readonly openedAt: string
  readonly orders: readonly unknown[]
  readonly items: readonly AccountItem[]
  readonly payments: StoredPayment[]
}

const accounts = new Map<string, Account>()
/** By operation mode and identifier; one account per merchant. */
const openAccounts = new Map<string, Account[]>()

const accountKey = (operationMode: string, identifier: string): string =>
  `${operationMode} ${identifier}`

type Option = NonNullable<BenchOrder['items'][number]['options']>[number]

const optionOf = ({ name, quantity, pricing, options }: Option): unknown => ({
  name,
  quantity,
  unitPrice: pricing.unitPrice.value,
  totalPrice: pricing.totalPrice.value,
  ...(options ? { options: options.map(optionOf) } : {}),
})

const itemOf = (item: BenchOrder['items'][number], addedAt: string): AccountItem => ({
  itemId: item.id,
  name: item.name,
  quantity: item.quantity,
  unitPrice: item.pricing.unitPrice.value,
  totalPrice: item.pricing.totalPrice.value,
  addedAt,
  status: 'ACTIVE',
  origin: 'ORDERING_APPLICATION',
  ...(item.externalCode === undefined ? {} : { externalCode: item.externalCode }),
  ...(item.observations === undefined ? {} : { notes: item.observations }),
  ...(item.options ? { options: item.options.map(optionOf) } : {}),
})

function openAccount(identifier: string): string {
  const order = tableOrder(nextOrder, identifier)
  const { id: orderId, createdAt, merchant } = order
  const openedAt = new Date().toISOString()
  const operationMode = 'TABLE'
  const items = order.items.map((item) => itemOf(item, openedAt))
  const account: Account = {
    accountId: randomUUID(),
    merchantId: merchant.id,
    operationMode,
    identifier,
    status: 'IN_USE',
    lastEvent: 'ACCOUNT_OPENED',
    openedAt,
    orders: [{ orderId, originChannel: 'QR_CODE', createdAt }],
    items,
    payments: [],
  }
  accounts.set(account.accountId, account)
  const key = accountKey(operationMode, identifier)
  openAccounts.set(key, [...(openAccounts.get(key) ?? []), account])
  return identifier
}

interface AccountReference {
  readonly accountId?: string | undefined
  readonly operationMode?: string | undefined
  readonly identifier?: string | undefined
  readonly merchantId?: string | undefined
}

/** The account that a query names; undefined when its operation mode is invalid. */
function parseReference(query: string): AccountReference | undefined {
  const search = new URLSearchParams(query)
  const parameter = (name: string): string | undefined => search.get(name) ?? undefined
  const operationMode = parameter('operationMode')
  if (operationMode !== undefined && !Mode.safeParse(operationMode).success) return undefined
  return {
    operationMode,
    identifier: parameter('identifier'),
    accountId: parameter('accountId'),
    merchantId: parameter('merchantId'),
  }
}

function find({
  accountId,
  operationMode,
  identifier,
  merchantId,
}: AccountReference): Account | undefined {
  const matchesMerchant = (account: Account): boolean =>
    merchantId === undefined || account.merchantId === merchantId
  if (accountId === undefined)
    return openAccounts
      .get(accountKey(operationMode ?? '', identifier ?? ''))
      ?.findLast(matchesMerchant)
  const account = accounts.get(accountId)
  return account && matchesMerchant(account) ? account : undefined
}

const isComplete = ({ accountId, operationMode, identifier }: AccountReference): boolean =>
  accountId !== undefined || (operationMode !== undefined && identifier !== undefined)

const cents = (amount: number): number => Math.round(amount * 100)

function totalsOf({ items, payments }: Account) {
  const subtotal = items.reduce((sum, { totalPrice }) => sum + cents(totalPrice), 0)
  const paid = payments.reduce((sum, { amount }) => sum + cents(amount), 0)
  return { subtotal, paid, due: Math.max(0, subtotal - paid) }
}

function get(path: string, query: string): HandReply {
  if (path !== '/accounts') return notFoundReply()
  const fromQuery = parseReference(query)
  if (!fromQuery || !isComplete(fromQuery)) return invalidPayloadReply()
  const account = find(fromQuery)
  if (!account) return notFoundReply('ACCOUNT_NOT_FOUND')
  const { subtotal, paid, due } = totalsOf(account)
  return jsonReply(200, {
    ...account,
    totals: {
      itemsSubtotal: subtotal / 100,
      serviceCharge: { amount: 0 },
      taxes: { amount: 0 },
      discount: 0,
      paid: paid / 100,
      due: due / 100,
    },
    fiscal: { documentIssued: false },
  })
}

/** The error reply to a payment; undefined when it is valid. */
function refusal(account: Account, { items }: Payment, amount: number): HandReply | undefined {
  if (account.status === 'CLOSED') return problemReply(409, 'INVALID_ACCOUNT_STATE')
  if (cents(amount) <= 0) return problemReply(422, 'UNPROCESSABLE')
  if (items?.some((itemId) => !account.items.some((item) => item.itemId === itemId)))
    return problemReply(422, 'UNPROCESSABLE')
  return cents(amount) > totalsOf(account).due
    ? problemReply(409, 'PAYMENT_EXCEEDS_DUE')
    : undefined
}

function pay(query: string, body: unknown): HandReply {
  const fromQuery = parseReference(query)
  const parsed = Payment.safeParse(body)
  if (!fromQuery || !parsed.success || !parsed.data.methodInfo) return invalidPayloadReply()
  const { methodInfo, serviceCharge, tip, items, seat, ...rest } = parsed.data
  const { accountId, operationMode, identifier, merchantId } = rest
  const reference = {
    accountId: accountId ?? fromQuery.accountId,
    operationMode: operationMode ?? fromQuery.operationMode,
    identifier: identifier ?? fromQuery.identifier,
    merchantId: merchantId ?? fromQuery.merchantId,
  }
  if (!isComplete(reference)) return invalidPayloadReply()
  const account = find(reference)
  if (!account) return notFoundReply('ACCOUNT_NOT_FOUND')
  const amount = typeof rest.amount === 'number' ? rest.amount : rest.amount.value
  const refused = refusal(account, parsed.data, amount)
  if (refused) return refused
  const payment: StoredPayment = {
    paymentId: randomUUID(),
    paidAt: new Date().toISOString(),
    amount: cents(amount) / 100,
    methodInfo,
    ...(serviceCharge ? { serviceCharge } : {}),
    ...(tip === undefined ? {} : { tip }),
    ...(items ? { items } : {}),
    ...(seat === undefined ? {} : { seat }),
  }
  account.payments.push(payment)
  account.lastEvent = 'PAYMENT_CREATED'
  return jsonReply(200, payment)
}

serveByHand({
  scope: 'orders',
  get,
  post: (path, query, body) => (path === '/accounts/payments' ? pay(query, body) : notFoundReply()),
  create: (count) => Array.from({ length: count }, () => openAccount(String(accounts.size + 1))),
})
