/**
 * Plays schedules side by side against one session: their orders by time, their steps at the same time, then the end of all
 * faults, recovery until nothing is left to do, and the verdicts, each given to the schedule of its order.
 */
import { compact } from '../../compact.ts'
import type { Configuration } from '../../configuration/schema.ts'
import type { Role } from '../../protocol/role.ts'
import { createScenarioObserver, type ScenarioObserver } from '../../scenario/observer.ts'
import { recover } from '../../scenario/recovery.ts'
import type { ScenarioOrder } from '../../scenario/shared-shapes.ts'
import { createStepActions, newOrderOf } from '../../scenario/step-actions.ts'
import { StepFailure } from '../../scenario/step-failure.ts'
import type { SubjectRequest } from '../../scenario/ask-subject.ts'
import type { StepContext } from '../../scenario/step-context.ts'
import { performStep, stepEntryOf } from '../../scenario/steps.ts'
import type { Session } from '../../session-api/session.ts'
import type { BatchEntry } from './batch-entry.ts'
import { createBatchObserver, type OrderOwner } from './batch-observer.ts'
import { batchResultOf } from './batch-result.ts'
import { createFaultPhase, isOrderFinal } from './fault-phase.ts'
import { createParallelClock } from './parallel-clock.ts'
import type { BatchResult } from '../schedules/result.ts'
import {
  faultSpecOf,
  isSharedFault,
  scheduledFaultText,
  type ScheduledFault,
} from '../schedules/schedule.ts'
import { placementOrder } from '../workloads/workload.ts'

export interface BatchEnvironment {
  readonly subject: Role
  /** Waits on the machine's clock, in ms, or until aborted. */
  readonly sleep: (ms: number, enough: AbortSignal) => Promise<void>
  readonly enough: AbortSignal
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
  /** Codes of the merchants that orders are given to in turn; drawn by the session when empty. */
  readonly merchants: readonly string[]
}

interface Placement {
  readonly at: number
  readonly entry: number
  readonly slot: string
  readonly order: ScenarioOrder
}

/** Slice of a virtual clock while steps are played, and while the end is waited for, in ms. */
const stepSliceMs = 100
const waitSliceMs = 500

/** The orders of a batch that no step places, in their order: where there are several schedules, it gives their slots. */
export function placements(entries: readonly BatchEntry[]): readonly Placement[] {
  return entries
    .flatMap(({ workload }, entry) =>
      placementOrder(workload).flatMap((slot): readonly Placement[] => {
        const { [slot]: order = {} } = workload.orders
        return order.at === undefined ? [] : [{ at: order.at, entry, slot, order }]
      }),
    )
    .sort((one, other) => one.at - other.at || one.entry - other.entry)
}

/** The observer as one schedule sees it: with its own orders by their slots. */
function scopedObserver(
  observer: ScenarioObserver,
  slots: ReadonlyMap<string, string>,
): ScenarioObserver {
  const slotOf = (orderId: string) => [...slots].find(([, id]) => id === orderId)?.[0]
  return { ...observer, orders: { ...observer.orders, slots, slotOf } }
}

