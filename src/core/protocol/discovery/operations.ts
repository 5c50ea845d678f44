/** The only operation of discovery: GET of the manifest, without authorization (DIS-WKN-01 to 08). */
import { defineOperation } from '../operation.ts'
import { roles } from '../role.ts'
import { Manifest } from './manifest.ts'

export const discoveryOperations = [
  defineOperation({
    id: 'getManifest',
    summary: 'Read the manifest of the participant',
    capability: 'discovery',
    hosts: roles,
    callers: roles,
    method: 'GET',
    /** The last segment is the name of the protocol, a setting. */
    path: '/.well-known/{protocol}',
    access: 'open',
    success: 200,
    response: () => Manifest,
    refuses: ['NOT_FOUND'],
    replyHeaders: {
      'Cache-Control': 'how long the manifest may be kept: `public, max-age=60`',
      'Access-Control-Allow-Origin': 'pages of any origin may read it',
    },
    handler: { kind: 'view', name: 'manifest' },
    clauses: ['DIS-WKN-01', 'DIS-WKN-03', 'DIS-GEN-01'],
  }),
] as const
