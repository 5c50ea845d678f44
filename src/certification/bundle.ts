/**
 * The bundle of a certification: its report in every form, the redacted recording, and their hashes. The tar archive is in
 * one canonical form, so that a single changed byte shows.
 */
import { z } from 'zod'
import { strictObject } from '../lazy-object.ts'
import { RoleName } from '../protocol/role-schema.ts'

/** Names of the files in a bundle. */
export const bundleFiles = {
  manifest: 'manifest.json',
  report: 'report.json',
  html: 'report.html',
  markdown: 'report.md',
  trace: 'trace.json',
  recording: 'recording.ndjson.gz',
} as const

const Sha256 = z.string().regex(/^[\da-f]{64}$/)

/** `manifest.json`: what the bundle is, and the SHA-256 of each of its other files, in hexadecimal. */
export const BundleManifest = strictObject(() => ({
  form: z.literal(1),
  product: strictObject(() => ({ name: z.literal('sparring'), version: z.string() })),
  role: RoleName,
  /** Instant of the certification, in milliseconds since 1970; that of every entry of the archive. */
  startedAt: z.int().min(0),
  files: z.record(z.string(), Sha256),
  /** Of the JSON of all members above. */
  digest: Sha256,
}))
export type BundleManifest = z.output<typeof BundleManifest>

const Note = strictObject(() => ({
  procedure: z.string(),
  name: z.string(),
  text: z.string(),
  member: z.string().optional(),
  after: z.int(),
}))

/** `trace.json`: what a verdict needs besides the recording. */
export const StoredTrace = strictObject(() => ({
  role: RoleName,
  capabilities: z.array(z.enum(['orders', 'indoor', 'logistics', 'customer', 'discovery', 'auth'])),
  steps: z.record(z.string(), z.string()),
  notes: z.array(Note),
  skipped: z.record(z.string(), z.string()),
  /** Clauses by their beginnings, of a selection. */
  only: z.array(z.string()).optional(),
}))
export type StoredTrace = z.output<typeof StoredTrace>
