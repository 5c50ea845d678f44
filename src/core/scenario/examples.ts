/**
 * Example tables: substitutes `${column}` in every text of a scenario with the value of a row; `$${` is a text `${`. A text
 * that is a single placeholder takes the type of the value, so numbers stay numbers; paths do not change, so diagnostics can
 * name them.
 */
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import { findClosestName } from '../protocol/closest-name.ts'

/** A semantic error in a scenario, beyond its schema. */
export interface Diagnostic {
  readonly path: readonly PropertyKey[]
  /** The key is unknown, or its value is wrong. */
  readonly which: 'key' | 'value'
  readonly wrong: string
  readonly remedy: string
}

/** Remedy for an unknown name: the closest known one, or the fallback text. */
export function suggestion(word: string, known: readonly string[], otherwise: string): string {
  const near = findClosestName(word, known)
  return near === undefined ? otherwise : `Did you mean "${near}"?`
}

export const wrongValue = (
  path: readonly PropertyKey[],
  wrong: string,
  remedy: string,
): Diagnostic => ({ path, which: 'value', wrong, remedy })

export interface Example {
  /** Name of the row; absent for a scenario without a table. */
  readonly name?: string
  /** The scenario with its placeholders substituted. */
  readonly value: unknown
  readonly diagnostics: readonly Diagnostic[]
}

type Row = Readonly<Record<string, unknown>>

const placeholder = /\$(\$?)\{\s*([^}]*?)\s*\}/g
const wholePlaceholder = /^\$\{\s*([^}]*?)\s*\}$/

/** Substitution state of one row: its diagnostics, and the columns used so far. */
interface Substitution {
  readonly row: Row
  /** Its place in the table, and the columns of any row. */
  readonly index: number
  readonly columns: ReadonlySet<string>
  readonly diagnostics: Diagnostic[]
  readonly used: Set<string>
}

function fill(
  value: unknown,
  substitution: Substitution,
  path: readonly PropertyKey[] = [],
): unknown {
  if (typeof value === 'string') return fillText(value, substitution, path)
  if (Array.isArray(value))
    return value.map((each, index) => fill(each, substitution, [...path, index]))
  if (!isUnknownRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, fill(each, substitution, [...path, key])]),
  )
}

function fillText(
  text: string,
  { row, index, columns, diagnostics, used }: Substitution,
  path: readonly PropertyKey[],
): unknown {
  const valueOf = (name: string): unknown => {
    if (Object.hasOwn(row, name)) {
      used.add(name)
      return row[name]
    }
    if (columns.has(name)) {
      diagnostics.push(
        wrongValue(['examples', index], `this row has no "${name}"`, 'Give it a value there.'),
      )
      return `\${${name}}`
    }
    const known = Object.keys(row)
    const otherwise =
      known.length > 0
        ? `The examples have ${known.join(', ')}.`
        : 'There are no examples: add a table, or write the value itself.'
    diagnostics.push(
      wrongValue(path, `"\${${name}}" has no value`, suggestion(name, known, otherwise)),
    )
    return `\${${name}}`
  }
  const [, whole] = wholePlaceholder.exec(text) ?? []
  if (whole !== undefined) return valueOf(whole)
  return text.replace(placeholder, (found: string, escape: string, name: string) =>
    escape === '' ? String(valueOf(name)) : found.slice(1),
  )
}

/** The value as a scenario has it whose texts are no placeholders. */
export const literal = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll(placeholder, '$$$&') : inner,
  ) as Value

/** The column that names a row; it needs no placeholder. */
const nameColumn = 'name'

/** Columns without a placeholder. */
function unusedColumns(
  rows: readonly (Row | undefined)[],
  used: ReadonlySet<string>,
): readonly Diagnostic[] {
  const usedColumns = new Set([...used, nameColumn])
  return rows.flatMap((row, index) =>
    Object.keys(row ?? {}).flatMap((column): readonly Diagnostic[] => {
      if (usedColumns.has(column)) return []
      usedColumns.add(column)
      return [
        {
          path: ['examples', index, column],
          which: 'key',
          wrong: `no \${${column}} uses the column "${column}"`,
          remedy: 'Say where its values go, or leave it out.',
        },
      ]
    }),
  )
}

/** The scenario once for each row of its table, or once as it is. */
export function examplesOf(value: unknown): readonly Example[] {
  if (!isUnknownRecord(value)) return [{ value, diagnostics: [] }]
  const { examples, ...rest } = value
  const listed = Array.isArray(examples)
    ? examples.map((row: unknown) => (isUnknownRecord(row) ? row : undefined))
    : []
  const rows = listed.filter((row) => row !== undefined)
  const used = new Set<string>()
  if (rows.length === 0) {
    const diagnostics: Diagnostic[] = []
    const substituted = fill(rest, { row: {}, index: 0, columns: new Set(), diagnostics, used })
    // An `examples` key that is no table is reported by the schema.
    return [{ value: examples === undefined ? substituted : { ...rest, examples }, diagnostics }]
  }
  const columns = new Set(rows.flatMap(Object.keys))
  const substituted = rows.map((row, index): Example => {
    const diagnostics: Diagnostic[] = []
    const made = fill(rest, { row, index, columns, diagnostics, used }) as Row
    const name = row[nameColumn]
    return {
      ...(typeof name === 'string' ? { name } : {}),
      value: { ...made, examples },
      diagnostics,
    }
  })
  // A misspelt placeholder is reported once, not again as its unused column.
  if (substituted.some(({ diagnostics }) => diagnostics.length > 0)) return substituted
  const unused = unusedColumns(listed, used)
  return substituted.map((each, index) => (index === 0 ? { ...each, diagnostics: unused } : each))
}
