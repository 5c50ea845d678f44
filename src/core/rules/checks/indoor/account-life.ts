/**
 * What traffic with an Indoor host says of each account: its status, its content, its payments and its events. Each moment
 * is a fact that one clause is about, so that one mistake blames one clause.
 */
import { setBounded } from '../../../engine/bounded.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import { optionalAccountEvents } from '../../../protocol/indoor/events.ts'
import { readAccount } from '../../../protocol/indoor/read.ts'
import type { AccountStatus } from '../../../protocol/indoor/status.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { bodyValue, isAcceptedCall, momentsOf } from '../assertion.ts'
import type { ClauseMoment } from '../check.ts'
import {
  emittedEvents,
  endOfCall,
  type Observed,
  type ObservedEvent,
  startOf,
  type Trace,
} from '../trace.ts'
import { itemOf, paymentIds } from './account-assertions.ts'
import {
  refusedStatuses,
  KnownAccount,
  type AccountReading,
  AccountReads,
  besideMs,
  doubtMs,
  isRepetition,
  maxHistory,
  occurredAt,
  onceClauses,
  statusMoves,
  OwedEvents,
} from './account-reads.ts'
import { type AccountNames, namesIn, textOf } from './account-names.ts'
import { isSettled } from '../status-life.ts'

const maxAccounts = 500

class AccountLives {
  readonly #byId = new Map<string, KnownAccount>()
  /** Undefined where a key stands for several accounts. */
  readonly #byKey = new Map<string, KnownAccount | undefined>()
  /** When the service has read an order, by its id. */
  readonly #orders = new Map<string, { readonly key: string; readonly observed: Observed }>()
  readonly #ordered = new Map<string, Observed>()
  readonly #eventIds = new Map<string, true>()
  readonly #requestKeys = new Map<string, true>()
  readonly #owed = new OwedEvents()

