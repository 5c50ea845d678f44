/** Options of `openSession` and their conversion to a configuration. */
import { compact } from '../base/compact.ts'
import type { Configuration, ConfigurationInput } from '../session-api/configuration/schema.ts'
import { checkConfiguration, withCurrentNames } from '../runtime/files/check-configuration.ts'
import { loadListFiles } from '../runtime/files/list-files.ts'
import { schemaErrorsText } from '../runtime/files/schema-errors.ts'
import { Problem, problem } from '../base/problem.ts'
import type { Contract } from '../rules/contract/contract.ts'
import { loadContracts } from './contracts.ts'
import { applyDialect } from './dialect.ts'
import type { CommandRunner } from './effects.ts'
import type { MerchantIdentity } from '../partners/seed-data/merchants.ts'
import { type Role, roles } from '../protocol/role.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import type { FetchHandler, SubjectControl } from '../session-api/session.ts'

export interface SessionOptions extends Omit<ConfigurationInput, 'subject'> {
  /** The role that your service plays; same as `subject.role`. */
  readonly as?: Role
  /** Your service: its URL, a fetch-style handler in this process, or its full configuration. */
  readonly subject?: string | FetchHandler | ConfigurationInput['subject']
  /** The service as a handler, when `subject` is a configuration object. */
  readonly handler?: FetchHandler
  /** The roles to play; all that the subject does not play when absent. */
  readonly only?: readonly Role[]
  /** Whether the counterparts listen on sockets. Defaults to true, unless the subject is a handler. */
  readonly listen?: boolean
  /** Transport between our own roles when nothing listens; in-process handlers when absent. */
  readonly fetch?: FetchHandler
  /** Roles that are played elsewhere and are reached by `fetch`, at the same URLs as ours in process. */
  readonly elsewhere?: readonly Role[]
  /** Whether the virtual clock advances by itself. Defaults to `listen`. */
  readonly automatic?: boolean
  /** Additional stores known to our counterparts: those of a real partner whose orders are replayed. */
  readonly stores?: readonly MerchantIdentity[]
  /** Seed of the customers and couriers, when it differs from `seed`: a replay uses that of the recording. */
  readonly populationSeed?: number
  /** Whether clauses are judged one by one beside the rules; defaults to true. A certification judges them by itself. */
  readonly judgesClauses?: boolean
  /** Runs a command of `subject.effects` to its end, or to a time limit. Without it, effects are counted by paths alone. */
  readonly runCommand?: CommandRunner
  /** Ends the process of your service and starts it again, where it is yours: faults may crash it. */
  readonly service?: SubjectControl
  /** Settings may change while the session runs, as those of `sparring up --watch`. */
  readonly live?: boolean
  /**
   * Called with one line about what does not work and ends nothing, such as a collector that takes no spans; a process
   * warning when absent.
   */
  readonly onWarning?: (text: string) => void
  /** Called when the session has closed and its recording is not whole; `close` rejects when absent. */
  readonly onLoss?: (sentence: string) => void
  /** Called with internal errors. When absent they are thrown as uncaught. */
  readonly onBug?: (error: unknown) => void
}

export interface SessionInput {
  readonly configuration: Configuration
  readonly contracts: readonly Contract[]
  readonly only?: readonly Role[] | undefined
  readonly handler?: FetchHandler | undefined
  readonly listen: boolean
  readonly fetch?: FetchHandler | undefined
  readonly elsewhere: readonly Role[]
  readonly automatic: boolean
  readonly stores: readonly MerchantIdentity[]
  readonly populationSeed: number | undefined
  readonly judgesClauses: boolean
  readonly runCommand: CommandRunner | undefined
  readonly service: SubjectControl | undefined
  readonly isLive: boolean
  readonly onWarning: (text: string) => void
  readonly onLoss: (sentence: string) => void
  readonly onBug: (error: unknown) => void
}

const warned = new Set<string>()

/** Sessions by the thousand say the same of one collector. */
function warnOnce(text: string): void {
  if (warned.has(text)) return
  warned.add(text)
  process.emitWarning(text)
}

const throwLoss = (sentence: string): never => {
  throw new Problem(`closing the session: ${sentence}.`, 2)
}

const rethrow = (error: unknown): void => {
  throw error
}

