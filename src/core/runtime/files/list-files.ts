/**
 * Reads the files that a configuration names in place of its lists of merchants and menu items, and puts their rows where
 * the names were. All wrong rows of all files are reported at once, each with file, line and column.
 */
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path'
import type { z } from 'zod'
import { MenuItemSettings, MerchantSettings } from '../../session-api/configuration/menu.ts'
import { Problem, problem } from '../../base/problem.ts'
import {
  DialectFile,
  dialectMistakes,
  isDialectFileName,
} from '../../protocol/dialects/own-dialect.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import type { ValuePath } from '../../protocol/issue-text.ts'
import { checkSchema } from './schema-errors.ts'
import { readTextFile } from './text-file.ts'
import type { TableColumn } from './table-text.ts'

/** Columns of the tables in which merchants and menus are written. */
const plain = (name: string, ...others: string[]): TableColumn => ({
  names: [name, ...others],
  path: [name],
})

const required = (name: string, ...others: string[]): TableColumn => ({
  ...plain(name, ...others),
  required: true,
})

const ofAddress = (name: string): TableColumn => ({ names: [name], path: ['address', name] })

const menuColumns: readonly TableColumn[] = [
  required('externalCode', 'plu', 'sku', 'code'),
  required('name'),
  required('price'),
  plain('category'),
  plain('description'),
  plain('unit'),
  plain('currency'),
  plain('originalPrice'),
  plain('options', 'modifiers'),
  plain('merchant'),
]

const merchantColumns: readonly TableColumn[] = [
  required('id'),
  required('name'),
  plain('externalCode', 'code'),
  plain('status'),
  plain('menu'),
  ofAddress('street'),
  ofAddress('number'),
  ofAddress('complement'),
  ofAddress('neighborhood'),
  ofAddress('city'),
  ofAddress('state'),
  ofAddress('postalCode'),
  ofAddress('latitude'),
  ofAddress('longitude'),
]

interface FileLocation {
  readonly file: string
  readonly line: number
  readonly column: number
}

export interface LoadedLists {
  /** The configuration with lists in place of names of files. */
  readonly value: unknown
  /** The files that were read, as paths. */
  readonly paths: readonly string[]
  /** Where a value was written, if it comes from one of the files. */
  readonly locationOf: (path: ValuePath, which: 'key' | 'value') => FileLocation | undefined
}

interface ListKind {
  readonly what: string
  /** Of a table; absent for a file that is one object in place of a list. */
  readonly columns?: readonly TableColumn[]
  readonly schema: z.ZodType
}

const kinds = {
  menu: { what: 'a menu', columns: menuColumns, schema: MenuItemSettings },
  merchants: {
    what: 'a list of merchants',
    columns: merchantColumns,
    schema: MerchantSettings,
  },
  dialect: { what: 'a dialect', schema: DialectFile },
} as const satisfies Record<string, ListKind>

interface ListFile {
  readonly path: string
  readonly value: unknown
  readonly locationOf: (
    path: ValuePath,
    which: 'key' | 'value',
  ) => Omit<FileLocation, 'file'> | undefined
  readonly errors: readonly string[]
}

/** Maximum number of errors that are listed for one file. */
const maxErrors = 50

/** Larger dialects are not written by people. */
const maxDialectChars = 1024 * 1024

interface RowError extends Omit<FileLocation, 'file'> {
  readonly wrong: string
  readonly remedy: string
}

function errorLines(file: string, errors: readonly RowError[]): readonly string[] {
  const lines = errors
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(
      ({ line, column, wrong, remedy }) =>
        problem(`reading ${file}:${line}:${column}`, wrong, remedy).message,
    )
  return lines.length <= maxErrors
    ? lines
    : [...lines.slice(0, maxErrors), `reading ${file}: ${lines.length - maxErrors} more like these`]
}

/** What is wrong with each row, in terms of that row. */
function rowErrors(
  rows: readonly unknown[],
  { schema }: ListKind,
  locationOf: (path: ValuePath, which: 'key' | 'value') => Omit<FileLocation, 'file'>,
): readonly RowError[] {
  return rows.flatMap((row, index) => {
    const checked = checkSchema(schema, row, 'the entry')
    if (checked.ok) return []
    return checked.error.map(({ path, which, wrong, remedy }) => ({
      ...locationOf([index, ...path], which),
      wrong,
      remedy,
    }))
  })
}

/**
 * The value without its `$schema`, the schema that editors complete a data file by; anything that is no reference stays,
 * and is an error like any unknown key.
 */
export function withoutSchemaReference(value: unknown): unknown {
  if (!isUnknownRecord(value) || typeof value['$schema'] !== 'string') return value
  const { $schema: _, ...data } = value
  return data
}

/** What is wrong with a dialect: by its schema, and between its paths and the operations. */
function dialectErrors(
  value: unknown,
  locationOf: (path: ValuePath, which: 'key' | 'value') => Omit<FileLocation, 'file'>,
): readonly RowError[] {
  const checked = checkSchema(DialectFile, value, 'the dialect', maxErrors)
  const conduct = isUnknownRecord(value) ? value['conduct'] : undefined
  return [
    ...(checked.ok ? [] : checked.error),
    ...dialectMistakes(conduct).map((each) => ({ ...each, path: ['conduct', ...each.path] })),
  ].map(({ path, which, wrong, remedy }) => ({ ...locationOf(path, which), wrong, remedy }))
}

