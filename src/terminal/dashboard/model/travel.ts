/**
 * Time travel: orders and agenda as they were right after a fact. The session keeps running; only the screen is frozen.
 */
import { followingLog, type Model } from './model.ts'

export function travelInTime(model: Model, by: 1 | -1): Model {
  const { snapshot, at, facts } = model
  if (!snapshot) return model
  const from = at ?? (facts.follow ? undefined : facts.chosen)
  if (from === undefined) {
    if (by > 0 || snapshot.info.counts.facts < 2) return model
    // Of facts that are searched for, the last one that was found.
    const found = model.search.facts === undefined ? undefined : snapshot.journal.at(-1)?.seq
    return showWorldAt(model, found ?? snapshot.info.counts.facts - 1)
  }
  // With a fact chosen in the list, the first step back shows that fact.
  if (at === undefined) return by < 0 ? showWorldAt(model, from) : model
  const next = neighbourSeq(model, from, by)
  if (next !== undefined) return showWorldAt(model, next)
  return by > 0
    ? returnToNow(model)
    : { ...model, notice: { text: 'the first entry', tone: 'muted' } }
}

/** The adjacent fact in the list; sequence numbers have no gaps unless the list is narrowed to one order. */
function neighbourSeq(model: Model, from: number, by: 1 | -1): number | undefined {
  const rows = model.snapshot?.journal ?? []
  const index = rows.findIndex(({ seq }) => seq === from)
  const row = index < 0 ? undefined : rows[index + by]
  if (row || model.only) return row?.seq
  const next = from + by
  return next >= 1 && next <= (model.snapshot?.info.counts.facts ?? 0) ? next : undefined
}

export function showWorldAt(model: Model, seq: number): Model {
  const since = model.facts.follow ? (model.snapshot?.info.counts.facts ?? 0) : model.facts.since
  const facts = { ...model.facts, follow: false, chosen: seq, toFirst: false, since }
  return { ...model, at: seq, facts }
}

/** Leaves time travel in all panes. */
export const returnToNow = (model: Model): Model => ({
  ...model,
  at: undefined,
  facts: followingLog,
  traffic: followingLog,
  recording: { chosen: undefined, top: undefined, at: undefined },
})
