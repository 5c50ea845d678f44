/** Maintains the tracker state, in O(1) per observation. Memory is bounded: finished orders are evicted. */
import { addBounded, setBounded } from '../../../engine/bounded.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { Settings } from '../../../engine/settings.ts'
import type { World } from '../../../engine/world.ts'
import type { OrderStatus } from '../../../protocol/orders/order.ts'
import type { Role } from '../../../protocol/role.ts'
import type {
  ObservedAcknowledgment,
  ObservedExchange,
  ObservedHandover,
} from '../judge/observations.ts'
import { msUntilDate } from '../helpers/call-outcome.ts'
import { firstInstantOf, type KnownStatus } from './status-history.ts'
import { maxTrackedKeys } from './bounded-map.ts'
import { pendingWorkIn } from './pending-work.ts'
import { recordAction } from './run-outcome.ts'
import {
  type AgendaUndoFact,
  type FactHandler,
  factHandlerOf,
  type FactHandlers,
  type FactKind,
} from './fact-handlers.ts'
import { HostState } from './host-state.ts'
import { type ProgressStep, progressStepOf, projectedStatus } from './progress.ts'
import { isRefusal } from './exchange-fields.ts'
import { statusRank } from './status-rank.ts'
import {
  beginWait,
  type ObservedEffects,
  type TrackedOrder,
  type TrackerState,
  type VerdictContext,
  type VerdictTolerances,
} from './tracker-state.ts'
import { LaggedTimings, type LagSource } from './timing.ts'
import type { ServiceClock } from './service-clock.ts'
import type { ActiveFault } from '../../../engine/faults/fault.ts'
import { hasTrait } from '../../../faults/catalogue.ts'
import type { JournalEntry } from '../../../engine/journal.ts'

interface FaultWindow {
  readonly facts: FactHandlers
  /** The service was ended and started again, and has not been heard of since. */
  readonly isStarting: () => boolean
  readonly serviceIsBack: (at: Instant) => void
  /** Extends the window to the end of a distorted exchange. */
  readonly extendTo: (at: Instant) => void
  /** Undefined while a fault is in force or holds something back. */
  readonly faultFreeSince: () => Instant | undefined
  /** A fault fired that no correct partner produces. */
  readonly hasRobustnessFault: () => boolean
}

const leftOf = ({ limit, fired }: ActiveFault): number =>
  (limit ?? Number.POSITIVE_INFINITY) - fired

/**
 * Since when no fault is in force. A fault may delay an event or an answer long after it fired;
 * until that has been delivered, a late reaction is not the subject's fault.
 */
function createFaultWindow(
  { faults }: World,
  now: () => Instant,
  { convergeMs }: Pick<VerdictTolerances, 'convergeMs'>,
): FaultWindow {
  /** Faults in force, and how often each may still fire. */
  const live = new Map<number, number>()
  /** Faults of what orders contain, and of how a body is written, which delay nothing. */
  const ofContents = new Set<number>()
  const add = (fault: ActiveFault): void => {
    if (hasTrait(fault, 'contents')) ofContents.add(fault.id)
    else live.set(fault.id, leftOf(fault))
  }
  for (const fault of faults.live.values()) add(fault)
  /** End of the last distortion; may lie in the future. */
  let windowEnd = now()
  /** Agenda items that a fault holds back until a condition is met. */
  const held = new Set<number>()
  /** Until when a process that was ended may be down, or needs to start: `Infinity` until that begins. */
  let awayUntil: Instant | undefined
  let robust = false
  /** Cause of the last fault fired. */
  let lastFaultCause: number | undefined

  const extendTo = (instant: Instant): void => {
    windowEnd = Math.max(windowEnd, instant)
  }

  function recordFired(id: number): void {
    const left = live.get(id)
    if (left === undefined) return
    if (left <= 1) live.delete(id)
    else live.set(id, left - 1)
  }

  function release({ id }: { readonly id: number }, { at }: JournalEntry): void {
    if (held.size > 0 && held.delete(id)) extendTo(at)
  }

  function applyAgendaEdit({ items, removed }: AgendaUndoFact, entry: JournalEntry): void {
    for (const id of removed) release({ id }, entry)
    for (const item of items)
      if (item.wait) held.add(item.id)
      else release(item, entry)
  }

  const isAway = (): boolean => {
    if (awayUntil === undefined || now() < awayUntil) return awayUntil !== undefined
    // It has not come back for so long that what it does not do is its own.
    extendTo(awayUntil)
    awayUntil = undefined
    return false
  }

  return {
    facts: {
      'session.subject-ended': () => {
        awayUntil = Number.POSITIVE_INFINITY
      },
      'session.subject-renewed': (_, { at }) => {
        if (awayUntil !== undefined) awayUntil = at + convergeMs
      },
      'order.created': ({ outside }) => {
        if (outside) robust = true
      },
      'fault.added': ({ fault }, { at }) => {
        add(fault)
        extendTo(at)
      },
      'fault.removed': ({ id }, { at }) => {
        live.delete(id)
        extendTo(at)
      },
      'fault.ended': (_, { at }) => extendTo(at),
      'fault.fired': ({ id, distortion, legal }, { at, cause }) => {
        if (!legal) robust = true
        if (ofContents.has(id)) return
        lastFaultCause = cause
        recordFired(id)
        extendTo(at + (distortion?.afterMs ?? 0))
      },
      // An item that the same cause planned as a fault may be delayed by it; the time-out of a waiting item is no delay.
      'agenda.planned': ({ item: { id, wait, due, command } }, { cause }) => {
        if (wait) held.add(id)
        else if (cause !== 0 && cause === lastFaultCause && command.kind !== 'agenda.release')
          extendTo(due)
      },
      'agenda.released': ({ id, due }) => {
        if (held.delete(id)) extendTo(due)
      },
      'agenda.taken': release,
      'agenda.dropped': release,
      'agenda.undone': applyAgendaEdit,
      'agenda.redone': applyAgendaEdit,
    },
    isStarting: () => awayUntil !== undefined && awayUntil < Number.POSITIVE_INFINITY,
    serviceIsBack(at) {
      awayUntil = undefined
      extendTo(at)
    },
    extendTo,
    faultFreeSince: () =>
      isAway() || live.size > 0 || held.size > 0 || windowEnd > now() ? undefined : windowEnd,
    hasRobustnessFault: () => robust,
  }
}