  /** What a message means. Where a call was in flight at its end, it may have come after that. */
  take(observed: Observed, isBeside: boolean): readonly ClauseMoment[] {
    const { operation, isCall } = observed
    if (operation === 'getOrder') {
      this.#order(observed)
      return []
    }
    const due = this.#owed.due(observed)
    const hasCome = this.#owed.took(observed)
    if (isCall)
      return operation === 'receiveAccountEvent' ? [...due, ...this.#event(observed, hasCome)] : due
    return operation === 'getAccount' || operation === 'getAccountById'
      ? [...due, ...this.#read(observed)]
      : [...due, ...this.#call(observed, isBeside)]
  }

  #keyOf = ({ operationMode, identifier }: AccountNames): string | undefined =>
    identifier === undefined ? undefined : `${operationMode ?? ''} ${identifier}`

  #find(names: AccountNames, merchantId: string | undefined): KnownAccount | undefined {
    const key = this.#keyOf(names)
    const byKey = key === undefined ? undefined : this.#byKey.get(key)
    const isUnnumbered = names.accountId === undefined || byKey?.names.accountId === undefined
    const found = this.#byId.get(names.accountId ?? '') ?? (isUnnumbered ? byKey : undefined)
    if (found?.merchantId === undefined || merchantId === undefined) return found
    if (found.merchantId === merchantId) return found
    if (key !== undefined) this.#byKey.set(key, undefined)
    return undefined
  }

  #add(names: AccountNames, merchantId: string | undefined): KnownAccount | undefined {
    const key = this.#keyOf(names)
    const before = key === undefined ? undefined : this.#byKey.get(key)
    const isShared = key !== undefined && this.#byKey.has(key) && before === undefined
    if (isShared && names.accountId === undefined) return undefined
    const account = new KnownAccount(names, merchantId)
    if (names.accountId !== undefined) setBounded(this.#byId, names.accountId, account, maxAccounts)
    // Two accounts that are open under one key are those of two merchants.
    const isTaken = isShared || (before !== undefined && before.status !== 'CLOSED')
    if (key !== undefined) setBounded(this.#byKey, key, isTaken ? undefined : account, maxAccounts)
    return account
  }

  /** A key may stand for the next account as soon as one is closed and another order has come. */
  #isCertain(account: KnownAccount, names: AccountNames, observed: Observed): boolean {
    const { accountId } = account.names
    const answered = bodyValue(observed.reply, '/accountId')
    if (accountId !== undefined && (names.accountId === accountId || answered === accountId))
      return true
    if (accountId !== undefined && typeof answered === 'string') return false
    const ordered = this.#ordered.get(this.#keyOf(account.names) ?? '')
    const { shownBy } = account
    return shownBy !== undefined && (!ordered || isSettled(ordered, shownBy, doubtMs))
  }

  #order(observed: Observed): void {
    const isIndoor = observed.isCall && /indoor/i.test(observed.exchange.reply?.body ?? '')
    const block = isIndoor && bodyValue(observed.reply, '/fulfillment/indoor')
    if (!isUnknownRecord(block)) return
    const key = this.#keyOf({
      accountId: undefined,
      operationMode: textOf(block['operationMode']),
      identifier: textOf(block['identifier']),
    })
    const orderId = observed.exchange.orderId ?? textOf(bodyValue(observed.reply, '/id'))
    if (key === undefined) return
    setBounded(this.#ordered, key, observed, maxAccounts)
    if (orderId !== undefined && !this.#orders.has(orderId))
      setBounded(this.#orders, orderId, { key, observed }, maxAccounts)
  }

  #event(observed: Observed, hasCome: boolean): readonly ClauseMoment[] {
    if (!hasCome) {
      for (const account of [...this.#byId.values(), ...this.#byKey.values()]) account?.lostEvent()
      return []
    }
    return emittedEvents([observed]).flatMap((event) => this.#heard(event))
  }

  #heard(emitted: ObservedEvent): readonly ClauseMoment[] {
    const { event, eventId, eventType: type = '', observed } = emitted
    if (eventId !== undefined) {
      if (this.#eventIds.has(eventId)) return []
      setBounded(this.#eventIds, eventId, true, 20 * maxAccounts)
    }
    const named = namesIn(observed)
    const merchantId = textOf(event['merchantId'])
    const known =
      this.#find(named, merchantId) ??
      (named.accountId === undefined && emitted.orderId !== undefined
        ? this.#byKey.get(this.#orders.get(emitted.orderId)?.key ?? '')
        : undefined)
    const account = known ?? (type === 'ACCOUNT_OPENED' ? this.#add(named, merchantId) : undefined)
    const key = this.#keyOf(named)
    const isElsewhere =
      !account && (named.accountId !== undefined || (key !== undefined && !this.#byKey.has(key)))
    this.#owed.heard(isElsewhere ? 'elsewhere' : account, { type, observed })
    if (!account) return []
    this.#follow(account, emitted, type)
    return this.#once(account, emitted, type)
  }

  #follow(account: KnownAccount, { event, orderId, observed }: ObservedEvent, type: string): void {
    if (type === 'PAYMENT_UPDATED') account.arePaymentsKnown = false
    if (type === 'ACCOUNT_CLOSED')
      account.become(
        event['accountId'] === undefined && account.expected?.status !== 'CLOSED'
          ? undefined
          : 'CLOSED',
        observed,
      )
    if (type === 'ACCOUNT_PRE_CLOSED' || type === 'ACCOUNT_UNLOCKED') {
      account.isRelocked = true
      const after = type === 'ACCOUNT_UNLOCKED' ? 'IN_USE' : 'IN_PAYMENT'
      if (account.status !== 'CLOSED' && account.status !== after)
        account.become(undefined, observed)
      if (account.expected && account.expected.status !== after) account.expected = undefined
    }
    const order = orderId === undefined ? undefined : this.#orders.get(orderId)
    const { reading } = account
    if (type !== 'ACCOUNT_ITEM_ADDED' || !reading) return
    if (order && startOf(order.observed) >= endOfCall(reading.observed))
      account.change({ kind: 'order', by: observed })
  }

  /** A fact that is announced twice under two ids. */
  #once(
    account: KnownAccount,
    { event, observed }: ObservedEvent,
    type: string,
  ): readonly ClauseMoment[] {
    const clause = onceClauses[type]
    const subject = textOf(event[type === 'PAYMENT_CREATED' ? 'paymentId' : 'accountId'])
    if (clause === undefined || subject === undefined) return []
    const fact = `${type} ${subject}`
    const first = account.facts.get(fact)
    if (!first) {
      setBounded(account.facts, fact, observed, maxHistory)
      return [{ clause, exchanges: [observed] }]
    }
    const problem = `it sent ${type} twice for the same fact, under two eventIds`
    return [{ clause, exchanges: [first, observed], problem }]
  }

  #call(observed: Observed, isBeside: boolean): readonly ClauseMoment[] {
    const { operation, exchange, status } = observed
    if (operation === undefined) return []
    const names = namesIn(observed)
    const account = this.#find(names, this.#merchantOf(observed))
    const target = this.#targetOf(observed)
    const replayed = this.#isReplayed(observed)
    if (!account) return []
    if (operation === 'listAccountPayments') return this.#list(account, observed)
    if (!refusedStatuses[operation] && operation !== 'requestFiscalDocument') return []
    const isUnknown = exchange.fault !== undefined || status === 0 || status >= 500
    if (isUnknown || replayed) {
      for (const each of [account, ...(target ? [target] : [])]) each.doubt(observed)
      this.#owed.forget(account)
      return []
    }
    const isUncertain =
      account.status === 'CLOSED' ? !this.#isCertain(account, names, observed) : isBeside
    const before = isUncertain ? undefined : account.statusAt(startOf(observed))
    const moments = before ? this.#permitted(account, { observed, operation, before }) : []
    const lock = target?.statusAt(startOf(observed))
    const toTarget =
      operation === 'transferAccountContent' && before === 'IN_USE' && lock && lock !== 'IN_USE'
        ? [
            {
              clause: 'IND-RUL-05',
              exchanges: [...(target?.shownBy ? [target.shownBy] : []), observed],
              problem:
                isAcceptedCall(observed) &&
                `it answered ${status} to a transfer whose target is ${lock}`,
            },
          ]
        : []
    if (isAcceptedCall(observed)) {
      const isWrong = [...moments, ...toTarget].some(({ problem }) => problem)
      if (isWrong) for (const each of [account, target]) each?.doubt(observed, false)
      else if (before !== 'CLOSED') this.#apply(account, { observed, operation, before, target })
    }
    return [...moments, ...toTarget]
  }

  #merchantOf = ({ request, url }: Observed): string | undefined =>
    textOf(bodyValue(request, '/merchantId')) ?? textOf(url.searchParams.get('merchantId'))

  #isReplayed({ exchange, requestHeader }: Observed): boolean {
    const names = ['idempotency-key', 'x-idempotency-key', 'x-request-id']
    const key = names.map(requestHeader).find((each) => each !== undefined)
    const isKnown = key !== undefined && this.#requestKeys.has(key)
    if (key !== undefined) setBounded(this.#requestKeys, key, true, 20 * maxAccounts)
    return isKnown || (exchange.attempt ?? 1) > 1
  }

  #targetOf({ operation, request }: Observed): KnownAccount | undefined {
    if (operation !== 'transferAccountContent') return undefined
    const target = bodyValue(request, '/target')
    const named = (name: string) => textOf(isUnknownRecord(target) ? target[name] : undefined)
    const accountId = textOf(bodyValue(request, '/targetAccountId')) ?? named('accountId')
    return this.#find(
      { accountId, operationMode: named('operationMode'), identifier: named('identifier') },
      undefined,
    )
  }

  #permitted(
    account: KnownAccount,
    {
      observed,
      operation,
      before,
    }: {
      readonly observed: Observed
      readonly operation: OperationId
      readonly before: AccountStatus
    },
  ): readonly ClauseMoment[] {
    const { status } = observed
    const exchanges = [...(account.shownBy ? [account.shownBy] : []), observed]
    const isRefused = status === 409 || status === 422
    if (isRepetition(operation, before)) {
      const problem = `it answered ${status} to ${operation} of an account that is ${before}, not 202`
      return isRefused || isAcceptedCall(observed)
        ? [{ clause: 'IND-RUL-04', exchanges, problem: status !== 202 && problem }]
        : []
    }
    const [clause, ...forbidden] = refusedStatuses[operation] ?? [undefined]
    if (clause === undefined || !forbidden.some((each) => each === before)) return []
    const problem = `it answered ${status} to ${operation} of an account that is ${before}`
    return isRefused || isAcceptedCall(observed)
      ? [{ clause, exchanges, problem: !isRefused && problem }]
      : []
  }

  #apply(
    account: KnownAccount,
    {
      observed,
      operation,
      before,
      target,
    }: {
      readonly observed: Observed
      readonly operation: OperationId
      readonly before: AccountStatus | undefined
      readonly target: KnownAccount | undefined
    },
  ): void {
    const since = startOf(observed)
    const owe = (clause: string, type: string, of: KnownAccount = account): void =>
      this.#owed.owe({
        account: of,
        types: [type],
        since,
        about: [observed],
        clause,
        problem: `it sent no ${type} event after an accepted ${operation}`,
      })
    const move = statusMoves[operation]
    if (move) {
      if (before === move[0]) return
      account.become(undefined, observed)
      account.isRelocked = true
      // Where the status before is unknown, it may be a repetition, which owes no event.
      if (before !== undefined) account.expected = { status: move[0], call: observed }
      else if (account.expected?.status !== move[0]) account.expected = undefined
    } else if (operation === 'createPayment') {
      account.change({ kind: 'pay', by: observed })
      const id = textOf(bodyValue(observed.reply, '/paymentId'))
      account.payments.push({ call: observed, id })
      if (account.payments.length > maxHistory) account.arePaymentsKnown = false
      owe('IND-EVT-05', 'PAYMENT_CREATED')
    } else if (operation === 'cancelAccountItem') {
      const itemId = itemOf(observed)
      const isActive = account.reading?.view.items.some(
        (item) => item.itemId === itemId && item.isActive,
      )
      const isRepeated = account.changes.some(({ itemIds }) => itemIds?.includes(itemId))
      if (isActive && !isRepeated) owe('IND-EVT-04', 'ACCOUNT_ITEM_CANCELLED')
      account.change({ kind: 'cancel', by: observed, itemIds: [itemId] })
    } else if (operation === 'transferAccountContent') {
      const itemIds = bodyValue(observed.request, '/itemIds')
      const moved = Array.isArray(itemIds) ? itemIds.map(String) : []
      account.change({ kind: 'out', by: observed, itemIds: moved })
      target?.change({ kind: 'in', by: observed })
      if (target) owe('IND-EVT-02', 'ACCOUNT_ITEM_ADDED', target)
    } else if (before !== undefined && observed.status === 202)
      this.#owed.owe({
        account,
        types: ['FISCAL_ISSUED', 'FISCAL_ERROR'],
        since,
        withinMs: 2 * doubtMs,
        about: [observed],
        clause: 'IND-OPS-10',
        problem: 'neither FISCAL_ISSUED nor FISCAL_ERROR came after an accepted request',
      })
  }

  #list(account: KnownAccount, observed: Observed): readonly ClauseMoment[] {
    const { exchange, status, reply } = observed
    const accepted = account.payments.filter(({ call }) => endOfCall(call) <= startOf(observed))
    if (exchange.fault !== undefined || status !== 200) return []
    if (account.status === 'CLOSED' && !this.#isCertain(account, namesIn(observed), observed))
      return []
    const ids = paymentIds(reply)
    const entries = bodyValue(reply, '/payments') ?? reply
    this.#owed.owePayments(account, observed, entries)
    if (!account.arePaymentsKnown || accepted.length === 0) return []
    if (!Array.isArray(entries) || (entries.length > 0 && ids.length === 0)) return []
    const forgotten = accepted.filter(({ id }) => id !== undefined && !ids.includes(id)).length
    const isShort = entries.length < accepted.length
    const isTwice = ids.length === entries.length && new Set(ids).size < ids.length
    const problem = `it lists ${entries.length} payments, and forgets ${Math.max(forgotten, accepted.length - entries.length)} of ${accepted.length} that it accepted`
    const exchanges = [...accepted.map(({ call }) => call), observed]
    const wrong = isShort || forgotten > 0 ? problem : isTwice && 'it lists a payment twice'
    return [{ clause: 'IND-OPS-09', exchanges, problem: wrong }]
  }

  #read(observed: Observed): readonly ClauseMoment[] {
    const { exchange, status, reply } = observed
    const read = status === 200 && exchange.fault === undefined ? readAccount(reply) : undefined
    if (!read?.ok) return []
    const view = read.value
    const asked = namesIn(observed)
    const names = {
      accountId: view.accountId ?? asked.accountId,
      operationMode: view.operationMode ?? asked.operationMode,
      identifier: view.identifier ?? asked.identifier,
    }
    const merchantId = textOf(bodyValue(reply, '/merchantId')) ?? this.#merchantOf(observed)
    let account = this.#find(names, merchantId)
    const isNext =
      account?.status === 'CLOSED' && names.accountId === undefined && view.status !== 'CLOSED'
    if (!account || isNext) account = this.#add(names, merchantId)
    if (!account || account.isDoubtful(observed)) return []
    const moments = new AccountReads(account, { observed, view }).moments()
    this.#oweByRead(account, { observed, view })
    this.#owed.owePayments(account, observed, bodyValue(reply, '/payments'))
    account.names = names
    if (names.accountId !== undefined) setBounded(this.#byId, names.accountId, account, maxAccounts)
    account.become(view.status, observed)
    account.reading = { observed, view }
    account.changes = []
    account.isRelocked = false
    if (account.expected?.status === view.status) account.expected = undefined
    return moments
  }

  /** Events that a read shows to be due: of its transition, of what it calls its last one, of orders. */
  #oweByRead(account: KnownAccount, { observed, view }: AccountReading): void {
    const { expected, recent, reading } = account
    const [, , type, clause] =
      (expected && statusMoves[expected.call.operation ?? 'getAccount']) ?? []
    if (expected && expected.status === view.status && type !== undefined && clause !== undefined)
      this.#owed.owe({
        account,
        types: [type],
        since: startOf(expected.call),
        about: [expected.call, observed],
        clause,
        problem: `it sent no ${type} event although the account became ${view.status}`,
      })
    const added = view.orders.filter((id) => reading && !reading.view.orders.includes(id))
    for (const orderId of added) {
      const order = this.#orders.get(orderId)
      if (order)
        this.#owed.owe({
          account,
          types: ['ACCOUNT_ITEM_ADDED'],
          since: startOf(order.observed),
          about: [order.observed, observed],
          clause: 'IND-EVT-02',
          problem: 'it sent no ACCOUNT_ITEM_ADDED event for an order that it added',
        })
    }
    const before = recent.filter((event) => endOfCall(event.observed) <= startOf(observed))
    const newest = before.at(-1)
    const { lastEvent } = view
    if (!newest || lastEvent === undefined) return
    if (this.#owed.lastTypes(account, newest).includes(lastEvent)) return
    // An event is the last one as soon as it is made: it may come late, and behind an older one.
    const named = recent.findLast(({ type: known }) => known === lastEvent)
    if (!named || !(occurredAt(named.observed) < occurredAt(newest.observed))) return
    if (optionalAccountEvents.some((optional) => optional === lastEvent)) return
    this.#owed.owe({
      account,
      types: [lastEvent],
      since: startOf(newest.observed) - besideMs,
      about: [newest.observed, observed],
      clause: 'IND-ACC-03',
      problem: `lastEvent is ${lastEvent}, and the last event that it sent was ${newest.type}`,
    })
  }
}

