/**
 * `GET /openapi.json` of a host: the OpenAPI document of what it serves in this session. It is no operation of the protocol,
 * and open like the manifest (AUT-GEN-02 binds operations). The generator is loaded with the first request.
 */
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import type { Settings } from '../../engine/settings.ts'
import { discoveryCors } from './host-replies.ts'
import type { IncomingRequest, OutgoingReply } from './messages.ts'

const openApiPath = '/openapi.json'

export interface HostDocumentOptions {
  readonly role: Role
  readonly settings: Settings
  readonly served: readonly CatalogueRow[]
  readonly base: () => string
  /** The reply when the document cannot be composed. */
  readonly failed: (message: string) => OutgoingReply
}

/** Answers a request for the document, and its preflight; undefined for any other request. */
export function createHostDocument({
  role,
  settings,
  served,
  base,
  failed,
}: HostDocumentOptions): (
  request: Pick<IncomingRequest, 'method'>,
  path: string,
) => OutgoingReply | undefined {
  /** The base URL of a host may be known only after listening, and settings change while it listens. */
  let composed: { readonly from: string; readonly body: string } | undefined

  async function document(): Promise<string> {
    const { composeOpenApi } = await import('../openapi/document.ts')
    const { protocol, conduct } = settings
    const url = base()
    const from = JSON.stringify([url, protocol, conduct])
    if (composed?.from !== from)
      composed = {
        from,
        body: JSON.stringify(composeOpenApi(role, { protocol, conduct, served, url })),
      }
    return composed.body
  }

  async function answer(): Promise<OutgoingReply> {
    try {
      const headers = { 'content-type': 'application/json; charset=utf-8', ...discoveryCors }
      return { status: 200, headers, body: await document() }
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error))
    }
  }

  return ({ method }, path) => {
    if (path !== openApiPath) return undefined
    if (method === 'OPTIONS') return { status: 204, headers: discoveryCors }
    if (method !== 'GET') return undefined
    // Where a reply cannot come later, this one says so.
    return { ...failed('the document is being composed'), later: answer() }
  }
}
