/**
 * Migrations of old recording formats. Each breaking change adds a row that converts a line of that version to the
 * next; readers apply the rows in order, and nothing is written back. A row is never changed: the tests keep a
 * recording of every version, which must always give the same result.
 */
import { err, ok, type Result } from '../../protocol/result.ts'
import { formatVersion } from './format.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'

export interface Migrations {
  /** The version after all migrations. */
  readonly newest: number
  /** By version: converts a line of that version to the next. Pure; need not change `v` itself. */
  readonly from: Readonly<Record<number, (line: UnknownRecord) => UnknownRecord>>
}

/** Version 1 is the first. */
export const migrations: Migrations = { newest: formatVersion, from: {} }

const recOf = ({ _rec: rec }: UnknownRecord): UnknownRecord | undefined =>
  isUnknownRecord(rec) ? rec : undefined

/** Converts a line of any version to the newest; the error says why that is impossible. */
export function migrateLine(
  line: UnknownRecord,
  table: Migrations = migrations,
): Result<UnknownRecord, string> {
  let current = line
  for (;;) {
    const rec = recOf(current)
    const version = rec?.['v']
    if (rec === undefined || version === table.newest) return ok(current)
    if (typeof version !== 'number' || !Number.isInteger(version))
      return err(`its version ${JSON.stringify(version)} is no version of this format`)
    if (version > table.newest)
      return err(
        `it is of format version ${version}, and version ${table.newest} is the newest known here`,
      )
    const step = table.from[version]
    if (!step) return err(`it is of format version ${version}, which cannot be read any more`)
    const next = step(current)
    // Sets the version itself: each step increments it by one, so the loop terminates.
    current = { ...next, _rec: { ...recOf(next), v: version + 1 } }
  }
}
