/** Session configuration of a run: defaults, configuration, scenario, merged in this order. */
import { compact } from '../compact.ts'
import type { ConfigurationInput } from '../configuration/schema.ts'
import type { Run } from './runs.ts'
import type { SessionPart } from './schema.ts'
import { isGroup } from '../protocol/group.ts'

/** Deep merge: groups key by key; any other value of `above` wins. */
export function onTop(below: unknown, above: unknown): unknown {
  if (above === undefined) return below
  if (!isGroup(below) || !isGroup(above)) return above
  const joined: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) joined[key] = onTop(below[key], value)
  return joined
}

/**
 * Defaults when there is a subject: Orders only, CONCLUDED 2 s after the end, deliveries only by the subject. Otherwise
 * most of a run would be spent waiting for capabilities that the scenario does not test.
 */
const usual: SessionPart = {
  counterparts: { 'ordering-application': { concludeAfter: '2s', deliveries: false } },
  capabilities: {
    indoor: false,
    logistics: false,
    customer: false,
    reviews: false,
    loyalty: false,
  },
}

/** Configuration of a run; later parts win: defaults, configuration, channel, scenario. */
export function configurationOf(run: Run, configuration: ConfigurationInput): ConfigurationInput {
  const { scenario, channel, faults, seed } = run
  const { subject } = scenario
  const own = {
    ...scenario.session,
    ...compact({ seed }),
    ...(subject === 'nobody' ? {} : { subject: { role: subject } }),
  }
  const channels = { counterparts: { 'ordering-application': { channel } } }
  const said = [configuration, channels, own].reduce<unknown>(
    onTop,
    subject === 'nobody' ? {} : usual,
  ) as ConfigurationInput
  const more = faults as NonNullable<ConfigurationInput['faults']>
  return { ...said, faults: [...(configuration.faults ?? []), ...more] }
}
