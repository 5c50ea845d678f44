/**
 * Manifest exchange between counterparts: manifest first, then merchants, no business call before (DIS-GEN-02). Also
 * retries of failed calls (TRN-STA-12).
 */
import type { Reactor } from '../../engine/engine.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { type OutgoingCall, type CallIntent, isPollOperation } from '../../engine/calls/call.ts'
import { isManifestRead } from '../../engine/calls/manifest-answer.ts'
import type { Settings } from '../../engine/settings.ts'
import { trustsWithoutManifest } from '../../protocol/dialects/settings.ts'
import type { Role } from '../../protocol/role.ts'
import { loop, plan } from './planning.ts'

/** Backoff in ms between manifest requests; the last pause repeats. */
const manifestPauses = [1000, 2000, 5000, 10_000, 15_000, 30_000] as const

/** A service that is not up yet is asked often: delivery begins soon after it comes up. */
const longestUnreachablePauseMs = 5000

/** Backoff in ms between retries of a call; never decreasing. */
const retryPauses = [500, 1000, 2000, 4000] as const

const manifestCall = (from: Role, to: Role, attempt: number): PlannedCommand['command'] => ({
  kind: 'call.place',
  call: { from, to, operation: 'getManifest', attempt },
})

/** A caller and its host in this session. */
export interface PartnerPair {
  readonly from: Role
  readonly to: Role
}

const merchantsCall = (from: Role, to: Role): PlannedCommand['command'] => ({
  kind: 'call.place',
  call: { from, to, operation: 'listMerchants', attempt: 1 },
})

/** Reads the manifest again when its freshness ends, as long as the session runs. */
const refreshManifest = ({
  from,
  partner,
  freshForMs,
}: {
  readonly from: Role
  readonly partner: Role
  readonly freshForMs?: number
}): readonly PlannedCommand[] =>
  freshForMs === undefined
    ? []
    : [{ command: manifestCall(from, partner, 1), afterMs: freshForMs, background: 'upkeep' }]

/** Resumes a call that waited for a valid manifest; a poll stays a background loop. */
const resumeCall = (call: CallIntent): PlannedCommand =>
  (isPollOperation(call.operation) ? loop : plan)({ kind: 'call.place', call }, 0)

/** How a role first deals with a counterpart: it asks for the manifest, or goes without. */
export const firstPartnerCommand = (
  { from, to }: PartnerPair,
  { conduct }: Pick<Settings, 'conduct'>,
): PlannedCommand['command'] =>
  trustsWithoutManifest(conduct)
    ? { kind: 'partner.trust', from, partner: to }
    : manifestCall(from, to, 1)

export const exchangeManifests =
  (acquaintances: readonly PartnerPair[]): Reactor =>
  (fact, { settings }) => {
    switch (fact.kind) {
      case 'session.opened':
        return acquaintances.map((pair) => plan(firstPartnerCommand(pair, settings), 0))
      case 'partner.rejected': {
        const pause = manifestPauses[Math.min(fact.attempt, manifestPauses.length) - 1] ?? 0
        const pauseMs =
          fact.problem === 'unreachable' ? Math.min(pause, longestUnreachablePauseMs) : pause
        return [loop(manifestCall(fact.from, fact.partner, fact.attempt + 1), pauseMs)]
      }
      case 'partner.accepted':
        return [
          ...(isManifestRead(fact.manifest)
            ? [plan(merchantsCall(fact.from, fact.partner), 0)]
            : []),
          ...refreshManifest(fact),
        ]
      case 'partner.unchanged':
      case 'partner.changed':
        return refreshManifest(fact)
      case 'partner.restored':
        return [...fact.postponed.map(resumeCall), ...refreshManifest(fact)]
      default:
        return []
    }
  }

/** Retries the call under the same request id, after the backoff or a longer Retry-After. */
export const retryCalls: Reactor = (fact) => {
  if (fact.kind !== 'call.concluded' || !fact.retry) return []
  const { id: _id, ...call }: OutgoingCall = fact.call
  const pause = retryPauses[Math.min(call.attempt, retryPauses.length) - 1] ?? 0
  return [
    plan(
      { kind: 'call.place', call: { ...call, attempt: call.attempt + 1 } },
      Math.max(pause, fact.retryAfterMs ?? 0),
    ),
  ]
}
