/**
 * The services that a trial or a proof needs, on reserved ports: the user's own, which we start, and the mended one of
 * `--fixed`, which runs already or is started too.
 */
import { compact } from '../../../core/base/compact.ts'
import { problem } from '../../../core/base/problem.ts'
import { roles } from '../../../core/protocol/role.ts'
import { decisionsOf } from '../../from-recording/decisions.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'
import type { TrialService } from '../replay/driver.ts'
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import { isAddress } from '../../../terminal/cli/allowed-target.ts'
import { reservePorts } from '../../../terminal/cli/ports.ts'
import { readConfigurationAndFlags } from '../../../terminal/cli/session-options.ts'
import { createCommandFiller } from '../../../terminal/service/subject-environment.ts'
import { createSubjectProcess } from '../../../terminal/service/subject-process.ts'
import { unreachableReason } from '../../../terminal/service/subject-requests.ts'
import { allowedTarget } from '../replay/flag-values.ts'
import type { MinimiseFlags } from './flags.ts'
import type { ProofTarget } from './proof.ts'

interface OpenedService extends AsyncDisposable {
  readonly target: ProofTarget
}

/** Throws a problem when the flags cannot be meant. */
export function checkServiceFlags(flags: MinimiseFlags): void {
  const { start, fixed, 'allow-target': allowed } = flags
  if (fixed !== undefined && isAddress(fixed)) allowedTarget(fixed, allowed, '--fixed')
  if (start !== undefined && flags.to !== undefined)
    throw problem(
      'reading --to',
      'each service of --start listens on a port of its own',
      'Leave out --to, or --start.',
    )
}

interface ServiceInput {
  readonly flags: MinimiseFlags
  readonly content: RecordingContent
  readonly io: Io
  readonly signal: AbortSignal
}

async function openOwn(
  { flags: { config, to, start }, content, io, signal }: ServiceInput,
  flag: '--start' | '--fixed',
  command: string,
): Promise<OpenedService> {
  const service = await prepareOwnService({ command, flag, config, content, io })
  const { target } = service
  // A service that only calls us has no address to wait for.
  const isCalled = to !== undefined || start !== undefined
  try {
    service.start()
    if (isCalled) await service.answers(signal)
  } catch (error) {
    await service[Symbol.asyncDispose]()
    throw error
  }
  return {
    target: isCalled ? { ...target, start: command } : { port: target.port, start: command },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

const running = (target: ProofTarget): OpenedService => ({
  target,
  [Symbol.asyncDispose]: () => Promise.resolve(),
})

/** The service that is looked into: by `--start` a fresh one, else the one that runs. */
export async function openTriedService(input: ServiceInput): Promise<OpenedService> {
  const { start, to, port } = input.flags
  return start === undefined
    ? running(compact({ to, port }))
    : await openOwn(input, '--start', start)
}

/** Undefined without `--fixed`. */
export async function openFixedService(input: ServiceInput): Promise<OpenedService | undefined> {
  const { fixed, port, 'allow-target': allowed } = input.flags
  if (fixed === undefined) return undefined
  return isAddress(fixed)
    ? running({ to: allowedTarget(fixed, allowed, '--fixed'), ...compact({ port }) })
    : await openOwn(input, '--fixed', fixed)
}

/** The mended service is needed after minutes: whether it can be called is tried before the search. */
export async function checkFixedService(input: ServiceInput): Promise<void> {
  const { flags, io, signal } = input
  await using fixed = await openFixedService(input)
  const { to } = fixed?.target ?? {}
  if (to === undefined || !isAddress(flags.fixed ?? '')) return
  const { configuration } = await readConfigurationAndFlags(
    compact({ config: flags.config }),
    io.cwd,
  )
  const reason = await unreachableReason(to, configuration, signal)
  if (reason === undefined) return
  throw problem(
    'reading --fixed',
    `the fixed service does not answer: ${reason}`,
    'Start it, correct the URL, or give the command that starts it.',
    exitCode.unreachable,
  )
}

const host = '127.0.0.1'
const maxWaitMs = 30_000
const pauseMs = 100

export interface OwnServiceOptions {
  readonly command: string
  /** The flag that says the command. */
  readonly flag: '--start' | '--fixed'
  readonly config?: string | undefined
  readonly content: RecordingContent
  readonly io: Io
}

export interface OwnService extends TrialService, AsyncDisposable {
  /** Where it is to listen, and the first of our ports. */
  readonly target: { readonly to: string; readonly port: number }
}

/** Chooses the ports; the service runs after `start`, and its processes end with the disposal. */
export async function prepareOwnService(options: OwnServiceOptions): Promise<OwnService> {
  const { command, flag, config, content, io } = options
  const attempted = `starting the service of ${flag}`
  const read = await readConfigurationAndFlags(compact({ config }), io.cwd)
  const ports = await reservePorts(attempted, host)
  const url = `http://${host}:${ports.service}`
  const configuration = {
    ...read.configuration,
    subject: { ...read.configuration.subject, url },
  }
  const ours = roles.map(
    (role, index) => [role, `http://${host}:${ports.first + 1 + index}`] as const,
  )
  const service = createSubjectProcess({
    configuration,
    channel: decisionsOf(content).channel,
    session: { urls: new Map(ours) },
    start: command,
    fill: createCommandFiller(
      flag,
      (sentence) => void printLine(io.stderr, `sparring: ${sentence}`),
    ),
    io,
    onEnd: () => undefined,
  })
  const lastLine = (): string | undefined => service.output.lines().at(-1)

  return {
    target: { to: url, port: ports.first },
    control: service,
    endReason: () => service.current()?.endReason(),
    lastLine,
    start() {
      if (!service.current()) service.start()
    },
    answers: waitUntilAnswered,
    async [Symbol.asyncDispose]() {
      await service.stop()
      service.output.discard()
      ports[Symbol.dispose]()
    },
  }

  async function waitUntilAnswered(signal: AbortSignal): Promise<void> {
    const began = performance.now()
    while (!signal.aborted && (await unreachableReason(url, configuration, signal)) !== undefined) {
      const ended = service.current()?.endReason()
      if (ended !== undefined || performance.now() - began > maxWaitMs) {
        const last = lastLine()
        throw problem(
          attempted,
          `${ended ?? `it does not answer at ${url}`}${last === undefined ? '' : ` (${last})`}`,
          'Have it listen on the port that PORT or {port} says.',
          exitCode.unreachable,
        )
      }
      await abortableSleep(pauseMs, signal)
    }
  }
}
