/** What stands behind discovery: the manifest of a role that we play, in line with what it serves in this session. */
import { composeManifest } from '../../protocol/discovery/compose.ts'
import { no, ok } from '../../protocol/result.ts'
import type { Handlers, Input } from '../handler.ts'
import { ordersDeclaration } from '../orders/declaration.ts'

/** The name of a participant: stable across reads and sessions, different for each role. */
const participantId = ({ host }: Input): string => `sparring-${host}`

function manifest(input: Input): unknown {
  const { protocol, conduct } = input.settings
  const composed = composeManifest({
    participantId: participantId(input),
    version: protocol.version,
    supportedVersions: protocol.supportedVersions,
    grantTypes: conduct.grantTypes,
    credentialModels: conduct.clientIdGeneration,
    declarations: ordersDeclaration(input),
    notation: conduct.manifestNotation,
    compatibility: `speaks ${protocol.supportedVersions.join(', ')}`,
  })
  if (conduct.publishManifest === 'valid') return composed
  const { authentication: _authentication, ...broken } = composed
  return broken
}

export const discoveryHandlers: Handlers = {
  manifest: {
    kind: 'view',
    view: (input) => {
      const { protocol, conduct } = input.settings
      if (input.params['protocol'] !== protocol.name || conduct.publishManifest === 'hidden')
        return no({ code: 'NOT_FOUND', message: 'there is no manifest here' })
      const seconds = Math.floor(conduct.manifestMaxAge / 1000)
      return ok({
        headers: { 'cache-control': `public, max-age=${seconds}` },
        body: manifest(input),
      })
    },
  },
}
