/**
 * What hosts say of the accounts, deliveries, customers and points of a scenario: the service by calls of our counterparts,
 * and our own hosts by their records.
 */
import { compact } from '../base/compact.ts'
import { operation as rowOf, type OperationId } from '../protocol/catalogue.ts'
import { batchKeys, recordsOfBatch } from '../protocol/customer/batch.ts'
import type { Role } from '../protocol/role.ts'
import { isUnknownRecord, type UnknownRecord } from '../protocol/unknown-record.ts'
import type { EntityDetail, SessionEntityKind } from '../session-api/entities.ts'
import type { Session } from '../session-api/session.ts'
import { maxCallAttempts } from '../engine/calls/call.ts'
import { isoOf } from '../engine/instant.ts'
import type { ScenarioObserver } from './observer.ts'
import type { ScenarioClock } from './scenario-clock.ts'
import type { StepActions } from './step-actions.ts'
import { StepFailure } from './shared-shapes.ts'

/** A call of one of our counterparts. */
export interface HostCall {
  readonly operation: OperationId
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface HostAnswer {
  /** 0 without an answer. */
  readonly status: number
  readonly body: unknown
}

export interface HostsOptions {
  readonly session: Session
  readonly observer: ScenarioObserver
  readonly clock: ScenarioClock
  /** Aborts what is waited for. */
  readonly enough: AbortSignal
  readonly actions: StepActions
  readonly subject: Role | 'none'
  readonly waitMs: number
}

/** The entities of a scenario, and the role that hosts each. */
export const hostOf = {
  account: 'software-service',
  delivery: 'delivery-platform',
  customer: 'crm',
} as const
export type HostedKind = keyof typeof hostOf

/** Pause between two reads of a wait, in ms. */
const readEveryMs = 1000

const isAccepted = ({ status }: HostAnswer): boolean => status >= 200 && status < 300

/** The entries of a list: a bare array, or the first array among the members. */
function listIn(body: unknown): readonly UnknownRecord[] {
  const list: unknown = isUnknownRecord(body) ? Object.values(body).find(Array.isArray) : body
  return Array.isArray(list) ? list.filter(isUnknownRecord) : []
}

const numberIn = (value: unknown, ...names: readonly string[]): number | undefined =>
  isUnknownRecord(value)
    ? names.map((name) => value[name]).find((each) => typeof each === 'number')
    : undefined

const textIn = (value: unknown, name: string): string => {
  const member = isUnknownRecord(value) ? value[name] : undefined
  return typeof member === 'string' ? member : ''
}

/** What identifies a customer: the identifier that our Ordering Application sends, its own id, and its external id. */
export interface CustomerIdentity {
  readonly id: string
  readonly phone: string
  readonly externalId: string
}

const isSameCustomer = (
  record: UnknownRecord,
  { id, phone, externalId }: CustomerIdentity,
): boolean =>
  record['id'] === id ||
  textIn(record['identifier'], 'value') === phone ||
  textIn(record['contacts'], 'phone') === phone ||
  JSON.stringify(record['externalIds'] ?? []).includes(JSON.stringify(externalId))

export class Hosts {
  readonly #options: HostsOptions
  readonly #remembered = new Map<string, number>()

  constructor(options: HostsOptions) {
    this.#options = options
  }

  /** Whether the service hosts such entities; otherwise we do. */
  isOfSubject(kind: HostedKind): boolean {
    return hostOf[kind] === this.#options.subject
  }

  /** Has one of our counterparts make a call, `times` times as the same request; returns the last answer. */
  async call(call: HostCall, times = 1): Promise<HostAnswer> {
    const { subject, actions, observer, clock, waitMs } = this.#options
    const { hosts, callers } = rowOf(call.operation)
    const others = callers.filter((role) => role !== subject)
    const from = others.find((role) => role === 'ordering-application') ?? others[0]
    if (subject === 'none' || !hosts.includes(subject) || from === undefined)
      throw new StepFailure(`${call.operation} is no call that your service answers`)
    // It is repeated by the scenario alone.
    const intent = { ...call, from, to: subject, attempt: maxCallAttempts }
    const answers = new Map<string | undefined, HostAnswer>()
    const stop = observer.onObserved((observed) => {
      const { caller, status } = observed
      if (caller === 'sparring')
        answers.set(observed.header('x-request-id'), { status, body: observed.responseJson() })
    })
    let requestId: string | undefined
    try {
      for (let sent = 0; sent < times; sent++) {
        answers.clear()
        const facts = await actions.submit({
          kind: 'call.place',
          call: { ...intent, ...compact({ requestId }) },
        })
        requestId = facts.find((fact) => fact.kind === 'call.placed')?.call.requestId
        if (requestId === undefined)
          throw new StepFailure(`${call.operation} waits for a valid manifest of your service`)
        await clock.waitUntil(() => answers.has(requestId), waitMs)
      }
    } finally {
      stop()
    }
    const answer = answers.get(requestId)
    if (!answer) throw new StepFailure(`${call.operation} was not answered in time`)
    return answer
  }

