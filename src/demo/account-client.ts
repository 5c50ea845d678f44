/**
 * Client of Indoor accounts: learns of an account by webhook or by reading after confirmation, waits until all its
 * orders are served, then pre-closes, pays and closes it. Every step follows from what GET shows; a 202 is awaited.
 */
import { z } from 'zod'
import type { Call, CallOutcome } from './caller.ts'
import type { Clock } from './clock.ts'
import type { WakeSignal, Lifetime } from './lifetime.ts'
import type { Pace } from './pace.ts'
import type { Partner } from './partner.ts'
import { createRetryState, type RetryState } from './retry-state.ts'

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
  /** Part of the idempotency keys; distinguishes visits to the same table. */
  readonly key: string
  readonly bell: WakeSignal
  readonly retry: (operation: string) => RetryState
  accountId?: string
  /** The accepted call whose effect is awaited, and the instant (ms) of its reply. */
  asked?: { readonly operation: string; readonly at: number } | undefined
  payments: number
  status?: string
}

export interface AccountClientParts {
  readonly house: Partner
  readonly clock: Clock
  readonly life: Lifetime
  readonly pace: Pace
  /** Whether an order is served, or never will be. */
  readonly isServed: (orderId: string) => boolean
}

/** Maximum number of remembered tables. */
const maxTables = 5000

/** Number of reads without an account after which it is abandoned. */
const maxFailedReads = 20

export class AccountClient {
  readonly #parts: AccountClientParts
  readonly #clock: AccountClientParts['clock']
  readonly #tables = new Map<string, Table>()

  constructor(parts: AccountClientParts) {
    this.#parts = parts
    this.#clock = parts.clock
  }

  /** Starts following the account of an INDOOR order, which exists or will. */
  follow({
    operationMode,
    identifier,
  }: {
    readonly operationMode: string
    readonly identifier: string
  }): void {
    const known = this.#tables.get(identifier)
    if (known) return known.bell.notify()
    const table = this.#tableOf(operationMode, identifier)
    this.#tables.set(identifier, table)
    const [oldest] = this.#tables.keys()
    if (this.#tables.size > maxTables && oldest !== undefined) this.#tables.delete(oldest)
    this.#parts.life.runInBackground(() => this.#followAccount(table))
  }

  /** Called for an account event. */
  onEvent({ accountId }: AccountEvent): void {
    // Tables without a known account id are woken too: the next read shows whose account it is.
    for (const table of this.#tables.values())
      if (table.accountId === undefined || table.accountId === accountId) table.bell.notify()
  }

  /** The status of the account of a table, at the last read. */
  statusOf(identifier: string): string | undefined {
    return this.#tables.get(identifier)?.status
  }

  #tableOf(operationMode: string, identifier: string): Table {
    const retryStates = new Map<string, RetryState>()
    return {
      operationMode,
      identifier,
      key: `${identifier}-${Math.floor(this.#clock.random() * 2 ** 32).toString(36)}`,
      bell: this.#parts.life.createSignal(),
      payments: 0,
      retry(operation) {
        const known = retryStates.get(operation) ?? createRetryState()
        retryStates.set(operation, known)
        return known
      },
    }
  }

  #callHost(table: Table, call: Omit<Call, 'path'>, path: string): Promise<CallOutcome> {
    const { operationMode, identifier, bell } = table
    const query = new URLSearchParams({ operationMode, identifier }).toString()
    return this.#parts.house.callWithRetry(
      { ...call, path: `${path}?${query}` },
      { retry: table.retry(call.operation), bell },
    )
  }

  async #read(table: Table): Promise<Account | undefined> {
    const call = { operation: 'getAccount', method: 'GET', mayComeLater: true } as const
    const outcome = await this.#callHost(table, call, '/accounts')
    const account = Account.safeParse(outcome.kind === 'answered' ? outcome.answer.json : undefined)
    return account.data
  }

  async #change(table: Table, operation: string, path: string): Promise<void> {
    const { asked, key } = table
    const isAwaited =
      asked?.operation === operation &&
      this.#clock.now() - asked.at < this.#parts.pace.reconcileMs * 2
    if (isAwaited) return
    const outcome = await this.#callHost(
      table,
      {
        operation,
        method: 'POST',
        requestId: `${operation}-${key}-${this.#clock.now()}`,
        body: {},
      },
      path,
    )
    if (outcome.kind === 'answered') table.asked = { operation, at: this.#clock.now() }
  }

  /** Pays the whole amount due, under one X-Request-Id until it is answered, so that it is never paid twice. */
  async #pay(table: Table, amount: number): Promise<void> {
    const outcome = await this.#callHost(
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
    table.bell.notify()
  }

  async #step(table: Table, { status, orders, totals }: Account): Promise<void> {
    if (table.status !== status) table.asked = undefined
    table.status = status
    if (!orders.every(({ orderId }) => this.#parts.isServed(orderId))) return
    if (status === 'IN_USE') await this.#change(table, 'preCloseAccount', '/accounts/pre-close')
    if (status !== 'IN_PAYMENT') return
    if (totals.due > 0) await this.#pay(table, totals.due)
    else await this.#change(table, 'closeAccount', '/accounts/close')
  }

  async #followAccount(table: Table): Promise<void> {
    if (!(await this.#parts.house.discover())) return
    for (let failedReads = 0; this.#parts.life.isRunning() && failedReads < maxFailedReads;) {
      const account = await this.#read(table)
      if (account?.accountId !== undefined) table.accountId = account.accountId
      if (account) await this.#step(table, account)
      else failedReads += 1
      if (table.status === 'CLOSED') return
      await table.bell.wait(this.#parts.pace.reconcileMs)
    }
  }
}
