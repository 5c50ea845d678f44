/** The only operation of discovery: GET of the manifest, without authorization (DIS-WKN-01 to 08). */
import { get, operationsOf } from '../operation.ts'
import { roles } from '../role.ts'
import { Manifest } from './manifest.ts'

const hosted = { capability: 'discovery', hosts: roles, callers: roles } as const

export const discoveryOperations = operationsOf(hosted, {
  getManifest: {
    summary: 'Read the manifest of the participant',
    /** The last segment is the name of the protocol, a setting. */
    ...get('/.well-known/{protocol}'),
    access: 'open',
    response: () => Manifest,
    refuses: ['NOT_FOUND'],
    replyHeaders: {
      'Cache-Control': 'how long the manifest may be kept: `public, max-age=60`',
      'Access-Control-Allow-Origin': 'pages of any origin may read it',
    },
    handler: { kind: 'view', name: 'manifest' },
    clauses: ['DIS-WKN-01', 'DIS-WKN-03', 'DIS-GEN-01'],
  },
})
