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
import { maxReplicas } from '../../core/session-api/configuration/subject.ts'
import type { PreparedSession } from '../../core/session/types.ts'

export interface SubjectEnvironment {
  /** Values of `{name}` in the command. */
  readonly placeholders: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
}

type Quote = "'" | '"'

/** Where a quotation of a shell command is open behind this part of it. */
function openQuote(part: string): Quote | undefined {
  let open: Quote | undefined
  for (const [token] of part.matchAll(/\\.|['"]/gs)) {
    const isEscape = token.length > 1
    if (isEscape && open === "'") open = token.endsWith("'") ? undefined : open
    else if (!isEscape && open === undefined) open = token === "'" ? "'" : '"'
    else if (token === open) open = undefined
  }
  return open
}

/** An empty value stays an argument of its own, so that those behind it do not move into its place. */
function emptyArgument(command: string, from: number, to: number): string {
  const open = openQuote(command.slice(0, from))
  if (open === undefined) return "''"
  // A word inside a quotation is an argument of the shell that gets it: sh -c 'serve {port} {delivery-platform}'.
  const isWord = /\s$/.test(command.slice(0, from)) && /^(?:\s|['"])/.test(command.slice(to))
  if (!isWord) return ''
  return open === "'" ? '""' : "''"
}

/** Fills in `{ordering-application}`, `{port}` …; leaves other braces to the shell. */
const fillPlaceholders = (command: string, values: Readonly<Record<string, string>>): string =>
  command.replace(/\{([a-z-]+)\}/g, (whole, name: string, at: number) =>
    values[name] === '' ? emptyArgument(command, at, at + whole.length) : (values[name] ?? whole),
  )

/** The placeholders of a command that are filled in with nothing. */
const emptyPlaceholders = (
  command: string,
  values: Readonly<Record<string, string>>,
): ReadonlySet<string> =>
  new Set(command.match(/\{[a-z-]+\}/g)?.filter((each) => values[each.slice(1, -1)] === ''))

/** Fills in the placeholders of one flag's command, for each session anew. */
export type CommandFiller = (command: string, values: Readonly<Record<string, string>>) => string

/** Says of each placeholder once that it is filled in with nothing. */
export function createCommandFiller(
  flag: '--start' | '--fixed' | '--reset',
  say: (sentence: string) => void,
): CommandFiller {
  const named = new Set<string>()
  return (command, values) => {
    for (const each of emptyPlaceholders(command, values)) {
      if (named.has(each)) continue
      named.add(each)
      const isRole = roles.some((role) => `{${role}}` === each)
      const why = isRole ? 'it is not played in this session' : 'this session has none'
      say(`${each} in ${flag} is empty: ${why}`)
    }
    return fillPlaceholders(command, values)
  }
}

export interface EnvironmentInput {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string }
  /** Where the subject answers. */
  readonly url: string | undefined
  /** Which of its processes it is, from 1. */
  readonly replica?: number | undefined
  readonly channel: string
  /** What it keeps there outlasts its process, and is removed with its session. */
  readonly folder?: string | undefined
  /** Our URLs, by role. */
  readonly urls: Iterable<readonly [role: string, url: string]>
}

export function environmentOf({
  credentials,
  url = '',
  replica = 1,
  channel,
  folder = '',
  urls,
}: EnvironmentInput): SubjectEnvironment {
  const addresses = Object.fromEntries(urls)
  const port = URL.canParse(url) ? new URL(url).port : ''
  const { clientId, clientSecret } = credentials
  const settings = {
    'client-id': clientId,
    'client-secret': clientSecret,
    channel,
    folder,
    replica: String(replica),
  }
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

export const subjectEnvironmentOf = (
  {
    configuration,
    ...input
  }: { readonly configuration: Configuration } & Omit<EnvironmentInput, 'credentials' | 'urls'>,
  { urls }: Pick<PreparedSession, 'urls'>,
): SubjectEnvironment =>
  environmentOf({ ...input, credentials: configuration.subject.credentials, urls })

interface SessionSettings {
  readonly input: ConfigurationInput
  readonly configuration: Configuration
}

/** Free local addresses for as many processes of a subject as there may be. */
export async function freeServiceUrls(): Promise<readonly string[]> {
  const urls: string[] = []
  while (urls.length < maxReplicas)
    urls.push(`http://127.0.0.1:${await freeServicePort('127.0.0.1')}`)
  return urls
}

/** The settings of a subject that we start, with addresses for those of its processes that have none. */
export function withSubjectAddresses<Planned extends SessionSettings>(
  planned: Planned,
  [first, ...others]: readonly string[],
): Planned {
  const { input, configuration } = planned
  const { url = first, replicas } = configuration.subject
  const addresses =
    typeof replicas === 'number' ? { url, replicas: others.slice(0, replicas - 1) } : { url }
  return {
    ...planned,
    input: { ...input, subject: { ...input.subject, ...addresses } },
    configuration: { ...configuration, subject: { ...configuration.subject, ...addresses } },
  }
}

/** The same for one run of many: where the subject has no URL, our ports are free ones too, since those before may be in use yet. */
export async function withFreeSubjectPort<Planned extends SessionSettings>(
  planned: Planned,
): Promise<Planned> {
  const addressed = withSubjectAddresses(planned, await freeServiceUrls())
  if (planned.configuration.subject.url !== undefined) return addressed
  const { input, configuration } = addressed
  return {
    ...addressed,
    input: { ...input, port: 0 },
    configuration: { ...configuration, port: 0 },
  }
}
