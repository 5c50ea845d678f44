/**
 * The pages of docs/ that are generated: settings, command line, keys and failures, each from the table that the product uses,
 * and `llms.txt`, which is made of all pages.
 */
import {
  durationNote,
  settingRows,
} from '../../src/sparring/verbs/support/configuration-template.ts'
import {
  type KeyContext,
  keyGroups,
  overlayContexts,
  paneContexts,
  paneContextsExceptRecording,
  promptContexts,
} from '../../src/terminal/dashboard/keys/binding.ts'
import { type CampaignKeyContext, campaignKeys } from '../../src/explore/screen/show-campaign.ts'
import {
  type CertificationKeyContext,
  certificationKeys,
} from '../../src/certify/screen/show-certification.ts'
import {
  bindingLabel,
  type DocumentedKey,
} from '../../src/terminal/dashboard/keys/documented-key.ts'
import { partnerRequirements } from '../../src/core/protocol/partner-requirements/catalogue.ts'
import type { PartnerRequirement } from '../../src/core/protocol/partner-requirements/requirement.ts'
import { keyBindings } from '../../src/terminal/dashboard/keys/catalogue.ts'
import { mouseGestures } from '../../src/terminal/dashboard/view/help.ts'
import { integrationFailures as kinds } from '../../src/core/rules/suggest.ts'
import { readFileSync } from 'node:fs'
import { cliPages, generatedNote } from './cli-docs.ts'
import { llmsPages } from './llms-docs.ts'
import { dialectsPage } from './dialect-docs.ts'
import { mistakesTable } from './mistakes-inside.ts'

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')
const code = (text: string): string => (text === '' ? '' : `\`${cell(text)}\``)
const tableRow = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** What a change of a setting does to a session that runs. */
const effectNames = { now: 'at once', restart: 'restart' } as const

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** What `conduct.bodies` is about: the table of requirements, one line for the operations that share a field. */
function partnerRequirementsPage(): string {
  const places: Readonly<Record<'body' | NonNullable<PartnerRequirement['of']>, string>> = {
    body: '',
    query: 'query: ',
    order: 'order: ',
  }
  return [
    '# What every partner requires',
    '',
    generatedNote,
    '',
    'The documents leave the form of many requests open, and partners agree on more than they say. A request that every partner',
    'refuses is taken here too, with advice in the log, until `conduct.bodies` is `strict`: then it is 400 or, for what its order',
    'does not allow, 422, and the answer names each field. `*` is each entry of a list; a field in an object is required where the',
    'object is there. Rows of Customer and Loyalty count for each record, and for events in a wrapper or flat. A filter of a poll',
    'that is no event type is refused in any case.',
    '',
    tableRow('operations', 'field', 'expected', 'clauses'),
    '|---|---|---|---|',
    ...partnerRequirements.map(({ operations, of, at, optional, when, expects, clauses }) =>
      tableRow(
        operations.map(code).join(' '),
        `${places[of ?? 'body']}${at === '' ? 'the whole' : code(at)}${when ? `, ${when.says}` : ''}`,
        cell(`${expects.says}${optional ? ', or nothing' : ''}`),
        clauses.join(', '),
      ),
    ),
    '',
  ].join('\n')
}

const settings = settingRows()

const settingsHead = [
  tableRow('setting', 'values', 'default', 'change', 'what it does'),
  '|---|---|---|---|---|',
]

const settingLine = ({
  path,
  values,
  default: usual = '',
  effect,
  description,
}: (typeof settings)[number]) =>
  tableRow(
    code(path.join('.')),
    cell(values),
    code(usual),
    effect === undefined ? '' : effectNames[effect],
    cell(description),
  )

/** A section of the file; undefined for the settings that are in none. */
const settingsOf = (name: string): readonly string[] => [
  ...settingsHead,
  ...settings.filter(({ path, isSection }) => path[0] === name && !isSection).map(settingLine),
]

const sections = settings.filter(({ path: { length }, isSection }) => length === 1 && isSection)

/** It has so many settings that it has a page of its own. */
const longSection = 'conduct'

