/** Requests to the subject outside the protocol: its view of an order, and operator actions by URL. */
import type { Configuration } from '../../../core/session-api/configuration/schema.ts'
import { probeOrder } from '../../../core/runtime/client/probe-order.ts'
import { createSocketTransport } from '../../../core/runtime/client/transport.ts'
import type { PlayEnvironment } from '../../../core/scenario/play.ts'
import { startTls } from '../../../core/session/tls.ts'

export interface SubjectQueries {
  readonly view: PlayEnvironment['view']
  readonly visit: PlayEnvironment['requestSubject']
  readonly close: () => void
}

/** Timeout of such a request, in milliseconds. */
const timeoutMs = 5000

export async function createSubjectQueries(configuration: Configuration): Promise<SubjectQueries> {
  const { url, probe, webhooks } = configuration.subject
  if (url === undefined) return { view: undefined, visit: undefined, close: () => undefined }
  const tls = await startTls({ ...configuration, tls: false })
  const { transport, close: closeTransport } = createSocketTransport({
    timeoutMs,
    trust: tls?.trust,
  })
  const base = url.replace(/\/+$/, '')
  const target = { base, party: 'subject', transport, webhooks } as const
  return {
    close: closeTransport,
    view:
      probe === undefined
        ? undefined
        : async (orderId) => (await probeOrder(target, probe, orderId))?.status,
    async visit({ method, path, body }) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { accept: 'application/json', 'content-type': 'application/json' }
      return (await transport({ method, url: `${base}${path}`, headers, ...sent })).status
    },
  }
}