  /** Reads until it is as wanted; returns why it is not, once the time is over. */
  async waitFor(
    look: () => Promise<string | undefined>,
    withinMs = this.#options.waitMs,
  ): Promise<string | undefined> {
    const { clock, enough } = this.#options
    const end = (await clock.now()) + withinMs
    // On a paused clock no time passes, while the service goes on by a clock of its own.
    for (let reads = withinMs / readEveryMs; ; reads--) {
      const wrong = await look()
      const isOver = enough.aborted || reads <= 0 || (await clock.now()) >= end
      if (wrong === undefined || isOver) return wrong
      await clock.advance(readEveryMs)
    }
  }

  /** What its host says of an account (of an order), a delivery (of an order) or a customer, by its slot. */
  async document(kind: HostedKind, slot: string): Promise<unknown> {
    if (!this.isOfSubject(kind)) return (await this.ownEntity(kind, slot))?.document
    if (kind === 'customer') return this.#customerDocument(slot)
    return this.#read(
      kind === 'account'
        ? { operation: 'getAccount', query: await this.placeOf(slot) }
        : { operation: 'getDelivery', params: { orderId: this.#options.actions.order(slot) } },
    )
  }

  /** The entity of our own host, as the dashboard shows it: that of the order, or the n-th customer. */
  async ownEntity(
    kind: HostedKind | 'loyalty-account',
    slot: string,
  ): Promise<EntityDetail | undefined> {
    const { session, actions } = this.#options
    const view = { kind: kind satisfies SessionEntityKind, limit: 1000 }
    const { entities } = await session.look({ entities: view })
    const oldest = entities.toReversed()
    const isByNumber = /^c\d+$/.test(slot)
    const orderId = isByNumber ? undefined : actions.order(slot)
    const row = isByNumber
      ? oldest[Number(slot.slice(1)) - 1]
      : oldest.find((each) => each.orderId === orderId)
    if (!row) return undefined
    return (await session.look({ entity: { kind, id: row.id } })).entity
  }

  /** The account of an order, as a call names it: its table, tab or counter, and its store. */
  async placeOf(slot: string): Promise<Readonly<Record<string, string>>> {
    const order = await this.#order(slot)
    const { indoor } = (order['fulfillment'] ?? {}) as UnknownRecord
    if (!isUnknownRecord(indoor)) throw new StepFailure(`${slot} is no order at a table`)
    return {
      operationMode: textIn(indoor, 'operationMode'),
      identifier: textIn(indoor, 'identifier'),
      merchantId: textIn(order['merchant'], 'id'),
    }
  }

  /** The customer of an order (`o1`), or one that the scenario makes up (`c1`): other ones with each seed. */
  async identityOf(slot: string): Promise<CustomerIdentity> {
    if (/^c\d+$/.test(slot)) {
      const { seed } = (await this.#options.session.look({})).info
      const id = `${slot}-${seed}`
      const number = (seed % 1_000_000) * 100 + Number(slot.slice(1))
      return { id, phone: `+55119${String(number).padStart(8, '0')}`, externalId: `app:${id}` }
    }
    const { customer } = await this.#order(slot)
    const id = textIn(customer, 'id')
    const phone = isUnknownRecord(customer) ? textIn(customer['phone'], 'number') : ''
    return { id, phone, externalId: `app:${id}` }
  }

  /** The points that a customer may spend. */
  async balance(slot: string): Promise<number | undefined> {
    const account = await this.loyaltyAccount(slot)
    const { summary } = isUnknownRecord(account) ? account : {}
    return numberIn(summary, 'pointsAvailable') ?? numberIn(account, 'balance')
  }

  /** How often points of a customer were burnt. */
  async redemptions(slot: string): Promise<number> {
    const accountId = textIn(await this.loyaltyAccount(slot), 'id')
    const list = listIn(
      await this.#read({
        operation: 'listLoyaltyTransactions',
        params: { accountId },
        query: { pageSize: '100' },
      }),
    )
    return list.filter(({ type }) => type === 'burn').length
  }

