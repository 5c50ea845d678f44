/** The pages of docs/ in the package, what stands in which, and the rows of catalogues that a topic names. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../../core/runtime/files/file-problem.ts'
import { packageFolder } from '../../../core/runtime/version.ts'
import type { ExplainedRule } from '../../../core/session-api/explanation.ts'
import { loadClauses } from '../../../core/protocol/clause.ts'
import { problem } from '../../../core/base/problem.ts'
import { findSimilarNames } from '../../../core/protocol/closest-name.ts'
import { citedRuleLines, labelledLines } from './clause-text.ts'
import { unmarked } from './doc-text.ts'
import { nameOfRow } from '../list.ts'
import type { Listing, listings } from './listing.ts'

const folder = join(packageFolder, 'docs')

/** The first page: what there is. */
export const indexPage = 'README'

/** The names of files below a folder of the package, without their ending; none where it was packed without the folder. */
export async function packedNames(below: string, ending: string): Promise<readonly string[]> {
  const files = await readdir(join(packageFolder, below), { recursive: true }).catch(
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    },
  )
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length).replaceAll('\\', '/'))
    .toSorted()
}

/** The page of a skill is named by its folder. */
const shortName = (page: string): string => page.replace(/\/SKILL$/, '')

export interface DocPage {
  readonly page: string
  readonly text: string
}

async function readPage(page: string): Promise<DocPage> {
  return { page, text: await readFile(join(folder, `${page}.md`), 'utf8') }
}

/** A part of a page, from one heading to the next. */
interface DocSection {
  readonly page: string
  readonly heading: string
  readonly text: string
}

function sectionsOf({ page, text }: DocPage): readonly DocSection[] {
  // Lines of code may begin with `#` too.
  const marks = Array.from(text.matchAll(/^```[^]*?^```$|^#+ (.*)$/gm)).filter(
    ([, heading]) => heading,
  )
  return marks.map(({ 1: heading = '', index }, at) => ({
    page,
    heading: unmarked(heading),
    text: text.slice(index, marks[at + 1]?.index),
  }))
}

export interface DocMatch {
  readonly page: string
  readonly heading: string
  /** The first of the lines that have most of the words. */
  readonly line: string
}

/** Pages that are looked up, and not read, come after those that explain. */
const isReference = (page: string): boolean => /^(?:cli|configuration|keys)\b/.test(page)

/** A row of a table as one line, an entry of a list without its mark. */
const plainLine = (line: string): string =>
  unmarked(
    line
      .replaceAll(/^(?:[|\s>*]|- )+|[|\s]+$/g, '')
      .replaceAll(/\s*\|\s*/g, ' · ')
      .replaceAll(/ {2,}/g, '  '),
  )

/** Sections with all of these words: those with them in the heading first, then those with most of them. */
function matchesIn(pages: readonly DocPage[], words: readonly string[]): readonly DocMatch[] {
  const wanted = words.map((word) => word.toLowerCase())
  const countIn = (text: string): readonly number[] =>
    wanted.map((word) => text.toLowerCase().split(word).length - 1)
  const hasAll = (text: string): boolean => countIn(text).every((count) => count > 0)
  return pages
    .flatMap(sectionsOf)
    .filter(({ text }) => hasAll(text))
    .map(({ page, heading, text }) => {
      const lines = text.split('\n').slice(1)
      const wordsIn = (line: string): number => countIn(line).filter((count) => count > 0).length
      const most = Math.max(0, ...lines.map(wordsIn))
      const line = lines.find((each) => wordsIn(each) === most) ?? ''
      const rank =
        (hasAll(heading) ? 1000 : 0) +
        (most === words.length ? 100 : 0) +
        Math.min(...countIn(text), 99) -
        (isReference(page) ? 200 : 0)
      return { page, heading, rank, line: plainLine(line) }
    })
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ page, heading, line }) => ({ page: shortName(page), heading, line }))
}

/** What a topic may name beside a page, and what each is called. */
const namedKinds = {
  clauses: 'clause',
  invariants: 'rule',
  faults: 'fault',
  profiles: 'fault profile',
  samples: 'sample of an order',
  operations: 'operation',
  events: 'event',
  dialects: 'dialect',
  defects: 'defect of the demo',
  scenarios: 'scenario',
} as const satisfies Partial<Record<keyof typeof listings, string>>