/** The file, read by its extension. */
async function readListFile(file: string, path: string, kind: ListKind): Promise<ListFile> {
  const extension = extname(file).toLowerCase()
  const { columns } = kind
  const isTable = columns !== undefined && (extension === '.csv' || extension === '.tsv')
  if (!isTable && !/^\.(json|ya?ml)$/.test(extension))
    throw problem(
      `reading ${file}`,
      `${kind.what} is a ${columns ? 'CSV, JSON' : 'JSON'} or YAML file, and ${extension || 'a name without extension'} says none of them`,
      `Name it ${columns ? '.csv, .json' : '.json'} or .yaml.`,
    )
  const text = await readTextFile(file, path)
  if (!columns && text.length > maxDialectChars)
    throw problem(
      `reading ${file}`,
      `it has ${text.length} characters, and a dialect at most ${maxDialectChars}`,
      'Name the file of a dialect.',
    )
  if (isTable) {
    const { parseTableText } = await import('./table-text.ts')
    const { rows, problems, locationOf } = parseTableText(text, columns)
    const errors = [
      ...problems.map(({ place, wrong, remedy }) => ({ ...place, wrong, remedy })),
      ...(problems.length > 0 ? [] : rowErrors(rows, kind, locationOf)),
      ...(rows.length === 0 && problems.length === 0
        ? [{ line: 1, column: 1, wrong: 'it has no rows', remedy: 'Write one for each entry.' }]
        : []),
    ]
    return { path, value: rows, locationOf, errors: errorLines(file, errors) }
  }
  const { parseJsonText, parseYamlText } = await import('./source-location.ts')
  const parsed = (extension === '.json' ? parseJsonText : parseYamlText)(text)
  const { error, locationOf } = parsed
  const value = columns ? parsed.value : withoutSchemaReference(parsed.value)
  const rows: readonly unknown[] = Array.isArray(value) ? value : []
  const noList = columns && !Array.isArray(value) ? 'it is no list' : undefined
  const wrong = error?.message ?? noList
  const errors =
    wrong !== undefined
      ? [
          {
            ...(error?.place ?? { line: 1, column: 1 }),
            wrong,
            remedy: error ? 'Correct it there.' : 'Write a list with one object for each entry.',
          },
        ]
      : columns
        ? rowErrors(rows, kind, locationOf)
        : dialectErrors(value, locationOf)
  return { path, value, locationOf, errors: errorLines(file, errors) }
}

/**
 * Reads the lists that `configuration` names, relative to the folder `folder`; `shown` is that folder in messages. `onRead`
 * is called with the path of each file before it is read.
 */
export async function loadListFiles(
  configuration: unknown,
  folder: string,
  shown = '',
  onRead: (path: string) => void = () => undefined,
): Promise<LoadedLists> {
  const sources: { readonly prefix: ValuePath; readonly file: string; readonly list: ListFile }[] =
    []

  async function load(prefix: ValuePath, name: string, base: string, kind: ListKind) {
    const path = resolve(folder, base, name)
    const file = isAbsolute(name) ? name : join(shown, base, name)
    onRead(path)
    const list = await readListFile(file, path, kind)
    sources.push({ prefix, file, list })
    return list.value
  }

  async function withMenu(merchant: unknown, index: number, base: string): Promise<unknown> {
    if (!isUnknownRecord(merchant) || typeof merchant['menu'] !== 'string') return merchant
    const menu = await load(['merchants', index, 'menu'], merchant['menu'], base, kinds.menu)
    return { ...merchant, menu }
  }

  if (!isUnknownRecord(configuration)) return unchanged(configuration)
  const { merchants, menu, dialect } = configuration
  const value: Record<string, unknown> = { ...configuration }
  if (typeof menu === 'string') value['menu'] = await load(['menu'], menu, '', kinds.menu)
  if (typeof dialect === 'string' && isDialectFileName(dialect))
    value['dialect'] = await load(['dialect'], dialect, '', kinds.dialect)
  const base = typeof merchants === 'string' ? dirname(merchants) : ''
  const listed =
    typeof merchants === 'string'
      ? await load(['merchants'], basename(merchants), base, kinds.merchants)
      : merchants
  if (Array.isArray(listed)) {
    const entries: unknown[] = []
    for (const [index, each] of listed.entries()) entries.push(await withMenu(each, index, base))
    value['merchants'] = entries
  }
  if (sources.length === 0) return unchanged(configuration)
  const errors = sources.flatMap(({ list }) => list.errors)
  if (errors.length > 0) throw new Problem(errors.join('\n'), 2)
  return {
    value,
    paths: sources.map(({ list }) => list.path),
    locationOf(path, which) {
      const source = sources.findLast(({ prefix }) => prefix.every((key, at) => key === path[at]))
      const place = source?.list.locationOf(path.slice(source.prefix.length), which)
      return source && place && { file: source.file, ...place }
    },
  }
}

const unchanged = (value: unknown): LoadedLists => ({
  value,
  paths: [],
  locationOf: () => undefined,
})
