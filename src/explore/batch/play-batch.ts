/**
 * Plays schedules side by side against one session: their orders by time, their steps at the same time, then the end of all
 * faults, recovery until nothing is left to do, and the verdicts, each assigned to the schedule of its order.
 */
import { compact } from '../../core/base/compact.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import type { Role } from '../../core/protocol/role.ts'
import { createScenarioObserver } from '../../core/scenario/observer.ts'
import { recover } from '../../core/scenario/recovery.ts'
import { createStepActions, newOrderOf } from '../../core/scenario/step-actions.ts'
import { StepFailure } from '../../core/scenario/step-failure.ts'
import type { SubjectRequest } from '../../core/scenario/ask-subject.ts'
import type { StepContext } from '../../core/scenario/step-context.ts'
import { performStep, stepEntryOf } from '../../core/scenario/steps.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { BatchEntry } from './batch-entry.ts'
import { createBatchFaults } from './batch-faults.ts'
import { createBatchObserver } from './batch-observer.ts'
import { createBatchOrders, type Placement } from './batch-orders.ts'
import { batchResultOf } from './batch-result.ts'
import { createFaultPhase, isOrderFinal } from './fault-phase.ts'
import { createParallelClock } from './parallel-clock.ts'
import type { BatchResult } from '../schedules/result.ts'

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
  /** Codes of the merchants that orders are assigned to in turn; drawn by the session when empty. */
  readonly merchants: readonly string[]
}

/** Slice of a virtual clock while steps are played, and while the end is waited for, in ms. */
const stepSliceMs = 100
const waitSliceMs = 500

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
  using observer = createScenarioObserver(session, subject, false)
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
      stepFailures[entry]?.push(`${slot} could not be placed: ${error.message}`)
    }
  }

  async function playSteps({ workload }: BatchEntry, entry: number): Promise<void> {
    const isPlaced = (): boolean =>
      orders.areFirstPlaced(entry) || stepFailures[entry]?.length !== 0
    await clock.waitUntil(isPlaced, Number.POSITIVE_INFINITY)
    if (stepFailures[entry]?.length !== 0) return
    const scoped = orders.observerOf(entry)
    const context: StepContext = {
      orders: workload.orders,
      session,
      observer: scoped,
      clock,
      actions: createStepActions({ session, observer: scoped, clock, waitMs, ...asking }),
      waitMs,
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
        stepFailures[entry]?.push(error.message)
        return
      }
    }
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
  const tookMs = (await clock.now()) - begin
  return batchResultOf({
    entries,
    verdicts,
    batch,
    hasFired: (fault) => batch.hasFired(faults.addedFor(fault)),
    ownerOf: orders.ownerOf,
    stepFailures,
    faultsEndedMs,
    tookMs,
  })
}
