/**
 * Plays schedules side by side against one session: their orders by time, their steps at the same time, then the end of all
 * faults, recovery until nothing is left to do, and the verdicts, each assigned to the schedule of its order.
 */
import { compact } from '../../core/base/compact.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import type { Role } from '../../core/protocol/role.ts'
import { type ScenarioObserver, SessionObserver } from '../../core/scenario/observer.ts'
import { recover } from '../../core/scenario/recovery.ts'
import { Hosts } from '../../core/scenario/hosts.ts'
import { createStepActions, newOrderOf } from '../../core/scenario/step-actions.ts'
import { StepFailure, type ScenarioOrder } from '../../core/scenario/shared-shapes.ts'
import type { SubjectRequest } from '../../core/scenario/ask-subject.ts'
import type { StepContext } from '../../core/scenario/step-context.ts'
import { performStep, stepEntryOf } from '../../core/scenario/steps.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { BatchEntry, BatchOptions } from './schedule-runner.ts'
import { createBatchObserver, type OrderOwner } from './batch-observer.ts'
import { batchResultOf, BrokenSoFar } from './batch-result.ts'
import { createParallelClock } from './parallel-clock.ts'
import type { BatchResult } from '../schedules/result.ts'
import {
  faultSpecOf,
  isSharedFault,
  type Schedule,
  type ScheduledFault,
  scheduledFaultText,
} from '../schedules/schedule.ts'
import type { Verdict } from '../../core/rules/invariants/verdict.ts'
import { isForGood } from '../schedules/broken-rule.ts'
import { placementOrder } from '../workloads/workload.ts'
import type { Instant } from '../../core/engine/instant.ts'

interface FaultPhaseOptions {
  readonly session: Pick<Session, 'look' | 'clock'>
  readonly observer: ScenarioObserver
  readonly entries: readonly BatchEntry[]
  /** The orders of a schedule that were placed. */
  readonly ordersOf: (entry: number) => Iterable<string>
  /** Longest time since the last step of a schedule, in ms, where the schedule itself names no longer one. */
  readonly faultPhaseMs: number
}

interface FaultPhase {
  /** An order of this schedule was placed, or a step of it was made. */
  readonly progressed: (entry: number) => void
  readonly isOver: () => Promise<boolean>
  /** When the time of a schedule is over. */
  readonly endOf: (entry: number) => Instant
  /** The longest time until it is over, in ms. */
  readonly leftMs: () => number
}

/** A pause between two attempts may be longer than three polls of a quick subject, in ms. */
const minSilenceMs = 5000
/** Pending items of the agenda that are looked at; with more of them the phase goes on. */
const maxPending = 1000

/** Whether an order has reached its end, or is unknown. */
const isOrderFinal = ({ orders }: ScenarioObserver, orderId: string): boolean =>
  orders.statusesOf(orderId).length === 0 || orders.hasEnded(orderId)

/**
 * The fault phase of a batch: faults stay in force until each schedule has had its time since its
 * last step, or is over before: its orders are final, and nothing more comes of them.
 */
function createFaultPhase(options: FaultPhaseOptions): FaultPhase {
  const { session, observer, entries, ordersOf, faultPhaseMs } = options
  const { now } = session.clock
  const progress: Instant[] = entries.map(() => now())
  const phases = entries.map(({ schedule }) =>
    Math.max(faultPhaseMs, schedule.trim?.faultPhaseMs ?? 0),
  )

  const endOf = (entry: number): Instant => (progress[entry] ?? 0) + (phases[entry] ?? 0)

  /** Final, and the subject has been silent about it for so long that it is done with it. */
  function isOrderSilent(orderId: string): boolean {
    const silenceMs = Math.max(minSilenceMs, observer.idleDetector.silenceMs())
    return (
      isOrderFinal(observer, orderId) && now() >= (observer.lastAbout(orderId) ?? 0) + silenceMs
    )
  }

  async function isPending(orderIds: ReadonlySet<string>): Promise<boolean> {
    const isAmong = ({ orderId = '' }: { readonly orderId?: string | undefined }): boolean =>
      orderIds.has(orderId)
    if (observer.orders.unacknowledged().some(isAmong)) return true
    const { agenda } = await session.look({ agenda: { limit: maxPending, background: false } })
    return agenda.length === maxPending || agenda.some((each) => !each.held && isAmong(each))
  }

  return {
    progressed(entry) {
      progress[entry] = now()
    },
    async isOver() {
      observer.read()
      const open = entries.flatMap((_, entry) => (now() < endOf(entry) ? [...ordersOf(entry)] : []))
      return open.every(isOrderSilent) && !(open.length > 0 && (await isPending(new Set(open))))
    },
    endOf,
    leftMs: () => Math.max(0, ...entries.map((_, entry) => endOf(entry) - now())),
  }
}

