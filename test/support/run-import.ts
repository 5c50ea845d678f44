/** Runs an importer over text or bytes, whole or in chunks. */
import type {
  Format,
  FormatProblem,
  ImportedExchange,
  ImporterOptions,
} from '../../src/replay/formats/format.ts'

export interface ImportedFile {
  readonly imported: readonly ImportedExchange[]
  readonly problems: readonly FormatProblem[]
}

export const toBytes = (source: string | Uint8Array): Uint8Array =>
  typeof source === 'string' ? new TextEncoder().encode(source) : source

/** `ends` are the end offsets of the chunks; the rest is the last chunk. */
export function importInPieces(
  format: Format,
  source: string | Uint8Array,
  options: ImporterOptions,
  ends: readonly number[] = [],
): ImportedFile {
  const importer = format.importer?.(options)
  if (!importer) throw new Error(`${format.name} cannot be imported`)
  const bytes = toBytes(source)
  const imported: ImportedExchange[] = []
  let from = 0
  for (const end of [
    ...ends.filter((each) => each < bytes.length).sort((a, b) => a - b),
    bytes.length,
  ]) {
    // Readers reuse their buffer for the next chunk, so it is overwritten here too.
    const piece = new Uint8Array(bytes.subarray(from, end))
    imported.push(...importer.feed(piece))
    piece.fill(0)
    from = end
  }
  const { remaining: last, problems } = importer.finish()
  return { imported: [...imported, ...last], problems }
}
