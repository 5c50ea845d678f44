/** A dialect of the user's own: the same rows as those that ship, as data of a file or of the configuration. */
import { z } from 'zod'
import { strictObject } from '../../base/lazy-object.ts'
import { operations, type CatalogueRow } from '../catalogue.ts'
import { findClosestName } from '../closest-name.ts'
import { Conduct } from '../conduct.ts'
import { Duration } from '../duration.ts'
import { TranslatedBodies } from '../translation/body-fields.ts'
import { BodyTranslation } from '../translation/settings.ts'
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

const rowNamed = (name: string): CatalogueRow | undefined =>
  operations.find(({ id }) => id === name)

const parametersIn = (path: string): readonly string[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

/** What does not fit between a path and its operation. */
function pathMistake({ id, path: usual }: CatalogueRow, path: string): string | undefined {
  if (/[?#\s]/.test(path)) return `${path} is no path: it has a blank, a "?" or a "#"`
  const [known, named] = [parametersIn(usual), parametersIn(path)]
  // Partners have values of a body in a path, and the merchant.
  const further = dialects.flatMap(({ conduct }) => parametersIn(conduct.paths?.[id] ?? ''))
  const other = named.find((each) => ![...known, ...further, 'merchantId'].includes(each))
  if (other !== undefined)
    return `${id} has no parameter {${other}}${known.length === 0 ? '' : `: it has {${known.join('}, {')}}`}`
  const twice = named.find((each, at) => named.indexOf(each) !== at)
  if (twice !== undefined) return `${path} has {${twice}} twice`
  const missing = known.find((each) => !named.includes(each))
  return missing && `${path} is without {${missing}}, which ${id} needs`
}

const plainPath = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')

/** The other operation of the host that would have the same method and path. */
const sharingRow = (own: CatalogueRow, path: string, conduct: Conduct): CatalogueRow | undefined =>
  operations.find(
    (row) =>
      row !== own &&
      row.id.endsWith('V1') === own.id.endsWith('V1') &&
      row.method === own.method &&
      row.webhook === undefined &&
      own.hosts.some(
        (host) =>
          row.hosts.includes(host) &&
          pathsInDialect(row, host, conduct).some((each) => plainPath(each) === plainPath(path)),
      ),
  )

/** Two translations of one body that give a field of ours two names, or two fields one name: only the first has an effect. */
function* translationMistakes(
  translations: readonly (readonly [name: string, translation: BodyTranslation])[],
): Generator<DialectMistake> {
  const first = new Map<string, { readonly name: string; readonly text: string }>()
  for (const [name, data] of translations) {
    const sides = data.of === 'both' ? ['request', 'reply'] : [data.of]
    const bodies = data.operations.flatMap((operation) =>
      sides.flatMap((side) => data.at.map((at) => JSON.stringify([operation, side, at]))),
    )
    for (const [ours, theirs] of Object.entries(data.fields))
      for (const field of [`field ${ours}`, `name ${theirs}`]) {
        const text = `${ours} the name ${theirs}`
        const other = bodies
          .map((body) => first.get(`${body} ${field}`))
          .find((each) => each !== undefined && each.name !== name && each.text !== text)
        for (const body of bodies)
          first.set(`${body} ${field}`, first.get(`${body} ${field}`) ?? { name, text })
        if (!other) continue
        const wrong = `it gives ${text}, and translation ${other.name} of the same body gives ${other.text}`
        const path = ['translations', name, 'fields', ours]
        yield { path, which: 'value', wrong, remedy: 'Leave one of them out.' }
        break
      }
  }
}

/** A translation as a dialect that ships has it, and so not a line of the user's. */
const isShipped = (name: string, translation: BodyTranslation): boolean =>
  dialects.some(({ conduct }) => {
    const shipped = conduct.translations?.[name]
    return shipped && JSON.stringify(BodyTranslation.parse(shipped)) === JSON.stringify(translation)
  })

/** Names and words of ours that are spelt nearly like one of the documents: they would have no effect. */
function* misspeltFields(name: string, translation: BodyTranslation): Generator<DialectMistake> {
  if (isShipped(name, translation)) return
  const { operations: names, of, at, words, absent, fields, byWord, ...others } = translation
  const bodies = names.flatMap((each) => {
    const { request, response } = rowNamed(each) ?? {}
    return [of === 'reply' ? undefined : request, of === 'request' ? undefined : response]
  })
  const known = new TranslatedBodies(
    bodies.flatMap((each) => each?.() ?? []),
    at,
  )
  const mistake = (place: ValuePath, which: 'key' | 'value', wrong: string, meant: string) => ({
    path: ['translations', name, ...place],
    which,
    wrong,
    remedy: `Did you mean ${meant}?`,
  })
  const ours: (readonly [path: string, which: 'key' | 'value', ...place: (string | number)[]])[] = [
    ...absent.map((path, index) => [path, 'value', 'absent', index] as const),
    ...Object.entries(others.copy).map(
      ([theirs, path]) => [path, 'value', 'copy', theirs] as const,
    ),
  ]
  const tables: [path: string, words: object, ...place: string[]][] = []
  for (const [key, members] of Object.entries({
    words,
    fields,
    assumed: others.assumed,
    lift: others.lift,
  }))
    for (const path of Object.keys(members)) ours.push([path, 'key', key, path])
  for (const [path, table] of Object.entries(words)) tables.push([path, table, 'words', path])
  for (const [theirs, { from, words: table }] of Object.entries(byWord)) {
    ours.push([from, 'value', 'byWord', theirs, 'from'])
    tables.push([from, table, 'byWord', theirs, 'words'])
  }
  for (const [path, which, ...place] of ours) {
    const meant = known.closestField(path)
    const wrong = `no body of ${names.join(', ')} has ${path}`
    if (meant !== undefined) yield mistake(place, which, wrong, meant)
  }
  for (const [path, table, ...place] of tables)
    for (const word of Object.keys(table)) {
      const meant = known.closestWord(path, word)
      const wrong = `${path} has no word ${word}`
      if (meant !== undefined) yield mistake([...place, word], 'key', wrong, meant)
    }
}

/** Mistakes of protocol options that their schema does not know of; `conduct` may be wrong by the schema as well. */
export function dialectMistakes(conduct: unknown): readonly DialectMistake[] {
  if (!isUnknownRecord(conduct)) return []
  const found: DialectMistake[] = []
  const entriesOf = (key: string) =>
    Object.entries(isUnknownRecord(conduct[key]) ? conduct[key] : {})
  const speaksV1 = conduct['speaks'] === 'v1'
  function checkName(name: string, path: ValuePath, which: DialectMistake['which']): void {
    const row = rowNamed(name)
    // A partner who speaks V1 has the operations of V1 and the token endpoints.
    const isOther =
      row !== undefined && speaksV1 && row.capability !== 'auth' && !row.id.endsWith('V1')
    if (row && !isOther) return
    const closest = findClosestName(
      isOther ? `${name}V1` : name,
      operations.map(({ id }) => id).filter((id) => !speaksV1 || id.endsWith('V1')),
    )
    const wrong = `there is no operation ${JSON.stringify(name.slice(0, 80))}${speaksV1 ? ' in V1' : ''}`
    const remedy = closest ? `Did you mean "${closest}"?` : 'See sparring list operations.'
    found.push({ path, which, wrong, remedy })
  }
  const parsed = entriesOf('paths').length > 0 ? Conduct.safeParse(conduct) : undefined
  for (const key of ['paths', 'statuses'])
    for (const [name] of entriesOf(key)) checkName(name, [key, name], 'key')
  for (const [name, path] of entriesOf('paths')) {
    const row = rowNamed(name)
    if (!row || typeof path !== 'string' || !path.startsWith('/')) continue
    const other = parsed?.data && sharingRow(row, path, parsed.data)
    const shared = other && `${row.method} ${path} is ${other.id} as well`
    const wrong = pathMistake(row, path) ?? shared
    const remedy = 'Correct the path.'
    if (wrong !== undefined) found.push({ path: ['paths', name], which: 'value', wrong, remedy })
  }
  for (const [name, translation] of entriesOf('translations')) {
    const list = isUnknownRecord(translation) ? translation['operations'] : undefined
    for (const [at, each] of (Array.isArray(list) ? (list as readonly unknown[]) : []).entries())
      if (typeof each === 'string')
        checkName(each, ['translations', name, 'operations', at], 'value')
  }
  const translations = entriesOf('translations').flatMap(([name, value]) => {
    const { data } = BodyTranslation.safeParse(value)
    return data ? [[name, data] as const] : []
  })
  for (const [name, translation] of translations) found.push(...misspeltFields(name, translation))
  return [...found, ...translationMistakes(translations)]
}
