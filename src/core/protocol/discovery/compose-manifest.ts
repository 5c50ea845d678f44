/**
 * Builds a manifest from capability declarations, in array or keyed notation (DIS-TEN-01, DIS-TEN-02). It adds nothing
 * to its declarations.
 */
import { compact } from '../../base/compact.ts'
import type { CapabilityBlock, Manifest } from './manifest.ts'

export interface CapabilityDeclaration extends CapabilityBlock {
  readonly name: string
  readonly role: 'ORIGINATOR' | 'RECEIVER' | 'BOTH'
  readonly operations: string[]
}

export interface ManifestParts {
  readonly participantId: string
  readonly version: string
  readonly supportedVersions: readonly string[]
  readonly grantTypes: readonly string[]
  readonly credentialModels: readonly ('by_app' | 'by_merchant')[]
  readonly declarations: readonly CapabilityDeclaration[]
  readonly notation: 'array' | 'keyed'
  readonly compatibility?: string
}

/** The base URL of Logistics is `baseUrl`, of the others `endpoint`; for Logistics both are written, with one value. */
function withBothUrls(declaration: CapabilityDeclaration): CapabilityDeclaration {
  const url = declaration.endpoint ?? declaration.baseUrl
  return declaration.name === 'logistics' && url !== undefined
    ? { ...declaration, endpoint: url, baseUrl: url }
    : declaration
}

export function composeManifest(parts: ManifestParts): Manifest {
  const declarations = parts.declarations.map(withBothUrls)
  const keyed = (): Record<string, CapabilityBlock> =>
    Object.fromEntries(declarations.map(({ name, ...declaration }) => [name, declaration]))
  return {
    participantId: parts.participantId,
    protocolVersion: parts.version,
    protocol: { supportedVersions: [...parts.supportedVersions] },
    authentication: {
      supportedGrantTypes: [...parts.grantTypes],
      clientIdGeneration: [...parts.credentialModels],
    },
    capabilities: parts.notation === 'array' ? declarations : keyed(),
    ...compact({ compatibility: parts.compatibility }),
  }
}
