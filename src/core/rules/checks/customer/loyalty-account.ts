/** What is known of a loyalty account from the messages of a session: readings, lists, redemptions and events. */
import type { UnknownRecord } from '../../../protocol/unknown-record.ts'
import { setBounded } from '../../../engine/bounded.ts'
import { bodyValue, notice } from '../assertion.ts'
import type { ClauseMoment } from '../check.ts'
import { isSettled } from '../status-life.ts'
import { endOfCall, type Observed, type ObservedEvent, startOf } from '../trace.ts'
import { entriesIn } from './assertions.ts'
import { payloadOf, totalIn } from './records.ts'
import { isAboutMember, pointsOf } from './loyalty-views.ts'

/** What is wrong unless another message explains it: an event may come later, a call in flight end later. */
export interface LoyaltyDoubt extends ClauseMoment {
  readonly problem: string
  /** Since the end of this message. */
  readonly since: Observed
  /** Events that explain it. */
  readonly types: readonly string[]
  /** The order that these events name, where they name one. */
  readonly orderId?: string | undefined
  /** It is that an event has not come. */
  readonly isAbsence?: true
  readonly isExplained?: () => boolean
}

/** How long an event may take, and a call that is in flight. */
export const settleMs = 30_000
export const maxEvents = 50

export const accrued = 'loyalty.points_accrued'
const redeemed = 'loyalty.points_redeemed'
const reversed = 'loyalty.redemption_reversed'
export const applied = 'loyalty.coupon_applied'
const expired = 'loyalty.points_expired'

interface Reading {
  readonly observed: Observed
  readonly points: number
}

/** A redemption of ours for an order, which was accepted. */
interface Redemption {
  readonly observed: Observed
  /** The balance before it; undefined as soon as anything else has moved the account. */
  before: Reading | undefined
  isBurned: boolean
  reversal?: Observed
  cancellation?: Observed
  isJudged: boolean
}

/** The event of a transaction of a type. */
const eventOfType: Readonly<Record<string, string>> = {
  earn: accrued,
  burn: redeemed,
  expire: expired,
}
/** The clause of a transaction that the balance does not reflect. */
const clauseOfType: Readonly<Record<string, string>> = {
  earn: 'LOY-EVT-02',
  burn: 'LOY-EVT-05',
  expire: 'LOY-EVT-04',
}

interface Movement {
  readonly id: unknown
  readonly type: string
  readonly amount: number | undefined
  readonly orderId: string | undefined
}

/** Transactions of the account as they were listed. */
interface Listed {
  readonly observed: Observed
  readonly types: ReadonlyMap<unknown, unknown>
  readonly movements: readonly Movement[]
  /** Their sum, where all of them are listed with their amounts. */
  readonly sum: number | undefined
}

/** Of a movement the points with their sign: some services write burned points as a positive number. */
function amountOf(entry: UnknownRecord): number | undefined {
  const amount = [entry['amount'], entry['points'], entry['value']].find(
    (each) => typeof each === 'number',
  )
  if (amount === undefined) return undefined
  return entry['type'] === 'burn' || entry['type'] === 'expire' ? -Math.abs(amount) : amount
}

function listedBy(observed: Observed): Listed {
  const entries = entriesIn(observed.reply)
  const amounts = entries.map(amountOf)
  const { searchParams } = observed.url
  const isWhole =
    amounts.every((each) => each !== undefined) &&
    totalIn(observed.reply) <= entries.length &&
    Number(searchParams.get('page') ?? 1) <= 1 &&
    ![...searchParams.keys()].some((key) => /from|to$|since|until|type/i.test(key)) &&
    (searchParams.get('pageSize') === null || entries.length < Number(searchParams.get('pageSize')))
  return {
    observed,
    types: new Map(entries.flatMap(({ id, type }) => (id === undefined ? [] : [[id, type]]))),
    movements: entries.flatMap((entry) => {
      const { id, type, status, relatedOrderId, orderId = relatedOrderId } = entry
      if (id === undefined || typeof type !== 'string') return []
      if (typeof status === 'string' && /pend/i.test(status)) return []
      const named = typeof orderId === 'string' ? orderId : undefined
      return [{ id, type, amount: amountOf(entry), orderId: named }]
    }),
    sum: isWhole ? amounts.reduce((all: number, each) => all + (each ?? 0), 0) : undefined,
  }
}

/** A text that an event has under one of these names. */
export function textIn(event: ObservedEvent, ...names: readonly string[]): string | undefined {
  const all: UnknownRecord = { ...event.event, ...payloadOf(event) }
  return names.map((name) => all[name]).find((each) => typeof each === 'string')
}

export const orderNamed = (event: ObservedEvent): string | undefined =>
  textIn(event, 'relatedOrderId', 'orderId')

