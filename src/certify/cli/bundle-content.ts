/** The files of a bundle: made from a report and a trace, and read back. */
import { gzipSync } from 'node:zlib'
import { bundleFiles, type StoredTrace } from '../judge/bundle.ts'
import { rulesOfRecording } from '../judge/broken-rules.ts'
import type { CertificationReport } from '../report/report.ts'
import { exchangesUntil, type TraceData } from '../../core/rules/checks/trace.ts'
import { compact } from '../../core/base/compact.ts'
import type { Contract } from '../../core/rules/contract/contract.ts'
import { type StoredContract, storeContracts } from '../../core/runtime/files/stored-contract.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import type { BundleContent } from './pack-bundle.ts'
import { htmlReport } from '../report/html.ts'
import { certifyMarkdown } from './reporters/markdown.ts'
import type { ReportedCertification } from './reporters/result-lines.ts'

const jsonFile = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

const plain = { color: false, quiet: false }

/** The files that are made from the report and the exchanges alone. */
export function derivedFiles(reported: ReportedCertification): BundleContent {
  return new Map([
    [bundleFiles.html, Buffer.from(htmlReport(reported))],
    [bundleFiles.markdown, Buffer.from(certifyMarkdown.finish?.(reported, plain) ?? '')],
  ])
}

export const storedTrace = (
  { role, speaks, dialect, capabilities, steps, notes, skipped, until }: TraceData,
  only: readonly string[] | undefined,
  contracts: readonly StoredContract[] = [],
): StoredTrace => ({
  role,
  speaks,
  capabilities: [...capabilities],
  steps: Object.fromEntries(Object.entries(steps)),
  notes: notes.map((each) => ({ ...each })),
  skipped: { ...skipped },
  ...compact({ dialect, until, only: only && [...only] }),
  ...(contracts.length > 0
    ? { contracts: contracts.map((each) => ({ ...each, files: [...each.files] })) }
    : {}),
})

export const exchangesOfService = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ from, to }) => from.party === 'subject' || to.party === 'subject')

/** What of a recording a trace has: rules say of a service that was gone what it could not do any more. */
export const recordedPart = (
  recording: Pick<RecordingContent, 'exchanges' | 'header' | 'end'>,
  { until }: Pick<TraceData, 'until'>,
): Required<Pick<TraceData, 'exchanges' | 'rules'>> => ({
  exchanges: exchangesUntil(exchangesOfService(recording.exchanges), until),
  rules: until === undefined ? rulesOfRecording(recording) : [],
})

/** A trace of stored parts and of their recording. */
export const traceOf = (
  stored: StoredTrace,
  recording: Omit<RecordingContent, 'file'>,
): TraceData => ({
  ...stored,
  steps: Object.fromEntries(Object.entries(stored.steps).map(([seq, step]) => [Number(seq), step])),
  ...recordedPart(recording, stored),
})

export interface BundleParts {
  readonly reported: ReportedCertification
  readonly trace: TraceData
  readonly only: readonly string[] | undefined
  readonly recording: Uint8Array
  readonly contracts: readonly Contract[]
}

export function bundleContent(parts: BundleParts): BundleContent {
  const { reported, trace, only, recording, contracts } = parts
  const { stored, content } = storeContracts(contracts, bundleFiles.contracts)
  return new Map([
    [bundleFiles.report, jsonFile(reported.report)],
    [bundleFiles.trace, jsonFile(storedTrace(trace, only, stored))],
    [bundleFiles.recording, gzipSync(recording)],
    ...content,
    ...derivedFiles(reported),
  ])
}

export const reportFile = (report: CertificationReport): Uint8Array => jsonFile(report)
