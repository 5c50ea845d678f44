/** What a session must have for a rule to be exercised: a capability, or a setting by which the service shows more. */
import { compact } from '../../base/compact.ts'
import type { Settings } from '../../engine/settings.ts'
import { operation } from '../../protocol/catalogue.ts'
import type { Conduct } from '../../protocol/conduct.ts'
import { type FeatureSwitch, featureSwitchOf } from '../../protocol/operation.ts'
import type { Invariant } from './invariant.ts'
import type { RuleNeed, Verdict } from './verdict.ts'

/** The settings by which a service shows what no exchange of the protocol does. */
export const shownByService = ['probe', 'effects'] as const

/** As its row says; otherwise the capability that all its calls are of, or the probe where it handles nothing else. */
function needsOf({
  needs,
  calls = [],
  probe,
  comparableOutcomes,
  ...rule
}: Invariant): readonly RuleNeed[] {
  if (needs) return needs
  if (calls === 'all') return []
  const [first, ...others] = new Set(calls.map((call) => featureSwitchOf(operation(call))))
  if (first !== undefined && others.length === 0) return [first]
  const isOfProbe = probe && calls.length === 0 && !rule.handover && !comparableOutcomes
  return isOfProbe ? ['subject.probe'] : []
}

/** What a rule needs, any one of them, in a session that has none of them; and what else shows the same. */
export function missingNeeds(
  invariant: Invariant,
  { switchedOff, conduct }: Settings,
  shown: readonly RuleNeed[],
): Pick<Verdict, 'needs' | 'alsoShownBy'> {
  const needs = needsOf(invariant)
  const also = compact({ alsoShownBy: invariant.alsoShownBy })
  function has(need: RuleNeed): boolean {
    const [place, name] = need.split('.')
    if (place === 'conduct') return conduct[name as keyof Conduct] !== undefined
    return place === 'subject' ? shown.includes(need) : !switchedOff.has(need as FeatureSwitch)
  }
  return needs.length === 0 || needs.some(has) ? also : { ...also, needs }
}
