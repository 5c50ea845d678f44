/** What is known of one account of an Indoor host: what a read says about the time since the one before it, and which events are due. */
import { setBounded } from '../../../engine/bounded.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { ReadAccount } from '../../../protocol/indoor/read.ts'
import type { AccountStatus } from '../../../protocol/indoor/status.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { bodyValue, type Deviation, notice } from '../assertion.ts'
import type { ClauseMoment } from '../check.ts'
import { EventArrivals, isSettled, settlesMs } from '../status-life.ts'
import { endOfCall, type Observed, startOf } from '../trace.ts'
import { type AccountNames, textOf } from './account-names.ts'

export const maxHistory = 50
/** As long as this a call or an event whose outcome is not known may have an effect. */
export const doubtMs = 60_000
/** Events that follow each other so closely may come in either order. */
export const besideMs = 2000

const maxOwed = 200

/** The statuses that are reached by calls, with the clauses of the transition and of its event. */
export const statusMoves: Partial<
  Record<OperationId, readonly [AccountStatus, string, string?, string?]>
> = {
  preCloseAccount: ['IN_PAYMENT', 'IND-TRA-02', 'ACCOUNT_PRE_CLOSED', 'IND-EVT-07'],
  unlockAccount: ['IN_USE', 'IND-TRA-03'],
  closeAccount: ['CLOSED', 'IND-TRA-04', 'ACCOUNT_CLOSED', 'IND-EVT-11'],
}

/** The clause of each call, and the statuses in which it is answered with an error. */
export const refusedStatuses: Partial<Record<OperationId, readonly [string, ...AccountStatus[]]>> =
  {
    cancelAccountItem: ['IND-PRM-02', 'IN_PAYMENT', 'CLOSED'],
    transferAccountContent: ['IND-PRM-03', 'IN_PAYMENT', 'CLOSED'],
    createPayment: ['IND-PRM-04', 'CLOSED'],
    preCloseAccount: ['IND-PRM-05', 'CLOSED'],
    unlockAccount: ['IND-PRM-06', 'CLOSED'],
    closeAccount: ['IND-PRM-07', 'IN_USE'],
  }

/** Calls that a status makes a repetition. */
export const isRepetition = (operation: OperationId, status: AccountStatus): boolean =>
  operation === 'preCloseAccount'
    ? status === 'IN_PAYMENT'
    : operation === 'closeAccount' && status === 'CLOSED'

const quantityOf = ({ items }: ReadAccount): number =>
  items.reduce((sum, { isActive, quantity }) => sum + (isActive ? quantity : 0), 0)

/** What a closed account keeps: an item may become PAID. */
const closedContent = ({ items, paid }: ReadAccount): string =>
  JSON.stringify([items.map(({ itemId, quantity }) => [itemId, quantity]), paid])

const hasPaidTotal = (reply: unknown): boolean =>
  ['/totals/paid', '/paidTotal', '/payments'].some(
    (pointer) => bodyValue(reply, pointer) !== undefined,
  )

export interface AccountReading {
  readonly observed: Observed
  readonly view: ReadAccount
}

/** A change between two reads: by a call of ours, or by an order that was announced. */
interface Change {
  readonly kind: 'pay' | 'cancel' | 'in' | 'out' | 'order'
  readonly by: Observed
  readonly itemIds?: readonly string[]
}

export interface RecentEvent {
  readonly type: string
  readonly observed: Observed
}

/** What is known of one account. */
export class KnownAccount {
  names: AccountNames
  merchantId: string | undefined
  status: AccountStatus | undefined
  /** The message that shows the status. */
  shownBy: Observed | undefined
  reading: AccountReading | undefined
  changes: Change[] = []
  expected: { readonly status: AccountStatus; readonly call: Observed } | undefined
  readonly payments: { readonly call: Observed; readonly id: string | undefined }[] = []
  readonly recent: RecentEvent[] = []
  readonly facts = new Map<string, Observed>()
  /** Its lock may have been taken back and set again since the last read. */
  isRelocked = false
  arePaymentsKnown = true
  /** No event was lost since it was opened. */
  areEventsWhole = true
  #doubted: Observed | undefined

  constructor(names: AccountNames, merchantId: string | undefined) {
    this.names = names
    this.merchantId = merchantId
  }

  /** The status at an instant; undefined when it may have changed meanwhile. */
  statusAt(at: number): AccountStatus | undefined {
    return this.shownBy && endOfCall(this.shownBy) <= at ? this.status : undefined
  }

  become(status: AccountStatus | undefined, shownBy: Observed): void {
    this.status = status
    this.shownBy = shownBy
  }