/** What is known of an account. */
export class AccountLife {
  readonly id: string
  customerId: unknown
  programId: unknown
  doubts: LoyaltyDoubt[] = []
  readonly redemptions = new Map<string, Redemption>()
  #reading: Reading | undefined
  #status: { observed: Observed; status: string } | undefined
  #listed: Listed | undefined
  /** A reading with the list after it, until another reading shows that nothing has moved meanwhile. */
  #list: { reading: Reading; listed: Listed } | undefined
  /** The figures of an account, and the list that was between two readings of them. */
  #sum: { figures: readonly number[]; listed: Listed; sum: number } | undefined
  #events: ObservedEvent[] = []
  /** The last event of a type about an order, or about none. */
  readonly #announced = new Map<string, Observed>()
  #namesOrders = false
  /** Calls of ours since the last reading that may move the balance up or down. */
  #causes: { direction: 'more' | 'less'; observed: Observed; orderId: string | undefined }[] = []
  /** What moved while it was suspended, until the next reading shows that it still is. */
  #moves: ClauseMoment[] = []

  constructor(id: string) {
    this.id = id
  }

  /** After a call of ours of which it is not known what it did. */
  forget(): void {
    this.#reading = undefined
    this.#list = undefined
    this.#status = undefined
    this.#moves = []
    for (const redemption of this.redemptions.values()) redemption.before = undefined
  }

  isAbout(event: ObservedEvent): boolean {
    const ids = [this.id, this.customerId].filter((each) => typeof each === 'string')
    return isAboutMember(event, ids)
  }

  cause(direction: 'more' | 'less', observed: Observed, orderId: string | undefined): void {
    this.#list = undefined
    this.#causes.push({ direction, observed, orderId })
    if (this.#causes.length > maxEvents) this.#causes.shift()
    for (const [id, redemption] of this.redemptions)
      if (id !== orderId) redemption.before = undefined
  }

  redeem(observed: Observed, orderId: string | undefined): void {
    const before = this.#reading
    this.cause('less', observed, orderId)
    if (orderId === undefined) return
    const known = this.redemptions.get(orderId)
    const isFresh = before !== undefined && endOfCall(before.observed) <= startOf(observed)
    if (!known)
      this.redemptions.set(orderId, {
        observed,
        before: isFresh && this.#isQuietSince(before) ? before : undefined,
        isBurned: false,
        isJudged: false,
      })
    if (this.redemptions.size > maxEvents)
      this.redemptions.delete([...this.redemptions.keys()][0] ?? '')
  }

  /** Nothing but this call has come since a reading. */
  #isQuietSince({ observed }: Reading): boolean {
    const since = startOf(observed)
    return (
      this.#causes.filter((each) => endOfCall(each.observed) > since).length <= 1 &&
      !this.#events.some((each) => endOfCall(each.observed) > since)
    )
  }