function longSectionPage(): string {
  const { description = '' } = sections.find(({ path }) => path[0] === longSection) ?? {}
  return [
    `# ${longSection}`,
    '',
    generatedNote,
    '',
    sentence(description),
    '',
    ...settingsOf(longSection),
    '',
  ].join('\n')
}

function configurationPage(): string {
  const top = settings.filter(({ path: { length }, isSection }) => length === 1 && !isSection)
  return [
    '# Configuration',
    '',
    generatedNote,
    '',
    'Sparring reads `sparring.config.yaml`, `.json` or `.ts` in the current directory, or the file of `--config`. `sparring init`',
    'writes one with every setting explained, which your [editor](editors.md) completes by its JSON Schema. Flags, and',
    `\`SPARRING_<FLAG>\` in the environment, win over the file. ${durationNote}`,
    '',
    'With the dashboard, and elsewhere with `--watch`, `sparring up` takes a file that is edited over into the session that runs: the',
    'column `change` says which settings take effect at once and which need a restart. A file that is wrong changes nothing, and is',
    'named with its line. Files of merchants and menus count as well; `--no-watch` reads everything at the start only.',
    '',
    'What a partner does its own way is set by [`conduct`](configuration/conduct.md), or for a partner as a whole by its',
    '[dialect](configuration/dialects.md). What [every partner requires](configuration/requirements.md) of requests is a table, too.',
    '',
    '## Session',
    '',
    ...settingsHead,
    ...top.map(settingLine),
    ...sections.flatMap(({ path: [name = ''], description }) =>
      name === longSection
        ? []
        : ['', `## ${name}`, '', sentence(description), '', ...settingsOf(name)],
    ),
    '',
    '## What no setting changes',
    '',
    'Where the documents leave something open there is a setting, with three exceptions:',
    '',
    '- ORD-UND-11: `outOfStockItems` is a list of item ids in the body of `requestCancellation`.',
    '- AUT-UND-01: all operations of Orders and Indoor need the scope `<prefix>.orders`; only the prefix can be set.',
    '- LOY-UND-01: redemptions and transactions have the fields that the documents list; programs and rewards have those that they are given.',
    '',
  ].join('\n')
}

const keysOf = (binding: DocumentedKey): string =>
  [
    binding.label ?? bindingLabel(binding),
    ...binding.keys.slice(binding.label === undefined ? 1 : binding.keys.length),
  ]
    .map(code)
    .join(' ')

/** Contexts that have a word of their own when all of them are meant. */
const contextGroups = [
  ['panes and player', paneContexts],
  ['panes', paneContextsExceptRecording],
  ['overlays', overlayContexts],
  ['questions', promptContexts],
] as const

/** Contexts that users do not know by their id. */
const contextLabels: Readonly<Partial<Record<KeyContext, string>>> = {
  beside: 'comparison',
  contact: 'connection',
  facts: 'journal',
  mend: 'rejected edit',
  story: 'explanation',
  tape: 'player',
}

/** Where a key works: by groups first, then the contexts that are in none of them. */
function contextsText(contexts: readonly KeyContext[]): string {
  let left = [...contexts]
  const words: string[] = []
  for (const [word, group] of contextGroups)
    if (group.every((context) => left.includes(context))) {
      words.push(word)
      left = left.filter((context) => !group.includes(context))
    }
  return [...words, ...left.map((context) => contextLabels[context] ?? context)].join(', ')
}

const campaignContextLabels: Readonly<Record<CampaignKeyContext, string>> = {
  overview: 'campaign',
  details: 'story of a bucket',
  help: 'help',
  stop: 'question',
}

const certificationContextLabels: Readonly<Record<CertificationKeyContext, string>> = {
  procedures: 'procedures',
  request: 'when something is asked for',
  results: 'results',
  details: 'a result',
  help: 'help',
}

