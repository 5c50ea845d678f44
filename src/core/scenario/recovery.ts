/**
 * Recovery after the steps: ends faults but those of contents, releases held items, and lets time pass until the session is
 * quiescent or the limits of the judge are over. Only then are verdicts fair.
 */
import type { Configuration } from '../session-api/configuration/schema.ts'
import type { Instant } from '../engine/instant.ts'
import { lastActivityAt, pendingWorkText } from './quiescence.ts'
import type { ScheduledAction, ScenarioClock } from './scenario-clock.ts'
import type { ScenarioObserver } from './observer.ts'
import { isInconclusiveVerdict } from '../rules/invariants/verdict.ts'
import { hasTrait } from '../faults/catalogue.ts'
import type { FaultRow } from '../session-api/session-api.ts'
import type { Session } from '../session-api/session.ts'

export interface SettleLimit {
  /** Duration of the silence, in ms. */
  readonly ms: number
  /** The order that matters; all activity counts when absent. */
  readonly slot?: string | undefined
}

export interface RecoveryContext {
  readonly session: Session
  readonly observer: ScenarioObserver
  readonly clock: ScenarioClock
  readonly tolerances: Pick<Configuration['tolerances'], 'converge' | 'grace'>
  /** When nothing more is expected of the subject, whatever is pending. */
  readonly settle?: SettleLimit | undefined
  /** A step has failed: what is still open after one time to recover is not waited for any longer. */
  readonly hasFailed?: boolean
  /** Instant of the last scheduled placement. */
  readonly lastScheduledAt: Instant
  /** The next scheduled placement. */
  readonly nextScheduled: () => ScheduledAction | undefined
  /** Whether the result is known already, so that nothing needs to be waited for. */
  readonly isDecided: () => boolean
  /** Whether the verdict of a rule matters: each does when absent. */
  readonly awaits?: ((rule: string) => boolean) | undefined
  /** Called with the pending work as text. */
  readonly onWait?: (pendingText: string) => void
}

/** Holds end with the steps: an event held for ever would be our fault, not the subject's. */
async function releaseAll(session: Session): Promise<void> {
  for (;;) {
    const { agenda } = await session.look({ agenda: { limit: 1000, held: true } })
    if (agenda.length === 0) return
    const edits = agenda.map(({ id }) => ({ kind: 'agenda.release', id }) as const)
    const released = await session.submit({ kind: 'agenda.batch', edits })
    if (!released.ok) throw new Error(released.error.message)
  }
}

async function endFaults(session: Session): Promise<void> {
  const { faults } = await session.look({ faults: true })
  // Without faults no `fault.end`: it would open a fault window for the judge. What delays nothing is for good.
  const isToEnd = (fault: FaultRow): boolean =>
    fault.over === undefined && !hasTrait(fault, 'contents')
  if (faults.some(isToEnd)) await session.submit({ kind: 'fault.end' })
}

/**
 * Invariants whose verdict is still open and awaited, as text. What has become late by less than Sparring itself may have been is
 * certain a while later: it is waited for as well, until `doubtsEnd`.
 */
async function openInvariants(
  { session, awaits = () => true }: RecoveryContext,
  doubtsEnd: () => boolean,
): Promise<string | undefined> {
  await session.countEffects()
  const { verdicts } = await session.look({ verdicts: true })
  const awaited = verdicts.filter(({ id }) => awaits(id))
  const open = awaited.filter(({ outcome }) => outcome === 'open')
  const late = awaited.filter((each) => each.kind === 'liveness' && isInconclusiveVerdict(each))
  const isLate = open.length === 0 && late.length > 0
  const ids = (isLate && !doubtsEnd() ? late : open).map(({ id }) => id)
  return ids.length > 0
    ? `what ${ids.join(', ')} ${ids.length > 1 ? 'wait' : 'waits'} for`
    : undefined
}

/**
 * Ends faults, releases items and waits for quiescence. With a `settle` limit faults stay in force: one may still be to
 * come.
 */
export async function recover(recovering: RecoveryContext): Promise<void> {
  const {
    session,
    clock,
    tolerances,
    settle,
    observer,
    nextScheduled: appointment,
    lastScheduledAt: lastOrder,
    isDecided,
    hasFailed = false,
    onWait,
  } = recovering
  if (!settle) {
    await endFaults(session)
    await releaseAll(session)
  }
  const limitMs = tolerances.converge + tolerances.grace
  const began = await clock.now()
  const recoveries = hasFailed ? 1 : 2
  const waitMs =
    Math.max(0, lastOrder - began) + recoveries * tolerances.converge + tolerances.grace
  /** Deadlines count from the end of the faults at the earliest. */
  const lastActivity = ({ slot }: Pick<SettleLimit, 'slot'> = {}): number => {
    const orderId = slot === undefined ? undefined : observer.orders.slots.get(slot)
    const last = orderId === undefined ? lastActivityAt(observer) : observer.lastAbout(orderId)
    return Math.max(began, last ?? began)
  }
  let doubtsBegan: Instant | undefined
  // Pending work may cause more: the limit counts from the last change.
  await clock.waitUntil(async () => {
    if (isDecided()) return true
    observer.read()
    const now = await clock.now()
    if (settle && !appointment() && now - lastActivity(settle) > settle.ms) return true
    // A scheduled placement that is still due prevents quiescence.
    const pendingText =
      (appointment() && 'an order that comes by itself') ??
      (await pendingWorkText(recovering, began + waitMs)) ??
      (now - lastActivity() > limitMs
        ? undefined
        : await openInvariants(recovering, () => {
            doubtsBegan ??= now
            return now - doubtsBegan > tolerances.grace
          }))
    if (pendingText !== undefined) onWait?.(pendingText)
    return pendingText === undefined
  }, waitMs)
}
