/** The pages of docs/ in the package, what stands in which, and the rows of catalogues that a topic names. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../../core/runtime/files/file-problem.ts'
import { packageFolder } from '../../../core/runtime/version.ts'
import type { ExplainedRule } from '../../../core/session-api/explanation.ts'
import { loadClauses } from '../../../core/protocol/clause.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { problem } from '../../../core/base/problem.ts'
import { findSimilarNames } from '../../../core/protocol/closest-name.ts'
import { citedRuleLines, labelledLines } from './clause-text.ts'
import { unmarked } from './doc-text.ts'
import { nameOfRow } from '../list.ts'
import type { Listing, listings } from './listing.ts'

/** The first page: what there is. */
const indexPage = 'README'

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
  return { page, text: await readFile(join(packageFolder, 'docs', `${page}.md`), 'utf8') }
}

/** The parts of a page, from one heading to the next. */
function sectionsOf({ page, text }: DocPage) {
  // Lines of code may begin with `#` too.
  const marks = [...text.matchAll(/^```[^]*?^```$|^#+ (.*)$/gm)].filter(([, heading]) => heading)
  return marks.map(({ 1: heading = '', index }, at) => ({
    page: shortName(page),
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
  const wordsIn = (text: string): number => countIn(text).filter((count) => count > 0).length
  return pages
    .flatMap(sectionsOf)
    .filter(({ text }) => wordsIn(text) === words.length)
    .map(({ page, heading, text }) => {
      const [line = '', ...others] = text.split('\n').slice(1)
      const best = others.reduce(
        (one, other) => (wordsIn(other) > wordsIn(one) ? other : one),
        line,
      )
      const places = [heading, best].map((each) => (wordsIn(each) === words.length ? 100 : 0))
      const rank = 10 * (places[0] ?? 0) + (places[1] ?? 0) + Math.min(...countIn(text), 99)
      return { page, heading, line: plainLine(best), rank: isReference(page) ? rank - 200 : rank }
    })
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ page, heading, line }) => ({ page, heading, line }))
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

interface DocEntry {
  readonly kind: string
  readonly row: unknown
  readonly lines: (width: number) => Promise<readonly string[]>
}

const isRule = (row: unknown): row is ExplainedRule => isUnknownRecord(row) && 'remedy' in row

const isFault = (row: unknown): row is { readonly options: Readonly<Record<string, string>> } =>
  isUnknownRecord(row) && 'options' in row

async function rowLines(row: unknown, listed: Listing, width: number): Promise<readonly string[]> {
  if (listed.block) return listed.block(row, width)
  if (isRule(row)) return citedRuleLines(row, await loadClauses(), width)
  const [, ...columns] = listed.columns
  return [
    nameOfRow(listed)(row),
    ...columns.flatMap(({ title, cell }) =>
      labelledLines(`${title.toLowerCase()}: `, String(cell(row) ?? '-'), { width, indent: 2 }),
    ),
    ...Object.entries(isFault(row) ? row.options : {}).flatMap(([name, text]) =>
      labelledLines(`${name}: `, text, { width, indent: 4 }),
    ),
  ]
}

/** The rows of this name in the catalogues, and the names of all. */
async function entriesNamed(topic: string) {
  const { listings: all } = await import('./listing.ts')
  const entries: DocEntry[] = []
  const known: string[] = []
  for (const [key, kind] of Object.entries(namedKinds)) {
    const listed = await all[key as keyof typeof namedKinds](packageFolder)
    for (const row of listed.rows) {
      const name = nameOfRow(listed)(row).replace(/\.yaml$/, '')
      known.push(name)
      if (name.toLowerCase() === topic.toLowerCase())
        entries.push({ kind, row, lines: (width) => rowLines(row, listed, width) })
    }
  }
  return { entries, known }
}

/** What a topic leads to: a page; else rows of catalogues, and the sections that speak of them or have its words. */
interface DocAnswer extends Partial<DocPage> {
  readonly entries?: readonly DocEntry[]
  readonly matches?: readonly DocMatch[]
}

/** `verbPages` are what the help says: the package has no other pages of the verbs. */
export async function lookUp(
  words: readonly string[],
  verbPages: readonly DocPage[],
): Promise<DocAnswer> {
  const files = (await packedNames('docs', '.md')).filter((name) => !name.startsWith('cli/'))
  const topic = words.join(' ').trim()
  const name =
    topic
      .toLowerCase()
      .replaceAll(/^docs\/|\.md$/g, '')
      .replaceAll(' ', '/') || indexPage
  const pages = [...(await Promise.all(files.map(readPage))), ...verbPages]
  const found =
    pages.find(({ page }) => shortName(page) === name) ??
    // `conduct` is `configuration/conduct`.
    pages.find(({ page }) => shortName(page).endsWith(`/${name}`))
  if (found) return found
  const { entries, known } = await entriesNamed(topic)
  const guides = pages.filter(({ page }) => page !== indexPage)
  const matches = matchesIn(guides, entries.length > 0 ? [topic] : topic.split(/\s+/))
  if (entries.length + matches.length > 0) return { entries, matches }
  const near = findSimilarNames(topic, [...pages.map(({ page }) => page), ...known], 3)
  throw problem(
    `reading the documentation about "${topic}"`,
    'no page, clause, rule or fault has this name, and no page has these words',
    `${near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `}See sparring docs for what there is.`,
  )
}
