/**
 * How the reference Ordering Application uses Indoor: it hears of an account by webhook, or looks for it when its order
 * is confirmed, waits until everybody has eaten, and then locks the account, pays what is due and closes it. Each step
 * follows from what GET shows; a 202 is waited for like any other.
 */
import { z } from 'zod'
import type { Call, Outcome } from '../caller.ts'
import type { Clock } from '../clock.ts'
import type { Bell, Life } from '../life.ts'
import type { Pace } from '../pace.ts'
import type { Partner } from '../partner.ts'
import { freshPatience, type Patience } from '../patience.ts'

export const AccountEvent = z.looseObject({
  eventId: z.string().min(1),
  eventType: z.string().min(1),
  accountId: z.string().optional(),
  orderId: z.string().optional(),
})
export type AccountEvent = z.infer<typeof AccountEvent>

const Account = z.looseObject({
  accountId: z.string().optional(),
  status: z.string(),
  orders: z.array(z.looseObject({ orderId: z.string() })).default([]),
  totals: z.looseObject({ due: z.number() }),
})
type Account = z.infer<typeof Account>

interface Table {
  readonly operationMode: string
  readonly identifier: string
  /** Tells its calls from those of whoever sits there another day. */
  readonly key: string
  readonly bell: Bell
  readonly patience: (operation: string) => Patience
  accountId?: string
  /** The call that was accepted, and its effect not seen yet. */
  asked?: { readonly operation: string; readonly at: number } | undefined
  payments: number
  status?: string
}

export interface Dinner {
  /** An INDOOR order is on its way: there is or will be an account. */
  readonly sit: (block: { readonly operationMode: string; readonly identifier: string }) => void
  /** News of an account. */
  readonly hear: (event: AccountEvent) => void
  /** The last that was read of the account of a table. */
  readonly statusOf: (identifier: string) => string | undefined
}

export interface DinnerParts {
  readonly house: Partner
  readonly clock: Clock
  readonly life: Life
  readonly pace: Pace
  /** Whether an order has been served, or will not be. */
  readonly isServed: (orderId: string) => boolean
}

/** Tables that are remembered when nobody sits there any more. */
const mostTables = 5000

/** An account that nobody has seen after so many looks is none. */
const mostLooks = 20

export function createDinner(parts: DinnerParts): Dinner {
  const { house, clock, life, pace, isServed } = parts
  const tables = new Map<string, Table>()

  function tableOf(operationMode: string, identifier: string): Table {
    const patiences = new Map<string, Patience>()
    return {
      operationMode,
      identifier,
      key: `${identifier}-${Math.floor(clock.random() * 2 ** 32).toString(36)}`,
      bell: life.bell(),
      payments: 0,
      patience(operation) {
        const known = patiences.get(operation) ?? freshPatience()
        patiences.set(operation, known)
        return known
      },
    }
  }

  const insist = (table: Table, call: Omit<Call, 'path'>, path: string): Promise<Outcome> => {
    const { operationMode, identifier, bell } = table
    const query = new URLSearchParams({ operationMode, identifier }).toString()
    return house.insist(
      { ...call, path: `${path}?${query}` },
      { patience: table.patience(call.operation), bell },
    )
  }

  async function read(table: Table): Promise<Account | undefined> {
    const call = { operation: 'getAccount', method: 'GET', mayComeLater: true } as const
    const outcome = await insist(table, call, '/accounts')
    const account = Account.safeParse(outcome.kind === 'answered' ? outcome.answer.json : undefined)
    return account.data
  }

  async function change(table: Table, operation: string, path: string): Promise<void> {
    const { asked, key } = table
    const isAwaited =
      asked?.operation === operation && clock.now() - asked.at < pace.reconcileMs * 2
    if (isAwaited) return
    const outcome = await insist(
      table,
      {
        operation,
        method: 'POST',
        requestId: `${operation}-${key}-${clock.now()}`,
        body: {},
      },
      path,
    )
    if (outcome.kind === 'answered') table.asked = { operation, at: clock.now() }
  }

  /** What is due, whole: under one X-Request-Id until it is answered, so that nobody pays twice. */
  async function pay(table: Table, amount: number): Promise<void> {
    const outcome = await insist(
      table,
      {
        operation: 'createPayment',
        method: 'POST',
        requestId: `payment-${table.key}-${table.payments}`,
        body: { amount, methodInfo: { method: 'PIX' } },
      },
      '/accounts/payments',
    )
    if (outcome.kind !== 'answered') return
    table.payments += 1
    table.bell.ring()
  }

  async function step(table: Table, { status, orders, totals }: Account): Promise<void> {
    if (table.status !== status) table.asked = undefined
    table.status = status
    if (!orders.every(({ orderId }) => isServed(orderId))) return
    if (status === 'IN_USE') await change(table, 'preCloseAccount', '/accounts/pre-close')
    if (status !== 'IN_PAYMENT') return
    if (totals.due > 0) await pay(table, totals.due)
    else await change(table, 'closeAccount', '/accounts/close')
  }

  async function dine(table: Table): Promise<void> {
    if (!(await house.declared())) return
    for (let looks = 0; life.running() && looks < mostLooks;) {
      const account = await read(table)
      if (account?.accountId !== undefined) table.accountId = account.accountId
      if (account) await step(table, account)
      else looks += 1
      if (table.status === 'CLOSED') return
      await table.bell.wait(pace.reconcileMs)
    }
  }

  return {
    sit({ operationMode, identifier }) {
      const known = tables.get(identifier)
      if (known) return known.bell.ring()
      const table = tableOf(operationMode, identifier)
      tables.set(identifier, table)
      const [oldest] = tables.keys()
      if (tables.size > mostTables && oldest !== undefined) tables.delete(oldest)
      life.go(() => dine(table))
    },
    hear({ accountId }) {
      // Whose account it is the next reading tells: until then any table may have been meant.
      for (const table of tables.values())
        if (table.accountId === undefined || table.accountId === accountId) table.bell.ring()
    },
    statusOf: (identifier) => tables.get(identifier)?.status,
  }
}