/**
 * Reads the files of merchants and menus that are named, relative to the current directory, and reports all problems at
 * once, worded as on the command line.
 */
async function readConfiguration(input: ConfigurationInput): Promise<Configuration> {
  const lists = await loadListFiles(withCurrentNames(input), '.')
  const checked = checkConfiguration(
    applyDialect(lists.value as ConfigurationInput),
    'what it was told',
  )
  if (checked.ok) return checked.value
  const located = checked.error.map((error) => {
    const place = lists.locationOf(error.path, error.which)
    return place
      ? { ...error, wrong: `${place.file}:${place.line}:${place.column}: ${error.wrong}` }
      : error
  })
  throw new Problem(`${attempted}: ${schemaErrorsText(located)}`, 2)
}

const attempted = 'opening the session'

/** Why a role cannot be played here. */
function refusalOf(
  role: Role,
  { subject, counterparts }: Pick<Configuration, 'subject' | 'counterparts'>,
): string | undefined {
  if (role === subject.role) return `${role} is the role that your service plays`
  if (!roles.includes(role)) return `there is no role ${role}`
  const { url } = counterparts[role]
  return url === undefined ? undefined : `counterparts.${role}.url says that ${url} plays ${role}`
}

/** Rejects a subject without a role and a role that is played on neither side: either would make every test pass. */
function checkRoles(
  configuration: Pick<Configuration, 'subject' | 'counterparts'>,
  handler: FetchHandler | undefined,
  only: readonly Role[] | undefined,
): void {
  const { role, url } = configuration.subject
  // With `only`, it is explicit which roles are not played.
  if (role === undefined && only === undefined && (handler ?? url) !== undefined)
    throw problem(
      attempted,
      'it was given your service, but it is not given which role that plays',
      "Say it with as: 'software-service' or as: 'ordering-application'.",
    )
  for (const each of only ?? []) {
    const refusal = refusalOf(each, configuration)
    if (refusal !== undefined)
      throw problem(attempted, refusal, 'Name in only roles that are to be played here.')
  }
}

/**
 * Expands short forms and fills in defaults; throws a `Problem` for an invalid configuration. Pass `checked` to skip a
 * second validation, which takes as long as the first.
 */
/** The settings that the short forms of `subject` stand for. */
function subjectSettings(subject: unknown): object {
  if (typeof subject === 'string') return { url: subject }
  if (subject instanceof URL) return { url: subject.href }
  if (subject === undefined || typeof subject === 'function') return {}
  if (isUnknownRecord(subject)) return subject
  throw problem(
    attempted,
    `subject is ${JSON.stringify(subject)}, which is no service`,
    'Give its URL, its handler (request) => Response, or the settings of subject.',
  )
}

/** Rejects processes that nothing starts. */
function checkReplicas({ subject: { replicas } }: Configuration): void {
  if (typeof replicas === 'number' && replicas > 1)
    throw problem(
      'opening the session',
      `subject.replicas is ${replicas}, and nothing starts so many processes of your service here`,
      'Give --start (without --reset), or the URLs of those that run: subject.replicas: [http://127.0.0.1:3001].',
    )
}

export async function sessionInput(
  options: SessionOptions,
  checked?: Configuration,
): Promise<SessionInput> {
  const {
    as,
    subject,
    only,
    fetch,
    elsewhere = [],
    stores = [],
    populationSeed,
    judgesClauses = true,
    runCommand,
    service,
    live,
    onBug = rethrow,
    onWarning = warnOnce,
    onLoss = throwLoss,
    ...rest
  } = options
  const handler = typeof subject === 'function' ? subject : rest.handler
  const {
    handler: _handler,
    listen = handler === undefined,
    automatic = listen,
    ...settings
  } = rest
  const whole = { ...settings, subject: { ...subjectSettings(subject), ...compact({ role: as }) } }
  const configuration = checked ?? (await readConfiguration(whole))
  checkRoles(configuration, handler, only)
  checkReplicas(configuration)
  return {
    configuration,
    contracts: await loadContracts(configuration),
    only,
    handler,
    listen,
    fetch,
    elsewhere,
    automatic,
    stores,
    populationSeed,
    judgesClauses,
    runCommand,
    service,
    isLive: live === true,
    onBug,
    onWarning,
    onLoss,
  }
}
