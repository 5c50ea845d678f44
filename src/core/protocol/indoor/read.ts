/**
 * Parses an account reply of any known shape into one model (IND-UND-01): the standard's `totals`, or `total` and
 * `paidTotal`, or sums computed from items and payments.
 */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import { jsonProblemText } from '../issue-text.ts'
import { fromUnits, toUnits } from '../orders/price.ts'
import { err, ok, type Result } from '../result.ts'
import type { AccountEventBody } from './events.ts'
import { OperationMode } from './labels.ts'
import { AccountStatus } from './status.ts'
import { accountDifferences } from './totals.ts'
import { looseObject, plainObject } from '../../base/lazy-object.ts'

export interface ReadAccountItem {
  readonly itemId: string
  readonly quantity: number
  readonly isActive: boolean
  readonly name?: string
  readonly status: string
  /** The price of the line, as a decimal. */
  readonly price?: number
}

export interface ReadAccountPayment {
  readonly amount: number
  readonly paymentId?: string
  readonly method?: string
}

export interface ReadAccount {
  readonly accountId?: string
  readonly operationMode?: OperationMode
  readonly identifier?: string
  readonly status: AccountStatus
  readonly lastEvent?: string
  readonly items: readonly ReadAccountItem[]
  readonly payments: readonly ReadAccountPayment[]
  /** The ids of its orders. */
  readonly orders: readonly string[]
  /** Total, paid and due as the account says, as decimals; summed up where it does not say them. */
  readonly amount: number
  readonly paid: number
  readonly due: number
  /** Where its sums do not follow from its items and payments, a sentence each. */
  readonly differences?: readonly string[]
  /** At least one fiscal document is issued. */
  readonly isIssued: boolean
}

/** Unknown or wrongly typed optional fields must not make an account unreadable. */
const text = z.string().optional().catch(undefined)
const amount = z
  .union([z.number(), looseObject(() => ({ value: z.number() })).transform(({ value }) => value)])
  .optional()
  .catch(undefined)

const Line = looseObject(() => ({
  itemId: text,
  id: text,
  quantity: z.number().catch(1),
  name: text,
  status: text,
  totalPrice: amount,
  unitPrice: amount,
  discount: amount,
}))

const Charge = z.looseObject({ amount }).optional().catch({})

const Payment = looseObject(() => ({
  paymentId: text,
  id: text,
  amount,
  method: text,
  methodInfo: z.looseObject({ method: text }).optional().catch({}),
  tip: amount,
  serviceCharge: Charge,
}))

const Document = looseObject(() => ({
  accountId: text,
  id: text,
  operationMode: OperationMode.optional().catch(undefined),
  identifier: text,
  status: AccountStatus,
  lastEvent: text,
  items: z.array(Line).catch([]),
  orders: z.array(z.looseObject({ orderId: z.string() })).catch([]),
  payments: z.array(Payment).optional().catch(undefined),
  totals: z
    .looseObject({
      due: amount,
      paid: amount,
      total: amount,
      itemsSubtotal: amount,
      discount: amount,
      serviceCharge: Charge,
      taxes: Charge,
    })
    .optional()
    .catch({}),
  total: amount,
  paidTotal: amount,
  fiscal: z.looseObject({ documentIssued: z.boolean() }).optional().catch(undefined),
  fiscalDocuments: z.array(z.looseObject({ documentStatus: text })).catch([]),
}))
type Document = z.infer<typeof Document>

const unitsOf = (decimal: number | undefined): number | undefined =>
  decimal === undefined ? undefined : toUnits(decimal)

const isActive = ({ status }: z.infer<typeof Line>): boolean => status !== 'CANCELLED'

const lineUnits = ({ totalPrice, unitPrice, quantity }: z.infer<typeof Line>): number =>
  toUnits(totalPrice ?? (unitPrice ?? 0) * quantity)

