/**
 * The bundle of a certification: its report in every form, the redacted recording, the contracts, and their hashes. The tar
 * archive is in one canonical form, so that a single changed byte shows.
 */
import { z } from 'zod'
import { strictObject } from '../../core/base/lazy-object.ts'
import { DialectSetting } from '../../core/protocol/dialects/own-dialect.ts'
import { RoleName } from '../../core/protocol/role-schema.ts'

/** Names of the files in a bundle. */
export const bundleFiles = {
  manifest: 'manifest.json',
  report: 'report.json',
  html: 'report.html',
  markdown: 'report.md',
  trace: 'trace.json',
  recording: 'recording.ndjson.gz',
  /** A folder: of each contract its document with the files that it refers to. */
  contracts: 'contract',
} as const

const Sha256 = z.string().regex(/^[\da-f]{64}$/)

/** `manifest.json`: what the bundle is, and the SHA-256 of each of its other files, in hexadecimal. */
export const BundleManifest = strictObject(() => ({
  form: z.literal(1),
  product: strictObject(() => ({ name: z.literal('sparring'), version: z.string() })),
  role: RoleName,
  /** Instant of the certification, in milliseconds since 1970; that of every entry of the archive, in 33 bits. */
  startedAt: z
    .int()
    .min(0)
    .max(8 ** 11 * 1000 - 1),
  files: z.record(z.string(), Sha256),
  /** Of the JSON of all members above. */
  digest: Sha256,
}))
export type BundleManifest = z.output<typeof BundleManifest>

/** What of `report.json` does not follow from the trace. */
export const StatedReport = z.looseObject({
  role: RoleName,
  service: z.string(),
  seed: z.int(),
  startedAt: z.iso.datetime({ precision: 3 }),
  tookMs: z.number().min(0),
  leftovers: z.array(z.string()),
  halted: z.string().optional(),
})

const Note = strictObject(() => ({
  procedure: z.string(),
  name: z.string(),
  text: z.string(),
  member: z.string().optional(),
  after: z.int(),
}))

const Contract = strictObject(() => ({
  role: RoleName,
  /** Path of the document in the bundle. */
  root: z.string(),
  /** Each file, and its name in the report. */
  files: z.array(z.strictObject({ path: z.string(), name: z.string() })),
}))

/** `trace.json`: what a verdict needs besides the recording. */
export const StoredTrace = strictObject(() => ({
  role: RoleName,
  // Bundles of before it was always written were of V2.
  speaks: z.enum(['v1', 'v2']).default('v2'),
  dialect: DialectSetting.optional(),
  capabilities: z.array(z.enum(['orders', 'indoor', 'logistics', 'customer', 'discovery', 'auth'])),
  steps: z.record(z.string(), z.string()),
  notes: z.array(Note),
  skipped: z.record(z.string(), z.string()),
  until: z.number().optional(),
  /** Clauses by their beginnings, of a selection. */
  only: z.array(z.string()).optional(),
  contracts: z.array(Contract).optional(),
}))
export type StoredTrace = z.output<typeof StoredTrace>
