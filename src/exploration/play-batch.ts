/**
 * Plays schedules side by side against one session: their orders by time, their steps at the same time, then the end of all
 * faults, recovery until nothing is left to do, and the verdicts, each given to the schedule of its order.
 */
import type { Configuration } from '../configuration/schema.ts'
import { isFinalStatus } from '../invariants/tracking/status-rank.ts'
import type { Role } from '../protocol/role.ts'
import { createScenarioObserver, type ScenarioObserver } from '../scenario/observer.ts'
import { pendingWorkText } from '../scenario/quiescence.ts'
import { recover } from '../scenario/recovery.ts'
import type { ScenarioOrder } from '../scenario/shared-shapes.ts'
import { createStepActions, newOrderOf, StepFailure } from '../scenario/step-actions.ts'
import type { StepContext, SubjectRequest } from '../scenario/step-context.ts'
import { performStep, stepEntryOf } from '../scenario/steps.ts'
import type { Session } from '../session-api/session.ts'
import type { BatchEntry } from './batch-entry.ts'
import { createBatchObserver, type OrderOwner } from './batch-observer.ts'
import { batchResultOf } from './batch-result.ts'
import { createParallelClock } from './parallel-clock.ts'
import type { BatchResult } from './result.ts'
import { faultSpecOf, isSharedFault, scheduledFaultText, type ScheduledFault } from './schedule.ts'
import { placementOrder } from './workload.ts'

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
  /** Longest time after the steps in which faults stay in force, in ms of session time. */
  readonly faultPhaseMs: number
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

/** All orders of a batch in the order in which they are placed: their place is their slot in the session. */
export function placements(entries: readonly BatchEntry[]): readonly Placement[] {
  return entries
    .flatMap(({ workload }, entry) =>
      placementOrder(workload).map((slot): Placement => {
        const order = workload.orders[slot] ?? {}
        return { at: order.at ?? 0, entry, slot, order }
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
  const { clock, play } = createParallelClock({ session, sleep, enough, mode, speed })
  const isAlone = entries.length === 1
  using observer = createScenarioObserver(session, subject, false)
  const placing = isAlone && entries[0]?.workload.isExclusive === true ? [] : placements(entries)
  const sessionSlots = new Map(
    placing.map(({ entry, slot }, index) => [`${entry} ${slot}`, `o${index + 1}`]),
  )
  const slotsOf = entries.map(() => new Map<string, string>())
  const owners = new Map<string, OrderOwner>()
  const faultById = new Map<number, ScheduledFault>()

  /** The orders of an exclusive workload get their owner as they come. */
  function ownerOf(orderId: string): OrderOwner | undefined {
    const known = owners.get(orderId)
    if (known || placing.length > 0) return known
    const slot = observer.orders.slotOf(orderId)
    if (slot === undefined) return undefined
    const owner = { entry: 0, slot }
    owners.set(orderId, owner)
    return owner
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

  async function place({ entry, slot, order }: Placement): Promise<void> {
    const merchant = merchants[entry % Math.max(1, merchants.length)]
    const isFree = order.merchant === undefined && order.order === undefined
    const request = newOrderOf(order)
    const created = await session.createOrder(
      isFree && merchant !== undefined ? { ...request, merchant } : request,
    )
    if (!created.ok) throw new StepFailure(`${slot} could not be placed: ${created.error.message}`)
    owners.set(created.value.orderId, { entry, slot })
    slotsOf[entry]?.set(slot, created.value.orderId)
    observer.read()
  }

  const stepFailures = entries.map(() => [] as string[])

  async function playSteps({ workload }: BatchEntry, entry: number): Promise<void> {
    const scoped =
      placing.length > 0 ? scopedObserver(observer, slotsOf[entry] ?? new Map()) : observer
    const waitMs = tolerances.converge
    const context: StepContext = {
      orders: workload.orders,
      session,
      observer: scoped,
      clock,
      actions: createStepActions({ session, observer: scoped, clock, waitMs }),
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
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error
        stepFailures[entry]?.push(error.message)
        return
      }
    }
  }

  for (const [entry, each] of entries.entries()) addFaults(each, entry)
  if (mode === 'virtual') await session.advance(0)
  const now = placing.filter(({ at }) => at === 0)
  for (const placement of now) await place(placement)
  const placeLater = async (): Promise<void> => {
    for (const placement of placing.slice(now.length)) {
      await clock.advance(Math.max(0, begin + placement.at - (await clock.now())))
      if (enough.aborted) return
      await place(placement)
    }
  }
  await play(
    [placeLater, ...entries.map((each, entry) => () => playSteps(each, entry))],
    stepSliceMs,
  )
  const isOver = (): boolean =>
    [...observer.orders.slots.values()].every((orderId) => {
      const status = observer.orders.statusesOf(orderId).at(-1)
      return status === undefined || isFinalStatus(status)
    })
  // Faults stay in force until all orders are over and nothing is left to do; where one never ends by itself, for this time.
  const phaseMs = Math.max(
    environment.faultPhaseMs,
    ...entries.map(({ schedule }) => schedule.trim?.faultPhaseMs ?? 0),
  )
  const isQuiet = async (): Promise<boolean> =>
    isOver() && (await pendingWorkText({ session, observer })) === undefined
  await play([async () => void (await clock.waitUntil(isQuiet, phaseMs))], waitSliceMs)
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
  await play([() => recover(recovery)], waitSliceMs)
  batch.read()
  const verdicts = await session.judge()
  const hasFired = (fault: ScheduledFault): boolean =>
    batch.hasFired(sharedFaults.get(scheduledFaultText(fault)) ?? fault)
  const tookMs = (await clock.now()) - begin
  const times = { faultsEndedMs, tookMs }
  return batchResultOf({ entries, verdicts, batch, hasFired, ownerOf, stepFailures, ...times })
}