export async function playBatch(
  session: Session,
  entries: readonly BatchEntry[],
  environment: BatchEnvironment,
): Promise<BatchResult> {
  const { subject, sleep, enough, tolerances, merchants, asks, requestSubject } = environment
  const { info } = await session.look({})
  const { mode, speed, now: begin } = info.clock
  const { clock, play } = createParallelClock({
    session,
    sync: () => session.look({}),
    sleep,
    enough,
    mode,
    speed,
  })
  const isAlone = entries.length === 1 && entries[0]?.workload.isExclusive === true
  using observer = createScenarioObserver(session, subject, false)
  const placing = placements(entries)
  const owners = new Map(
    placing.map(({ entry, slot }, index): [string, OrderOwner] => [
      isAlone ? slot : `o${index + 1}`,
      { entry, slot },
    ]),
  )
  const sessionSlots = new Map(
    [...owners].map(([name, { entry, slot }]) => [`${entry} ${slot}`, name]),
  )
  const slotsOf = entries.map(() => new Map<string, string>())
  const faultById = new Map<number, ScheduledFault>()

  /** By its slot in the session; all orders of an exclusive workload are its own. */
  function ownerOf(orderId: string): OrderOwner | undefined {
    const slot = observer.orders.slotOf(orderId)
    if (slot === undefined) return undefined
    return isAlone ? { entry: 0, slot } : owners.get(slot)
  }

  using batch = createBatchObserver({
    session,
    subject,
    observer,
    learns: entries.map(({ schedule }) => schedule.faults.length === 0),
    ownerOf,
    faultOf: (id) => faultById.get(id),
  })

  const sharedFaults = new Map<string, ScheduledFault>()
  /** Shared faults are the same in all schedules of a batch: they are added once. */
  function addFaults({ schedule }: BatchEntry, entry: number): void {
    for (const fault of schedule.faults) {
      const text = scheduledFaultText(fault)
      if (isSharedFault(fault)) {
        if (sharedFaults.has(text)) continue
        sharedFaults.set(text, fault)
      }
      const spec = faultSpecOf(fault, (slot) => sessionSlots.get(`${entry} ${slot}`) ?? slot)
      for (const { id } of session.faults.add(spec)) faultById.set(id, fault)
    }
  }

  const phase = createFaultPhase({
    session,
    observer,
    entries,
    ordersOf: (entry) =>
      isAlone ? observer.orders.slots.values() : (slotsOf[entry]?.values() ?? []),
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
      const orderId = await own.place(request, sessionSlots.get(`${entry} ${slot}`))
      slotsOf[entry]?.set(slot, orderId)
      phase.progressed(entry)
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      stepFailures[entry]?.push(`${slot} could not be placed: ${error.message}`)
    }
  }

  async function playSteps({ workload }: BatchEntry, entry: number): Promise<void> {
    const first = placing.filter((each) => each.entry === entry && each.at === 0)
    const isPlaced = (): boolean =>
      first.every(({ slot }) => slotsOf[entry]?.has(slot)) || stepFailures[entry]?.length !== 0
    await clock.waitUntil(isPlaced, Number.POSITIVE_INFINITY)
    if (stepFailures[entry]?.length !== 0) return
    const scoped = isAlone ? observer : scopedObserver(observer, slotsOf[entry] ?? new Map())
    const context: StepContext = {
      orders: workload.orders,
      session,
      observer: scoped,
      clock,
      actions: createStepActions({ session, observer: scoped, clock, waitMs, ...asking }),
      waitMs,
      settle: undefined,
      view: undefined,
      asks,
      requestSubject,
      restartSubject: undefined,
    }
    for (const step of workload.steps) {
      if (enough.aborted) return
      try {
        await performStep(stepEntryOf(step), context)
        phase.progressed(entry)
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error
        stepFailures[entry]?.push(error.message)
        return
      }
    }
  }

  for (const [entry, each] of entries.entries()) addFaults(each, entry)
  if (mode === 'virtual') await session.advance(0)
  const placeAll = async (): Promise<void> => {
    for (const [index, placement] of placing.entries()) {
      const ahead = begin + placement.at - (await clock.now())
      if (ahead > 0) await clock.advance(ahead)
      // All of them at once would block other sessions of this process for a second.
      else if (mode === 'real' && placement.entry !== placing[index - 1]?.entry)
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
  const isPhaseOver = environment.calibration ? isPaceKnown : phase.isOver
  await play([async () => void (await clock.waitUntil(isPhaseOver, phase.leftMs()))], waitSliceMs)
  const faultsEndedMs = enough.aborted ? 0 : (await clock.now()) - begin
  const recovery = {
    session,
    observer,
    clock,
    tolerances,
    settle: undefined,
    nextScheduled: () => undefined,
    lastScheduledAt: begin,
    isDecided: () => false,
  }
  if (environment.calibration !== 'fresh') await play([() => recover(recovery)], waitSliceMs)
  batch.read()
  const verdicts = environment.calibration ? [] : await session.judge()
  const hasFired = (fault: ScheduledFault): boolean =>
    batch.hasFired(sharedFaults.get(scheduledFaultText(fault)) ?? fault)
  const tookMs = (await clock.now()) - begin
  const times = { faultsEndedMs, tookMs }
  return batchResultOf({ entries, verdicts, batch, hasFired, ownerOf, stepFailures, ...times })
}
