/** What counts of the session say: how many items are pending, and whether anything is wrong. */
import { isFailedVerdict, type Verdict } from '../../../core/rules/invariants/verdict.ts'
import type { Snapshot } from '../../../core/session-api/session-api.ts'
import { failedRequestCount } from '../../../core/traffic/failed-requests.ts'
import type { Tone } from '../view/text/row.ts'
import type { Model } from './model.ts'

/** `failing`: a rule failed; `troubled`: requests failed, or your service does not answer. */
export type Health = 'well' | 'troubled' | 'failing'

export const healthTones: Readonly<Record<Health, Tone>> = {
  well: 'ok',
  troubled: 'warn',
  failing: 'err',
}

export function healthOf({ info, verdicts }: Pick<Snapshot, 'info' | 'verdicts'>): Health {
  if (failedRuleCount(verdicts) > 0) return 'failing'
  const isTroubled =
    failedRequestCount(info.counts.failed) > 0 || info.contact?.unreachable !== undefined
  return isTroubled ? 'troubled' : 'well'
}

export const failedRuleCount = (verdicts: readonly Verdict[]): number =>
  verdicts.filter(isFailedVerdict).length

/** Number of visible pending items: `12`, or `30+` when the list goes on. */
export function shownPendingText({ snapshot, agenda, everything }: Model): string {
  if (!snapshot) return '0'
  const { pending, loops } = snapshot.info.counts
  const count = snapshot.agenda.filter(({ held }) => !held).length
  if (snapshot.agenda.length < snapshot.query.agendaLimit) return String(count)
  // Of the whole list only the loops are counted.
  return everything ? String(agenda.background ? pending : pending - loops) : `${count}+`
}

/** Number of items that are not shown: loops, superseded items, what is of no concern; 0 while it is not known. */
export function hiddenPendingCount({ snapshot }: Model): number {
  if (!snapshot || snapshot.agenda.length >= snapshot.query.agendaLimit) return 0
  return Math.max(
    0,
    snapshot.info.counts.pending - snapshot.agenda.filter(({ held }) => !held).length,
  )
}