function keysPage(): string {
  return [
    '# Keys of the dashboard',
    '',
    generatedNote,
    '',
    'The same key means the same in a live session and in the player of recordings. `?` shows this list in the dashboard. Keys that change the session do nothing in one that is attached with `--read-only`.',
    ...keyGroups.flatMap((group) => [
      '',
      `## ${group.charAt(0).toUpperCase()}${group.slice(1)}`,
      '',
      tableRow('key', 'what it does', 'where', 'changes'),
      '|---|---|---|---|',
      ...keyBindings
        .filter((binding) => binding.group === group)
        .map((binding) =>
          tableRow(
            keysOf(binding),
            cell(binding.title),
            cell(contextsText(binding.contexts)),
            binding.changes ? 'yes' : '',
          ),
        ),
    ]),
    '',
    '## Mouse',
    '',
    'Not with `--no-mouse` (`SPARRING_NO_MOUSE=1`), which leaves the mouse to the terminal.',
    '',
    tableRow('gesture', 'what it does'),
    '|---|---|',
    ...mouseGestures.map(({ gesture, title }) => tableRow(code(gesture), cell(title))),
    '',
    '## Screen of a campaign',
    '',
    'On a terminal `sparring explore` shows its campaign on a screen of its own. The reproducer of a bucket is played in the dashboard.',
    '',
    tableRow('key', 'what it does', 'where'),
    '|---|---|---|',
    ...campaignKeys.map((key) =>
      tableRow(
        keysOf(key),
        cell(key.title),
        key.contexts.map((context) => campaignContextLabels[context]).join(', '),
      ),
    ),
    '',
    '## Screen of a certification',
    '',
    'On a terminal `sparring certify` shows its procedures on a screen of its own, asks there for what only a person can do at the',
    'service, and shows the results.',
    '',
    tableRow('key', 'what it does', 'where'),
    '|---|---|---|',
    ...certificationKeys.map((key) =>
      tableRow(
        keysOf(key),
        cell(key.title),
        key.contexts.map((context) => certificationContextLabels[context]).join(', '),
      ),
    ),
    '',
  ].join('\n')
}

/** The page as it is, with the table between its marks. */
function survivePage(): string {
  const page = readFileSync(new URL('../../docs/survive.md', import.meta.url), 'utf8')
  const marks =
    /(?<=<!-- mistakes: generated by `npm run docs` -->\n).*(?=\n<!-- end of mistakes -->)/s
  return page.replace(marks, () => `\n${mistakesTable()}\n`)
}

/** The kinds of failures, by group: what provokes each, what catches it, what a right service does. */
function failuresPage(): string {
  const groups = Map.groupBy(kinds, ({ group }) => group)
  return [
    '# Which of these has bitten you?',
    '',
    generatedNote,
    '',
    `${kinds.length} kinds of failures that integrations of this trade were really bitten by. Each has a story that provokes it, which comes with`,
    'the package, and a rule that catches it:',
    '',
    '<!-- not run: your service is started by your command -->',
    '',
    '```sh',
    "npx sparring run node_modules/sparring/scenarios/an-event-comes-twice.yaml --start 'node server.js'",
    '```',
    '',
    'In a session that runs, the fault in the third column provokes it in whatever comes next. `npx sparring suggest` says which of these your',
    'service has not met yet, and prints the five commands to try next:',
    '',
    '<!-- not run: it needs a session -->',
    '',
    '```sh',
    'npx sparring faults add fail:operation=getOrder,limit=2',
    'npx sparring suggest',
    '```',
    '',
    'Every row is played against the demo service, which passes, and against a mistake of its kind, which does not: `npx sparring demo --defect',
    '<mistake>` has it.',
    ...[...groups].flatMap(([group, rows]) => [
      '',
      `## ${group}`,
      '',
      '| what happened | story | fault | rule | mistake | a right service |',
      '| --- | --- | --- | --- | --- | --- |',
      ...rows.map(({ kind, scenario, fault, rule, defect, right }) =>
        tableRow(
          cell(kind),
          `[${scenario}](../scenarios/${scenario}.yaml)`,
          code(fault),
          rule,
          code(defect),
          cell(right),
        ),
      ),
    ]),
    '',
  ].join('\n')
}

/** Each page by its file; those that are made of others come last. */
export const generatedPages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/configuration.md': configurationPage,
  'docs/configuration/conduct.md': longSectionPage,
  'docs/configuration/dialects.md': dialectsPage,
  'docs/configuration/requirements.md': partnerRequirementsPage,
  ...cliPages,
  'docs/keys.md': keysPage,
  'docs/failures.md': failuresPage,
  'docs/survive.md': survivePage,
  ...llmsPages,
}
