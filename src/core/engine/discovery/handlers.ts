/** Handler of discovery: the manifest of a role that we play, consistent with what it serves in this session. */
import { err, ok } from '../../protocol/result.ts'
import type { HandlerInput, OperationHandlers } from '../handler.ts'
import { applicationIds } from '../../protocol/discovery/application-id.ts'
import {
  type CapabilityDeclaration,
  composeManifest,
} from '../../protocol/discovery/compose-manifest.ts'
import { credentialModelsOf } from '../auth/credentials.ts'
import { customerDeclaration } from '../customer/declaration.ts'
import { indoorDeclaration } from '../indoor/declaration.ts'
import { logisticsDeclaration } from '../logistics/declaration.ts'
import { ordersDeclaration } from '../orders/declaration.ts'

// The manifest of a role, composed of the declarations of the capabilities (DIS-GEN-01,
// MIG-ACP-01). Declarations are derived from the served catalogue rows, so what is declared and
// what is served are the same.

/** Participant id: stable across reads and sessions, different for each role. */
const participantId = ({ host, settings }: HandlerInput): string =>
  settings.conduct.participantIds === 'uuids' ? applicationIds[host] : `sparring-${host}`

/** Declares the Merchant capability, which we do not host, when configured to (DIS-FLD-13). */
function merchantDeclaration({ host, settings }: HandlerInput): readonly CapabilityDeclaration[] {
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

/** An unsupported version, to test a consumer that finds no common version (MIG-VER-03). */
const unsupportedVersion = 'v999'

function composeHostManifest(input: HandlerInput): unknown {
  const { settings, host } = input
  const { protocol, conduct } = settings
  const isUnsupported = conduct.publishManifest === 'other-version'
  const versions = isUnsupported ? [unsupportedVersion] : protocol.supportedVersions
  const compatibility = conduct.compatibility ?? `speaks ${versions.join(', ')}`
  const composed = composeManifest({
    participantId: participantId(input),
    version: isUnsupported ? unsupportedVersion : protocol.version,
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