  hear(event: ObservedEvent): void {
    const { eventType = '', observed } = event
    const orderId = orderNamed(event)
    this.#events.push(event)
    if (this.#events.length > maxEvents) this.#events.shift()
    this.#list = undefined
    this.#namesOrders ||= orderId !== undefined && !eventType.includes('coupon')
    setBounded(this.#announced, `${eventType} ${orderId ?? ''}`, observed, 4 * maxEvents)
    this.doubts = this.doubts.filter(
      ({ types, orderId: about = orderId }) =>
        !types.includes(eventType) || (orderId !== undefined && about !== orderId),
    )
    for (const [id, redemption] of this.redemptions) {
      const isOfOrder = orderId === undefined || orderId === id
      if (eventType === redeemed && isOfOrder) redemption.isBurned = true
      else if (eventType === reversed && isOfOrder) redemption.reversal = observed
      else if (eventType !== 'loyalty.points_pending' && !eventType.includes('coupon'))
        redemption.before = undefined
    }
    const blocked = { [accrued]: 'LOY-PRM-02', [redeemed]: 'LOY-PRM-03', [applied]: 'LOY-PRM-04' }
    const clause = blocked[eventType as keyof typeof blocked]
    const suspended = this.#status
    if (clause === undefined || suspended?.status !== 'SUSPENDED' || orderId === undefined) return
    // Only what a call has brought about that came after the reading: an event may come late.
    const cause = this.#causes.find(
      (each) => each.orderId === orderId && startOf(each.observed) > endOfCall(suspended.observed),
    )
    if (cause)
      this.#moves.push({
        clause,
        exchanges: [suspended.observed, cause.observed, observed],
        problem: `it emits ${eventType} of an account that is SUSPENDED`,
      })
  }

  list(observed: Observed): this {
    const listed = listedBy(observed)
    const suspended = this.#status
    const before = this.#listed
    this.#listed = listed
    if (before) this.#expectEvents(before, listed)
    this.#expectPointsBack(listed)
    if (this.#reading && endOfCall(this.#reading.observed) <= startOf(observed))
      this.#list = { reading: this.#reading, listed }
    if (suspended?.status !== 'SUSPENDED' || !before) return this
    if (startOf(before.observed) < endOfCall(suspended.observed)) return this
    for (const [type, clause] of [
      ['earn', 'LOY-PRM-02'],
      ['burn', 'LOY-PRM-03'],
    ] as const)
      if ([...listed.types].some(([id, each]) => each === type && !before.types.has(id)))
        this.#moves.push({
          clause,
          exchanges: [suspended.observed, before.observed, observed],
          problem: `its account that is SUSPENDED has another transaction of type ${type}`,
        })
    return this
  }

  /** Each transaction that a list has and the one before has not is announced by an event. */
  #expectEvents(before: Listed, { observed, movements, sum }: Listed): void {
    if (before.sum === undefined || sum === undefined) return
    if (endOfCall(before.observed) > startOf(observed)) return
    for (const { id, type, orderId } of movements) {
      const eventType = eventOfType[type]
      if (before.types.has(id) || eventType === undefined) continue
      const isOfOrder = eventType !== expired
      if (isOfOrder && (orderId === undefined || !this.#namesOrders)) continue
      const heard = [`${eventType} ${orderId ?? ''}`, `${eventType} `].map((key) =>
        this.#announced.get(key),
      )
      const isRecent = (each: Observed): boolean => !isSettled(each, before.observed, settleMs)
      if (heard.some((each) => each && (isOfOrder || isRecent(each)))) continue
      this.#doubt({
        clause: 'LOY-EVR-03',
        exchanges: [before.observed, observed],
        problem: `it lists another transaction of type ${type}, and no ${eventType} tells it`,
        since: observed,
        types: [eventType],
        orderId,
        isAbsence: true,
      })
    }
  }

  /** Points that are back by an event are back in the list, if the balance is its sum. */
  #expectPointsBack({ observed, movements, sum }: Listed): void {
    if (sum === undefined || this.#reading?.points !== sum) return
    const gains = movements.filter(({ amount = 0 }) => amount > 0)
    if (gains.some(({ orderId }) => orderId === undefined)) return
    for (const { orderId } of movements.filter(({ type }) => type === 'burn')) {
      const event =
        orderId === undefined ? undefined : this.#announced.get(`${reversed} ${orderId}`)
      if (!event || !isSettled(event, observed, settleMs)) continue
      if (gains.some((each) => each.orderId === orderId)) continue
      this.#announced.delete(`${reversed} ${orderId}`)
      this.#doubt({
        clause: 'LOY-EVT-06',
        exchanges: [event, this.#reading.observed, observed],
        problem: `it emits ${reversed}, and list and balance have the points as spent`,
        since: event,
        types: [],
      })
    }
  }

  *show(observed: Observed, record: UnknownRecord): Iterable<ClauseMoment> {
    this.customerId = record['customerId']
    this.programId = record['programId']
    const { status } = record
    if (typeof status === 'string') yield* this.#showStatus(observed, status)
    const points = pointsOf(record)
    if (points === undefined) return
    const before = this.#reading
    const reading = { observed, points }
    this.#reading = reading
    if (before && endOfCall(before.observed) <= startOf(observed)) {
      this.#explain(before, reading)
      yield* this.#addUp(reading, record)
      const isOld = (each: { readonly observed: Observed }): boolean =>
        isSettled(each.observed, before.observed, settleMs)
      this.#events = this.#events.filter((each) => !isOld(each))
      this.#causes = this.#causes.filter((each) => !isOld(each))
    }
    yield* this.#rollBack(reading)
  }

  *#showStatus(observed: Observed, status: string): Iterable<ClauseMoment> {
    const before = this.#status
    const listed = this.#listed
    const isMoved = listed !== undefined && listed.types.size > 0
    if (status === 'ENROLLED' && isMoved && endOfCall(listed.observed) <= startOf(observed))
      yield {
        clause: before?.status === 'SUSPENDED' ? 'LOY-ACC-04' : 'LOY-ACC-02',
        exchanges: [listed.observed, observed],
        problem: 'an account with a transaction is still ENROLLED',
      }
    if (before?.status === 'SUSPENDED' && endOfCall(before.observed) <= startOf(observed)) {
      if (status === 'SUSPENDED')
        for (const move of this.#moves) yield { ...move, exchanges: [...move.exchanges, observed] }
    }
    this.#moves = []
    this.#status = { observed, status }
  }

  /** A change between two readings that a call of ours has brought about is announced by an event. */
  #explain(before: Reading, now: Reading): void {
    if (before.points === now.points) return
    const direction = now.points > before.points ? 'more' : 'less'
    const types = direction === 'more' ? [accrued, reversed] : [redeemed, expired, accrued]
    const since = startOf(before.observed)
    const cause = this.#causes.find(
      (each) => each.direction === direction && startOf(each.observed) >= since,
    )
    const isAnnounced = this.#events.some(
      ({ eventType = '', observed }) =>
        types.includes(eventType) && !isSettled(observed, before.observed, settleMs),
    )
    if (!cause || isAnnounced) return
    this.#doubt({
      clause: 'LOY-EVR-03',
      exchanges: [before.observed, cause.observed, now.observed],
      problem: `its account goes from ${before.points} to ${now.points} points, and no event tells it`,
      since: now.observed,
      types,
      isAbsence: true,
    })
  }

  /** Transactions between two equal readings, with nothing between them, sum up to what the readings show. */
  *#addUp(now: Reading, record: UnknownRecord): Iterable<ClauseMoment> {
    const list = this.#list
    this.#list = undefined
    const sum = list?.listed.sum
    if (!list || sum === undefined || list.reading.points !== now.points) return
    if (endOfCall(list.listed.observed) > startOf(now.observed)) return
    const pending = bodyValue(record, '/summary/pointsPending')
    const known = [now.points, record['balance'], now.points + Number(pending ?? 0)]
    yield* this.#addUpAgain(list.listed, { figures: known.map(Number), sum, now: now.observed })
    yield {
      clause: 'LOY-REC-03',
      exchanges: [list.reading.observed, list.listed.observed, now.observed],
      problem: known.includes(sum)
        ? undefined
        : notice(`its transactions sum up to ${sum} points, and its account has ${now.points}`),
    }
  }

  /** Whatever an account began with: list and balance change by the same. */
  *#addUpAgain(
    listed: Listed,
    { figures, sum, now }: { figures: readonly number[]; sum: number; now: Observed },
  ): Iterable<ClauseMoment> {
    const before = this.#sum
    this.#sum = { figures, listed, sum }
    if (!before) return
    const changes = figures.map((each, index) => each - (before.figures[index] ?? NaN))
    const [change = 0] = changes
    const difference = change - (sum - before.sum)
    const isRight = changes.includes(sum - before.sum)
    const fresh = listed.movements.filter(({ id }) => !before.listed.types.has(id))
    const burned = listed.movements.filter(({ type }) => type === 'burn')
    const isUnlisted = [...this.redemptions].some(
      ([id, { isBurned }]) => isBurned && burned.every(({ orderId }) => orderId !== id),
    )
    const missing = isUnlisted ? undefined : fresh.find(({ amount }) => amount === -difference)
    const clause =
      (missing && clauseOfType[missing.type]) ?? (difference < 0 ? 'LOY-EVT-05' : 'LOY-EVR-03')
    yield {
      clause,
      exchanges: [before.listed.observed, listed.observed, now],
      problem:
        !isRight &&
        (missing
          ? `it lists a transaction of type ${missing.type} that its balance does not have`
          : `its balance changes by ${change}, and its transactions by ${sum - before.sum}`),
    }
  }

  /** The order of a redemption is cancelled: an event tells that the points are back. */
  cancel(observed: Observed, orderId: string): void {
    const redemption = this.redemptions.get(orderId)
    if (!redemption || redemption.cancellation) return
    if (endOfCall(redemption.observed) > startOf(observed)) return
    redemption.cancellation = observed
    this.cause('more', observed, orderId)
    if (!redemption.isBurned || redemption.reversal) return
    this.#doubt({
      clause: 'LOY-EVR-02',
      exchanges: [redemption.observed, observed],
      problem: `it emits no ${reversed} when the order of a redemption is cancelled`,
      since: observed,
      types: [reversed],
      isAbsence: true,
    })
  }

  *#rollBack({ observed, points }: Reading): Iterable<ClauseMoment> {
    for (const redemption of this.redemptions.values()) {
      const { before, cancellation, reversal, isBurned, isJudged } = redemption
      if (!before || !cancellation || !isBurned || isJudged) continue
      if (!isSettled(reversal ?? cancellation, observed, settleMs)) continue
      redemption.isJudged = true
      const clause = reversal ? 'LOY-EVT-06' : 'LOY-EVR-02'
      const exchanges = [before.observed, redemption.observed, cancellation, observed]
      if (points >= before.points) yield { clause, exchanges }
      else
        this.#doubt({
          clause,
          exchanges: reversal ? [...exchanges.slice(0, 3), reversal, observed] : exchanges,
          problem: reversal
            ? `it emits ${reversed}, and ${points} of ${before.points} points are available`
            : `after the cancellation ${points} of ${before.points} points are available`,
          since: observed,
          types: [redeemed, expired, accrued, ...(reversal ? [] : [reversed])],
        })
    }
  }

  #doubt(doubt: LoyaltyDoubt): void {
    this.doubts.push(doubt)
    if (this.doubts.length > maxEvents) this.doubts.shift()
  }
}