/** The orders of a batch: when each is placed, under which slot of the session, and to which schedule it belongs. */
interface Placement {
  readonly at: number
  readonly entry: number
  readonly slot: string
  readonly order: ScenarioOrder
}

interface BatchOrders {
  /** The orders that no step places, in their order. */
  readonly placing: readonly Placement[]
  /** The slot in the session of an order of a schedule; undefined for one that a step places. */
  readonly sessionSlotOf: (entry: number, slot: string) => string | undefined
  readonly placed: (entry: number, slot: string, orderId: string) => void
  /** It did not get its slot: those that follow come after the orders that there are. */
  readonly missed: (entry: number, slot: string) => void
  /** Whether all orders of a schedule that come at its beginning have been placed. */
  readonly areFirstPlaced: (entry: number) => boolean
  /** The schedule of an order, and its slot there. */
  readonly ownerOf: (orderId: string) => OrderOwner | undefined
  /** The ids of the orders of a schedule. */
  readonly ordersOf: (entry: number) => Iterable<string>
  /** The observer as one schedule sees it: with its own orders by their slots. */
  readonly observerOf: (entry: number) => ScenarioObserver
}

function placements(entries: readonly BatchEntry[]): readonly Placement[] {
  return entries
    .flatMap(({ workload }, entry) =>
      placementOrder(workload).flatMap((slot): readonly Placement[] => {
        const { [slot]: order = {} } = workload.orders
        return order.at === undefined ? [] : [{ at: order.at, entry, slot, order }]
      }),
    )
    .sort((one, other) => one.at - other.at || one.entry - other.entry)
}

function createBatchOrders(
  entries: readonly BatchEntry[],
  observer: ScenarioObserver,
): BatchOrders {
  /** All orders of an exclusive workload are its own, those that its steps place as well. */
  const isAlone = entries.length === 1 && entries[0]?.workload.isExclusive === true
  const placing = placements(entries)
  /** By the number of the slot; orders that nothing here has placed have none. */
  const owners: (OrderOwner | undefined)[] = placing.map(({ entry, slot }) => ({ entry, slot }))
  const indexOf = (entry: number, slot: string): number =>
    owners.findIndex((each) => each?.entry === entry && each.slot === slot)
  const slotsOf = entries.map(() => new Map<string, string>())

  return {
    placing,
    sessionSlotOf(entry, slot) {
      const index = indexOf(entry, slot)
      if (index === -1) return undefined
      return isAlone ? slot : `o${index + 1}`
    },
    placed: (entry, slot, orderId) => void slotsOf[entry]?.set(slot, orderId),
    missed(entry, slot) {
      const index = indexOf(entry, slot)
      const others = Math.max(0, observer.orders.slots.size - index)
      owners.splice(index, 1, ...Array.from({ length: others }, () => undefined))
    },
    areFirstPlaced: (entry) =>
      placing.every(
        (each) => each.entry !== entry || each.at !== 0 || slotsOf[entry]?.has(each.slot) === true,
      ),
    ownerOf(orderId) {
      const slot = observer.orders.slotOf(orderId)
      if (slot === undefined) return undefined
      return isAlone ? { entry: 0, slot } : owners[Number(slot.slice(1)) - 1]
    },
    ordersOf: (entry) => (isAlone ? observer.orders.slots : slotsOf[entry])?.values() ?? [],
    observerOf(entry) {
      if (isAlone) return observer
      const slots = slotsOf[entry] ?? new Map<string, string>()
      const slotOf = (orderId: string) => [...slots].find(([, id]) => id === orderId)?.[0]
      return { ...observer, orders: { ...observer.orders, slots, slotOf } }
    },
  }
}

/** The faults of a batch: added to its session for the orders of their schedules, shared ones once. */
interface BatchFaults {
  /** Adds the faults of a schedule to the session. */
  readonly add: (schedule: Schedule, entry: number) => void
  /** Aims again what is aimed at an order whose slot has changed; where it has none any more the fault is removed. */
  readonly follow: () => void
  /** By the id that it has in the session. */
  readonly faultOf: (id: number) => ScheduledFault | undefined
  /** The fault that was added for this one: shared faults are the same in all schedules of a batch. */
  readonly addedFor: (fault: ScheduledFault) => ScheduledFault
}

