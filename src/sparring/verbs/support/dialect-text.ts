/** What a dialect sets, and how its bodies differ, in words: for `sparring list dialects` and the configuration page. */
import type { Dialect } from '../../../core/protocol/dialects/dialect.ts'
import type { WireWord } from '../../../core/protocol/translation/settings.ts'
import { wordsOf } from '../../../core/protocol/translation/words.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'

type Translation = NonNullable<Dialect['conduct']['translations']>[string]

/** How a name or a value is set off from the words around it. */
type Quoted = (value: unknown) => string

/** The settings that a value stands for, each by its path. */
const leaves = (value: unknown, path: string): readonly (readonly [string, unknown])[] =>
  isUnknownRecord(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([name, each]) => leaves(each, `${path}.${name}`))
    : [[path, value]]

/** The settings by their paths in a configuration, without the translations. */
export function settingsOfDialect({ conduct, protocol, channel, pollEvery, webhookPath }: Dialect) {
  const { translations: _translations, ...own } = conduct
  return [
    ...leaves(own, 'conduct'),
    ...(protocol ? leaves(protocol, 'protocol') : []),
    ...leaves(
      {
        ...(channel && { 'counterparts.ordering-application.channel': channel }),
        ...(pollEvery && { 'counterparts.software-service.pollEvery': pollEvery }),
        ...(webhookPath && { 'subject.webhooks.orders': webhookPath }),
      },
      '',
    ).map(([path, value]) => [path.slice(1), value] as const),
  ].filter(([path, value]) => path !== '' && value !== undefined)
}

/** `CREATED is PLACED, CONCLUDED has no word` */
const pairTexts = (table: Readonly<Record<string, WireWord>>, quoted: Quoted): string =>
  Object.entries(table)
    .map(([ours, word]) => {
      const theirs = wordsOf(word)
      return theirs.length === 0
        ? `${quoted(ours)} has no word`
        : `${quoted(ours)} is ${theirs.map(quoted).join(', ')}`
    })
    .join(', ')

/** What differs in a body, in words. */
function differencesOf(translation: Omit<Translation, 'operations'>, quoted: Quoted): string {
  const { words = {}, fields = {}, lift = {}, copy = {}, byWord = {} } = translation
  const { absent, assumed, added } = translation
  const listed = (values: readonly unknown[]): string => values.map(quoted).join(', ')
  return [
    ...Object.entries(fields).map(([ours, theirs]) => `${quoted(ours)} is ${quoted(theirs)}`),
    ...Object.entries(words).map(
      ([path, table]) => `in ${quoted(path)} ${pairTexts(table, quoted)}`,
    ),
    ...(Object.keys(lift).length > 0
      ? [`in place of the object that it is in: ${listed(Object.keys(lift))}`]
      : []),
    ...Object.entries(copy).map(([theirs, ours]) => `${quoted(theirs)} repeats ${quoted(ours)}`),
    ...Object.entries(byWord).map(
      ([theirs, { from, words: table }]) =>
        `${quoted(theirs)} follows from ${quoted(from)}: ${pairTexts(table, quoted)}`,
    ),
    ...(absent ? [`without ${listed(absent)}`] : []),
    ...(added
      ? [
          `with ${Object.entries(added)
            .map(([path, value]) => `${quoted(path)} ${quoted(value)}`)
            .join(', ')}`,
        ]
      : []),
    ...(assumed
      ? [
          `read without ${Object.keys(assumed)
            .map((path) => (path === '' ? 'a body' : quoted(path)))
            .join(', ')} as well`,
        ]
      : []),
  ].join('; ')
}

function placesText(at: readonly string[], quoted: Quoted): string {
  const inner = at.filter((place) => place !== '')
  const listed = inner.map(quoted).join(', ')
  return inner.length === 0 ? '' : `, ${inner.length < at.length ? 'and ' : ''}in ${listed}`
}

/** Of each translation its name, whose body it is, and what differs. */
export const bodiesOfDialect = (
  { conduct: { translations = {} } }: Dialect,
  quoted: Quoted,
): readonly (readonly [name: string, of: string, differs: string])[] =>
  Object.entries(translations).map(
    ([name, { operations, of: part = 'both', at = [''], ...translation }]) => [
      name,
      `${part === 'both' ? '' : `${part} of `}${operations.map(quoted).join(', ')}${placesText(at, quoted)}`,
      differencesOf(translation, quoted),
    ],
  )
