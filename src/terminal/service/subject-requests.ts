/**
 * Requests to the subject outside the protocol: whether it answers, its view of an order, and actions of its operator.
 */
import { joinUrl } from '../../core/base/join-url.ts'
import { replicaUrls } from '../../core/session-api/configuration/subject.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { probeOrder } from '../../core/runtime/client/probe-order.ts'
import { createSocketTransport } from '../../core/runtime/client/transport.ts'
import type { PlayEnvironment } from '../../core/scenario/play.ts'
import { startTls } from '../../core/session/tls.ts'

type SubjectSettings = Pick<Configuration, 'subject' | 'protocol' | 'host'>

/** Timeouts of a request, in milliseconds. */
const probeTimeoutMs = 2000
const queryTimeoutMs = 5000
const resetTimeoutMs = 60_000

/** The transport of a session, for what is no call of it. */
async function openTransport(settings: SubjectSettings, timeoutMs: number) {
  const tls = await startTls({ ...settings, tls: false })
  return createSocketTransport({ timeoutMs, trust: tls?.trust })
}

/**
 * Why it does not answer at a URL, or one of its processes at its own: any response to GET /.well-known/<name> counts. The
 * signal ends the wait.
 */
export async function unreachableReason(
  url: string,
  settings: SubjectSettings,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { transport, close } = await openTransport(settings, probeTimeoutMs)
  signal?.addEventListener('abort', close)
  try {
    for (const each of new Set([url, ...replicaUrls(settings.subject)])) {
      const manifestUrl = joinUrl(each, `/.well-known/${settings.protocol.name}`)
      await transport({ method: 'GET', url: manifestUrl, headers: { accept: 'application/json' } })
    }
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) return String(error)
    return 'code' in error && error.code !== 'TIMEOUT' ? String(error.code) : error.message
  } finally {
    signal?.removeEventListener('abort', close)
    close()
  }
}

/** Why a POST to a URL of it fails; undefined where it is answered with success. */
export async function postFailure(
  url: string,
  settings: SubjectSettings,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { transport, close } = await openTransport(settings, resetTimeoutMs)
  signal?.addEventListener('abort', close)
  try {
    const { status } = await transport({ method: 'POST', url, headers: {} })
    return status < 300 ? undefined : `POST ${url} answers ${status}`
  } catch (error) {
    return `POST ${url}: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    signal?.removeEventListener('abort', close)
    close()
  }
}

export interface SubjectQueries {
  readonly view: PlayEnvironment['view']
  readonly visit: PlayEnvironment['requestSubject']
  readonly close: () => void
}

export async function createSubjectQueries(configuration: Configuration): Promise<SubjectQueries> {
  const { url, probe, webhooks } = configuration.subject
  if (url === undefined) return { view: undefined, visit: undefined, close: () => undefined }
  const { transport, close } = await openTransport(configuration, queryTimeoutMs)
  const target = { base: url, party: 'subject', transport, webhooks } as const
  return {
    close,
    view:
      probe === undefined
        ? undefined
        : async (orderId) => (await probeOrder(target, probe, orderId))?.status,
    async visit({ method, path, body }) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      // Fastify answers 400 to a body that is announced and empty.
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const headers = { accept: 'application/json', ...type }
      return (await transport({ method, url: joinUrl(url, path), headers, ...sent })).status
    },
  }
}
