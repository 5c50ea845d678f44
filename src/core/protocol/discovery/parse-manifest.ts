/**
 * Parses a received manifest, in either notation, into one model, or reports the first invalid field
 * (DIS-GEN-02, DIS-TEN-01, DIS-TEN-02, DIS-UND-01).
 */
import { compact } from '../../base/compact.ts'
import type { z } from 'zod'
import { type CustomerLimits, declaredLimits } from '../customer/limits.ts'
import { err, ok, type Result } from '../result.ts'
import { type CapabilityBlock, Manifest, type RoleBlock } from './manifest.ts'

/** One capability of a participant, independent of the notation. */
export interface DeclaredCapability {
  readonly name: string
  readonly role?: 'ORIGINATOR' | 'RECEIVER' | 'BOTH'
  readonly operations: readonly string[]
  /** Base URL of its paths; absent when the participant declares none. */
  readonly endpoint?: string
  readonly originator?: RoleBlock
  readonly receiver?: RoleBlock
  /** How deliveries are tracked: pushed or pulled (DIS-LOG-03). */
  readonly trackingMode?: CapabilityBlock['trackingMode']
  /** Further fields of Indoor (DIS-IND-02 to 04). */
  readonly invoiceIssuer?: CapabilityBlock['invoiceIssuer']
  readonly invoiceIssueMoment?: CapabilityBlock['invoiceIssueMoment']
  readonly usesAccountId?: CapabilityBlock['usesAccountId']
  /** Batch and rate limits of Customer (LIM-CUS-01 to 04). */
  readonly limits?: CustomerLimits
}

export interface ParsedManifest {
  readonly participantId: string
  readonly version: string
  readonly versions: readonly string[]
  readonly grantTypes: readonly string[]
  readonly credentialModels: readonly string[]
  readonly capabilities: Readonly<Record<string, DeclaredCapability>>
  /** One sentence for each deviation from the specification that was tolerated. */
  readonly notices?: readonly string[]
}

/** V1 names of operations that have another name in V2 (MIG-ORD-10). */
const v1Names: ReadonlyMap<string, string> = new Map([
  ['sendPreparing', 'setOrderPreparing'],
  ['sendReadyForPickup', 'setOrderReadyForPickup'],
  ['sendDispatch', 'dispatchOrder'],
  ['sendDelivered', 'setOrderDelivered'],
  ['sendTracking', 'sendOrderTracking'],
])

/** `baseUrl` takes precedence for Logistics, `endpoint` for all others (DIS-TEN-02). */
const endpointOf = (name: string, { endpoint, baseUrl }: CapabilityBlock): string | undefined =>
  name === 'logistics' ? (baseUrl ?? endpoint) : (endpoint ?? baseUrl)

/** All operations that a capability lists, in any of its fields and role blocks. */
function listedOperations({ operations = [], ...declaration }: CapabilityBlock): readonly string[] {
  const blocks = [declaration, declaration.originator, declaration.receiver]
  return [...operations, ...blocks.flatMap((block) => block?.supportedOperations ?? [])]
}

/** The listed operations without those declared unsupported, by their V2 names. */
function supportedOperationsOf(declaration: CapabilityBlock): readonly string[] {
  const { originator, receiver } = declaration
  const blocks = [declaration, originator, receiver]
  const unsupported = blocks.flatMap((block) => block?.unsupportedOperations ?? [])
  const supported = listedOperations(declaration).filter((name) => !unsupported.includes(name))
  return [...new Set(supported.map((name) => v1Names.get(name) ?? name))]
}

/** One notice for each V1 name in a V2 manifest. */
const noticesOf = (name: string, declaration: CapabilityBlock): readonly string[] =>
  [...new Set(listedOperations(declaration))].flatMap((listed) => {
    const v2Name = v1Names.get(listed)
    return v2Name === undefined ? [] : [`${name} declares ${listed}, which is ${v2Name} in V2`]
  })

function declaredCapability(name: string, declaration: CapabilityBlock): DeclaredCapability {
  const endpoint = endpointOf(name, declaration)
  return {
    name,
    operations: supportedOperationsOf(declaration),
    ...compact({
      role: declaration.role,
      endpoint,
      originator: declaration.originator,
      receiver: declaration.receiver,
      trackingMode: declaration.trackingMode,
    }),
    ...indoorFields(declaration),
    ...declaredLimits(declaration),
  }
}

const indoorFields = ({ invoiceIssuer, invoiceIssueMoment, usesAccountId }: CapabilityBlock) =>
  compact({ invoiceIssuer, invoiceIssueMoment, usesAccountId })

/**
 * The first invalid field. Of the two notations the issue with the deeper path counts: that notation was probably
 * meant.
 */
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

/** Parses a manifest; the error is a sentence that names the first invalid field. */
export function parseManifest(value: unknown): Result<ParsedManifest, string> {
  const parsed = Manifest.safeParse(value)
  if (!parsed.success) {
    const { path, message } = firstIssue(parsed.error.issues)
    return err(`it is invalid at ${path.join('.') || 'its root'}: ${message}`)
  }
  const { capabilities, protocol, authentication, ...manifest } = parsed.data
  const entries: readonly (readonly [string, CapabilityBlock])[] = Array.isArray(capabilities)
    ? capabilities.map((entry) => [entry.name, entry] as const)
    : Object.entries(capabilities)
  const supported = entries.filter(([, declaration]) => declaration.supported !== false)
  const notices = supported.flatMap(([name, declaration]) => noticesOf(name, declaration))
  return ok({
    participantId: manifest.participantId,
    version: manifest.protocolVersion,
    versions: protocol.supportedVersions,
    grantTypes: authentication.supportedGrantTypes,
    credentialModels: authentication.clientIdGeneration,
    capabilities: Object.fromEntries(
      supported.map(([name, declaration]) => [name, declaredCapability(name, declaration)]),
    ),
    ...(notices.length > 0 ? { notices } : {}),
  })
}
