/**
 * Parses an account reply of any known shape into one model (IND-UND-01): the standard's `totals`, or `total` and
 * `paidTotal`, or sums computed from items and payments.
 */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import { jsonProblemText } from '../issue-text.ts'
import { fromUnits, toUnits } from '../orders/price.ts'
import { err, ok, type Result } from '../result.ts'
import { OperationMode } from './labels.ts'
import { AccountStatus } from './status.ts'
import { looseObject, plainObject } from '../../base/lazy-object.ts'

export interface ReadAccountItem {
  readonly itemId: string
  readonly quantity: number
  readonly isActive: boolean
}

export interface ReadAccount {
  readonly accountId?: string
  readonly operationMode?: OperationMode
  readonly identifier?: string
  readonly status: AccountStatus
  readonly lastEvent?: string
  readonly items: readonly ReadAccountItem[]
  /** The ids of its orders. */
  readonly orders: readonly string[]
  /** Total, paid and due, as decimals. */
  readonly amount: number
  readonly paid: number
  readonly due: number
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
  status: text,
  totalPrice: amount,
  unitPrice: amount,
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
  payments: z.array(z.looseObject({ amount })).catch([]),
  totals: z.looseObject({ due: amount, paid: amount, itemsSubtotal: amount }).optional().catch({}),
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

function sums({ totals, total, paidTotal, items, payments }: Document) {
  const paidSum = payments.reduce((all, payment) => all + toUnits(payment.amount ?? 0), 0)
  const itemsSum = items.filter(isActive).reduce((all, item) => all + lineUnits(item), 0)
  const paid = unitsOf(totals?.paid) ?? unitsOf(paidTotal) ?? paidSum
  const statedDue = unitsOf(totals?.due)
  const whole = unitsOf(total) ?? (statedDue === undefined ? itemsSum : statedDue + paid)
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
  return ok({
    ...compact({ accountId, operationMode, identifier, lastEvent }),
    status,
    items: document.items.flatMap((line) => {
      const itemId = line.itemId ?? line.id
      const active = line.status === undefined || line.status === 'ACTIVE'
      return itemId === undefined ? [] : [{ itemId, quantity: line.quantity, isActive: active }]
    }),
    orders: document.orders.map(({ orderId }) => orderId),
    amount: fromUnits(whole),
    paid: fromUnits(paid),
    due: fromUnits(due),
    isIssued:
      document.fiscal?.documentIssued === true ||
      document.fiscalDocuments.some(({ documentStatus }) => documentStatus === 'ISSUED'),
  })
}

const Listed = plainObject(() => ({
  documents: z.array(z.looseObject({ documentStatus: text })).catch([]),
  payments: z.array(z.unknown()).catch([]),
}))

/** The statuses of listed fiscal documents and the number of listed payments; a bare array counts as either. */
export function readAccountLists(value: unknown): {
  readonly documents: readonly string[]
  readonly payments: number
} {
  const list = Array.isArray(value) ? { documents: value, payments: value } : value
  const parsed = Listed.safeParse(list ?? {})
  const { documents, payments } = parsed.success ? parsed.data : { documents: [], payments: [] }
  return {
    documents: documents.flatMap(({ documentStatus }) => documentStatus ?? []),
    payments: payments.length,
  }
}
