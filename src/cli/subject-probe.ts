/** Whether the user's service answers: any answer to the protocol's first question will do. */
import type { Configuration } from '../configuration.ts'
import { problem } from '../problem.ts'
import { type Io, sayLine } from './io.ts'

const patienceMs = 2000
const pauseMs = 200
const sayEveryMs = 5000

/** Why it cannot be reached; undefined when it answers. */
export async function unreachable(url: string, protocol: string): Promise<string | undefined> {
  try {
    const place = `${url.replace(/\/+$/, '')}/.well-known/${protocol}`
    const signal = AbortSignal.timeout(patienceMs)
    const response = await fetch(place, { redirect: 'manual', signal })
    await response.body?.cancel()
    return undefined
  } catch (error) {
    if (error instanceof DOMException) return `no answer within ${patienceMs / 1000} s`
    const cause: unknown = error instanceof Error ? (error.cause ?? error) : error
    if (!(cause instanceof Error)) return String(cause)
    return 'code' in cause ? String(cause.code) : cause.message
  }
}

/** Waits until it answers; a problem when it does not within so many seconds. */
export async function waitForSubject(
  { subject, protocol }: Configuration,
  seconds: number,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  const { url } = subject
  if (url === undefined)
    throw problem(
      'waiting for the subject',
      'nobody says where it answers',
      'Say it with --subject <url>, or leave out --wait-for-subject.',
    )
  const start = performance.now()
  let said = start
  while (!signal.aborted) {
    const why = await unreachable(url, protocol.name)
    if (why === undefined) return
    const now = performance.now()
    if (now - start >= seconds * 1000)
      throw problem(
        `waiting ${seconds} s for the subject at ${url}`,
        `it does not answer (${why})`,
        'Start it, correct --subject, or wait longer.',
        3,
      )
    if (now - said >= sayEveryMs) {
      said = now
      const waited = Math.round((now - start) / 1000)
      await sayLine(
        io.stderr,
        `waiting for the subject at ${url}: ${waited} s of ${seconds} s (${why})`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
