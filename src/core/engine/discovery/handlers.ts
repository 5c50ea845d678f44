/** Handler of discovery: the manifest of a role that we play, consistent with what it serves in this session. */
import { err, ok } from '../../protocol/result.ts'
import type { OperationHandlers } from '../handler.ts'
import { composeHostManifest } from './manifest.ts'

export const discoveryHandlers = {
  manifest: {
    kind: 'view',
    view: (input) => {
      const { protocol, conduct } = input.settings
      if (input.params['protocol'] !== protocol.name || conduct.publishManifest === 'hidden')
        return err({ code: 'NOT_FOUND', message: 'there is no manifest here' })
      const seconds = Math.floor(conduct.manifestMaxAge / 1000)
      return ok({
        headers: { 'cache-control': `public, max-age=${seconds}` },
        body: composeHostManifest(input),
      })
    },
  },
} satisfies OperationHandlers
