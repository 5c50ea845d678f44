/**
 * The page on dialects: what each sets, how its bodies differ, and what it does not
 * reproduce.
 */
import { dialects } from '../../src/core/protocol/dialects/catalogue.ts'
import type { Dialect } from '../../src/core/protocol/dialects/dialect.ts'
import { wordsOf } from '../../src/core/protocol/translation/words.ts'
import { isUnknownRecord } from '../../src/core/protocol/unknown-record.ts'
import { generatedNote } from './cli-docs.ts'

type Translation = NonNullable<Dialect['conduct']['translations']>[string]

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)
const code = (value: unknown): string =>
  `\`${cell(typeof value === 'string' ? value : JSON.stringify(value))}\``
const listed = (values: readonly unknown[]): string => values.map(code).join(', ')

/** The settings that a value stands for, each by its path. */
const leaves = (value: unknown, path: string): readonly (readonly [string, unknown])[] =>
  isUnknownRecord(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([name, each]) => leaves(each, `${path}.${name}`))
    : [[path, value]]

function settingsOf({ conduct, protocol, channel, pollEvery, webhookPath }: Dialect) {
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
  ].filter(([path]) => path !== '')
}

function wordTexts(words: NonNullable<Translation['words']>): readonly string[] {
  return Object.entries(words).flatMap(([path, table]) => {
    const pairs = Object.entries(table).map(([ours, word]) => {
      const theirs = wordsOf(word)
      return theirs.length === 0
        ? `${code(ours)} has no word`
        : `${code(ours)} is ${listed(theirs)}`
    })
    return [`in ${code(path)} ${pairs.join(', ')}`]
  })
}

/** What differs in a body, in words. */
function differencesOf({
  words = {},
  fields = {},
  absent,
  assumed,
  added,
}: Omit<Translation, 'operations'>): string {
  return [
    ...Object.entries(fields).map(([ours, theirs]) => `${code(ours)} is ${code(theirs)}`),
    ...wordTexts(words),
    ...(absent ? [`without ${listed(absent)}`] : []),
    ...(added
      ? [
          `with ${Object.entries(added)
            .map(([path, value]) => `${code(path)} ${code(value)}`)
            .join(', ')}`,
        ]
      : []),
    ...(assumed ? [`read without ${listed(Object.keys(assumed))} as well`] : []),
  ].join('; ')
}

const placesText = (at: readonly string[]): string => {
  const inner = at.filter((place) => place !== '')
  return inner.length === 0 ? '' : `, ${inner.length < at.length ? 'and ' : ''}in ${listed(inner)}`
}

const bodyRows = (translations: Readonly<Record<string, Translation>>): readonly string[] => [
  '',
  '| body | of | what differs |',
  '|---|---|---|',
  ...Object.entries(translations).map(
    ([name, { operations, of: part = 'both', at = [''], ...translation }]) =>
      `| ${code(name)} | ${part === 'both' ? '' : `${part} of `}${listed(operations)}${placesText(at)} | ${differencesOf(translation)} |`,
  ),
]

const notesOf = (title: string, notes: readonly string[]): readonly string[] =>
  notes.length === 0 ? [] : ['', `${title}:`, '', ...notes.map((each) => `- ${cell(each)}`)]

function dialectSection(dialect: Dialect): readonly string[] {
  const { name, summary, beyond, notSettled = [], conduct } = dialect
  return [
    '',
    `## ${name}`,
    '',
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    '',
    '| setting | value |',
    '|---|---|',
    ...settingsOf(dialect).map(([path, value]) => `| ${code(path)} | ${code(value)} |`),
    ...(conduct.translations ? bodyRows(conduct.translations) : []),
    ...notesOf('Not settled', notSettled),
    ...notesOf('Not reproduced', beyond),
  ]
}

export const dialectsPage = (): string =>
  [
    '# Dialects',
    '',
    generatedNote,
    '',
    '`dialect` is one of these, or the name of a file with [one of your own](../own-protocol.md); each is a set of',
    '[settings](../configuration.md), and a setting of your own counts before it. Names of fields are paths in a body: a list stands for',
    'each of its entries. What is recorded, and what the dashboard shows, is what is on the wire; rules, scenarios and events in commands',
    'have the names of the documents.',
    ...dialects.flatMap(dialectSection),
    '',
  ].join('\n')