function sums({ totals, total, paidTotal, items, payments = [] }: Document) {
  const paidSum = payments.reduce((all, payment) => all + toUnits(payment.amount ?? 0), 0)
  const itemsSum = items.filter(isActive).reduce((all, item) => all + lineUnits(item), 0)
  const paid = unitsOf(totals?.paid) ?? unitsOf(paidTotal) ?? paidSum
  const statedDue = unitsOf(totals?.due)
  const whole =
    unitsOf(totals?.total ?? total) ?? (statedDue === undefined ? itemsSum : statedDue + paid)
  return { whole, paid, due: statedDue ?? Math.max(0, whole - paid) }
}

/** Parses an account; the error names the first invalid field. */
export function readAccount(value: unknown): Result<ReadAccount, string> {
  const parsed = Document.safeParse(value)
  if (!parsed.success)
    return err(`the account is invalid at ${jsonProblemText(parsed.error, value)}`)
  const document = parsed.data
  const { operationMode, identifier, status, lastEvent } = document
  const accountId = document.accountId ?? document.id
  const { whole, paid, due } = sums(document)
  const differences = accountDifferences(document)
  return ok({
    ...compact({ accountId, operationMode, identifier, lastEvent }),
    status,
    items: document.items.flatMap((line) => {
      const itemId = line.itemId ?? line.id
      const active = line.status === undefined || line.status === 'ACTIVE'
      const price = fromUnits(lineUnits(line))
      const { quantity, name, status: its = 'ACTIVE' } = line
      return itemId === undefined
        ? []
        : [{ itemId, quantity, isActive: active, ...compact({ name }), status: its, price }]
    }),
    payments: (document.payments ?? []).map((payment) => ({
      amount: payment.amount ?? 0,
      ...compact({
        paymentId: payment.paymentId ?? payment.id,
        method: payment.methodInfo?.method ?? payment.method,
      }),
    })),
    orders: document.orders.map(({ orderId }) => orderId),
    amount: fromUnits(whole),
    paid: fromUnits(paid),
    due: fromUnits(due),
    ...(differences.length > 0 ? { differences } : {}),
    isIssued:
      document.fiscal?.documentIssued === true ||
      document.fiscalDocuments.some(({ documentStatus }) => documentStatus === 'ISSUED'),
  })
}

const EventPayment = looseObject(() => ({ amount }))

/** The payment that an account event names with its amount, in either of the fields for details (IND-UND-05). */
export function paymentOfEvent({ eventType, paymentId, ...event }: AccountEventBody) {
  if (eventType !== 'PAYMENT_CREATED' && eventType !== 'PAYMENT_UPDATED') return undefined
  for (const details of [event['payload'], event['data'], event]) {
    const read = EventPayment.safeParse(details)
    if (read.success && read.data.amount !== undefined)
      return { amount: read.data.amount, ...compact({ paymentId }) }
  }
  return undefined
}

/** The payment in a reply to a payment that was asked for; one without a body is of the amount that was asked. */
export function paymentOfReply(reply: unknown, request: unknown) {
  const [record, asked] = [Payment.safeParse(reply), Payment.safeParse(request)]
  const { paymentId, id, amount: created } = record.success ? record.data : {}
  const paid = created ?? (asked.success ? asked.data.amount : undefined)
  return paid === undefined
    ? undefined
    : { amount: paid, ...compact({ paymentId: paymentId ?? id }) }
}

const Listed = plainObject(() => ({
  documents: z.array(z.looseObject({ documentStatus: text })).optional(),
  payments: z.array(z.unknown()).optional(),
}))

/** The listed fiscal documents or payments, in a member of their name or bare; the error says what is there instead. */
export function readAccountList(
  value: unknown,
  what: 'documents' | 'payments',
): Result<readonly { readonly documentStatus?: string | undefined }[], string> {
  const parsed = Listed.safeParse(Array.isArray(value) ? { [what]: value } : value)
  if (!parsed.success)
    return err(`the ${what} are invalid at ${jsonProblemText(parsed.error, value)}`)
  const list = parsed.data[what]
  return list
    ? ok(list as readonly { readonly documentStatus?: string | undefined }[])
    : err(`the answer is neither a list nor an object with "${what}"`)
}
