/**
 * Waits until a session has converged, or an order has a status. It looks after changes only, and never moves the
 * clock.
 */
import { compact } from '../base/compact.ts'
import type { OrderStatus, OrderType } from '../protocol/orders/order.ts'
import { shortRoleName } from '../protocol/role.ts'
import type { CallIntent } from '../engine/calls/call.ts'
import { contactStatus } from '../session-api/first-contact.ts'
import type {
  OrderDetail,
  OrderRow,
  SessionApi,
  SessionInfo,
  AgendaRow,
  Explanation,
  Snapshot,
} from '../session-api/session-api.ts'
import { abortableSleep } from './clock/clock.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import { newestKnown } from '../views/explain-views.ts'

/** Statuses after which nothing about the order is news. */
const isFinal = (status: string): boolean =>
  status === 'CONCLUDED' || status === 'CANCELLED' || status === 'DELIVERED'

/** A courier who waits for the food of an order that is over causes nothing. */
const isIdle = ({ kind, orderId }: AgendaRow, orders: readonly OrderRow[]): boolean =>
  kind === 'delivery.wait' &&
  orders.some((order) => order.orderId === orderId && isFinal(order.status))

/** What a customer does after the order, such as a review, is set aside for a store and its couriers. */
const isCustomerActivity = ({ kind, aside }: AgendaRow): boolean =>
  aside === true && kind.startsWith('relation.')

/** What is due about orders, in one sentence; undefined when nothing is. Loops and new orders are not waited for. */
function dueWorkText({ agenda, orders }: Pick<Snapshot, 'agenda' | 'orders'>) {
  const due = agenda.filter(
    (row) =>
      !row.background &&
      row.orderId !== undefined &&
      !isIdle(row, orders) &&
      !isCustomerActivity(row),
  )
  const [first] = due
  if (first === undefined) return undefined
  const held = due.filter((row) => row.held).length
  const heldText = held > 0 ? `, ${held} of them held` : ''
  return `${due.length} on the agenda${heldText}: ${first.text} first`
}

/** The rules that require an action which is missing, while its deadline has not passed. */
const openRuleTexts = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts
    .filter(({ outcome }) => outcome === 'open')
    .map(({ id, sentence, findings }) => `${id} is open: ${findings[0]?.because ?? sentence}`)

/**
 * How the views of an order differ now, as a sentence; undefined when they agree. V1 orders show no status: for them only a
 * split counts that the explanation reports.
 */
function disagreementText(
  { slot, orderId, host, known, other, splits, wholeSince }: Explanation,
  hasStatus: boolean,
): string | undefined {
  const name = slot ?? orderId ?? 'the order'
  const open = splits.find(({ to }) => to === undefined)
  if (open) return `${name}: ${open.text}: ${open.because}`
  const { status, at = 0 } = host.at(-1) ?? {}
  if (!hasStatus || status === undefined) return undefined
  // What the service knew then is not in memory any more; the rules have judged it.
  if (wholeSince !== undefined && at < wholeSince) return undefined
  const view = newestKnown(known, host)?.status
  // CONCLUDED after a known final status need not be known.
  const agrees = view === status || (status === 'CONCLUDED' && view !== undefined && isFinal(view))
  return agrees
    ? undefined
    : `${name}: it is ${status}, and ${other.name} knows ${view === undefined ? 'nothing of it' : `it as ${view}`}`
}

/** The profiles of which no order has a status. */
const impossible: Readonly<Partial<Record<OrderStatus, readonly OrderType[]>>> = {
  IN_DELIVERY: ['TAKEOUT', 'INDOOR'],
}

/** Why the order will never have the status; undefined while it may. */
function neverReason(
  { row, statusHistory, regularStatuses }: OrderDetail,
  wanted: OrderStatus,
): string | undefined {
  const { status, profile } = row
  if (impossible[wanted]?.includes(profile)) return `a ${profile} order is never ${wanted}`
  const isCancelled = statusHistory.some((each) => each.status === 'CANCELLED')
  if (isCancelled && wanted !== 'CANCELLED') return 'it was cancelled'
  if (status === 'CONCLUDED') return 'it is CONCLUDED, which is its end'
  const [now, then] = [regularStatuses.indexOf(status), regularStatuses.indexOf(wanted)]
  return then >= 0 && now > then ? `it is ${status} already, past ${wanted}` : undefined
}

