/** Reachability probe of the subject: any response to GET /.well-known/<name> counts. */
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { createSocketTransport } from '../../core/runtime/client/transport.ts'
import { problem } from '../../core/base/problem.ts'
import { abortableSleep } from '../../core/runtime/clock/abortable-sleep.ts'
import { startTls } from '../../core/session/tls.ts'
import { type Io, printLine } from './io.ts'

const timeoutMs = 2000
const pauseMs = 200
const logIntervalMs = 5000

type ProbeSettings = Pick<Configuration, 'subject' | 'protocol' | 'host'>

/** Why the service at this URL is unreachable over the transport of a session; undefined when it answers. The signal ends the wait. */
export async function unreachableReason(
  url: string,
  settings: ProbeSettings,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const tls = await startTls({ ...settings, tls: false })
  const { transport, close } = createSocketTransport({ timeoutMs, trust: tls?.trust })
  signal?.addEventListener('abort', close)
  try {
    const manifestUrl = `${url.replace(/\/+$/, '')}/.well-known/${settings.protocol.name}`
    await transport({ method: 'GET', url: manifestUrl, headers: { accept: 'application/json' } })
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) return String(error)
    return 'code' in error && error.code !== 'TIMEOUT' ? String(error.code) : error.message
  } finally {
    signal?.removeEventListener('abort', close)
    close()
  }
}

/** Polls until the subject answers; throws a problem after `seconds`. */
export async function waitUntilSubjectAnswers(
  configuration: Configuration,
  seconds: number,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  const { url } = configuration.subject
  if (url === undefined)
    throw problem(
      'waiting for the subject',
      'no URL is given',
      'Say it with --subject <url>, or leave out --wait-for-subject.',
    )
  const start = performance.now()
  let lastLogged = start
  while (!signal.aborted) {
    const why = await unreachableReason(url, configuration, signal)
    if (why === undefined) return
    const now = performance.now()
    if (now - start >= seconds * 1000)
      throw problem(
        `waiting ${seconds} s for the subject at ${url}`,
        `it does not answer (${why})`,
        'Start it, correct --subject, or wait longer.',
        3,
      )
    if (now - lastLogged >= logIntervalMs) {
      lastLogged = now
      const waited = Math.round((now - start) / 1000)
      await printLine(
        io.stderr,
        `waiting for the subject at ${url}: ${waited} s of ${seconds} s (${why})`,
      )
    }
    await abortableSleep(pauseMs, signal)
  }
}
