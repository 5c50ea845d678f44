/**
 * Merges the session's options: configuration file, then environment, then flags. The file was validated where it was
 * read, so an error after the merge belongs to a flag.
 */
import { randomCredentials } from '../../core/engine/auth/random-credentials.ts'
import type {
  Configuration,
  ConfigurationInput,
} from '../../core/session-api/configuration/schema.ts'
import { compact } from '../../core/base/compact.ts'
import { applyDialect } from '../../core/session/dialect.ts'
import { checkConfiguration } from '../../core/runtime/files/check-configuration.ts'
import { loadListFiles } from '../../core/runtime/files/list-files.ts'
import { readConfigurationFile } from '../../core/runtime/files/configuration-file.ts'
import { problem } from '../../core/base/problem.ts'
import type { sessionFlags } from './flags.ts'
import type { OptionsOf } from './verb.ts'
import { resolve } from 'node:path'
import { loadContracts } from '../../core/session/contracts.ts'
import { roleNamed, roleNamesText, roles } from '../../core/protocol/role.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

export type SessionFlags = OptionsOf<[], typeof sessionFlags>

type FlagName = keyof SessionFlags

/** Flags that name a file whose content becomes the setting of that name. */
const listFlags = ['merchants', 'menu', 'dialect'] as const
type ListFlag = (typeof listFlags)[number]

/** The configuration path of each flag. */
const flagPaths = {
  seed: ['seed'],
  clock: ['clock'],
  speed: ['speed'],
  port: ['port'],
  host: ['host'],
  tls: ['tls'],
  as: ['subject', 'role'],
  subject: ['subject', 'url'],
  replicas: ['subject', 'replicas'],
  channel: ['counterparts', 'ordering-application', 'channel'],
  'orders-every': ['counterparts', 'ordering-application', 'orders', 'every'],
  tracing: ['tracing', 'on'],
  record: ['recording', 'file'],
  fsync: ['recording', 'fsync'],
  'keep-binary': ['recording', 'keepBinary'],
} as const satisfies Record<
  Exclude<FlagName, 'config' | 'contract' | 'fault' | 'public-url' | ListFlag>,
  readonly string[]
>

const entriesOf = <Key extends string, Value>(group: Readonly<Record<Key, Value>>) =>
  Object.entries(group) as [Key, Value][]

/** The configuration paths and values of `--public-url`: for all roles, or for one. */
const publicUrlsOf = ({ 'public-url': texts = [] }: SessionFlags) =>
  texts.map((text): readonly [place: readonly string[], url: string] => {
    const [, name, url = text] = /^([^=:/]*)=(.*)$/.exec(text) ?? []
    if (name === undefined) return [['publicUrl'], url]
    const role = roleNamed(name)
    if (role !== undefined) return [['counterparts', role, 'publicUrl'], url]
    throw problem('reading --public-url', `"${name}" is no role`, `Name one of ${roleNamesText}.`)
  })

/** A copy with one value put in, or taken out when it is undefined. */
function withValueAt(group: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const { [key]: here, ...others } = isUnknownRecord(group) ? group : {}
  const inner = withValueAt(here, rest, value)
  return inner === undefined ? others : { ...others, [key]: inner }
}

/** `--port` sets all ports at once, so it overrides the ports per role of the file. */
const withoutPorts = (input: unknown): unknown =>
  roles.reduce<unknown>(
    (current, role) =>
      isUnknownRecord(current) &&
      isUnknownRecord(current['counterparts']) &&
      isUnknownRecord(current['counterparts'][role])
        ? withValueAt(current, ['counterparts', role, 'port'], undefined)
        : current,
    input,
  )

export interface ResolvedSessionOptions {
  /** With every default filled in. */
  readonly configuration: Configuration
  /** Without defaults: a session fills them in itself. */
  readonly input: ConfigurationInput
  /** The configuration file, when there was one. */
  readonly file?: string
}

export function mergeFlags(input: ConfigurationInput, flags: SessionFlags): ResolvedSessionOptions {
  let merged: unknown = flags.port === undefined ? input : withoutPorts(input)
  for (const [name, place] of entriesOf(flagPaths)) {
    const value = flags[name]
    // --tls only switches TLS on: it must not overwrite the certificate settings of the file.
    if (value !== undefined && !(name === 'tls' && isUnknownRecord(input.tls)))
      merged = withValueAt(merged, place, value)
  }
  for (const [place, url] of publicUrlsOf(flags)) merged = withValueAt(merged, place, url)
  // Faults are a list: those of the flags are appended to those of the file.
  if (flags.fault)
    merged = withValueAt(merged, ['faults'], [...(input.faults ?? []), ...flags.fault])
  if (flags.contract) merged = withValueAt(merged, ['contract'], flags.contract)
  const whole = isUnknownRecord(merged) ? applyDialect(merged) : merged
  const checked = checkConfiguration(whole)
  if (checked.ok) return { configuration: checked.value, input: merged as ConfigurationInput }
  const [wrong] = checked.error
  const at = wrong?.path.join('.')
  const [flag] =
    entriesOf(flagPaths).find(([, place]) => place.join('.') === at) ??
    (at?.endsWith('publicUrl')
      ? (['public-url'] as const)
      : flags.contract && at?.startsWith('contract')
        ? (['contract'] as const)
        : listFlags.filter((name) => flags[name] !== undefined && at?.startsWith(name)))
  const what = wrong?.wrong ?? 'it will not do'
  throw problem(
    `reading --${flag ?? 'config'}`,
    flag === undefined ? what : inTermsOfFlag(what, `${at}: `, flags[flag]),
    wrong?.remedy ?? '',
  )
}

