/** Session configuration of a run: defaults, configuration, scenario, merged in this order. */
import { compact } from '../base/compact.ts'
import type { ConfigurationInput } from '../session-api/configuration/schema.ts'
import type { ScenarioRun } from './runs.ts'
import type { Role } from '../protocol/role.ts'
import type { Scenario, ScenarioSession } from './schema.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'

/** Deep merge: groups key by key; any other value of `above` wins. */
export function mergeGroups(base: unknown, override: unknown): unknown {
  if (override === undefined) return base
  if (!isUnknownRecord(base) || !isUnknownRecord(override)) return override
  const joined: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(override)) joined[key] = mergeGroups(base[key], value)
  return joined
}

/**
 * Defaults when there is a subject: Orders only, CONCLUDED 2 s after the end, deliveries only by the subject. Otherwise
 * most of a run would be spent waiting for capabilities that the scenario does not test.
 */
const defaults: ScenarioSession = {
  counterparts: { 'ordering-application': { concludeAfter: '2s', deliveries: false } },
  capabilities: {
    indoor: false,
    logistics: false,
    customer: false,
    reviews: false,
    loyalty: false,
  },
}

/** What a subject in another role needs besides: the capabilities that it hosts or calls, and deliveries to do. */
const defaultsOfRole: Readonly<Partial<Record<Role, ScenarioSession>>> = {
  'ordering-application': {
    capabilities: { indoor: true, logistics: true, customer: true, reviews: true, loyalty: true },
  },
  'delivery-platform': {
    counterparts: { 'ordering-application': { deliveries: true } },
    capabilities: { logistics: true },
  },
  crm: { capabilities: { customer: true, reviews: true, loyalty: true } },
}

/** What a scenario has without saying it. */
export const scenarioDefaults = (subject: Scenario['subject']): unknown =>
  subject === 'none' ? {} : mergeGroups(defaults, defaultsOfRole[subject])

/** Configuration of a run; later parts win: defaults, configuration, channel, scenario. */
export function configurationOf(
  run: ScenarioRun,
  configuration: ConfigurationInput,
): ConfigurationInput {
  const { scenario, channel, faults, seed } = run
  const { subject } = scenario
  const own = {
    ...scenario.session,
    ...compact({ seed }),
    ...(subject === 'none' ? {} : { subject: { role: subject } }),
  }
  const channels = { counterparts: { 'ordering-application': { channel } } }
  const merged = [configuration, channels, own].reduce<unknown>(
    mergeGroups,
    scenarioDefaults(subject),
  ) as ConfigurationInput
  const more = faults as NonNullable<ConfigurationInput['faults']>
  return { ...merged, faults: [...(configuration.faults ?? []), ...more] }
}
