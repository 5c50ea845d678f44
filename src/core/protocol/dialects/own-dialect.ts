/** A dialect of the user's own: the same rows as those that ship, as data of a file or of the configuration. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { operation, operations, type CatalogueRow } from '../catalogue.ts'
import { findClosestName } from '../closest-name.ts'
import { Conduct } from '../conduct.ts'
import { Duration } from '../duration.ts'
import type { ValuePath } from '../issue-text.ts'
import { isUnknownRecord, type UnknownRecord } from '../unknown-record.ts'
import {
  dialect,
  type DialectChoice,
  type DialectName,
  dialectNames,
  dialects,
} from './catalogue.ts'
import type { Dialect } from './dialect.ts'
import { pathsInDialect } from './paths.ts'

const notes = z.array(z.string().min(1)).max(100)
const oneLine = z.string().min(1).max(200)

/** The schema of a dialect file. `sparring schema dialect` prints it as a JSON Schema. */
export const DialectFile = strictObject(() => ({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'is small letters, digits and dashes')
    .max(60)
    .refine((name) => !dialectNames.some((each) => each === name), 'is a dialect that ships')
    .describe('its name in messages and lists'),
  summary: oneLine.describe('one line that says what it is'),
  extends: z
    .enum(dialectNames)
    .optional()
    .describe('a dialect that ships, whose settings count where this one has none'),
  conduct: Conduct.prefault({}).describe(
    'protocol options, as in a configuration: `paths` of operations, `translations` of bodies, and all others',
  ),
  protocol: z
    .strictObject({
      name: oneLine.optional(),
      scopePrefix: oneLine.optional(),
      version: oneLine.optional(),
    })
    .optional()
    .describe('names that manifests and scopes are made of, as in a configuration'),
  channel: z
    .enum(['polling', 'webhook', 'both'])
    .optional()
    .describe('how the partner delivers events'),
  pollEvery: Duration.optional().describe('the pause between two polls of its Software Services'),
  webhookPath: z
    .string()
    .startsWith('/')
    .optional()
    .describe('where your service receives the events of orders, below its URL'),
  notSettled: notes.optional().describe('what partners do in more than one form, in words'),
  beyond: notes.default([]).describe('what the partner does and this dialect does not, in words'),
}))

/** Deep merge of two values; `above` wins, `undefined` counts as absent. */
export function mergeSettings(above: unknown, below: unknown): unknown {
  if (above === undefined) return below
  if (!isUnknownRecord(above) || !isUnknownRecord(below)) return above
  const names = new Set([...Object.keys(below), ...Object.keys(above)])
  return Object.fromEntries(
    Array.from(names, (name) => [name, mergeSettings(above[name], below[name])]),
  )
}

/** With the settings of the dialect that it extends. */
function wholeDialect({ extends: base, ...own }: UnknownRecord): Dialect {
  const named = dialectNames.find((each) => each === base)
  const usual = { conduct: {}, beyond: [] }
  return mergeSettings(own, named === undefined ? usual : dialect(named)) as Dialect
}

const ShippedName = z.enum(dialectNames)

const DialectData = z.custom<UnknownRecord>(isUnknownRecord).check(({ value, issues }) => {
  for (const { message, path } of DialectFile.safeParse(value).error?.issues ?? [])
    issues.push({ code: 'custom', input: value, message, path: [...path] })
})

const fileName = /[./\\]/

/** Whether a text names a file: names of dialects have neither dots nor slashes. */
export const isDialectFileName = (text: string): boolean => fileName.test(text)

/** The error of a text that is neither. */
function unknownDialect({ input }: { readonly input?: unknown }): string | undefined {
  if (typeof input !== 'string') return undefined
  const closest = findClosestName(input, dialectNames)
  const meant = closest ? `; did you mean "${closest}"?` : ''
  return `"${input.slice(0, 60)}" is neither one of ${dialectNames.join(', ')} nor the name of a file, such as ./mine.yaml${meant}`
}

const choiceOf = (named: string | UnknownRecord): DialectChoice =>
  typeof named === 'string' ? (named as DialectName) : wholeDialect(named)

/** A dialect in a scenario or a bundle: a name, or the data of one. It stays as it is written, without defaults. */
export const DialectSetting = z
  .union([ShippedName, DialectData], { error: unknownDialect })
  .transform(choiceOf)

/** The same in a configuration, or the name of a file, whose content takes its place before it is used. */
export const DialectOrFile = z
  .union([ShippedName, DialectData, z.string().regex(fileName, { error: unknownDialect })])
  .transform(choiceOf)

