/** What a session is told for a run of a scenario: its own part on top of what there is already. */
import { compact } from '../compact.ts'
import type { ConfigurationInput } from '../configuration/schema.ts'
import type { Run } from './runs.ts'
import type { SessionPart } from './schema.ts'
import { isGroup } from '../protocol/group.ts'

/** Groups are joined key by key; of anything else the one on top wins. */
export function onTop(below: unknown, above: unknown): unknown {
  if (above === undefined) return below
  if (!isGroup(below) || !isGroup(above)) return above
  const joined: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) joined[key] = onTop(below[key], value)
  return joined
}

/**
 * What is usual where a service is tried: orders alone, which are concluded soon after their end, and nobody but that
 * service has them delivered. Else most of the time would go by with waiting for what no scenario is about.
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

/** The configuration of a run: what is usual, what the configuration says, and what the scenario says. */
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
