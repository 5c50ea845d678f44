/**
 * The manifest of a role, composed of what each capability declares (DIS-GEN-01, MIG-ACP-01). The capabilities look at
 * the rows that are served, so nothing is declared that is not there, and nothing is there that is not declared.
 */
import { type CapabilityDeclaration, composeManifest } from '../../protocol/discovery/compose.ts'
import { credentialModelsOf } from '../auth/credentials.ts'
import { customerDeclaration } from '../customer/declaration.ts'
import type { Input } from '../handler.ts'
import { indoorDeclaration } from '../indoor/declaration.ts'
import { logisticsDeclaration } from '../logistics/declaration.ts'
import { ordersDeclaration } from '../orders/declaration.ts'

/** The name of a participant: stable across reads and sessions, different for each role. */
const participantId = ({ host }: Input): string => `sparring-${host}`

/** What we say of Merchant, which is beyond what we host, when asked to say anything (DIS-FLD-13). */
function merchantDeclaration({ host, settings }: Input): readonly CapabilityDeclaration[] {
  const { conduct, protocol } = settings
  if (!conduct.merchantBlock || (host !== 'ordering-application' && host !== 'software-service'))
    return []
  return [
    {
      name: 'merchant',
      role: host === 'ordering-application' ? 'ORIGINATOR' : 'RECEIVER',
      version: protocol.version,
      supported: false,
      operations: [],
      supportsPartialUpdate: false,
      supportsFullGetByOriginator: false,
    },
  ]
}

/** A version that nobody speaks: for seeing what a consumer does who finds none in common (MIG-VER-03). */
const otherVersion = 'v999'

export function manifestOf(input: Input): unknown {
  const { settings, host } = input
  const { protocol, conduct } = settings
  const foreign = conduct.publishManifest === 'other-version'
  const versions = foreign ? [otherVersion] : protocol.supportedVersions
  const compatibility = conduct.compatibility ?? `speaks ${versions.join(', ')}`
  const composed = composeManifest({
    participantId: participantId(input),
    version: foreign ? otherVersion : protocol.version,
    supportedVersions: versions,
    grantTypes: conduct.grantTypes,
    credentialModels: credentialModelsOf(host, settings),
    declarations: [
      ...ordersDeclaration(input),
      ...indoorDeclaration(input),
      ...logisticsDeclaration(input),
      ...customerDeclaration(input),
      ...merchantDeclaration(input),
    ],
    notation: conduct.manifestNotation,
    ...(compatibility === '' ? {} : { compatibility }),
  })
  if (conduct.publishManifest !== 'invalid') return composed
  const { authentication: _authentication, ...broken } = composed
  return broken
}
