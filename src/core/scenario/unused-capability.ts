/**
 * Whether a run failed only because the service uses none of a capability that the scenario needs, such as a POS whose
 * marketplace sends the couriers: that is conformant, and says nothing about the service.
 */
import { type OperationId, operations } from '../protocol/catalogue.ts'
import { type FeatureSwitch, featureSwitchOf } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import { isUnknownCall } from './ask-subject.ts'
import type { ScenarioFailure } from './outcome.ts'
import type { ScenarioObserver } from './observer.ts'
import type { Scenario } from './schema.ts'

/** The capabilities that a scenario switches on for its service. */
export const neededCapabilities = ({
  session,
}: Pick<Scenario, 'session'>): readonly FeatureSwitch[] =>
  Object.entries(session.capabilities ?? {}).flatMap(([name, isOn]) =>
    isOn === true ? [name as FeatureSwitch] : [],
  )

/** The calls of a capability that a service in this role makes. */
const callsOf = (of: FeatureSwitch, role: Role): readonly OperationId[] =>
  operations.flatMap(({ id, capability, callers }) =>
    capability === of && callers.includes(role) ? [id] : [],
  )

/** The calls of a capability that a service in this role answers, but for events. */
const answersOf = (of: FeatureSwitch, role: Role): readonly OperationId[] =>
  operations.flatMap((row) =>
    featureSwitchOf(row) === of && row.hosts.includes(role) && !row.webhook ? [row.id] : [],
  )

/** Whether a service in this role has to be called for a capability. */
export const hostsCapability = (of: FeatureSwitch, role: Role): boolean =>
  answersOf(of, role).length > 0

/** The capabilities of words and expectations. */
const capabilityOfWord: Readonly<Record<string, FeatureSwitch>> = {
  account: 'indoor',
  accounts: 'indoor',
  payments: 'indoor',
  delivery: 'logistics',
  deliveries: 'logistics',
  customer: 'customer',
  customers: 'customer',
}

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  )

export interface UnusedCapabilityOptions {
  readonly scenario: Scenario
  readonly failures: readonly ScenarioFailure[]
  readonly observer: Pick<ScenarioObserver, 'answersTo' | 'countCalls'>
  /** The calls that a rule is about, by its id. */
  readonly callsOfRule: (id: string) => readonly OperationId[]
}

/**
 * Of a capability that it hosts: every call was answered as one that does not exist. Of one that it calls: a failed step about such a call explains what follows it; without one each failed expectation must be about such a
 * call, or a rule about nothing else. A broken rule counts in any case.
 */
export function unusedCapability({
  scenario,
  failures,
  observer,
  callsOfRule,
}: UnusedCapabilityOptions): FeatureSwitch | undefined {
  const { subject } = scenario
  if (subject === 'none' || failures.some(({ kind }) => kind === 'invariant')) return undefined
  return neededCapabilities(scenario).find((capability) => {
    const calls = callsOf(capability, subject)
    const answered = answersOf(capability, subject).flatMap((call) => observer.answersTo(call))
    if (answered.length > 0) return failures.length > 0 && answered.every(isUnknownCall)
    if (calls.length === 0) return false
    if (calls.some((call) => observer.countCalls({ call, counting: 'tries' }) > 0)) return false
    const names: ReadonlySet<string> = new Set(calls)
    const isRuleAboutThem = (id: string): boolean => {
      const about = callsOfRule(id)
      return about.length > 0 && about.every((call) => names.has(call))
    }
    const isAboutThem = ({ path }: ScenarioFailure): boolean =>
      path.some((key) => capabilityOfWord[String(key)] === capability) ||
      textsIn(valueAt(scenario, path)).some((text) => names.has(text) || isRuleAboutThem(text))
    const steps = failures.filter(({ kind }) => kind === 'step')
    return steps.length > 0
      ? steps.every(isAboutThem)
      : failures.length > 0 && failures.every(isAboutThem)
  })
}
