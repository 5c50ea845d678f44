/**
 * Plain text search in the journal. Its facts do not change, so each is looked at once per search: the numbers of the matches
 * are kept with the journal, and only later facts are looked at by the next view.
 */
import type { JournalEntry, Journal } from '../engine/journal.ts'

interface Search {
  readonly key: string
  /** The last fact that was looked at. */
  upTo: number
  /** Ascending. */
  matches: number[]
}

/** The last search of each journal: while somebody types, it is always a new one. */
const searches = new WeakMap<Journal, Search>()

/** Numbers of the facts that pass, ascending; `key` names the search. */
export function journalMatches(
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
