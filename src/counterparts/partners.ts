/**
 * How any counterpart comes to know another: manifest first, then merchants; no business call before (DIS-GEN-02). Also
 * how it tries a call again that failed on the way (TRN-STA-12).
 */
import type { Reactor } from '../engine/engine.ts'
import type { Planned } from '../engine/item.ts'
import type { Call } from '../engine/calls/call.ts'
import type { Role } from '../protocol/role.ts'
import { loop, plan } from './habit.ts'

/** The pauses before the manifest is asked for again; the last one repeats. */
const manifestPauses = [1000, 2000, 5000, 10_000, 15_000, 30_000] as const

/** The pauses before a failed call is made again: they never shrink. */
const retryPauses = [500, 1000, 2000, 4000] as const

const manifestCall = (from: Role, to: Role, attempt: number): Planned['command'] => ({
  kind: 'call.place',
  call: { from, to, operation: 'getManifest', attempt },
})

/** Who calls whom in this session. */
export interface Acquaintance {
  readonly from: Role
  readonly to: Role
}

export const getsAcquainted =
  (acquaintances: readonly Acquaintance[]): Reactor =>
  (fact, { settings }) => {
    switch (fact.kind) {
      case 'session.opened':
        return acquaintances.map(({ from, to }) =>
          settings.conduct.manifest === 'trust'
            ? plan({ kind: 'partner.trust', from, partner: to }, 0)
            : plan(manifestCall(from, to, 1), 0),
        )
      case 'partner.rejected': {
        const pause = manifestPauses[Math.min(fact.attempt, manifestPauses.length) - 1] ?? 0
        return [loop(manifestCall(fact.from, fact.partner, fact.attempt + 1), pause)]
      }
      case 'partner.accepted':
        return settings.conduct.manifest === 'trust'
          ? []
          : [
              plan(
                {
                  kind: 'call.place',
                  call: {
                    from: fact.from,
                    to: fact.partner,
                    operation: 'listMerchants',
                    attempt: 1,
                  },
                },
                0,
              ),
            ]
      default:
        return []
    }
  }

/** The same call once more, under the same request id, after a pause that the answer may have asked for. */
export const triesAgain: Reactor = (fact) => {
  if (fact.kind !== 'call.concluded' || !fact.retry) return []
  const { id: _id, ...call }: Call = fact.call
  const pause = retryPauses[Math.min(call.attempt, retryPauses.length) - 1] ?? 0
  return [
    plan(
      { kind: 'call.place', call: { ...call, attempt: call.attempt + 1 } },
      Math.max(pause, fact.retryAfterMs ?? 0),
    ),
  ]
}
