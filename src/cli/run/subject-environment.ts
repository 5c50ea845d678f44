/** What a service that we start is told: where we are, where it should listen, and who it is. */
import type { Planned } from './plan.ts'
import { freePort } from './start-subject.ts'
import type { PreparedSession } from '../../session/types.ts'

export interface Surroundings {
  /** For `{name}` in the command. */
  readonly values: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

const variable = (name: string): string => `SPARRING_${name.toUpperCase().replaceAll('-', '_')}`

export function surroundingsOf(
  { configuration, loaded }: Planned,
  { urls }: Pick<PreparedSession, 'urls'>,
): Surroundings {
  const { credentials, url = '' } = configuration.subject
  const addresses = Object.fromEntries(urls)
  const port = URL.canParse(url) ? new URL(url).port : ''
  const told = {
    'client-id': credentials.clientId,
    'client-secret': credentials.clientSecret,
    channel: loaded.run.channel,
  }
  return {
    values: { ...addresses, ...told, port, url },
    env: {
      ...Object.fromEntries(
        Object.entries(addresses).map(([role, each]) => [`${variable(role)}_URL`, each]),
      ),
      ...Object.fromEntries(Object.entries(told).map(([name, each]) => [variable(name), each])),
      PORT: port,
    },
  }
}

/** With an address for a service that we start and that nobody gave one: a port of this machine that is free. */
export async function placed(planned: Planned): Promise<Planned> {
  const { input, configuration } = planned
  if (configuration.subject.url !== undefined) return planned
  const url = `http://127.0.0.1:${await freePort('127.0.0.1')}`
  // Ours are free ones as well: runs come one after the other, and the last one's may not be free yet.
  return {
    ...planned,
    input: { ...input, port: 0, subject: { ...input.subject, url } },
    configuration: { ...configuration, port: 0, subject: { ...configuration.subject, url } },
  }
}