function createBatchFaults(
  session: Pick<Session, 'faults'>,
  sessionSlotOf: BatchOrders['sessionSlotOf'],
): BatchFaults {
  const shared = new Map<string, ScheduledFault>()
  const byId = new Map<number, ScheduledFault>()
  const aims = new Map<number, { readonly entry: number; readonly at: string | undefined }>()
  function aim(fault: ScheduledFault, entry: number): void {
    const { order } = fault.match
    const at = order === undefined ? undefined : sessionSlotOf(entry, order)
    for (const { id } of session.faults.add(faultSpecOf(fault, (slot) => at ?? slot))) {
      byId.set(id, fault)
      aims.set(id, { entry, at })
    }
  }
  return {
    add({ faults }, entry) {
      for (const fault of faults) {
        if (isSharedFault(fault)) {
          const text = scheduledFaultText(fault)
          if (shared.has(text)) continue
          shared.set(text, fault)
        }
        aim(fault, entry)
      }
    },
    follow() {
      for (const [id, { entry, at }] of aims) {
        const fault = byId.get(id)
        const now = sessionSlotOf(entry, fault?.match.order ?? '')
        if (!fault || at === undefined || now === at) continue
        session.faults.remove(id)
        aims.delete(id)
        if (now !== undefined) aim(fault, entry)
      }
    },
    faultOf: (id) => byId.get(id),
    addedFor: (fault) => shared.get(scheduledFaultText(fault)) ?? fault,
  }
}

export interface BatchEnvironment extends BatchOptions {
  readonly subject: Role
  /** Waits on the machine's clock, in ms, or until aborted. */
  readonly sleep: (ms: number, enough: AbortSignal) => Promise<void>
  /** Aborts when the session is to end. */
  readonly enough: AbortSignal
  /** Aborts when nothing of it counts. */
  readonly abandoned: AbortSignal
  readonly tolerances: Pick<Configuration['tolerances'], 'converge' | 'grace'>
  /** Paths of the subject for an `ask` without one. */
  readonly asks: Configuration['subject']['asks']
  /** Sends a request to the subject's own API; returns the HTTP status. */
  readonly requestSubject?: ((request: SubjectRequest) => Promise<number>) | undefined
  /** Longest time after the last step of a schedule in which its faults stay in force, in ms of session time. */
  readonly faultPhaseMs: number
  /**
   * Plays a calibration: its faults end when the pace of the subject is known, and there are no verdicts. A subject that is kept
   * recovers, so that it has no open orders in the next session.
   */
  readonly calibration?: 'kept' | 'fresh' | undefined
  /** Codes of the merchants that orders are assigned to in turn; drawn by the session when empty. */
  readonly merchants: readonly string[]
}

/** So often it is looked at what is broken, in ms of the wall clock. */
const lookEveryMs = 1000
/** Slice of a virtual clock while steps are played, and while the end is waited for, in ms. */
const stepSliceMs = 100
const waitSliceMs = 500

