/**
 * Environment variables and command placeholders for a subject that we start: our URLs, its port and credentials.
 * `--start 'serve --port {port}'` is run as `serve --port 3000`, with `PORT=3000`.
 */
import type {
  Configuration,
  ConfigurationInput,
} from '../../core/session-api/configuration/schema.ts'
import { roles } from '../../core/protocol/role.ts'
import { freeServicePort } from '../cli/ports.ts'
import type { PreparedSession } from '../../core/session/types.ts'

export interface SubjectEnvironment {
  /** Values of `{name}` in the command. */
  readonly placeholders: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

/** Fills in `{ordering-application}`, `{port}` …; leaves other braces to the shell. */
export const fillPlaceholders = (
  command: string,
  values: Readonly<Record<string, string>>,
): string => command.replace(/\{([a-z-]+)\}/g, (whole, name: string) => values[name] ?? whole)

/** The placeholders of a command that are filled in with nothing. */
export const emptyPlaceholders = (
  command: string,
  values: Readonly<Record<string, string>>,
): readonly string[] => [
  ...new Set(command.match(/\{[a-z-]+\}/g)?.filter((each) => values[each.slice(1, -1)] === '')),
]

export interface EnvironmentInput {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string }
  /** Where the subject answers. */
  readonly url: string | undefined
  readonly channel: string
  /** Our URLs, by role. */
  readonly urls: Iterable<readonly [role: string, url: string]>
}

export function environmentOf({
  credentials,
  url = '',
  channel,
  urls,
}: EnvironmentInput): SubjectEnvironment {
  const addresses = Object.fromEntries(urls)
  const port = URL.canParse(url) ? new URL(url).port : ''
  const { clientId, clientSecret } = credentials
  const settings = { 'client-id': clientId, 'client-secret': clientSecret, channel }
  const variables = [
    ...Object.entries(addresses).map(([role, each]) => [`${role}-url`, each] as const),
    ...Object.entries(settings),
  ].map(([name, each]) => [`SPARRING_${name.toUpperCase().replaceAll('-', '_')}`, each] as const)
  return {
    // A role that is not played here has no address: its placeholder is empty, not left in the command.
    placeholders: {
      ...Object.fromEntries(roles.map((role) => [role, ''])),
      ...addresses,
      ...settings,
      port,
      url,
    },
    env: { ...Object.fromEntries(variables), PORT: port },
  }
}

export function subjectEnvironmentOf(
  { configuration, channel }: { readonly configuration: Configuration; readonly channel: string },
  { urls }: Pick<PreparedSession, 'urls'>,
): SubjectEnvironment {
  const { credentials, url } = configuration.subject
  return environmentOf({ credentials, url, channel, urls })
}

interface SessionSettings {
  readonly input: ConfigurationInput
  readonly configuration: Configuration
}

/** Assigns a free local port to a subject that we start and that has no URL. */
export async function withFreeSubjectPort<Planned extends SessionSettings>(
  planned: Planned,
): Promise<Planned> {
  const { input, configuration } = planned
  if (configuration.subject.url !== undefined) return planned
  const url = `http://127.0.0.1:${await freeServicePort('127.0.0.1')}`
  // Our ports are free ones too: those of the previous run may not be released yet.
  return {
    ...planned,
    input: { ...input, port: 0, subject: { ...input.subject, url } },
    configuration: { ...configuration, port: 0, subject: { ...configuration.subject, url } },
  }
}
