/** The one operation of discovery: the manifest, open to everybody (DIS-WKN-01 to 08). */
import { defineOperation } from '../operation.ts'
import { roles } from '../role.ts'
import { Manifest } from './manifest.ts'

export const discoveryOperations = [
  defineOperation({
    id: 'getManifest',
    capability: 'discovery',
    hosts: roles,
    callers: roles,
    method: 'GET',
    /** The last segment is the protocol's name, a setting. */
    path: '/.well-known/{protocol}',
    access: 'open',
    success: 200,
    response: () => Manifest,
    behind: { kind: 'view', name: 'manifest' },
    clauses: ['DIS-WKN-01', 'DIS-WKN-03', 'DIS-GEN-01'],
  }),
] as const