/** The dialect of an input that was not validated yet; undefined for none, and for a name that is none. */
export function dialectOfInput(value: unknown): Dialect | undefined {
  const name = dialectNames.find((each) => each === value)
  if (name !== undefined) return dialect(name)
  return isUnknownRecord(value) ? wholeDialect(value) : undefined
}

interface DialectMistake {
  readonly path: ValuePath
  readonly which: 'key' | 'value'
  readonly wrong: string
  readonly remedy: string
}

const operationNames = operations.map(({ id }) => id)
const rowNamed = (name: string): CatalogueRow | undefined =>
  operations.find(({ id }) => id === name)

function unknownOperation(name: string): Pick<DialectMistake, 'wrong' | 'remedy'> {
  const closest = findClosestName(name, operationNames)
  return {
    wrong: `there is no operation ${JSON.stringify(name.slice(0, 80))}`,
    remedy: closest ? `Did you mean "${closest}"?` : 'See sparring list operations.',
  }
}

const parametersIn = (path: string): readonly string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

/** What does not fit between a path and its operation. */
function pathMistake(name: string, path: string): string | undefined {
  if (/[?#\s]/.test(path)) return `${path} is no path: it has a blank, a "?" or a "#"`
  const row = operation(rowNamed(name)?.id ?? 'issueToken')
  const known = parametersIn(row.path)
  // Partners have values of a body in a path.
  const allowed = [
    ...known,
    ...dialects.flatMap(({ conduct }) => parametersIn(conduct.paths?.[name] ?? '')),
  ]
  const named = parametersIn(path)
  const other = named.find((each) => !allowed.includes(each))
  if (other !== undefined)
    return `${name} has no parameter {${other}}${known.length === 0 ? '' : `: it has {${known.join('}, {')}}`}`
  const missing = known.find((each) => !named.includes(each))
  return missing === undefined ? undefined : `${path} is without {${missing}}, which ${name} needs`
}

/** Operations of one host that would have one method and one path. */
function sharedPaths(
  paths: Readonly<Record<string, string>>,
  conduct: Conduct,
): readonly DialectMistake[] {
  return Object.keys(paths).flatMap((name): readonly DialectMistake[] => {
    const own = rowNamed(name)
    const [host] = own?.hosts ?? []
    if (!own || host === undefined) return []
    const plain = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')
    const other = operations.find(
      (row) =>
        row.id !== name &&
        row.id.endsWith('V1') === name.endsWith('V1') &&
        row.method === own.method &&
        row.webhook === undefined &&
        row.hosts.includes(host) &&
        pathsInDialect(row, host, conduct).some((path) => plain(path) === plain(paths[name] ?? '')),
    )
    return other
      ? [
          {
            path: ['paths', name],
            which: 'value',
            wrong: `${own.method} ${paths[name]} is ${other.id} as well`,
            remedy: 'Give each its own path.',
          },
        ]
      : []
  })
}

/** Mistakes of protocol options that their schema does not know of; `conduct` may be wrong by the schema as well. */
export function dialectMistakes(conduct: unknown): readonly DialectMistake[] {
  if (!isUnknownRecord(conduct)) return []
  const named = (key: string) => Object.entries(isUnknownRecord(conduct[key]) ? conduct[key] : {})
  const unknownKeys = ['paths', 'statuses'].flatMap((key) =>
    named(key).flatMap(([name]) =>
      rowNamed(name)
        ? []
        : [{ path: [key, name], which: 'key' as const, ...unknownOperation(name) }],
    ),
  )
  const wrongPaths = named('paths').flatMap(([name, path]) => {
    const wrong =
      rowNamed(name) && typeof path === 'string' && path.startsWith('/')
        ? pathMistake(name, path)
        : undefined
    return wrong === undefined
      ? []
      : [{ path: ['paths', name], which: 'value' as const, wrong, remedy: 'Correct the path.' }]
  })
  const unknownInBodies = named('translations').flatMap(([name, translation]) => {
    const list = isUnknownRecord(translation) ? translation['operations'] : undefined
    return (Array.isArray(list) ? list : []).flatMap((each: unknown, index) =>
      typeof each !== 'string' || rowNamed(each)
        ? []
        : [
            {
              path: ['translations', name, 'operations', index],
              which: 'value' as const,
              ...unknownOperation(each),
            },
          ],
    )
  })
  const found = [...unknownKeys, ...wrongPaths, ...unknownInBodies]
  const isChecked = found.length === 0 && named('paths').length > 0
  const parsed = isChecked ? Conduct.safeParse(conduct) : undefined
  return parsed?.success ? sharedPaths(parsed.data.paths, parsed.data) : found
}