// Observes whether a session has converged: nothing is due, both sides agree about every order, and
// no rule is open.

/** Orders that are compared, newest first. */
const maxOrders = 1000
/** Reasons that are listed. */
const maxReasons = 10
/** Agenda items that are read. */
const maxItems = 200

/** Answers what has not converged, one sentence each; an empty list when everything has. */
type ConvergenceCheck = () => Promise<readonly string[]>

/**
 * A check that can be repeated: an order whose views agreed is compared again only after its status has changed. Without
 * an order nothing has converged, unless the service itself hosts the orders.
 */
function createConvergenceCheck(session: Pick<SessionApi, 'look'>): ConvergenceCheck {
  /**
   * The status at which the views of an order agreed, and since when: after a reset the id of the order may come again.
   */
  const agreed = new Map<string, string>()

  async function disagreements(
    orders: readonly Pick<OrderRow, 'orderId' | 'status' | 'since'>[],
    hasStatus: boolean,
  ): Promise<readonly string[]> {
    const reasons: string[] = []
    for (const { orderId, status, since } of orders) {
      const state = `${status} since ${since}`
      if (agreed.get(orderId) === state) continue
      const { explanation } = await session.look({ explain: orderId })
      const text = explanation && disagreementText(explanation, hasStatus)
      if (text === undefined) agreed.set(orderId, state)
      else reasons.push(text)
      if (reasons.length === maxReasons) break
    }
    return reasons
  }

  return async () => {
    const snapshot = await session.look({
      orders: { limit: maxOrders },
      agenda: { limit: maxItems, background: false },
      verdicts: true,
    })
    const { orders, info, verdicts } = snapshot
    if (orders.length === 0 && info.subject?.role !== 'ordering-application')
      return ['there is no order yet']
    const due = dueWorkText(snapshot)
    const reasons = [
      ...(due === undefined ? [] : [due]),
      ...openRuleTexts(verdicts),
      ...(await disagreements(orders, info.protocol.version !== 'v1')),
    ]
    return reasons.slice(0, maxReasons)
  }
}

/** Deadlines of rules pass without a change. In ms. */
const deadlineLookMs = 250
/** Shortest time between two looks, in ms: a busy session reports a change with each fact. */
const minPauseMs = 20
/** A pause is at least so many times as long as the look before it: a large session takes long to look at. */
const pausePerLook = 4

/** What a look has found. */
export interface WaitLook {
  /** What is missing, one sentence each; empty when the condition is met. */
  readonly because: readonly string[]
  /** The condition cannot be met any more. */
  readonly isOver?: boolean
  /** The session as it was. */
  readonly info?: SessionInfo
}

export interface SessionCondition<Observed extends WaitLook> {
  readonly look: () => Promise<Observed>
  /** Time in ms after which it may be met, or not any more, although nothing has changed. */
  readonly lookEveryMs?: number
}

export interface WaitEnd<Observed extends WaitLook> {
  readonly end: 'met' | 'over' | 'timeout' | 'aborted'
  /** The last look. */
  readonly observed: Observed
  /** On the wall clock. */
  readonly waitedMs: number
}

