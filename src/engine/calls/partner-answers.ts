/**
 * Reads the answers to discovery: an integration becomes active, stays active, or is rejected with a reason
 * (DIS-GEN-02). A manifest may be read again at any time and replaces the previous one.
 */
import { ReceivedMerchants } from '../../protocol/auth/merchants.ts'
import { parseManifest, type ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import { fullRoleName } from '../../protocol/role.ts'
import { commonVersion } from '../../protocol/version.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { partnerOf } from '../world.ts'
import {
  type OutgoingCall,
  type CallOutcome,
  isRetryableOutcome,
  outcomeText,
  isSuccess,
} from './call.ts'

/** Why there is no manifest; a redirect counts as none (DIS-WKN-05). */
function missingReason(outcome: CallOutcome): string {
  if (outcome.kind === 'failed') return `the manifest cannot be read: ${outcome.message}`
  if (outcome.status >= 300 && outcome.status < 400)
    return `the manifest is a redirect (${outcome.status}), which discovery forbids`
  return `the manifest is not there: GET answers ${outcomeText(outcome)}`
}

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

/** The fact of a valid manifest, by what was known of the partner before. */
function validManifestFact(
  { from, to }: OutgoingCall,
  manifest: ParsedManifest,
  freshForMs: number,
  { world }: DecisionContext,
): Fact {
  const known = partnerOf(world, from, to)
  const read = { from, partner: to, manifest, freshForMs }
  if (!known?.manifest) return { kind: 'partner.accepted', ...read }
  if (known.state === 'rejected') {
    const postponed = [...world.postponed].filter((call) => call.from === from && call.to === to)
    return { kind: 'partner.restored', ...read, postponed }
  }
  return isSameManifest(manifest, known.manifest)
    ? { kind: 'partner.unchanged', from, partner: to, freshForMs }
    : { kind: 'partner.changed', ...read }
}

export function readManifestAnswer(
  call: OutgoingCall,
  outcome: CallOutcome,
  context: DecisionContext,
): readonly Fact[] {
  const { from, to: partner, attempt } = call
  const rejected = (because: string): readonly Fact[] => [
    { kind: 'partner.rejected', from, partner, because, attempt },
  ]
  const because = missingReason(outcome)
  // A temporary failure does not reject an active partner: its last valid manifest holds until it can be read again.
  if (isRetryableOutcome(outcome) && partnerOf(context.world, from, partner)?.state === 'accepted')
    return [{ kind: 'partner.unchanged', from, partner, freshForMs: minFreshMs, because }]
  if (outcome.kind === 'failed' || !isSuccess(outcome)) return rejected(because)
  const read = parseManifest(outcome.body)
  if (!read.ok) return rejected(read.error)
  const ours = context.settings.protocol.supportedVersions
  if (commonVersion(ours, read.value.versions) === undefined)
    return rejected(
      `no common version: we speak ${ours.join(', ')}, the ${fullRoleName[partner]} speaks ${read.value.versions.join(', ')}`,
    )
  return [validManifestFact(call, read.value, freshFor(outcome), context)]
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
