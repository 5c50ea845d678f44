/**
 * SE-6: a progress call must be enabled by a status that was shown to the service. A 202 to the previous call only
 * confirms receipt. All that was handed over or read counts, acknowledged or not; repeating an applied transition is
 * allowed.
 */
import { defineInvariant, type Violation } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { type ProgressStep, progressOperations, progressStepOf } from '../../tracking/progress.ts'
import { atTimeOfDay, actionText, orderName } from '../../tracking/wording.ts'
import {
  firstInstantOf,
  type ShownStatus,
  occurredStatuses,
} from '../../tracking/status-history.ts'
import type { Timing } from '../../tracking/timing.ts'
import type { CallEvidence, TrackedOrder, TrackerState } from '../../tracking/tracker-state.ts'

/** The last accepted progress call, for the finding's text. */
const accepted = new WeakMap<TrackedOrder, CallEvidence>()

/** The highest status shown before a call began. */
function highest(
  { shownStatuses }: TrackedOrder,
  { began }: ObservedExchange,
): ShownStatus | undefined {
  const status = occurredStatuses(shownStatuses).findLast(
    (each) => firstInstantOf(shownStatuses, each) <= began,
  )
  return status && shownStatuses.get(status)
}

function isEnabled(
  { shownStatuses, orderType }: TrackedOrder,
  { enabledBy, to }: ProgressStep,
  { began }: ObservedExchange,
): boolean {
  if (to === 'IN_DELIVERY' && orderType !== 'DELIVERY') return false
  for (const status of enabledBy) if (firstInstantOf(shownStatuses, status) <= began) return true
  return false
}

/** The status may have been shown before the call began, and be dated after it. */
function shownTooLate(
  { timing }: TrackerState,
  { shownStatuses }: TrackedOrder,
  { enabledBy }: ProgressStep,
  { began, ended }: ObservedExchange,
): Timing {
  const since = Math.min(
    ...Array.from(enabledBy, (status) => firstInstantOf(shownStatuses, status)),
  )
  return timing.of({ from: began, to: ended, byMs: Math.max(1, since - began) })
}

/** What a call breaks that comes too early, and what to do: a step that was left out is more than one that was not awaited. */
const ofStepsLeftOut = (
  { trigger, from, clauses }: ProgressStep,
  { operation }: ObservedExchange,
  isConfirmed: boolean,
): Pick<Violation, 'clauses' | 'remedy'> => ({
  clauses: [...(isConfirmed || trigger === 'confirm' ? [] : ['ORD-TRA-02']), ...clauses],
  remedy: `Make the calls of the lifecycle one after the other: ${operation} when an event or a GET has shown the order as ${from.join(' or ')}.`,
})

const ofOtherProfiles = {
  clauses: ['ORD-TRA-06'],
  remedy: 'Call dispatchOrder for DELIVERY orders only: the others go from READY to DELIVERED.',
}

export const progressFollowsWhatIsKnown = defineInvariant({
  id: 'SE-6',
  name: 'progress-follows-what-is-known',
  sentence:
    'Must advance an order only from a status that an event or a GET has shown; an applied change may be repeated.',
  remedy:
    'Wait for the event or the GET that shows the new status before the next call: a 202 only says that a call was accepted.',
  kind: 'safety',
  clauses: ['ORD-RUL-02', 'ORD-EVR-01', 'ORD-TRA-02', 'ORD-TRA-06'],
  premise: 'the service took an order on',
  calls: progressOperations,
  call(_state, observed, tracker, report) {
    const step = progressStepOf(observed, tracker)
    const { order } = observed
    if (!step || !order) return
    report.premise()
    const before = accepted.get(order)
    if (observed.ok) accepted.set(order, observed.evidence)
    if (isEnabled(order, step, observed)) return
    const name = orderName(tracker, order.orderId)
    const known = highest(order, observed)
    const last = known
      ? `the last status shown to it was ${known.status}${known.evidence ? ` (${atTimeOfDay(known.evidence.at)})` : ''}`
      : 'no status of the order had been shown to it'
    const asked = before && progressStepOf({ ...before, caller: 'subject' }, tracker)?.to
    const awaited = asked && step.enabledBy.includes(asked) ? before : undefined
    const receipt = awaited
      ? `, and the 202 to its ${awaited.operation} only says that the call was accepted`
      : ''
    const isConfirmed = before !== undefined || (known !== undefined && known.status !== 'CREATED')
    const isOfOther = step.to === 'IN_DELIVERY' && order.orderType !== 'DELIVERY'
    const why = isOfOther
      ? `an order of type ${order.orderType} is never dispatched`
      : `${last}${receipt}`
    report.failed({
      ...(isOfOther ? {} : { timing: shownTooLate(tracker, order, step, observed) }),
      because: `The service ${actionText(observed, name)} ${atTimeOfDay(observed.began)}: ${why}.`,
      evidence: [known?.evidence, before, observed.evidence],
      orderId: order.orderId,
      deduplicationKey: `${order.orderId} ${observed.operation}`,
      ...(isOfOther ? ofOtherProfiles : awaited ? {} : ofStepsLeftOut(step, observed, isConfirmed)),
    })
  },
})