export interface WaitLimits {
  /** On the wall clock, whatever the clock of the session does. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** What keeps a session from going on, as far as it knows. */
export function delayReason({ clock, connect, contact }: SessionInfo): string | undefined {
  if (clock.mode === 'stepped')
    return 'The clock is paused: let it run with sparring agenda run, or go in steps with sparring agenda step.'
  if (contact !== undefined && contact.connected === undefined) {
    const status = contactStatus({ ...compact({ connect }), contact })
    if (status !== undefined) return status
  }
  return clock.mode === 'virtual'
    ? 'The virtual clock goes no further while a call is in flight or an item is held: see sparring agenda.'
    : undefined
}

/** Nothing is due, both sides agree about every order, and no rule is open. */
export const untilConverged = (session: Pick<SessionApi, 'look'>): SessionCondition<WaitLook> => {
  const check = createConvergenceCheck(session)
  return {
    lookEveryMs: deadlineLookMs,
    async look() {
      const because = await check()
      return because.length === 0 ? { because } : { because, info: (await session.look({})).info }
    },
  }
}

export interface StatusLook extends WaitLook {
  /** Absent when the session has no such order. */
  readonly order?: OrderDetail
  readonly info: SessionInfo
}

/** The order has the status, or has had it. */
export const untilOrderStatus = (
  session: Pick<SessionApi, 'look'>,
  orderId: string,
  wanted: OrderStatus,
): SessionCondition<StatusLook> => ({
  async look() {
    const { order, info } = await session.look({ orderId })
    if (!order) return { because: [`there is no order ${orderId}`], isOver: true, info }
    if (order.statusHistory.some(({ status }) => status === wanted))
      return { because: [], order, info }
    const never = neverReason(order, wanted)
    return never === undefined
      ? { because: [`the order is ${order.row.status}, not ${wanted}`], order, info }
      : { because: [`the order will not be ${wanted}: ${never}`], isOver: true, order, info }
  },
})

/** Journal entries and exchanges in which the end of a call is looked for. */
const recentRows = 500

export interface AnswerLook extends WaitLook {
  /** What came of the calls that did not succeed, a sentence each. */
  readonly refusals: readonly string[]
}

/** The calls that were just placed have ended; a retry is another call. */
export const untilAnswered = (
  session: Pick<SessionApi, 'look'>,
  calls: readonly CallIntent[],
): SessionCondition<AnswerLook> => ({
  async look() {
    const limit = recentRows
    const { journal, traffic } = await session.look({ journal: { limit }, traffic: { limit } })
    const because: string[] = []
    const refusals: string[] = []
    for (const { from, to, operation } of calls) {
      const text = `${shortRoleName[from]} > ${shortRoleName[to]} ${operation}`
      const begun = journal.findLastIndex((row) => row.kind === 'call.placed' && row.text === text)
      const end = journal.find(
        (row, index) =>
          index > begun && row.kind === 'call.concluded' && row.text.startsWith(`${text}: `),
      )
      const outcome = end?.text.slice(text.length + 2)
      if (outcome === undefined) because.push(`${operation} is not answered`)
      else if (!/^2\d\d$/.test(outcome)) {
        const made = traffic.findLast((row) => row.operation === operation && row.from === from)
        const call = made ? `${made.method} ${made.path}` : operation
        const why = made?.reason === undefined ? '' : `: ${made.reason}`
        refusals.push(
          /^\d/.test(outcome)
            ? `${call} is answered ${outcome}${why}`
            : `${call} fails: ${outcome}${why}`,
        )
      }
    }
    return { because, refusals }
  },
})

export async function waitUntil<Observed extends WaitLook>(
  session: Pick<SessionApi, 'subscribe'>,
  { look, lookEveryMs = Number.POSITIVE_INFINITY }: SessionCondition<Observed>,
  { timeoutMs, signal = new AbortController().signal }: WaitLimits,
): Promise<WaitEnd<Observed>> {
  const start = performance.now()
  const waited = (): number => performance.now() - start
  let change = new AbortController()
  const wake = (): void => change.abort()
  const unsubscribe = session.subscribe(wake)
  signal.addEventListener('abort', wake)
  try {
    for (;;) {
      // Before the look: a change during it must not be lost.
      change = new AbortController()
      const before = waited()
      const observed = await look()
      const waitedMs = waited()
      const ended = endOf(observed, signal.aborted, waitedMs >= timeoutMs)
      if (ended) return { end: ended, observed, waitedMs }
      const leftMs = timeoutMs - waitedMs
      const restMs = Math.max(minPauseMs, pausePerLook * (waitedMs - before))
      await abortableSleep(Math.min(restMs, leftMs), signal)
      if (!signal.aborted)
        await abortableSleep(
          Math.min(lookEveryMs, Math.max(0, timeoutMs - waited())),
          change.signal,
        )
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', wake)
  }
}

const endOf = (
  { because, isOver }: WaitLook,
  isAborted: boolean,
  isTimeOver: boolean,
): WaitEnd<WaitLook>['end'] | undefined => {
  if (because.length === 0) return 'met'
  if (isOver) return 'over'
  if (isAborted) return 'aborted'
  return isTimeOver ? 'timeout' : undefined
}
