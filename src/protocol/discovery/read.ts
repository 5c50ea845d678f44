/**
 * Reading somebody's manifest into one model, whatever notation it came in, and saying why it will not do
 * (DIS-GEN-02, DIS-TEN-01, DIS-TEN-02, DIS-UND-01).
 */
import { no, ok, type Result } from '../result.ts'
import { type Declaration, Manifest, type RoleBlock } from './manifest.ts'

/** One capability of a participant, in the only model that the rest of the program knows. */
export interface DeclaredCapability {
  readonly name: string
  readonly role?: 'ORIGINATOR' | 'RECEIVER' | 'BOTH'
  readonly operations: readonly string[]
  /** Base URL of its paths; absent when the participant declares none. */
  readonly endpoint?: string
  readonly originator?: RoleBlock
  readonly receiver?: RoleBlock
}

export interface ReadManifest {
  readonly participantId: string
  readonly version: string
  readonly versions: readonly string[]
  readonly grantTypes: readonly string[]
  readonly credentialModels: readonly string[]
  readonly capabilities: Readonly<Record<string, DeclaredCapability>>
}

/** `baseUrl` comes first for Logistics, `endpoint` for everybody else (DIS-TEN-02). */
const endpointOf = (name: string, { endpoint, baseUrl }: Declaration): string | undefined =>
  name === 'logistics' ? (baseUrl ?? endpoint) : (endpoint ?? baseUrl)

function declared(name: string, declaration: Declaration): DeclaredCapability {
  const endpoint = endpointOf(name, declaration)
  return {
    name,
    operations: declaration.operations ?? declaration.supportedOperations ?? [],
    ...(declaration.role ? { role: declaration.role } : {}),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(declaration.originator ? { originator: declaration.originator } : {}),
    ...(declaration.receiver ? { receiver: declaration.receiver } : {}),
  }
}

/** Reads a manifest; the error is a sentence that names the first field that is wrong. */
export function readManifest(value: unknown): Result<ReadManifest, string> {
  const parsed = Manifest.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return no(
      `the manifest is invalid at ${issue?.path.join('.') || 'its root'}: ${issue?.message}`,
    )
  }
  const { capabilities, protocol, authentication, ...manifest } = parsed.data
  const entries: readonly (readonly [string, Declaration])[] = Array.isArray(capabilities)
    ? capabilities.map((entry) => [entry.name, entry] as const)
    : Object.entries(capabilities)
  return ok({
    participantId: manifest.participantId,
    version: manifest.protocolVersion,
    versions: protocol.supportedVersions,
    grantTypes: authentication.supportedGrantTypes,
    credentialModels: authentication.clientIdGeneration,
    capabilities: Object.fromEntries(
      entries
        .filter(([, declaration]) => declaration.supported !== false)
        .map(([name, declaration]) => [name, declared(name, declaration)]),
    ),
  })
}

/** A consumer activates an integration only where both sides speak a version (document 3, Versioning 1). */
export const commonVersion = (
  ours: readonly string[],
  theirs: readonly string[],
): string | undefined => ours.find((version) => theirs.includes(version))