  /** Something may have happened to it. */
  doubt(by: Observed, isLasting = true): void {
    if (this.status !== 'CLOSED') this.become(undefined, by)
    this.reading = undefined
    this.expected = undefined
    this.changes = []
    this.arePaymentsKnown = false
    if (isLasting) this.#doubted = by
  }

  /** An event was lost, which may be about it. */
  lostEvent(): void {
    this.expected = undefined
    this.areEventsWhole = false
  }

  /** Something of which the outcome is not known may still have its effect. */
  isDoubtful(at: Observed): boolean {
    return this.#doubted !== undefined && !isSettled(this.#doubted, at, doubtMs)
  }

  change(change: Change): void {
    if (this.reading && startOf(change.by) < endOfCall(this.reading.observed))
      this.reading = undefined
    this.changes.push(change)
    if (this.changes.length > maxHistory) this.reading = undefined
  }
}

/** An event, or the last one that an account tells, which has to come. */
interface Owed {
  readonly account: KnownAccount
  readonly types: readonly string[]
  /** The payment that it names, where it names one. */
  readonly paymentId?: string
  /** Since when it may have come. */
  readonly since: number
  readonly withinMs: number
  readonly about: readonly Observed[]
  readonly clause: string
  readonly problem: string
}

const maxPayments = 5000

/** Ids of payments that are listed as posted: none where entries have statuses, which may say that one has failed. */
const postedIds = (entries: unknown): readonly string[] =>
  Array.isArray(entries) && entries.every((entry) => bodyValue(entry, '/status') === undefined)
    ? entries.flatMap((entry) =>
        Number(bodyValue(entry, '/amount')) > 0
          ? (textOf(bodyValue(entry, '/paymentId')) ?? [])
          : [],
      )
    : []

/** Events that are due, and whether events come at all. */
export class OwedEvents {
  #owed: Owed[] = []
  readonly #channel = new EventArrivals()
  /** Ids of payments that were announced, or are owed. */
  readonly #payments = new Map<string, true>()
  /** Events that name no account that is known. */
  readonly #unnamed: RecentEvent[] = []

  /** What has not come although it had its time, and events come. */
  due(observed: Observed): readonly ClauseMoment[] {
    const moments: ClauseMoment[] = []
    this.#owed = this.#owed.filter((owed) => {
      const { about, withinMs, clause, problem } = owed
      const last = about.at(-1)
      if (!last || !isSettled(last, observed, withinMs)) return true
      if (!this.#channel.isSound(last)) return true
      if (!this.#hasCome(owed)) moments.push({ clause, exchanges: about, problem })
      return false
    })
    return moments
  }