  /** Undefined where the customer has none yet. */
  async loyaltyAccount(slot: string): Promise<unknown> {
    if (!this.isOfSubject('customer'))
      return (await this.ownEntity('loyalty-account', slot))?.document
    const { id } = await this.identityOf(slot)
    const answer = await this.call({
      operation: 'listCustomerLoyaltyAccounts',
      params: { customerId: id },
    })
    return isAccepted(answer) ? listIn(answer.body)[0] : undefined
  }

  /** The reward that costs least in the program of a customer, and its cost. */
  async reward(slot: string): Promise<{
    readonly account: UnknownRecord
    readonly reward: UnknownRecord
    readonly cost: number
  }> {
    const account = await this.loyaltyAccount(slot)
    if (!isUnknownRecord(account)) throw new StepFailure(`${slot} has no loyalty account yet`)
    const all = await this.#read({ operation: 'listLoyaltyRewards', query: { pageSize: '100' } })
    const costOf = (reward: UnknownRecord) => numberIn(reward, 'cost', 'points') ?? Infinity
    const [reward] = listIn(all)
      .filter(
        ({ programId, available }) => programId === account['programId'] && available !== false,
      )
      .toSorted((one, other) => costOf(one) - costOf(other))
    if (!reward) throw new StepFailure(`your service has no reward for ${slot}`)
    return { account, reward, cost: costOf(reward) }
  }

  /** The amounts of the payments of an account, oldest first. */
  async payments(slot: string): Promise<readonly (number | undefined)[]> {
    const list = this.isOfSubject('account')
      ? await this.#read({ operation: 'listAccountPayments', query: await this.placeOf(slot) })
      : ((await this.document('account', slot)) as UnknownRecord | undefined)?.['payments']
    return listIn(list).map((payment) => numberIn(payment, 'amount'))
  }

  remember(name: string, value: number): void {
    this.#remembered.set(name, value)
  }

  /** A number, or the one that a step has remembered under this name. */
  numberOf(value: number | string): number {
    const number = typeof value === 'number' ? value : this.#remembered.get(value)
    if (number === undefined) throw new StepFailure(`no step has remembered "${value}"`)
    return number
  }

  /** An instant so many ms ago, as the protocol writes it. */
  async ago(ms: number): Promise<string> {
    return isoOf((await this.#options.clock.now()) - ms)
  }

  async #order(slot: string): Promise<UnknownRecord> {
    const { session, actions } = this.#options
    const { order } = await session.look({ orderId: actions.order(slot) })
    return isUnknownRecord(order?.document) ? order.document : {}
  }

  /** The one record of the customer: a second one is a mistake wherever a customer is looked at. */
  async #customerDocument(slot: string): Promise<unknown> {
    const identity = await this.identityOf(slot)
    const all = await this.#read({ operation: 'listCustomers', query: { pageSize: '100' } })
    const found = recordsOfBatch(all, batchKeys.customer)
      .map(({ value }) => value)
      .filter(isUnknownRecord)
      .filter((record) => isSameCustomer(record, identity))
    if (found.length > 1)
      throw new StepFailure(`your service has ${found.length} records of ${slot}`)
    return found[0] ?? this.#read({ operation: 'getCustomerById', params: { id: identity.id } })
  }

  async #read(call: HostCall): Promise<unknown> {
    const answer = await this.call(call)
    if (isAccepted(answer)) return answer.body
    throw new StepFailure(`${call.operation} was answered ${answer.status}`)
  }
}

/** What is not as wanted, by its path: every member that is named must be there; lists have as many entries. */
export function differenceFrom(is: unknown, wanted: unknown, path = ''): string | undefined {
  if (Array.isArray(wanted)) {
    const list: readonly unknown[] = Array.isArray(is) ? is : []
    if (list.length !== wanted.length)
      return `${path || 'it'} has ${list.length} entries, not ${wanted.length}`
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof is !== 'object' || is === null) return `${path || 'it'} is not there`
    for (const [key, value] of Object.entries(wanted)) {
      const member: unknown = Reflect.get(is, key)
      const wrong = differenceFrom(member, value, path === '' ? key : `${path}.${key}`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
  if (is === wanted) return undefined
  return `${path || 'it'} is ${JSON.stringify(is) ?? 'not there'}, not ${JSON.stringify(wanted)}`
}
