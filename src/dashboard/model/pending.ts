/** How many items of the agenda are pending, shown and hidden. */
import type { Model } from './model.ts'

/** Number of visible pending items: `12`, or `30+` when the list goes on. */
export function shownPendingText({ seen, agenda, everything }: Model): string {
  if (!seen) return '0'
  const { pending, loops } = seen.info.counts
  const count = seen.agenda.filter(({ held }) => !held).length
  if (seen.agenda.length < seen.query.agendaLimit) return String(count)
  // Of the whole list only the loops are counted.
  return everything ? String(agenda.background ? pending : pending - loops) : `${count}+`
}

/** Number of items that are not shown: loops, superseded items, what is of no concern; 0 while it is not known. */
export function hiddenPendingCount({ seen }: Model): number {
  if (!seen || seen.agenda.length >= seen.query.agendaLimit) return 0
  return Math.max(0, seen.info.counts.pending - seen.agenda.filter(({ held }) => !held).length)
}
