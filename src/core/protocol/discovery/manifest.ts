/**
 * Schema of the discovery manifest (document 3, Resources; DIS-FLD-01 to 13). Capabilities are an array or a keyed object;
 * both are specified (DIS-TEN-01), so the schema accepts either, and mixtures of them.
 */
import { z } from 'zod'
import { isUnknownRecord } from '../unknown-record.ts'
import { looseObject } from '../../base/lazy-object.ts'

const names = z.array(z.string())

/** The fields of a capability, equal in both notations. Every field that is present is checked. */
const declarationFields = () => ({
  version: z.string().optional(),
  supported: z.boolean().optional(),
  role: z.enum(['ORIGINATOR', 'RECEIVER', 'BOTH']).optional(),
  operations: names.optional(),
  supportedOperations: names.optional(),
  unsupportedOperations: names.optional(),
  extensions: names.optional(),
  endpoint: z.string().optional(),
  baseUrl: z.string().optional(),
  trackingMode: z.enum(['push', 'pull']).optional(),
  invoiceIssuer: z.enum(['pos', 'app', 'platform']).optional(),
  invoiceIssueMoment: z.enum(['account_closing', 'item_addition', 'payment']).optional(),
  usesAccountId: z.boolean().optional(),
  supportsPartialUpdate: z.boolean().optional(),
  supportsFullGetByOriginator: z.boolean().optional(),
  supportsBatchGet: z.boolean().optional(),
  supportsBatchPost: z.boolean().optional(),
  maxBatchSize: z.int().optional(),
  maxGetPeriodDays: z.int().optional(),
  requestsPerSecond: z.int().optional(),
})

/** The `originator` or `receiver` block of a capability (DIS-ORD-02, DIS-ORD-03, DIS-EVT-01). */
export const RoleBlock = looseObject(() => ({
  supported: z.boolean(),
  supportedOperations: names.optional(),
  unsupportedOperations: names.optional(),
  supportedEvents: names.optional(),
  unsupportedEvents: names.optional(),
  supportsWebhook: z.boolean(),
  supportsPolling: z.boolean(),
})).refine(
  ({ supportedOperations = [], unsupportedOperations = [] }) =>
    !supportedOperations.some((name) => unsupportedOperations.includes(name)),
  { message: 'an operation is both supported and unsupported' },
)
export type RoleBlock = z.infer<typeof RoleBlock>

export const CapabilityBlock = looseObject(() => ({
  ...declarationFields(),
  originator: RoleBlock.optional(),
  receiver: RoleBlock.optional(),
}))
export type CapabilityBlock = z.infer<typeof CapabilityBlock>

/** An entry of the array notation, where name, role and operations are required. */
export const CapabilityEntry = looseObject(() => ({
  ...declarationFields(),
  name: z.string().min(1),
  role: z.enum(['ORIGINATOR', 'RECEIVER', 'BOTH']),
  operations: names,
  originator: RoleBlock.optional(),
  receiver: RoleBlock.optional(),
}))
export type CapabilityEntry = z.infer<typeof CapabilityEntry>

const uniqueNames = (entries: readonly { name: string }[]): boolean =>
  new Set(entries.map(({ name }) => name)).size === entries.length

export const grantTypes = ['client_credentials', 'authorization_code'] as const
export const credentialModels = ['by_app', 'by_merchant'] as const

export const Manifest = looseObject(() => ({
  participantId: z.string().min(1),
  protocolVersion: z.string().min(1),
  protocol: z.looseObject({ supportedVersions: z.array(z.string()).min(1) }),
  authentication: z
    .looseObject({
      supportedGrantTypes: z.array(z.string()).min(1),
      clientIdGeneration: z.array(z.enum(credentialModels)).min(1),
    })
    .refine(
      ({ supportedGrantTypes: grants }) =>
        !grants.includes('authorization_code') || grants.includes('client_credentials'),
      { message: 'authorization_code is declared without client_credentials' },
    ),
  capabilities: z.union([
    z.array(CapabilityEntry).refine(uniqueNames, { message: 'a capability is declared twice' }),
    z.record(z.string(), CapabilityBlock),
  ]),
  compatibility: z.string().optional(),
}))
export type Manifest = z.infer<typeof Manifest>

/** Whether JSON is meant as a manifest, valid or not: it has at least one of its fields. */
export const isManifestLike = (value: unknown): boolean =>
  isUnknownRecord(value) && Object.keys(Manifest.shape).some((field) => Object.hasOwn(value, field))
