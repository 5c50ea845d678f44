/** What `openSession` takes, and how it becomes a configuration: short forms for whoever writes them by hand. */
import { Configuration, type ConfigurationInput } from './configuration.ts'
import { filledConfiguration } from './configuration-filled.ts'
import { inDialect } from './session-dialect.ts'
import type { FetchHandler } from './edge/destinations.ts'
import type { MerchantIdentity } from './fixtures/merchants.ts'
import type { Role } from './protocol/role.ts'

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

/** Read once, so it is not worth compiling. */
const readConfiguration = (input: ConfigurationInput): Configuration =>
  filledConfiguration(input) ?? Configuration.parse(input, { jitless: true })

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
  return { configuration, only, handler, listen, fetch, automatic, stores, townSeed, onBug }
}
