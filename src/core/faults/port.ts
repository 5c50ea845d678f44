/** Implements the engine's `FaultPort` with the fault catalogue; injected where a session is composed. */
import type { Chance } from '../engine/chance.ts'
import type { CheckedFault, FaultPort, FaultResult } from '../engine/faults/fault.ts'
import type { FaultPoint } from '../engine/faults/fault-point.ts'
import { startsNoSubject } from '../engine/session/commands.ts'
import { ok } from '../protocol/result.ts'
import { inapplicability } from './applicability.ts'
import { faultCatalogue, faultByName } from './catalogue.ts'
import { type FaultDefinition, isLegalFault } from './fault.ts'
import { type FaultProfile, faultProfiles } from './profiles.ts'
import { checkFault } from './spec.ts'
import { faultText } from './spec-text.ts'

function definitionOf({ name }: CheckedFault): FaultDefinition {
  const definition = faultByName(name)
  if (!definition) throw new Error(`there is no fault ${name}`)
  return definition
}

type Options = CheckedFault['options']

/** Applies a fault, or the first one that it draws that acts here. */
function applyDefinition<Value>(
  checked: CheckedFault,
  meeting: FaultPoint,
  { chance, isOutlasted }: { readonly chance: Chance; readonly isOutlasted: boolean },
  distort: (fault: FaultDefinition, options: Options) => Value | undefined,
): FaultResult<Value> | undefined {
  const definition = definitionOf(checked)
  const { options } = checked
  if (!definition.meets.includes(meeting.kind)) return undefined
  if (!definition.replacements) {
    const value = distort(definition, options)
    return value === undefined ? undefined : { value }
  }
  for (const drawn of definition.replacements(options, meeting, chance, isOutlasted)) {
    const value = distort(drawn.fault, drawn.options)
    if (value === undefined) continue
    const { name } = drawn.fault
    const shared = isOutlasted ? { burst: 'outlast' } : {}
    const text = faultText(name, { ...drawn.options, ...shared })
    return { value, as: { name, legal: isLegalFault(drawn.fault, drawn.options), text } }
  }
  return undefined
}

const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

/** A profile by its name: alone, or as a key without a value, as a YAML list may have it. */
function profileOf(spec: unknown): FaultProfile | undefined {
  const [entry, ...others] =
    typeof spec === 'object' && spec !== null ? Object.entries(spec) : [[spec, null]]
  const name: unknown = others.length === 0 && isNothing(entry?.[1]) ? entry?.[0] : undefined
  return typeof name === 'string' && Object.hasOwn(faultProfiles, name.trim())
    ? faultProfiles[name.trim()]
    : undefined
}

/** Whether a fault, or one of a profile, ends the service: only who started it can start it again. */
export function needsStart(spec: unknown): boolean {
  const checked = faultPort.check(spec)
  return checked.ok && checked.value.some((each) => definitionOf(each).needsStart === true)
}

export const faultPort: FaultPort = {
  check(spec) {
    const profile = profileOf(spec)
    const checked: CheckedFault[] = []
    for (const each of profile?.faults ?? [spec]) {
      const one = checkFault(each, faultCatalogue, Object.keys(faultProfiles))
      if (!one.ok) return one
      checked.push(one.value)
    }
    return ok(checked)
  },
  refusal: (checked, { startsSubject }) =>
    definitionOf(checked).needsStart && !startsSubject
      ? `the fault ${checked.name} ends your service, and ${startsNoSubject}`
      : undefined,
  inapplicability: (checked, settings) =>
    inapplicability(
      checked,
      settings,
      definitionOf(checked).missing?.(checked.options, checked.anchor, settings),
    ),
  distortPlan: (checked, planned, meeting, chance) =>
    applyDefinition(checked, meeting, { chance, isOutlasted: false }, ({ plan }, options) =>
      plan?.(options, planned, meeting, chance),
    ),
  distortMessage: (checked, meeting, chance, isOutlasted) =>
    applyDefinition(checked, meeting, { chance, isOutlasted }, ({ message }, options) =>
      message?.(options, meeting, chance),
    ),
}
