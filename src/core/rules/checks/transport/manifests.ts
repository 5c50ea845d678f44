/**
 * Manifests in a trace: those that the service has answered, and their capability blocks in either notation
 * (DIS-TEN-01).
 */
import type { Capability } from '../../../protocol/operation.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../protocol/unknown-record.ts'
import { answersOf, each, type Selection, type Test, valuesAt, where } from '../assertion.ts'
import type { Assertion } from '../check.ts'
import type { Observed, Trace } from '../trace.ts'

/** A capability in a manifest. */
export interface CapabilityDeclared {
  readonly name: string
  readonly block: UnknownRecord
  /** It is a member of a keyed object; else an entry of a list, which shares only some fields with it. */
  readonly isKeyed: boolean
}

/** Capabilities of a manifest in either notation, each as far as it is an object. */
export function capabilitiesIn(manifest: unknown): readonly CapabilityDeclared[] {
  if (!isUnknownRecord(manifest)) return []
  const { capabilities } = manifest
  const entries: readonly (readonly [unknown, unknown])[] = Array.isArray(capabilities)
    ? capabilities.map((one: unknown) => [isUnknownRecord(one) ? one['name'] : undefined, one])
    : isUnknownRecord(capabilities)
      ? Object.entries(capabilities)
      : []
  return entries.flatMap(([name, block]) =>
    isUnknownRecord(block)
      ? [{ name: String(name), block, isKeyed: !Array.isArray(capabilities) }]
      : [],
  )
}

export const capabilityIn = (
  manifest: unknown,
  name: Capability | 'merchant',
): CapabilityDeclared | undefined => capabilitiesIn(manifest).find((one) => one.name === name)

/** Manifests that the service has answered. */
export const manifestReads: Selection = where(
  answersOf('getManifest'),
  ({ status, reply, exchange }) =>
    status === 200 && isUnknownRecord(reply) && exchange.fault === undefined,
)

export const lastManifest = (trace: Trace): unknown => manifestReads(trace).at(-1)?.reply

/** Manifests that declare a capability, or the block of a role in it. */
export const manifestsWith = (name: Capability | 'merchant', role?: string): Selection =>
  where(manifestReads, ({ reply }) => {
    const declared = capabilityIn(reply, name)
    return declared !== undefined && (role === undefined || isUnknownRecord(declared.block[role]))
  })

/** A test of the block of a capability in each manifest that declares it, or the block of a role in it. */
export const eachBlock = (
  name: Capability | 'merchant',
  test: (block: UnknownRecord, declared: CapabilityDeclared) => string | undefined,
  role?: string,
): Assertion =>
  each(manifestsWith(name, role), ({ reply }) => {
    const declared = capabilityIn(reply, name)
    const problem = declared && test(declared.block, declared)
    return problem === undefined ? undefined : `its manifest declares ${name} wrongly: ${problem}`
  })

/** A test of each capability's block. */
export const inEachBlock =
  (test: (declared: CapabilityDeclared) => string | undefined): Test<Observed> =>
  ({ reply }) => {
    for (const declared of capabilitiesIn(reply)) {
      const problem = test(declared)
      if (problem !== undefined) return `its manifest declares ${declared.name} wrongly: ${problem}`
    }
    return undefined
  }

const listsOfNames = ['operations', 'supportedOperations'] as const

/** Names of operations that a block lists as supported, in any of its lists. */
export const operationNamesIn = (block: UnknownRecord): readonly string[] => [
  ...new Set(
    [block, block['originator'], block['receiver']].flatMap((part) =>
      isUnknownRecord(part)
        ? listsOfNames.flatMap((key) => {
            const names = part[key]
            return Array.isArray(names) ? names.map(String) : []
          })
        : [],
    ),
  ),
]

/** Every version that a manifest states. */
export const versionsIn = (manifest: unknown): readonly string[] => [
  ...valuesAt(manifest, '/protocolVersion').map(({ value }) => String(value)),
  ...valuesAt(manifest, '/protocol/supportedVersions/*').map(({ value }) => String(value)),
]