export interface TrackerOptions {
  readonly subject: Role
  readonly settings: Settings
  readonly limits: VerdictTolerances
  readonly world: World
  readonly now: () => Instant
  /** When Sparring itself was late; never, when absent. */
  readonly lag?: LagSource | undefined
  /** The clock of the service; that of the session, when absent. */
  readonly serviceClock?: ServiceClock | undefined
}

const noLag: LagSource = { between: () => 0 }

const maxOperatorCancellations = 20_000

/** Retry-After of our answer in ms: a number of seconds, or a date. */
function retryAfterMs(observed: ObservedExchange): number {
  const value = observed.responseHeader('retry-after')
  if (value === undefined) return 0
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : msUntilDate(Date.parse(value), observed)
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}

/** Records that the subject knows a status. Of two proofs at the same instant a read is preferred. */
function recordKnown({ knownStatuses }: TrackedOrder, knowledge: KnownStatus): void {
  const { status, since, source } = knowledge
  const before = firstInstantOf(knownStatuses, status)
  if (since < before || (since === before && source === 'read'))
    knownStatuses.set(status, knowledge)
}

/** A V1 order has no status: only the refusal of a step that was taken before shows what it is. */
const isRepetitionRefused = (
  observed: ObservedExchange,
  { to }: ProgressStep,
  order: TrackedOrder,
) =>
  observed.operation !== observed.exchange.operation &&
  isRefusal(observed) &&
  statusRank(order.hostStatus) >= statusRank(to)

/** As many events as an order may have in its whole life. */
const maxPolledAt = 12

function recordPolled({ polledAt }: TrackedOrder, at: Instant): void {
  polledAt.push(at)
  if (polledAt.length > maxPolledAt) polledAt.shift()
}

function recordShown(
  order: TrackedOrder,
  status: OrderStatus,
  since: Instant,
  by: ObservedExchange,
): void {
  const { shownStatuses } = order
  const before = firstInstantOf(shownStatuses, status)
  if (since < before || !shownStatuses.get(status)?.evidence)
    shownStatuses.set(status, { status, since: Math.min(since, before), evidence: by.evidence })
}

export class Tracker {
  readonly state: TrackerState
  readonly #options: TrackerOptions
  readonly #faultWindow: FaultWindow
  readonly #hostState: HostState
  readonly #operatorCancellations = new Set<string>()
  readonly #uncounted = new Map<string, string>()
  #processSince: Instant = 0
  /** Numbers of exchanges: on a clock that stands, instants do not tell one process from the next. */
  #lastSeq = 0
  #lastOfEarlierProcess = 0

  constructor(options: TrackerOptions) {
    this.#options = options
    const lag = options.lag ?? noLag
    const startedAt = options.now()
    const timing = new LaggedTimings(lag, options.serviceClock)
    this.#faultWindow = createFaultWindow(options.world, options.now, options.limits)
    const merchants = new Set(options.settings.merchants.map(({ merchantId }) => merchantId))
    this.#hostState = new HostState(options.world, { subject: options.subject, merchants })
    this.state = {
      subject: options.subject,
      settings: options.settings,
      limits: options.limits,
      get now() {
        return options.now()
      },
      eventIdAliases: options.world.ordering.eventIdByAlias,
      startedAt,
      isOfEarlierProcess: ({ seq, at }) =>
        seq <= this.#lastOfEarlierProcess || at < this.#processSince,
      orders: this.#hostState.orders,
      events: this.#hostState.events,
      uncounted: this.#uncounted,
      hasEvicted: () => this.#hostState.hasEvicted(),
      arrivals: this.#hostState.arrivals,
      merchants,
      operatorCancellations: this.#operatorCancellations,
      faultFreeSince: this.#faultWindow.faultFreeSince,
      wasFaultFreeSince: (since) => {
        const faultFree = this.#faultWindow.faultFreeSince()
        return (
          faultFree !== undefined &&
          since >= (faultFree === startedAt ? startedAt : faultFree + options.limits.graceMs)
        )
      },
      deadline: (since, ms = options.limits.convergeMs) => {
        const faultFree = this.#faultWindow.faultFreeSince()
        if (faultFree === undefined) return { outcome: 'fine' }
        return timing.atMostUntilNow(Math.max(since, faultFree), options.now(), ms)
      },
      timing,
      hasRobustnessFault: this.#faultWindow.hasRobustnessFault,
    }
  }

