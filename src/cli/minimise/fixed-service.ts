/** The mended service of `--fixed`: one that runs, by its URL, or a command that starts it on ports of its own. */
import { createServer } from 'node:net'
import { compact } from '../../compact.ts'
import { problem } from '../../problem.ts'
import { roles } from '../../protocol/role.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { exitCode } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { allowedTarget } from '../replay/target.ts'
import { createProcessOutput } from '../run/process-output.ts'
import { fillPlaceholders, freePort, startSubject } from '../run/start-subject.ts'
import { cancellableSleep } from '../run/cancellable-sleep.ts'
import { environmentOf } from '../run/subject-environment.ts'
import { readConfigurationAndFlags } from '../session-options.ts'
import { unreachableReason } from '../subject-probe.ts'
import { decisionsOf } from '../../scenario/from-recording/decisions.ts'
import type { MinimiseFlags } from './flags.ts'
import type { ProofTarget } from './proof.ts'

const host = '127.0.0.1'
const maxWaitMs = 30_000
const pauseMs = 100
const maxTries = 50

const isUrl = (text: string): boolean => /^https?:\/\//.test(text)

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/** The first of as many free ports in a row as a session needs. */
async function freePorts(): Promise<number> {
  for (let tried = 0; tried < maxTries; tried++) {
    const first = await freePort(host)
    const ports = roles.map((_role, index) => first + 1 + index)
    if (first + roles.length > 65_535) continue
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
  throw problem('starting the service of --fixed', 'no ports are free', 'Give a URL instead.')
}

export interface FixedService extends AsyncDisposable {
  readonly target: ProofTarget
}

/** Throws a problem when the flag cannot be meant. */
export function checkFixed({ fixed, 'allow-target': allowed }: MinimiseFlags): void {
  if (fixed !== undefined && isUrl(fixed)) allowedTarget(fixed, allowed)
}

/** Undefined without `--fixed`. */
export async function openFixedService(
  { fixed, to, port, config, 'allow-target': allowed }: MinimiseFlags,
  content: RecordingContent,
  io: Io,
): Promise<FixedService | undefined> {
  if (fixed === undefined) return undefined
  if (isUrl(fixed))
    return {
      target: { to: allowedTarget(fixed, allowed), ...compact({ port }) },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
  const attempted = 'starting the service of --fixed'
  const first = await freePorts()
  const url = `http://${host}:${await freePort(host)}`
  const { configuration } = await readConfigurationAndFlags(compact({ config }), io.cwd)
  const urls = new Map(roles.map((role, index) => [role, `http://${host}:${first + 1 + index}`]))
  const { credentials } = configuration.subject
  const { channel } = decisionsOf(content)
  const { placeholders, env } = environmentOf({ credentials, url, channel, urls })
  const output = createProcessOutput()
  const service = startSubject(
    fillPlaceholders(fixed, placeholders),
    { ...io.env, ...env },
    io.cwd,
    output,
  )
  const started = performance.now()
  // A service that only calls us has no address to wait for.
  while (to !== undefined && (await unreachableReason(url, configuration)) !== undefined) {
    const ended = service.endReason()
    const isLate = performance.now() - started > maxWaitMs
    if (ended !== undefined || isLate) {
      await service.stop()
      const last = output.lines().at(-1)
      output.discard()
      throw problem(
        attempted,
        `${ended ?? `it does not answer at ${url}`}${last === undefined ? '' : ` (${last})`}`,
        'Have it listen on the port that PORT or {port} says.',
        exitCode.unreachable,
      )
    }
    await cancellableSleep(pauseMs, new AbortController().signal)
  }
  return {
    target: { port: first, ...(to === undefined ? {} : { to: url }) },
    async [Symbol.asyncDispose]() {
      await service.stop()
      output.discard()
    },
  }
}