const concerned: ReadonlySet<OperationId | undefined> = new Set<OperationId>([
  'getOrder',
  'issueToken',
  'getManifest',
  'receiveAccountEvent',
  'getAccount',
  'getAccountById',
  'listAccountPayments',
  'requestFiscalDocument',
  ...(Object.keys(refusedStatuses) as OperationId[]),
])

/** Messages wait until one begins after they have ended, so that they are taken in the order of their ends. */
const accountLife = {
  begin() {
    const lives = new AccountLives()
    let waiting: Observed[] = []
    const take = (observed: Observed, { role, all }: Trace): readonly ClauseMoment[] => {
      if (role !== 'software-service') return []
      const began = startOf(observed)
      const isLast = all.length > 1 && all.at(-1) === observed
      if (concerned.has(observed.operation)) waiting.push(observed)
      if (waiting.length === 0) return []
      const settled = waiting
        .filter((each) => isLast || endOfCall(each) <= began)
        .toSorted((a, b) => endOfCall(a) - endOfCall(b))
      waiting = waiting.filter((each) => !settled.includes(each)).slice(-maxAccounts)
      const isInFlight = (each: Observed) => (other: Observed) =>
        other.operation !== undefined &&
        statusMoves[other.operation] !== undefined &&
        startOf(other) < endOfCall(each) &&
        endOfCall(other) > endOfCall(each)
      return settled.flatMap((each) =>
        lives.take(each, [...settled, ...waiting].some(isInFlight(each))),
      )
    }
    return { take }
  },
}

/** What the lives of accounts say about a clause. */
export const livesShow = momentsOf(accountLife)