export interface DocEntry {
  readonly kind: (typeof namedKinds)[keyof typeof namedKinds]
  readonly row: unknown
  readonly lines: (width: number) => Promise<readonly string[]>
}

const isRule = (row: unknown): row is ExplainedRule =>
  typeof row === 'object' && row !== null && 'remedy' in row && 'sentence' in row

const optionsOf = (row: unknown): readonly (readonly [name: string, text: unknown])[] =>
  typeof row === 'object' && row !== null && 'options' in row
    ? Object.entries(row.options as Readonly<Record<string, unknown>>)
    : []

async function rowLines(row: unknown, listed: Listing, width: number): Promise<readonly string[]> {
  if (listed.block) return listed.block(row, width)
  if (isRule(row)) return citedRuleLines(row, await loadClauses(), width)
  const [, ...columns] = listed.columns
  return [
    nameOfRow(listed)(row),
    ...columns.flatMap(({ title, cell }) =>
      title === 'OPTIONS'
        ? []
        : labelledLines(`${title.toLowerCase()}: `, String(cell(row) ?? '-'), { width, indent: 2 }),
    ),
    ...optionsOf(row).flatMap(([name, text]) =>
      labelledLines(`${name}: `, String(text), { width, indent: 4 }),
    ),
  ]
}

/** The rows of this name in the catalogues, and the names of all. */
async function entriesNamed(
  topic: string,
): Promise<{ readonly entries: readonly DocEntry[]; readonly names: readonly string[] }> {
  const wanted = topic.toLowerCase()
  const { listings: all } = await import('./listing.ts')
  const entries: DocEntry[] = []
  const names: string[] = []
  for (const [key, kind] of Object.entries(namedKinds)) {
    const listed = await all[key as keyof typeof namedKinds](packageFolder)
    for (const row of listed.rows) {
      const name = nameOfRow(listed)(row).replace(/\.yaml$/, '')
      names.push(name)
      if (name.toLowerCase() === wanted)
        entries.push({ kind, row, lines: (width) => rowLines(row, listed, width) })
    }
  }
  return { entries, names }
}

/** What a topic leads to: a page, rows of catalogues with the sections that speak of them, or the sections with its words. */
export type DocAnswer =
  | ({ readonly kind: 'page' } & DocPage)
  | {
      readonly kind: 'entries'
      readonly entries: readonly DocEntry[]
      readonly matches: readonly DocMatch[]
    }
  | { readonly kind: 'matches'; readonly matches: readonly DocMatch[] }

/** The page of this name, or with it as the last part of its name: `conduct` is `configuration/conduct`. */
const pageNamed = (topic: string, names: readonly string[]): string | undefined =>
  names.find((name) => name === topic) ??
  names.find(
    (name) =>
      name
        .replace(/\/SKILL$/, '')
        .split('/')
        .at(-1) === topic,
  )

/** `ofVerbs` are the pages of the verbs, which the package does not have: they are what the help says. */
export async function lookUp(
  words: readonly string[],
  ofVerbs: () => Promise<readonly DocPage[]>,
): Promise<DocAnswer> {
  const files = (await packedNames('docs', '.md')).filter((name) => !name.startsWith('cli/'))
  const verbPages = await ofVerbs()
  const names = [...files, ...verbPages.map(({ page }) => page)]
  const topic = words.join(' ').trim()
  const asName = topic
    .toLowerCase()
    .replace(/^docs\/|\.md$/g, '')
    .replaceAll(' ', '/')
  const page = topic === '' ? indexPage : pageNamed(asName, names)
  if (page !== undefined)
    return {
      kind: 'page',
      ...(verbPages.find((each) => each.page === page) ?? (await readPage(page))),
    }
  const { entries, names: others } = await entriesNamed(topic)
  const read = await Promise.all(files.filter((name) => name !== indexPage).map(readPage))
  const pages = [...read, ...verbPages]
  const matches = matchesIn(pages, entries.length > 0 ? [topic] : topic.split(/\s+/))
  if (entries.length > 0) return { kind: 'entries', entries, matches }
  if (matches.length > 0) return { kind: 'matches', matches }
  const near = findSimilarNames(topic, [...names, ...others], 3)
  throw problem(
    `reading the documentation about "${topic}"`,
    'no page, clause, rule or fault has this name, and no page has these words',
    near.length === 0
      ? 'See sparring docs for what there is.'
      : `Did you mean ${near.join(' or ')}? See sparring docs for what there is.`,
  )
}
