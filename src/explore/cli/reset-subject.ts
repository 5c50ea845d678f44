/** `--reset`: makes a kept service forget the session before, by a command or a POST to a URL. */
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { createSocketTransport } from '../../core/runtime/client/transport.ts'
import { startTls } from '../../core/session/tls.ts'
import { problem } from '../../core/base/problem.ts'
import { isAllowedTarget } from '../../terminal/cli/allowed-target.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { runChild } from '../../terminal/cli/run/run-child.ts'
import { fillPlaceholders } from '../../terminal/cli/run/start-subject.ts'
import { environmentOf } from '../../terminal/cli/run/subject-environment.ts'
import { SubjectGone } from './subject-gone.ts'

export interface ResetOptions {
  /** The value of `--reset`. */
  readonly reset: string
  readonly configuration: Configuration
  readonly channel: string
  readonly io: Io
  readonly signal: AbortSignal
}

const timeoutMs = 60_000

const isUrl = (text: string): boolean => /^https?:\/\//.test(text)

/** Throws a problem for a URL that may not be called. */
export function checkResetTarget(reset: string, allowed: readonly string[] | undefined): void {
  if (!isUrl(reset)) return
  const url = URL.canParse(reset) ? new URL(reset) : undefined
  if (!url) throw problem('reading --reset', `"${reset}" is no URL`, 'Write http://127.0.0.1:3000.')
  if (!isAllowedTarget(url, allowed))
    throw problem(
      'reading --reset',
      `${url.hostname} is not this machine`,
      `If it is meant, say --allow-target ${url.hostname}.`,
    )
}

async function post({ reset, configuration }: ResetOptions): Promise<string | undefined> {
  const tls = await startTls({ ...configuration, tls: false })
  const { transport, close } = createSocketTransport({ timeoutMs, trust: tls?.trust })
  try {
    const { status } = await transport({ method: 'POST', url: reset, headers: {} })
    return status < 300 ? undefined : `POST ${reset} answers ${status}`
  } catch (error) {
    return `POST ${reset}: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    close()
  }
}

export async function resetSubject(options: ResetOptions): Promise<void> {
  const { reset, configuration, channel, io, signal } = options
  if (signal.aborted) return
  let wrong: string | undefined
  let output: readonly string[] = []
  if (isUrl(reset)) wrong = await post(options)
  else {
    const { credentials, url } = configuration.subject
    const { placeholders, env } = environmentOf({ credentials, url, channel, urls: [] })
    const command = fillPlaceholders(reset, placeholders)
    const ended = await runChild('/bin/sh', ['-c', command], {
      cwd: io.cwd,
      env: { ...io.env, ...env },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (ended.code !== 0 && !signal.aborted) {
      wrong = `the command of --reset ended with ${ended.code ?? 'a signal'}`
      output = ended.output.trimEnd().split('\n').slice(-20)
    }
  }
  if (wrong !== undefined)
    throw new SubjectGone(`it could not be reset: ${wrong}`, 'Correct --reset.', output)
}
