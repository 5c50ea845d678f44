/**
 * The services that a proof needs: the user's own, which we start, and the mended one of `--fixed`, which runs already or is
 * started too.
 */
import { compact } from '../../../core/base/compact.ts'
import { problem } from '../../../core/base/problem.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { exitCode } from '../../../terminal/cli/exit-code.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { prepareOwnService } from '../replay/driver.ts'
import { isAddress } from '../../../terminal/cli/allowed-target.ts'
import { readConfigurationAndFlags } from '../../../terminal/cli/session-options.ts'
import { unreachableReason } from '../../../terminal/service/subject-requests.ts'
import { allowedTarget, checkStart } from '../replay/flag-values.ts'
import type { MinimiseFlags } from './flags.ts'
import type { ProofTarget } from './proof.ts'

interface OpenedService extends AsyncDisposable {
  readonly target: ProofTarget
}

/** Throws a problem when the flags cannot be meant. */
export function checkServiceFlags(flags: MinimiseFlags): void {
  const { start, fixed, 'allow-target': allowed } = flags
  if (fixed !== undefined && isAddress(fixed)) allowedTarget(fixed, allowed, '--fixed')
  checkStart({ start, to: flags.to })
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
