/** Round trip of the verbs import and export, in memory. */
import { createHash, createHmac } from 'node:crypto'
import { createSalt } from '../../src/core/traffic/recording/line-ids.ts'
import { createRedactor } from '../../src/core/traffic/redaction/redactor.ts'
import { recordedExchangeFromLine } from '../../src/core/traffic/recording/recorded-exchange.ts'
import type { HeaderLine, HttpLine } from '../../src/core/traffic/recording/format.ts'
import { createRoleMapping } from '../../src/replay/formats/role-mapping.ts'
import type { Format, ExporterOptions, InterleavedLine } from '../../src/replay/formats/format.ts'
import { ImportConverter, type ImportSummary } from '../../src/replay/formats/import-converter.ts'

const now = Date.UTC(2026, 10, 22, 12)
export const testRedactor = () =>
  createRedactor((text) => createHmac('sha256', 'key').update(text).digest('hex'))

export interface TestImport {
  readonly recording: string
  readonly summary: ImportSummary
}

/** Imports bytes in chunks of this size. */
export function importBytes(
  format: Format,
  bytes: Uint8Array,
  options: { readonly redact?: boolean; readonly piece?: number } = {},
): TestImport {
  const { redact = false, piece = 65_536 } = options
  const hash = createHash('sha256')
  const importer = format.importer?.({ now })
  if (!importer) throw new Error(`${format.name} cannot be read`)
  const lines = new ImportConverter({
    importer,
    format: format.name,
    info: {
      name: 'a test',
      tool: 'sparring/0.1.0',
      protocol: { name: 'protocol', version: 'v2' },
      redaction: redact
        ? { policy: 'default-1', keyId: 'k', mode: 'pseudonym' }
        : { policy: 'none', keyId: null, mode: 'none' },
    },
    source: { kind: format.name, file: 'a.file' },
    salt: createSalt([1, 2, 3]),
    now,
    roleMapping: createRoleMapping({}),
    hosts: [],
    redactor: redact ? testRedactor() : undefined,
    hash: { update: (text) => void hash.update(text), current: () => hash.copy().digest('hex') },
  })
  let recording = ''
  for (let at = 0; at < bytes.length; at += piece)
    recording += lines.feed(bytes.subarray(at, at + piece))
  recording += lines.finish()
  return { recording, summary: lines.summary() }
}

export const importText = (
  format: Format,
  text: string,
  options?: Parameters<typeof importBytes>[2],
): TestImport => importBytes(format, new TextEncoder().encode(text), options)

/** Exports a recording, given as the lines that `import` wrote. */
export function exportText(
  format: Format,
  recording: string,
  options: Partial<ExporterOptions> = {},
): string {
  const exporter = format.exporter?.({ name: 'a test', ...options })
  if (!exporter) throw new Error(`${format.name} cannot be written`)
  const rows = recording
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => ({ text, line: JSON.parse(text) as HttpLine | HeaderLine }))
  const [header] = rows
  let count = 0
  const others: InterleavedLine[] = []
  for (const { line } of rows.slice(1))
    if (line._rec.type === 'http') count++
    else others.push({ after: count, line })
  const top = header?.line as HeaderLine
  const t0 = Date.parse(top._rec.t0)
  const begin = exporter.begin(top, others)
  const body = rows
    .filter(({ line }) => line._rec.type === 'http')
    .map(({ line, text }) =>
      exporter.exchange(recordedExchangeFromLine(line as HttpLine, t0), line as HttpLine, text),
    )
  return begin + body.join('') + exporter.end()
}
