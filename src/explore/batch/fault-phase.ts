/**
 * The fault phase of a batch: faults stay in force until each schedule has had its time since its last step, or is over before:
 * its orders are final, and nothing more comes of them.
 */
import type { Instant } from '../../core/engine/instant.ts'
import type { ScenarioObserver } from '../../core/scenario/observer.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { BatchEntry } from './batch-entry.ts'

export interface FaultPhaseOptions {
  readonly session: Pick<Session, 'look' | 'clock'>
  readonly observer: ScenarioObserver
  readonly entries: readonly BatchEntry[]
  /** The orders of a schedule that were placed. */
  readonly ordersOf: (entry: number) => Iterable<string>
  /** Longest time since the last step of a schedule, in ms, where the schedule itself names no longer one. */
  readonly faultPhaseMs: number
}

export interface FaultPhase {
  /** An order of this schedule was placed, or a step of it was made. */
  readonly progressed: (entry: number) => void
  readonly isOver: () => Promise<boolean>
  /** The longest time until it is over, in ms. */
  readonly leftMs: () => number
}

/** A pause between two attempts may be longer than three polls of a quick subject, in ms. */
const minSilenceMs = 5000
/** Pending items of the agenda that are looked at; with more of them the phase goes on. */
const maxPending = 1000

/** Whether an order has reached its end, or is unknown. */
export const isOrderFinal = ({ orders }: ScenarioObserver, orderId: string): boolean =>
  orders.statusesOf(orderId).length === 0 || orders.hasEnded(orderId)

export function createFaultPhase(options: FaultPhaseOptions): FaultPhase {
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
    leftMs: () => Math.max(0, ...entries.map((_, entry) => endOf(entry) - now())),
  }
}
