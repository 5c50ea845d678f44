/** Rows of the journal: facts, oldest first. */
import { compact } from '../base/compact.ts'
import type { Role } from '../protocol/role.ts'
import type { Journal, JournalEntry } from '../engine/journal.ts'
import type { World } from '../engine/world.ts'
import type { JournalRow, View } from '../session-api/session-api.ts'
import { rowTest } from './row-text.ts'
import { concernsRole } from './relevance.ts'
import { factText, orderIdOfFact } from '../engine/fact.ts'

/** `subject` is the role of the user's service. */
function journalRow({ seq, at, by, fact }: JournalEntry, world: World, subject?: Role): JournalRow {
  const orderId = orderIdOfFact(fact, world)
  return {
    seq,
    at,
    kind: fact.kind,
    by,
    text: factText(fact, world),
    ...compact({ orderId }),
    ...(subject !== undefined && concernsRole(fact, subject, world)
      ? { subject: true as const }
      : {}),
  }
}

/** Which facts a view is about; undefined for all. */
function scopeOf(
  { orderId, mine }: NonNullable<View['journal']>,
  world: World,
  subject: Role | undefined,
): ((entry: JournalEntry) => boolean) | undefined {
  const role = mine ? subject : undefined
  if (orderId === undefined && role === undefined) return undefined
  return ({ fact }) =>
    (orderId === undefined || orderIdOfFact(fact, world) === orderId) &&
    (role === undefined || (!fact.kind.startsWith('agenda.') && concernsRole(fact, role, world)))
}

/** Maximum facts scanned per view. */
const maxScanned = 20_000

interface JournalRows {
  /** Oldest first. */
  readonly rows: readonly JournalRow[]
  /** Number of facts with the words that are searched for. */
  readonly found?: number
}

export function journalRows(
  journal: Journal,
  world: World,
  view: NonNullable<View['journal']>,
  subject?: Role,
): JournalRows {
  const test = rowTest('journal', view.contains, world)
  if (!test) return { rows: allRows(journal, world, view, subject) }
  const { limit, before = Number.MAX_SAFE_INTEGER, after, orderId, mine, contains = '' } = view
  const isInScope = scopeOf(view, world, subject)
  const matches = journalMatches(
    journal,
    JSON.stringify([contains, orderId, mine]),
    (entry) => isInScope?.(entry) !== false && test(journalRow(entry, world, subject)),
  )
  const numbers =
    after === undefined
      ? matches.filter((seq) => seq < before).slice(-limit)
      : matches.filter((seq) => seq > after).slice(0, limit)
  const rows = limit === 0 ? [] : numbers.flatMap((seq) => journal.get(seq) ?? [])
  return { rows: rows.map((entry) => journalRow(entry, world, subject)), found: matches.length }
}

function allRows(
  journal: Journal,
  world: World,
  view: NonNullable<View['journal']>,
  subject: Role | undefined,
): readonly JournalRow[] {
  const { limit, before, after } = view
  const isInScope = scopeOf(view, world, subject)
  if (after !== undefined) {
    const entries = isInScope
      ? journal.after(after, maxScanned).filter(isInScope)
      : journal.after(after, limit)
    return entries.slice(0, limit).map((entry) => journalRow(entry, world, subject))
  }
  const rows: JournalRow[] = []
  let scanned = 0
  for (const entry of journal.before(before ?? Number.MAX_SAFE_INTEGER)) {
    if (rows.length >= limit || scanned++ >= maxScanned) break
    if (isInScope?.(entry) !== false) rows.push(journalRow(entry, world, subject))
  }
  return rows.toReversed()
}

interface Search {
  readonly key: string
  /** The last fact that was looked at. */
  upTo: number
  /** Ascending. */
  matches: number[]
}

/** The last search of each journal: while a user types, it is always a new one. */
const searches = new WeakMap<Journal, Search>()

/** Numbers of the facts that pass, ascending; `key` names the search. */
function journalMatches(
  journal: Journal,
  key: string,
  passes: (entry: JournalEntry) => boolean,
): readonly number[] {
  const known = searches.get(journal)
  const search = known?.key === key ? known : { key, upTo: 0, matches: [] }
  for (const entry of journal.after(search.upTo, Number.MAX_SAFE_INTEGER))
    if (passes(entry)) search.matches.push(entry.seq)
  search.upTo = journal.last()
  const first = journal.first()
  if ((search.matches[0] ?? first) < first)
    search.matches = search.matches.filter((seq) => seq >= first)
  searches.set(journal, search)
  return search.matches
}
