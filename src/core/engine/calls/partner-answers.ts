/**
 * Reads the answers to discovery: an integration becomes active, stays active, or is rejected with a reason
 * (DIS-GEN-02). A manifest may be read again at any time and replaces the previous one.
 */
import { compact } from '../../base/compact.ts'
import { ReceivedMerchants } from '../../protocol/auth/merchants.ts'
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { ManifestProblem } from '../world.ts'
import { manifestFrom, placeholderManifest } from './manifest-answer.ts'
import { partnerOf } from '../world.ts'
import { type OutgoingCall, type CallOutcome, isSuccess } from './call.ts'

/** A manifest is read at most once a minute and at least once a day (DIS-WKN-07). */
const minFreshMs = 60_000
const maxFreshMs = 24 * 3_600_000
/** Default without Cache-Control. */
const defaultFreshMs = 300_000

const freshFor = (outcome: CallOutcome): number => {
  const declared = outcome.kind === 'answered' ? outcome.freshForMs : undefined
  return Math.min(Math.max(declared ?? defaultFreshMs, minFreshMs), maxFreshMs)
}

const isSameManifest = (one: ParsedManifest, other: ParsedManifest | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

interface UsableManifest {
  readonly manifest: ParsedManifest
  readonly freshForMs: number
  /** Why it is the placeholder. */
  readonly missing?: string
}

/** The fact of a manifest that can be used, by what was known of the partner before. */
function usableManifestFact(
  { from, to }: OutgoingCall,
  usable: UsableManifest,
  { world }: DecisionContext,
): Fact {
  const known = partnerOf(world, from, to)
  const read = { from, partner: to, ...usable }
  const { manifest, freshForMs, missing } = usable
  if (!known?.manifest) return { kind: 'partner.accepted', ...read }
  if (known.state === 'rejected') {
    const postponed = [...world.postponed].filter((call) => call.from === from && call.to === to)
    return { kind: 'partner.restored', ...read, postponed }
  }
  return isSameManifest(manifest, known.manifest)
    ? { kind: 'partner.unchanged', from, partner: to, freshForMs, ...compact({ because: missing }) }
    : { kind: 'partner.changed', ...read }
}

/** Errors that may pass: the last valid manifest of an active partner holds until it can be read again. */
const passing: ReadonlySet<ManifestProblem> = new Set(['unreadable', 'unreachable'])

export function readManifestAnswer(
  call: OutgoingCall,
  outcome: CallOutcome,
  context: DecisionContext,
): readonly Fact[] {
  const { from, to: partner, attempt } = call
  const { conduct, protocol } = context.settings
  const read = manifestFrom(outcome, protocol.supportedVersions)
  if (read.ok) {
    const usable = { manifest: read.value, freshForMs: freshFor(outcome) }
    return [usableManifestFact(call, usable, context)]
  }
  const { problem, because } = read.error
  if (problem === 'missing' && conduct.manifest === 'when-present') {
    const without = { manifest: placeholderManifest, freshForMs: minFreshMs, missing: because }
    return [usableManifestFact(call, without, context)]
  }
  const isActive = partnerOf(context.world, from, partner)?.state === 'accepted'
  return isActive && passing.has(problem)
    ? [{ kind: 'partner.unchanged', from, partner, freshForMs: minFreshMs, because }]
    : [{ kind: 'partner.rejected', from, partner, problem, because, attempt }]
}

export function readMerchantsAnswer(call: OutgoingCall, outcome: CallOutcome): readonly Fact[] {
  if (outcome.kind === 'failed' || !isSuccess(outcome)) return []
  const merchants = ReceivedMerchants.safeParse(outcome.body)
  return merchants.success
    ? [
        {
          kind: 'partner.merchants',
          from: call.from,
          partner: call.to,
          merchants: merchants.data,
        },
      ]
    : []
}
