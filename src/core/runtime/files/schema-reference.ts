/** The `$schema` of a data file: the schema that editors complete it by, which says nothing about the data. */
import { isUnknownRecord } from '../../protocol/unknown-record.ts'

/** The value without its `$schema`; anything that is no reference stays, and is an error like any unknown key. */
export function withoutSchemaReference(value: unknown): unknown {
  if (!isUnknownRecord(value) || typeof value['$schema'] !== 'string') return value
  const { $schema: _, ...data } = value
  return data
}