/** Replaces the configuration path in a message by the typed value, which a user of flags knows. */
function inTermsOfFlag(wrong: string, place: string, value: unknown): string {
  if (!wrong.startsWith(place)) return wrong
  const rest = wrong.slice(place.length)
  return rest.startsWith('"') ? rest : `"${String(value)}" ${rest}`
}

/**
 * Reads the configuration file and merges the flags. The subject's role may be missing: scenarios name it themselves.
 * `onRead` is called with the path of every file that is read or looked for.
 */
export async function readConfigurationAndFlags(
  flags: SessionFlags,
  cwd: string,
  onRead?: (path: string) => void,
): Promise<ResolvedSessionOptions> {
  const configurationFile = await readConfigurationFile(cwd, flags.config, onRead)
  const { menu, merchants, dialect, contract } = flags
  const lists = await loadListFiles(compact({ menu, merchants, dialect }), cwd, '', onRead)
  const resolved = mergeFlags(
    { ...configurationFile?.value, ...(lists.value as object) },
    // Without a role a text is a path, and with one it still is.
    contract ? { ...flags, contract: contract.map((text) => resolve(cwd, text)) } : flags,
  )
  // Read before anything starts; the sessions take what was read.
  if (resolved.configuration.contract.length > 0) await loadContracts(resolved.configuration, cwd)
  if (resolved.configuration.faults.length > 0) {
    const { checkFaults } = await import('./check-faults.ts')
    checkFaults(resolved.configuration.faults, configurationFile)
  }
  return { ...resolved, ...(configurationFile ? { file: configurationFile.file } : {}) }
}

/** The same for a session without a scenario: a subject with a URL needs a role. */
export async function readSessionOptions(
  flags: SessionFlags,
  cwd: string,
  onRead?: (path: string) => void,
): Promise<ResolvedSessionOptions> {
  const resolved = await readConfigurationAndFlags(flags, cwd, onRead)
  const { role, url } = resolved.configuration.subject
  if (url !== undefined && role === undefined)
    throw problem(
      'starting the session',
      `your service answers at ${url}, but its role is not given`,
      'Say it with --as software-service or --as ordering-application.',
    )
  return resolved
}

const withSetting = (
  resolved: ResolvedSessionOptions,
  place: readonly string[],
  value: unknown,
): ResolvedSessionOptions => ({
  ...resolved,
  configuration: withValueAt(resolved.configuration, place, value) as Configuration,
  input: withValueAt(resolved.input, place, value) as ConfigurationInput,
})

const minNewSeed = 100_000

/** A seed that is short enough to be typed. */
export const newSeed = (): number => minNewSeed + Math.floor(9 * minNewSeed * Math.random())

/**
 * Draws a seed where there is none. Equal seeds give equal order ids, and a service with a database would take them for
 * duplicates.
 */
export const withNewSeed = (resolved: ResolvedSessionOptions): ResolvedSessionOptions =>
  resolved.input.seed === undefined ? withSetting(resolved, flagPaths.seed, newSeed()) : resolved

/** With credentials of the service that are drawn from the seed. */
export const withRandomCredentials = (resolved: ResolvedSessionOptions): ResolvedSessionOptions =>
  withSetting(resolved, ['subject', 'credentials'], {
    ...resolved.configuration.subject.credentials,
    ...randomCredentials(resolved.configuration.seed),
  })

/** Default interval between orders when we play every role. */
const defaultOrderIntervalMs = 5000

/** Sets the default order interval where we play every role; with a subject orders are created only on request. */
export function withDefaultOrderInterval(resolved: ResolvedSessionOptions): ResolvedSessionOptions {
  const { subject, counterparts, clock } = resolved.configuration
  const { every } = counterparts['ordering-application'].orders
  // On the virtual clock the interval would elapse as fast as the machine can: no default there.
  if (subject.role !== undefined || every !== undefined || clock === 'virtual') return resolved
  return withSetting(resolved, flagPaths['orders-every'], defaultOrderIntervalMs)
}
