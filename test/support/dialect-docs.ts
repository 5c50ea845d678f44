/**
 * The section on dialects of the configuration page: what each sets, how its bodies differ, and what it does not
 * reproduce.
 */
import { dialects } from '../../src/core/protocol/dialects/catalogue.ts'
import type { Dialect } from '../../src/core/protocol/dialects/dialect.ts'
import {
  bodiesOfDialect,
  settingsOfDialect,
} from '../../src/sparring/verbs/support/dialect-text.ts'

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)
const code = (value: unknown): string =>
  `\`${cell(typeof value === 'string' ? value : JSON.stringify(value))}\``

const bodyRows = (dialect: Dialect): readonly string[] => [
  '',
  '| body | of | what differs |',
  '|---|---|---|',
  ...bodiesOfDialect(dialect, code).map(
    ([name, of, differs]) => `| ${code(name)} | ${of} | ${differs} |`,
  ),
]

const notesOf = (title: string, notes: readonly string[]): readonly string[] =>
  notes.length === 0 ? [] : ['', `${title}:`, '', ...notes.map((each) => `- ${cell(each)}`)]

function dialectSection(dialect: Dialect): readonly string[] {
  const { name, summary, beyond, notSettled = [], conduct } = dialect
  return [
    '',
    `### ${name}`,
    '',
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    '',
    '| setting | value |',
    '|---|---|',
    ...settingsOfDialect(dialect).map(([path, value]) => `| ${code(path)} | ${code(value)} |`),
    ...(conduct.translations ? bodyRows(dialect) : []),
    ...notesOf('Not settled', notSettled),
    ...notesOf('Not reproduced', beyond),
  ]
}

export const dialectSections = (): readonly string[] => [
  '',
  '## Dialects',
  '',
  '`dialect` is one of these, or the name of a file with [one of your own](own-protocol.md); each is a set of the settings above, and a',
  'setting of your own counts before it. Names of fields are',
  'paths in a body: a list stands for each of its entries. What is recorded, and what the dashboard shows, is what is on the wire;',
  'rules, scenarios and events in commands have the names of the documents.',
  ...dialects.flatMap(dialectSection),
]
