/** Whether a file is no recording, but of a format that `sparring import` reads. */
import { Problem } from '../../problem.ts'
import { detectImportFormat, isKnownContent } from '../formats/detect-format.ts'
import { openImportSource } from '../formats/open-import-source.ts'
import type { Io } from '../io.ts'

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
