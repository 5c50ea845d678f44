/**
 * Recordings outlive the program that made them. Each breaking change of the format leaves a row here: what makes a line
 * of that version one of the next. Readers apply the rows one after the other, so that a recording of any age is read as
 * one of today; nothing is written back. A row is never changed again: a recording of every version is kept with the
 * tests, and must come out the same for ever.
 */
import { no, ok, type Result } from '../../protocol/result.ts'
import { formatVersion } from './format.ts'

/** A line as it was parsed, of whatever version. */
export type AnyLine = Readonly<Record<string, unknown>>

export interface Migrations {
  /** The version that comes out in the end. */
  readonly newest: number
  /** By version: makes a line of that version one of the next. Pure; it may leave the version as it was. */
  readonly from: Readonly<Record<number, (line: AnyLine) => AnyLine>>
}

/** Version 1 is the first that there was. */
export const migrations: Migrations = { newest: formatVersion, from: {} }

const recOf = (line: AnyLine): AnyLine | undefined => {
  const rec = line['_rec']
  return typeof rec === 'object' && rec !== null && !Array.isArray(rec)
    ? (rec as AnyLine)
    : undefined
}

/** A line of any version as one of the newest; the error says why that cannot be. */
export function migrated(line: AnyLine, table: Migrations = migrations): Result<AnyLine, string> {
  let current = line
  for (;;) {
    const rec = recOf(current)
    const version = rec?.['v']
    if (rec === undefined || version === table.newest) return ok(current)
    if (typeof version !== 'number' || !Number.isInteger(version))
      return no(`its version ${JSON.stringify(version)} is no version of this format`)
    if (version > table.newest)
      return no(
        `it is of format version ${version}, and version ${table.newest} is the newest known here`,
      )
    const step = table.from[version]
    if (!step) return no(`it is of format version ${version}, which cannot be read any more`)
    const next = step(current)
    // Whatever the step says of it: each goes exactly one version up, so that this comes to an end.
    current = { ...next, _rec: { ...recOf(next), v: version + 1 } }
  }
}
