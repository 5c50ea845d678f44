/** The configuration of each session of a campaign: that of the user, with a seed, ports and limits of its own. */
import type {
  Configuration,
  ConfigurationInput,
} from '../../core/session-api/configuration/schema.ts'
import { checkConfiguration } from '../../core/runtime/files/check-configuration.ts'
import { schemaErrorsText } from '../../core/runtime/files/schema-errors.ts'
import { sessionConfiguration, type SessionRequest } from '../batch/session-runner.ts'
import { problem } from '../../core/base/problem.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { ScenarioRun } from '../../core/scenario/runs.ts'
import { applyDialect } from '../../core/session/dialect.ts'
import { type ReservedPorts, reservePorts } from '../../terminal/cli/ports.ts'
import { withFreeSubjectPort } from '../../terminal/service/subject-environment.ts'

export interface SessionSettings {
  /** The time to recover that was learned, in ms. */
  readonly convergeMs?: number | undefined
  /** The file to record to. */
  readonly recording?: string
  /** No faults are expected: a service that rejects us then is not configured for us. */
  readonly isSteady?: boolean
  /** What was found is played again: it is opened before others, and beside as many as there may be. */
  readonly isFirst?: boolean
  /** Aborts when the session is of no use any more: nothing is waited for. */
  readonly enough?: AbortSignal
}

export interface SessionConfiguratorOptions {
  /** From flags and configuration file. */
  readonly base: ConfigurationInput
  readonly configuration: Configuration
  readonly subject: Role
  readonly channel: ScenarioRun['channel']
  readonly start?: string | undefined
  /** One service finds each session on the same ports. */
  readonly isKept: boolean
  /** Fresh in each session when absent; a service that remembers nothing may meet the same ids again. */
  readonly seedOf?: (request: SessionRequest) => number
}

interface ConfiguredSession {
  readonly input: ConfigurationInput
  readonly configuration: Configuration
}

/** Disposing of it gives back the ports that it has reserved. */
export interface SessionConfigurator extends Disposable {
  readonly configure: (
    request: SessionRequest,
    settings: SessionSettings,
  ) => Promise<ConfiguredSession>
}

/** Seeds of sessions below this: ids are never used twice, not even by the next campaign against the same service. */
const maxSeed = 1_000_000_000

const freshSeed = (): number => 1 + Math.floor(Math.random() * maxSeed)

export function createSessionConfigurator(
  options: SessionConfiguratorOptions,
): SessionConfigurator {
  const { base, subject, channel, start, isKept, seedOf = freshSeed } = options
  let ports: ReservedPorts | undefined

  /** The same ports for all sessions: those of the configuration, or free ones. */
  async function fixedPorts(): Promise<Pick<ConfigurationInput, 'port' | 'subject'>> {
    const { host, port, subject: own } = options.configuration
    if (start === undefined && port !== 0) return {}
    ports ??= await reservePorts('exploring your service', host)
    const url = own.url ?? `http://127.0.0.1:${ports.service}`
    const place = base.port === undefined || port === 0 ? { port: ports.first } : {}
    return start === undefined ? place : { ...place, subject: { ...base.subject, url } }
  }

  return {
    async configure(request, settings) {
      const { convergeMs, recording } = settings
      const learned = convergeMs === undefined ? {} : { converge: convergeMs }
      const fresh = { ...request, seed: seedOf(request) }
      const merged = sessionConfiguration(
        fresh,
        { subject, channel },
        {
          ...base,
          ...(isKept ? await fixedPorts() : {}),
          faults: [],
          recording: recording === undefined ? {} : { file: recording },
          tolerances: { ...learned, ...base.tolerances },
        },
      )
      const input = { ...merged, subject: { ...merged.subject, role: subject } }
      const checked = checkConfiguration(applyDialect(input), 'the session')
      if (!checked.ok)
        throw problem('opening a session', schemaErrorsText(checked.error), 'Correct the workload.')
      const configured = { input, configuration: checked.value }
      return isKept ? configured : withFreeSubjectPort(configured)
    },
    [Symbol.dispose]: () => ports?.[Symbol.dispose](),
  }
}
