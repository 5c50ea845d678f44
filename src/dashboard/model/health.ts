/** Whether anything is wrong with the session: what the header may show in the colour of success. */
import { isFailedVerdict, type Verdict } from '../../invariants/verdict.ts'
import type { Snapshot } from '../../session-api/session-api.ts'
import { failedRequestCount } from '../../traffic/failed-requests.ts'
import type { Tone } from '../view/text/row.ts'

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