  owe(owed: Omit<Owed, 'withinMs'> & { readonly withinMs?: number }): void {
    const last = owed.about.at(-1)
    const made = { withinMs: settlesMs, ...owed }
    if (this.#hasCome(made) || (last && this.#channel.mayLack(last))) return
    this.#owed.push(made)
    if (this.#owed.length > maxOwed) this.#owed.shift()
  }

  #hasCome({ account, types, since, paymentId }: Owed): boolean {
    if (paymentId !== undefined) return false
    return [...this.#unnamed, ...account.recent].some(
      ({ type, observed }) => types.includes(type) && endOfCall(observed) >= since,
    )
  }

  /**
   * Each payment that is shown has its event, also one that was made at the till. Ids are compared where one of them was
   * announced, and of an account whose every event has come; payments may move to another account.
   */
  owePayments(account: KnownAccount, observed: Observed, entries: unknown): void {
    const { names, facts, arePaymentsKnown, areEventsWhole } = account
    if (!arePaymentsKnown || !areEventsWhole) return
    if (!facts.has(`ACCOUNT_OPENED ${names.accountId}`)) return
    const ids = postedIds(entries)
    if (!ids.some((id) => this.#payments.has(id))) return
    for (const paymentId of ids.filter((id) => !this.#payments.has(id))) {
      setBounded(this.#payments, paymentId, true, maxPayments)
      this.owe({
        account,
        types: ['PAYMENT_CREATED'],
        paymentId,
        since: startOf(observed),
        about: [observed],
        clause: 'IND-EVT-05',
        problem: 'it lists a payment for which it sent no PAYMENT_CREATED',
      })
    }
  }

  /** Whether it came: one that was lost, or refused, comes later or not at all. */
  took(observed: Observed): boolean {
    const isEvent = observed.operation === 'receiveAccountEvent' && observed.isCall
    const hasCome = this.#channel.take(observed, isEvent)
    if (isEvent && !hasCome) this.#owed = []
    return hasCome
  }

  forget(account: KnownAccount): void {
    this.#owed = this.#owed.filter((owed) => owed.account !== account)
  }

  /** An event came: about an account, about one of which nothing is known, or about any. */
  heard(account: KnownAccount | 'elsewhere' | undefined, event: RecentEvent): void {
    if (event.type.startsWith('PAYMENT_')) this.#paid(event.observed)
    if (account === 'elsewhere') return
    const recent = account?.recent ?? this.#unnamed
    recent.push(event)
    if (recent.length > maxHistory) recent.shift()
    if (!account) {
      this.#owed = this.#owed.filter(({ types }) => !types.includes(event.type))
      return
    }
    const met = this.#owed.findIndex(
      (owed) =>
        owed.account === account && owed.types.includes(event.type) && owed.paymentId === undefined,
    )
    if (met >= 0) this.#owed.splice(met, 1)
  }

  /** A payment is announced; one that is not named may be any. */
  #paid({ request }: Observed): void {
    const id = textOf(bodyValue(request, '/paymentId'))
    if (id !== undefined) setBounded(this.#payments, id, true, maxPayments)
    this.#owed = this.#owed.filter(
      ({ paymentId }) => paymentId === undefined || (id !== undefined && id !== paymentId),
    )
  }

  /** The types of events that may be the last one of an account at an instant. */
  lastTypes(account: KnownAccount, newest: RecentEvent): readonly string[] {
    return [...this.#unnamed, ...account.recent]
      .filter(({ observed }) => !isSettled(observed, newest.observed, besideMs))
      .map(({ type }) => type)
  }
}

/** What a read of an account says about the time since the read before it. */
export class AccountReads {
  readonly #account: KnownAccount
  readonly #now: AccountReading

  constructor(account: KnownAccount, now: AccountReading) {
    this.#account = account
    this.#now = now
  }

  moments(): readonly ClauseMoment[] {
    const reopened = this.#reopened()
    if (reopened) return [reopened]
    return [...this.#moved(), ...this.#content()]
  }

  #reopened(): ClauseMoment | undefined {
    const { status, shownBy, names } = this.#account
    const { observed, view } = this.#now
    if (status !== 'CLOSED' || !shownBy || endOfCall(shownBy) > startOf(observed)) return undefined
    if (names.accountId === undefined || view.status === 'CLOSED') return undefined
    const problem = `it shows a closed account as ${view.status}`
    return { clause: 'IND-TRA-04', exchanges: [shownBy, observed], problem }
  }

  /** Whether an accepted call has led to its status, and whether what was due was paid before a close. */
  #moved(): readonly ClauseMoment[] {
    const { expected, reading, changes } = this.#account
    const { observed, view } = this.#now
    const [, clause] = (expected && statusMoves[expected.call.operation ?? 'getAccount']) ?? []
    if (!expected || clause === undefined) return []
    const exchanges = [expected.call, observed]
    if (view.status !== expected.status) {
      if (!isSettled(expected.call, observed)) return []
      this.#account.expected = undefined
      const problem = `after ${expected.call.operation} the account is ${view.status}, not ${expected.status}`
      return [{ clause, exchanges, problem }]
    }
    const isUncovered =
      view.status === 'CLOSED' &&
      reading !== undefined &&
      reading.view.due > 0 &&
      endOfCall(reading.observed) <= startOf(expected.call) &&
      changes.length === 0 &&
      bodyValue(expected.call.request, '/discount') === undefined
    const shown = isUncovered ? [reading.observed, ...exchanges] : exchanges
    const due = isUncovered && notice(`it closed an account with ${reading.view.due} due`)
    return [{ clause, exchanges: shown, problem: due }]
  }

  #content(): readonly ClauseMoment[] {
    const { reading, changes, isRelocked } = this.#account
    const { observed, view } = this.#now
    if (!reading || endOfCall(reading.observed) > startOf(observed)) return []
    if (changes.some(({ by }) => endOfCall(by) > startOf(observed))) return []
    const exchanges = [reading.observed, ...changes.map(({ by }) => by), observed]
    const hasGrown = quantityOf(view) > quantityOf(reading.view)
    if (reading.view.status === 'CLOSED' && view.status === 'CLOSED') {
      const isChanged = closedContent(view) !== closedContent(reading.view)
      const problem = isChanged && 'it changed an account that is closed'
      return [{ clause: 'IND-RUL-03', exchanges, problem }]
    }
    const stayedLocked =
      reading.view.status === 'IN_PAYMENT' && view.status === 'IN_PAYMENT' && !isRelocked
    if (stayedLocked && !changes.some(({ kind }) => kind === 'in')) {
      const problem = hasGrown && 'it added items to an account that is IN_PAYMENT'
      if (hasGrown) return [{ clause: 'IND-PRM-01', exchanges, problem }]
    }
    return changes.length === 0 ? [] : this.#effects(reading, exchanges)
  }

  /** What was cancelled or moved, and totals that follow. */
  #effects(before: AccountReading, exchanges: readonly Observed[]): readonly ClauseMoment[] {
    const { changes } = this.#account
    const { observed, view } = this.#now
    const moments: ClauseMoment[] = []
    const quantityIn = ({ items }: ReadAccount, id: string): number =>
      items.reduce(
        (sum, item) => sum + (item.itemId === id && item.isActive ? item.quantity : 0),
        0,
      )
    for (const { kind, itemIds = [], by } of changes)
      for (const id of itemIds) {
        const had = quantityIn(before.view, id)
        if (had === 0) continue
        moments.push({
          clause: kind === 'out' ? 'IND-OPS-07' : 'IND-OPS-06',
          exchanges: [before.observed, by, observed],
          problem:
            quantityIn(view, id) >= had &&
            `it shows item ${id} as active after it accepted ${by.operation}`,
        })
      }
    const has = (...kinds: readonly Change['kind'][]): boolean =>
      changes.some(({ kind }) => kinds.includes(kind))
    if (has('in') && !has('cancel', 'out'))
      moments.push({
        clause: 'IND-OPS-07',
        exchanges,
        problem:
          quantityOf(view) <= quantityOf(before.view) &&
          'it shows no further items after items were moved to the account',
      })
    return moments.some(({ problem }) => problem)
      ? moments
      : [...moments, ...this.#totals(before, exchanges)]
  }

  #totals(before: AccountReading, exchanges: readonly Observed[]): readonly ClauseMoment[] {
    const { changes, arePaymentsKnown } = this.#account
    const { observed, view } = this.#now
    const kinds = new Set(changes.map(({ kind }) => kind))
    const quantity = [before.view, view].map(quantityOf) as [number, number]
    const isPriced = before.view.amount > 0 && view.amount > 0
    const problems: Deviation[] = []
    if (kinds.has('pay') && arePaymentsKnown && hasPaidTotal(observed.reply))
      problems.push(
        view.paid <= before.view.paid && 'its paid total does not show a payment that it accepted',
      )
    const grows = kinds.has('order') || kinds.has('in')
    const shrinks = kinds.has('cancel') || kinds.has('out')
    if (kinds.has('order') && !shrinks)
      problems.push(
        quantity[1] <= quantity[0] &&
          view.amount <= before.view.amount &&
          'it shows nothing of an order that it announced as added',
      )
    // What is due is cut off at zero: then a total says nothing.
    const isExact = before.view.due > 0 && view.due > 0
    const isFree = (id: string, { reply } = before.observed): boolean => {
      const items = bodyValue(reply, '/items')
      const line = (Array.isArray(items) ? items : []).find(
        (item) => isUnknownRecord(item) && (item['itemId'] ?? item['id']) === id,
      )
      return !(Number(bodyValue(line, '/totalPrice') ?? bodyValue(line, '/unitPrice')) > 0)
    }
    const had = new Set(before.view.items.map(({ itemId }) => itemId))
    const isCharged = view.items.some(
      ({ itemId, isActive }) => isActive && !had.has(itemId) && !isFree(itemId, observed),
    )
    const [discountBefore, discount] = [before.observed, observed].map(({ reply }) =>
      JSON.stringify(bodyValue(reply, '/totals/discount')),
    )
    if (kinds.has('order') && !shrinks && isExact && isCharged && discountBefore === discount)
      problems.push(
        view.amount === before.view.amount && 'its total does not follow an order that it added',
      )
    const left = changes.flatMap(({ itemIds = [] }) => itemIds)
    if (shrinks && !grows && isExact && quantity[1] < quantity[0] && !left.some((id) => isFree(id)))
      problems.push(
        view.amount >= before.view.amount && 'its total does not follow what was taken away',
      )
    if (kinds.has('in') && !shrinks && isExact && isPriced)
      problems.push(
        view.amount <= before.view.amount && 'its total does not follow what was moved to it',
      )
    return problems.map((problem) => ({ clause: 'IND-RUL-08', exchanges, problem }))
  }
}

/** Events that come once for an account, or once for a payment of it. */
export const onceClauses: Readonly<Record<string, string>> = {
  ACCOUNT_OPENED: 'IND-EVT-01',
  ACCOUNT_CLOSED: 'IND-RUL-04',
  PAYMENT_CREATED: 'IND-EVT-05',
}

/** When an event happened, as it says. */
export const occurredAt = ({ request }: Observed): number =>
  Date.parse(textOf(bodyValue(request, '/occurredAt')) ?? '')
