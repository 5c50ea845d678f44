/**
 * Dining accounts by hand: one for each table, with the lines of its orders and what was paid. A payment is checked
 * against the account's status and what is due, and takes effect at once; totals are added up when somebody asks.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createPress, type OrderDocument } from '../documents.ts'
import { createEventList } from './hand-events.ts'
import { answered, type HandAnswer, invalid, notFound, problem, serve } from './hand-http.ts'
import { tableOrder } from './tables.ts'

const { orders: file } = JSON.parse(process.argv[2] ?? '{}') as { orders: string }
const press = createPress(file)

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

interface Line {
  readonly itemId: string
  readonly totalPrice: number
  readonly [field: string]: unknown
}

interface Paid {
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
  readonly items: readonly Line[]
  readonly payments: Paid[]
}

const accounts = new Map<string, Account>()
/** By place: one for each merchant. */
const open = new Map<string, Account[]>()
const events = createEventList()

const placeOf = (operationMode: string, identifier: string): string =>
  `${operationMode} ${identifier}`

function announce(account: Account, eventType: string, details: Record<string, unknown>): void {
  const { accountId, merchantId, operationMode, identifier } = account
  account.lastEvent = eventType
  events.add({
    eventId: randomUUID(),
    eventType,
    occurredAt: new Date().toISOString(),
    accountId,
    merchantId,
    operationMode,
    identifier,
    ...details,
  })
}

type Option = NonNullable<OrderDocument['items'][number]['options']>[number]

const optionOf = ({ name, quantity, pricing, options }: Option): unknown => ({
  name,
  quantity,
  unitPrice: pricing.unitPrice.value,
  totalPrice: pricing.totalPrice.value,
  ...(options ? { options: options.map(optionOf) } : {}),
})

const lineOf = (item: OrderDocument['items'][number], addedAt: string): Line => ({
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

function sitDown(identifier: string): string {
  const order = tableOrder(press, identifier)
  const { id: orderId, createdAt, merchant } = order
  const openedAt = new Date().toISOString()
  const operationMode = 'TABLE'
  const items = order.items.map((item) => lineOf(item, openedAt))
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
  const place = placeOf(operationMode, identifier)
  open.set(place, [...(open.get(place) ?? []), account])
  announce(account, 'ACCOUNT_OPENED', { orderId, payload: { items } })
  return identifier
}

interface Naming {
  readonly accountId?: string | undefined
  readonly operationMode?: string | undefined
  readonly identifier?: string | undefined
  readonly merchantId?: string | undefined
}

/** What a query names; undefined when that cannot be meant. */
function named(query: string): Naming | undefined {
  const search = new URLSearchParams(query)
  const said = (name: string): string | undefined => search.get(name) ?? undefined
  const operationMode = said('operationMode')
  if (operationMode !== undefined && !Mode.safeParse(operationMode).success) return undefined
  return {
    operationMode,
    identifier: said('identifier'),
    accountId: said('accountId'),
    merchantId: said('merchantId'),
  }
}

function find({ accountId, operationMode, identifier, merchantId }: Naming): Account | undefined {
  const fits = (account: Account): boolean =>
    merchantId === undefined || account.merchantId === merchantId
  if (accountId === undefined)
    return open.get(placeOf(operationMode ?? '', identifier ?? ''))?.findLast(fits)
  const account = accounts.get(accountId)
  return account && fits(account) ? account : undefined
}

const isNamed = ({ accountId, operationMode, identifier }: Naming): boolean =>
  accountId !== undefined || (operationMode !== undefined && identifier !== undefined)

const cents = (amount: number): number => Math.round(amount * 100)

function sums({ items, payments }: Account) {
  const subtotal = items.reduce((sum, { totalPrice }) => sum + cents(totalPrice), 0)
  const paid = payments.reduce((sum, { amount }) => sum + cents(amount), 0)
  return { subtotal, paid, due: Math.max(0, subtotal - paid) }
}

function get(path: string, query: string): HandAnswer {
  if (path !== '/accounts') return notFound()
  const naming = named(query)
  if (!naming || !isNamed(naming)) return invalid()
  const account = find(naming)
  if (!account) return notFound('ACCOUNT_NOT_FOUND')
  const { subtotal, paid, due } = sums(account)
  return answered(200, {
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

/** A payment that may be put on the account, or why it may not. */
function refusal(account: Account, { items }: Payment, amount: number): HandAnswer | undefined {
  if (account.status === 'CLOSED') return problem(409, 'INVALID_ACCOUNT_STATE')
  if (cents(amount) <= 0) return problem(422, 'UNPROCESSABLE')
  if (items?.some((itemId) => !account.items.some((item) => item.itemId === itemId)))
    return problem(422, 'UNPROCESSABLE')
  return cents(amount) > sums(account).due ? problem(409, 'PAYMENT_EXCEEDS_DUE') : undefined
}

function pay(query: string, body: unknown): HandAnswer {
  const naming = named(query)
  const parsed = Payment.safeParse(body)
  if (!naming || !parsed.success || !parsed.data.methodInfo) return invalid()
  const { methodInfo, serviceCharge, tip, items, seat, ...rest } = parsed.data
  const { accountId, operationMode, identifier, merchantId } = rest
  const meant = {
    accountId: accountId ?? naming.accountId,
    operationMode: operationMode ?? naming.operationMode,
    identifier: identifier ?? naming.identifier,
    merchantId: merchantId ?? naming.merchantId,
  }
  if (!isNamed(meant)) return invalid()
  const account = find(meant)
  if (!account) return notFound('ACCOUNT_NOT_FOUND')
  const amount = typeof rest.amount === 'number' ? rest.amount : rest.amount.value
  const refused = refusal(account, parsed.data, amount)
  if (refused) return refused
  const payment: Paid = {
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
  const { paymentId } = payment
  const payload = { amount: payment.amount, method: methodInfo.method }
  announce(account, 'PAYMENT_CREATED', { paymentId, payload })
  return answered(200, payment)
}

serve({
  scope: 'orders',
  get,
  post: (path, query, body) => (path === '/accounts/payments' ? pay(query, body) : notFound()),
  create: (count) => Array.from({ length: count }, () => sitDown(String(accounts.size + 1))),
})
