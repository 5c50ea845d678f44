/** What the answers to discovery mean: an integration becomes active, or stays shut and says why (DIS-GEN-02). */
import { MerchantList } from '../../protocol/auth/merchants.ts'
import { commonVersion, readManifest } from '../../protocol/discovery/read.ts'
import { fullName } from '../../protocol/role.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { type Call, type CallOutcome, outcomeText, succeeded } from './call.ts'

/** Why no manifest came; a redirect counts as none (DIS-WKN-05). */
function whyNone(outcome: CallOutcome): string {
  if (outcome.kind === 'failed') return `the manifest cannot be read: ${outcome.message}`
  if (outcome.status >= 300 && outcome.status < 400)
    return `the manifest is a redirect (${outcome.status}), which discovery forbids`
  return `the manifest is not there: GET answers ${outcomeText(outcome)}`
}

export function readManifestAnswer(
  call: Call,
  outcome: CallOutcome,
  { settings }: Context,
): readonly Fact[] {
  const rejected = (because: string): readonly Fact[] => [
    {
      kind: 'partner.rejected',
      from: call.from,
      partner: call.to,
      because,
      attempt: call.attempt,
    },
  ]
  if (outcome.kind === 'failed' || !succeeded(outcome)) return rejected(whyNone(outcome))
  const read = readManifest(outcome.body)
  if (!read.ok) return rejected(read.error)
  const ours = settings.protocol.supportedVersions
  if (commonVersion(ours, read.value.versions) === undefined)
    return rejected(
      `no common version: we speak ${ours.join(', ')}, the ${fullName[call.to]} speaks ${read.value.versions.join(', ')}`,
    )
  return [{ kind: 'partner.accepted', from: call.from, partner: call.to, manifest: read.value }]
}

export function readMerchantsAnswer(call: Call, outcome: CallOutcome): readonly Fact[] {
  if (outcome.kind === 'failed' || !succeeded(outcome)) return []
  const merchants = MerchantList.safeParse(outcome.body)
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
