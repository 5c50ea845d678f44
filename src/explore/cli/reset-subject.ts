/** `--reset`: makes a kept service forget the session before, by a command or a POST to a URL. */
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { checkAllowedTarget, httpUrl, isAddress } from '../../terminal/cli/allowed-target.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { runCommand } from '../../terminal/cli/run/run-child.ts'
import { type CommandFiller, environmentOf } from '../../terminal/service/subject-environment.ts'
import { postFailure } from '../../terminal/service/subject-requests.ts'
import { SubjectGone } from './subject-watch.ts'

export interface ResetOptions {
  /** The value of `--reset`. */
  readonly reset: string
  readonly fill: CommandFiller
  readonly configuration: Configuration
  readonly channel: string
  readonly io: Io
  readonly signal: AbortSignal
}

const timeoutMs = 60_000

/** Throws a problem for a URL that may not be called. */
export function checkResetTarget(reset: string, allowed: readonly string[] | undefined): void {
  if (isAddress(reset))
    checkAllowedTarget(httpUrl(reset, '--reset', 'http://127.0.0.1:3000/reset'), allowed, {
      attempted: 'reading --reset',
      does: 'what it keeps is lost before each session',
    })
}

export async function resetSubject({
  reset,
  fill,
  configuration,
  channel,
  io,
  signal,
}: ResetOptions): Promise<void> {
  if (signal.aborted) return
  let wrong: string | undefined
  let output: readonly string[] = []
  if (isAddress(reset)) wrong = await postFailure(reset, configuration, signal)
  else {
    const { credentials, url } = configuration.subject
    const { placeholders, env } = environmentOf({ credentials, url, channel, urls: [] })
    const command = fill(reset, placeholders)
    const ended = await runCommand(command, env, {
      io,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (ended.code !== 0) {
      wrong = `the command of --reset ended with ${ended.code ?? 'a signal'}`
      output = ended.output.trimEnd().split('\n').slice(-20)
    }
  }
  if (wrong !== undefined && !signal.aborted)
    throw new SubjectGone(`it could not be reset: ${wrong}`, 'Correct --reset.', output)
}
