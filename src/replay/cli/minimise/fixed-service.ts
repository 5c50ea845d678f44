/** The mended service of `--fixed`: one that runs, by its URL, or a command that starts it on ports of its own. */
import { compact } from '../../../core/base/compact.ts'
import { problem } from '../../../core/base/problem.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { allowedTarget } from '../replay/flag-values.ts'
import type { MinimiseFlags } from './flags.ts'
import { prepareOwnService } from './own-service.ts'
import type { ProofTarget } from './proof.ts'

const isUrl = (text: string): boolean => /^https?:\/\//.test(text)

export interface OpenedService extends AsyncDisposable {
  readonly target: ProofTarget
}

/** Throws a problem when the flags cannot be meant. */
export function checkServiceFlags(flags: MinimiseFlags): void {
  const { start, fixed, 'allow-target': allowed } = flags
  if (fixed !== undefined && isUrl(fixed)) allowedTarget(fixed, allowed)
  if (start !== undefined && flags.to !== undefined)
    throw problem(
      'reading --to',
      'each service of --start listens on a port of its own',
      'Leave out --to, or --start.',
    )
}

export interface ServiceInput {
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
    target: isCalled ? target : { port: target.port },
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
  return isUrl(fixed)
    ? running({ to: allowedTarget(fixed, allowed), ...compact({ port }) })
    : await openOwn(input, '--fixed', fixed)
}
