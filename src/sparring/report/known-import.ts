/** Whether a file is no recording, but of a format that `sparring import` reads. */
import { Problem } from '../../core/base/problem.ts'
import { detectImportFormat, isKnownContent } from '../../replay/cli/formats/detect-format.ts'
import { openImportSource } from '../../replay/cli/formats/open-import-source.ts'
import type { Io } from '../../terminal/cli/io.ts'

interface ImportCandidate {
  /** As it was typed. */
  readonly file: string
  readonly path: string
}

export async function isKnownImport({ path }: ImportCandidate, io: Io): Promise<boolean> {
  try {
    using source = await openImportSource(path, io, isKnownContent)
    return detectImportFormat(undefined, source).format.name !== 'recording'
  } catch (error) {
    // It is read as a recording then, which says what is wrong with it.
    if (error instanceof Problem) return false
    throw error
  }
}
