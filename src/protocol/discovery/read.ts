/**
 * Reading somebody's manifest into one model, whatever notation it came in, and saying why it will not do
 * (DIS-GEN-02, DIS-TEN-01, DIS-TEN-02, DIS-UND-01).
 */
import type { z } from 'zod'
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

/** The operations that it lists, wherever it lists them, less those that it says it does not support. */
function operationsOf(declaration: Declaration): readonly string[] {
  const { operations = [], originator, receiver } = declaration
  const blocks = [declaration, originator, receiver]
  const without = blocks.flatMap((block) => block?.unsupportedOperations ?? [])
  const listed = [...operations, ...blocks.flatMap((block) => block?.supportedOperations ?? [])]
  return [...new Set(listed)].filter((name) => !without.includes(name))
}

function declared(name: string, declaration: Declaration): DeclaredCapability {
  const endpoint = endpointOf(name, declaration)
  return {
    name,
    operations: operationsOf(declaration),
    ...(declaration.role ? { role: declaration.role } : {}),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(declaration.originator ? { originator: declaration.originator } : {}),
    ...(declaration.receiver ? { receiver: declaration.receiver } : {}),
  }
}

/** The first field that is wrong; of two notations, in the one that was meant: whoever got further in meant that one. */
function firstIssue([issue]: readonly z.core.$ZodIssue[]): {
  readonly path: readonly PropertyKey[]
  readonly message: string
} {
  if (!issue) return { path: [], message: 'it does not fit' }
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors
    .map(firstIssue)
    .reduce((best, each) => (each.path.length > best.path.length ? each : best))
  return { path: [...issue.path, ...inner.path], message: inner.message }
}

/** Reads a manifest; the error is a sentence that names the first field that is wrong. */
export function readManifest(value: unknown): Result<ReadManifest, string> {
  const parsed = Manifest.safeParse(value)
  if (!parsed.success) {
    const { path, message } = firstIssue(parsed.error.issues)
    return no(`the manifest is invalid at ${path.join('.') || 'its root'}: ${message}`)
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
