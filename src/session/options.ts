/** What `openSession` takes, and how it becomes a configuration: short forms for whoever writes them by hand. */
import type { Configuration, ConfigurationInput } from '../configuration/schema.ts'
import { checkConfiguration } from '../edge/files/check-configuration.ts'
import { sentenceOf } from '../edge/files/schema-errors.ts'
import { Problem, problem } from '../problem.ts'
import { inDialect } from './dialect.ts'
import type { FetchHandler } from '../edge/client/destinations.ts'
import type { MerchantIdentity } from '../seed-data/merchants.ts'
import { type Role, roles } from '../protocol/role.ts'

export interface SessionOptions extends Omit<ConfigurationInput, 'subject'> {
  /** The role that your service plays; the same as `subject.role`. */
  readonly as?: Role
  /** Your service: its URL, a fetch-style handler in this process, or all that a configuration says of it. */
  readonly subject?: string | FetchHandler | ConfigurationInput['subject']
  /** The service as a handler, where `subject` says something else of it as well. */
  readonly handler?: FetchHandler
  /** The roles to play, of those that the subject does not; all when absent. */
  readonly only?: readonly Role[]
  /** Whether the counterparts listen on sockets. They do, unless the subject is a handler. */
  readonly listen?: boolean
  /** How our own roles reach each other when nothing listens: each other's face, when absent. */
  readonly fetch?: FetchHandler
  /** Whether the virtual clock jumps of its own accord. It does when the session listens. */
  readonly automatic?: boolean
  /** Stores that our counterparts know besides those of the town: a real partner's, whose orders are placed again. */
  readonly stores?: readonly MerchantIdentity[]
  /** What the town and its stores grow from, where that is not the seed: a replay takes place where the recording did. */
  readonly townSeed?: number
  /** Something that must not happen did. Thrown where nobody catches it, when absent. */
  readonly onBug?: (error: unknown) => void
}

export interface SessionInput {
  readonly configuration: Configuration
  readonly only?: readonly Role[] | undefined
  readonly handler?: FetchHandler | undefined
  readonly listen: boolean
  readonly fetch?: FetchHandler | undefined
  readonly automatic: boolean
  readonly stores: readonly MerchantIdentity[]
  readonly townSeed: number | undefined
  readonly onBug: (error: unknown) => void
}

const rethrow = (error: unknown): void => {
  throw error
}

/** What is wrong is told as the command line tells it, all of it at once. */
function readConfiguration(input: ConfigurationInput): Configuration {
  const checked = checkConfiguration(input, 'what it was told')
  if (checked.ok) return checked.value
  throw new Problem(`${opening}: ${sentenceOf(checked.error)}`, 2)
}

const opening = 'opening the session'

/** A service that nobody calls, or a part that nobody plays, would pass every test. */
function checkParts(
  { role, url }: Configuration['subject'],
  handler: FetchHandler | undefined,
  only: readonly Role[] | undefined,
): void {
  // Whoever names the parts to be played has said what is nobody's.
  if (role === undefined && only === undefined && (handler ?? url) !== undefined)
    throw problem(
      opening,
      'it was given your service, but nobody says which role that plays',
      "Say it with as: 'software-service' or as: 'ordering-application'.",
    )
  const wrong = only?.find((each) => each === role || !roles.includes(each))
  if (wrong !== undefined)
    throw problem(
      opening,
      wrong === role ? `${wrong} is the role that your service plays` : `there is no role ${wrong}`,
      'Name in only roles that are to be played here.',
    )
}

/**
 * Options with their short forms written out and every default filled in. It throws on what no configuration may say.
 * Whoever has checked them already gives what came of that: to check them again would take as long once more.
 */
export function sessionInput(options: SessionOptions, checked?: Configuration): SessionInput {
  const { as, subject, only, fetch, stores = [], townSeed, onBug = rethrow, ...rest } = options
  const handler = typeof subject === 'function' ? subject : rest.handler
  const { handler: _handler, listen = handler === undefined, automatic = listen, ...given } = rest
  const said =
    typeof subject === 'string' ? { url: subject } : typeof subject === 'object' ? subject : {}
  const whole = { ...given, subject: { ...said, ...(as === undefined ? {} : { role: as }) } }
  const configuration = checked ?? readConfiguration(inDialect(whole))
  checkParts(configuration.subject, handler, only)
  return { configuration, only, handler, listen, fetch, automatic, stores, townSeed, onBug }
}
