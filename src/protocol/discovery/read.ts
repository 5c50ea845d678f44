/**
 * Reading somebody's manifest into one model, whatever notation it came in, and saying why it will not do
 * (DIS-GEN-02, DIS-TEN-01, DIS-TEN-02, DIS-UND-01).
 */
import { compact } from '../../compact.ts'
import type { z } from 'zod'
import { type CustomerLimits, declaredLimits } from '../customer/limits.ts'
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
  /** How the deliveries of a platform are followed (DIS-LOG-03). */
  readonly trackingMode?: Declaration['trackingMode']
  /** What Indoor says besides (DIS-IND-02 to 04). */
  readonly invoiceIssuer?: Declaration['invoiceIssuer']
  readonly invoiceIssueMoment?: Declaration['invoiceIssueMoment']
  readonly usesAccountId?: Declaration['usesAccountId']
  /** How much of Customer at once, and how often (LIM-CUS-01 to 04). */
  readonly limits?: CustomerLimits
}

export interface ReadManifest {
  readonly participantId: string
  readonly version: string
  readonly versions: readonly string[]
  readonly grantTypes: readonly string[]
  readonly credentialModels: readonly string[]
  readonly capabilities: Readonly<Record<string, DeclaredCapability>>
  /** What it says in another way than it should, and is understood all the same. */
  readonly notices?: readonly string[]
}

/** What V1 called operations that V2 calls otherwise (MIG-ORD-10). */
const v1Names: ReadonlyMap<string, string> = new Map([
  ['sendPreparing', 'setOrderPreparing'],
  ['sendReadyForPickup', 'setOrderReadyForPickup'],
  ['sendDispatch', 'dispatchOrder'],
  ['sendDelivered', 'setOrderDelivered'],
  ['sendTracking', 'sendOrderTracking'],
])

/** `baseUrl` comes first for Logistics, `endpoint` for everybody else (DIS-TEN-02). */
const endpointOf = (name: string, { endpoint, baseUrl }: Declaration): string | undefined =>
  name === 'logistics' ? (baseUrl ?? endpoint) : (endpoint ?? baseUrl)

/** The operations that it lists, wherever it lists them. */
function listedBy({ operations = [], ...declaration }: Declaration): readonly string[] {
  const blocks = [declaration, declaration.originator, declaration.receiver]
  return [...operations, ...blocks.flatMap((block) => block?.supportedOperations ?? [])]
}

/** Those of them that it does not say it does without, by the names that V2 has for them. */
function operationsOf(declaration: Declaration): readonly string[] {
  const { originator, receiver } = declaration
  const blocks = [declaration, originator, receiver]
  const without = blocks.flatMap((block) => block?.unsupportedOperations ?? [])
  const supported = listedBy(declaration).filter((name) => !without.includes(name))
  return [...new Set(supported.map((name) => v1Names.get(name) ?? name))]
}

/** One sentence for each name of V1 in a manifest of V2. */
const noticesOf = (name: string, declaration: Declaration): readonly string[] =>
  [...new Set(listedBy(declaration))].flatMap((listed) => {
    const meant = v1Names.get(listed)
    return meant === undefined ? [] : [`${name} declares ${listed}, which is ${meant} in V2`]
  })

function declared(name: string, declaration: Declaration): DeclaredCapability {
  const endpoint = endpointOf(name, declaration)
  return {
    name,
    operations: operationsOf(declaration),
    ...compact({
      role: declaration.role,
      endpoint,
      originator: declaration.originator,
      receiver: declaration.receiver,
      trackingMode: declaration.trackingMode,
    }),
    ...indoorOf(declaration),
    ...declaredLimits(declaration),
  }
}

const indoorOf = ({ invoiceIssuer, invoiceIssueMoment, usesAccountId }: Declaration) => ({
  ...compact({ invoiceIssuer, invoiceIssueMoment, usesAccountId }),
})

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
  const supported = entries.filter(([, declaration]) => declaration.supported !== false)
  const notices = supported.flatMap(([name, declaration]) => noticesOf(name, declaration))
  return ok({
    participantId: manifest.participantId,
    version: manifest.protocolVersion,
    versions: protocol.supportedVersions,
    grantTypes: authentication.supportedGrantTypes,
    credentialModels: authentication.clientIdGeneration,
    capabilities: Object.fromEntries(
      supported.map(([name, declaration]) => [name, declared(name, declaration)]),
    ),
    ...(notices.length > 0 ? { notices } : {}),
  })
}