export async function playBatch(
  session: Session,
  entries: readonly BatchEntry[],
  environment: BatchEnvironment,
): Promise<BatchResult> {
  const { subject, sleep, enough, tolerances, merchants, asks, requestSubject } = environment
  const { onBroken, rules } = environment
  const { info } = await session.look({})
  const { mode, speed, now: begin } = info.clock
  const { clock, play } = createParallelClock({
    session,
    sync: () => session.look({}),
    sleep,
    enough,
    mode,
    speed,
    whilePassing: onBroken || rules ? () => lookAtRules() : undefined,
  })
  using observer = new SessionObserver(session, subject, false)
  const orders = createBatchOrders(entries, observer)
  const faults = createBatchFaults(session, orders.sessionSlotOf)
  using batch = createBatchObserver({
    session,
    subject,
    observer,
    learns: entries.map(({ schedule }) => schedule.faults.length === 0),
    ownerOf: orders.ownerOf,
    faultOf: faults.faultOf,
  })

  const phase = createFaultPhase({
    session,
    observer,
    entries,
    ordersOf: orders.ordersOf,
    faultPhaseMs: environment.faultPhaseMs,
  })
  const stepFailures = entries.map(() => [] as string[])
  const waitMs = tolerances.converge
  const asking = { subject, asks, requestSubject }
  const own = createStepActions({ session, observer, clock, waitMs, ...asking })

  async function place({ entry, slot, order }: Placement): Promise<void> {
    // A subject that hosts its orders has its own merchants.
    const isFree =
      subject !== 'ordering-application' &&
      order.merchant === undefined &&
      order.order === undefined
    const merchant = isFree ? merchants[entry % Math.max(1, merchants.length)] : undefined
    const request = { ...newOrderOf(order), ...compact({ merchant }) }
    try {
      orders.placed(entry, slot, await own.place(request, orders.sessionSlotOf(entry, slot)))
      phase.progressed(entry)
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      orders.missed(entry, slot)
      faults.follow()
      if (!enough.aborted)
        stepFailures[entry]?.push(`${slot} could not be placed: ${error.message}`)
    }
  }

  async function playSteps({ workload }: BatchEntry, entry: number): Promise<void> {
    const isPlaced = (): boolean =>
      orders.areFirstPlaced(entry) || stepFailures[entry]?.length !== 0
    await clock.waitUntil(isPlaced, Number.POSITIVE_INFINITY)
    if (stepFailures[entry]?.length !== 0) return
    const scoped = orders.observerOf(entry)
    const scope = { session, observer: scoped, clock, waitMs }
    const actions = createStepActions({ ...scope, ...asking })
    const context: StepContext = {
      ...scope,
      orders: workload.orders,
      actions,
      hosts: new Hosts({ ...scope, actions, subject, enough }),
      asks,
      requestSubject,
    }
    for (const step of workload.steps) {
      if (enough.aborted) return
      try {
        await performStep(stepEntryOf(step), context)
        phase.progressed(entry)
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error
        if (error.occasion === 'late') continue
        // There was no time for it.
        if (!enough.aborted) stepFailures[entry]?.push(error.message)
        return
      }
    }
  }

  let faultsEndedAt: Instant | undefined
  /** Schedules that have broken none of the rules that are asked about. */
  const undecided = new Set(entries.keys())
  const isDecided = (): boolean => undecided.size === 0
  const broken = new BrokenSoFar((result, entry) => {
    onBroken?.(result)
    if (result.failures.some(({ rule }) => rules?.includes(rule))) undecided.delete(entry)
  })
  let lookedAt = begin

  function resultBy(verdicts: readonly Verdict[], isCutShort: boolean): BatchResult {
    // Others may have kept the faults of a schedule in force for longer than its own time.
    const faultsEndedMs = entries.map(
      (_, entry) => Math.min(faultsEndedAt ?? Infinity, phase.endOf(entry)) - begin,
    )
    return batchResultOf({
      entries,
      verdicts,
      batch,
      hasFired: (fault) => batch.hasFired(faults.addedFor(fault)),
      ownerOf: orders.ownerOf,
      stepFailures,
      faultsEndedMs,
      tookMs: session.clock.now() - begin,
      isCutShort,
    })
  }

  async function lookAtRules(): Promise<void> {
    if (session.clock.now() < lookedAt + lookEveryMs * speed || environment.calibration) return
    lookedAt = session.clock.now()
    const { verdicts } = await session.look({ verdicts: true })
    broken.look(verdicts, (each) => {
      batch.read()
      return resultBy(each, true)
    })
  }

  for (const [entry, { schedule }] of entries.entries()) faults.add(schedule, entry)
  if (mode === 'virtual') await session.advance(0)
  const placeAll = async (): Promise<void> => {
    for (const [index, placement] of orders.placing.entries()) {
      const ahead = begin + placement.at - (await clock.now())
      if (ahead > 0) await clock.advance(ahead)
      // All of them at once would block other sessions of this process for a second.
      else if (mode === 'real' && placement.entry !== orders.placing[index - 1]?.entry)
        await sleep(1, enough)
      if (enough.aborted) return
      await place(placement)
    }
  }
  await play([placeAll, ...entries.map((each, entry) => () => playSteps(each, entry))], stepSliceMs)
  /** The first order of a calibration is silent, and the attempts at the others are over. */
  const isPaceKnown = async (): Promise<boolean> =>
    batch.isReconcileKnown(await clock.now(), (orderId) => isOrderFinal(observer, orderId)) &&
    [...observer.orders.slots.values()].slice(1).every((orderId) => isOrderFinal(observer, orderId))
  const isPhaseOver = environment.calibration
    ? isPaceKnown
    : async () => isDecided() || (await phase.isOver())
  // Where there are none, what is left is waited for in the recovery.
  if (environment.calibration || entries.some(({ schedule }) => schedule.faults.length > 0))
    await play([async () => void (await clock.waitUntil(isPhaseOver, phase.leftMs()))], waitSliceMs)
  // One that is over sooner may have been so by chance.
  if (!isDecided()) faultsEndedAt = await clock.now()
  const recovery = {
    session,
    observer,
    clock,
    tolerances,
    settle: undefined,
    nextScheduled: () => undefined,
    lastScheduledAt: begin,
    isDecided,
    awaits: rules && ((id: string) => rules.includes(id)),
  }
  if (environment.calibration !== 'fresh') await play([() => recover(recovery)], waitSliceMs)
  batch.read()
  const isCutShort = environment.early?.aborted === true
  const isJudged = !environment.calibration && !environment.abandoned.aborted
  const verdicts = !isJudged
    ? []
    : isCutShort
      ? (await session.look({ verdicts: true })).verdicts.filter(isForGood)
      : await session.judge()
  return resultBy(verdicts, isCutShort)
}