  /** The state plus the current world, for verdicts. */
  verdictContext(): VerdictContext {
    return {
      ...this.state,
      world: this.#options.world,
      pendingWork: pendingWorkIn(this.#options.world, this.#options.subject),
    }
  }

  exchange(observed: ObservedExchange): void {
    this.#lastSeq = Math.max(this.#lastSeq, observed.exchange.seq)
    if (observed.isFaulted && !observed.isRewritten)
      this.#faultWindow.extendTo(observed.ended + retryAfterMs(observed))
    if (this.#faultWindow.isStarting() && this.#isSignOfLife(observed))
      this.#faultWindow.serviceIsBack(observed.ended)
    if (observed.caller !== 'subject') return
    recordAction(observed, this.state)
    if (observed.operation === 'acknowledgeEvents')
      for (const { event } of observed.namedEvents() ?? [])
        if (event) {
          event.lastNamedAt = observed.ended
          event.timesNamed++
        }
    const { order } = observed
    if (!order) return
    order.lastCall = observed.evidence
    const step = progressStepOf(observed, this.state)
    if (observed.ok && step?.from.includes(order.hostStatus)) beginWait(order, observed.ended)
    if (step && isRepetitionRefused(observed, step, order))
      recordShown(order, step.to, observed.ended, observed)
    if (observed.operation !== 'getOrder' || !observed.ok) return
    if (!order.lastSnapshot || order.lastSnapshot.began <= observed.began) {
      order.lastSnapshot = observed.snapshot()
      order.firstSnapshot ??= order.lastSnapshot
    }
    const status = observed.orderStatus
    order.wasReadOpen ||= status !== 'CANCELLED' && status !== 'CONCLUDED'
    if (!status) return
    recordShown(order, status, observed.ended, observed)
    recordKnown(order, {
      status,
      since: observed.ended,
      evidence: observed.evidence,
      source: 'read',
    })
  }

  /** Whether the new process has called, or answered. */
  #isSignOfLife({ caller, exchange, evidence }: ObservedExchange): boolean {
    return (
      (caller === 'subject' || exchange.reply !== undefined) &&
      !this.state.isOfEarlierProcess(evidence)
    )
  }

  handover(observed: ObservedHandover): void {
    const { eventType, order, event, at, channel, exchange } = observed
    if (order) {
      order.handoverCount++
      if (channel === 'polling') recordPolled(order, at)
      if (channel === 'polling' || exchange.ok)
        order.firstReceipt ??= { since: exchange.ended, evidence: exchange.evidence, eventType }
      const status = projectedStatus(eventType)
      if (status) recordShown(order, status, at, exchange)
    }
    if (event) event.handoverCount++
  }

  acknowledgment(observed: ObservedAcknowledgment): void {
    const { eventType, order, at, channel, exchange } = observed
    const status = eventType === undefined ? undefined : projectedStatus(eventType)
    const how = channel === 'polling' ? 'acknowledged' : 'webhook'
    if (order && status)
      recordKnown(order, { status, since: at, evidence: exchange.evidence, source: how })
  }

  /** Handlers for facts of a kind; empty for most kinds. */
  handlersOf(kind: FactKind): readonly FactHandler[] {
    return [this.#faultWindow.facts, this.#hostState.facts, this.#processFacts].flatMap(
      (handlers) => factHandlerOf(handlers, kind) ?? [],
    )
  }

  readonly #processFacts: FactHandlers = {
    'session.subject-renewed': (_fact, { at }) => {
      this.#processSince = at
      this.#lastOfEarlierProcess = this.#lastSeq
    },
  }

  effects(observed: ObservedEffects): void {
    const { orderId, counts, failures } = observed
    for (const { kind } of counts) this.#uncounted.delete(`${orderId} ${kind}`)
    for (const [kind, because] of Object.entries(failures)) {
      const text = `subject.effects.${kind}: ${because}`
      setBounded(this.#uncounted, `${orderId} ${kind}`, text, maxTrackedKeys)
    }
    const order = this.#hostState.orders.get(orderId)
    if (order) order.effects = observed
  }

  /** An operator had the subject request a cancellation. */
  operatorRequestedCancellation(orderId: string): void {
    addBounded(this.#operatorCancellations, orderId, maxOperatorCancellations)
  }
}
