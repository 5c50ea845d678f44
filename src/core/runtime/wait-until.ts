/**
 * Waits until a session has converged, or an order has a status. It looks after changes only, and never moves the
 * clock.
 */
import { compact } from '../base/compact.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import { shortRoleName } from '../protocol/role.ts'
import type { CallIntent } from '../engine/calls/call.ts'
import { contactStatus } from '../session-api/first-contact.ts'
import type { OrderDetail, OrderRow, SessionApi, SessionInfo } from '../session-api/session-api.ts'
import { neverReason } from '../views/never-reason.ts'
import { abortableSleep } from './clock/clock.ts'
import { disagreementText, dueWorkText, openRuleTexts } from '../views/convergence.ts'

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
