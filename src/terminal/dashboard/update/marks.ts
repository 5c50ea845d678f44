/**
 * Marked items of the agenda, one by one or as a range from an anchor to the cursor; and pinned orders, kept at the top of
 * their list, and chosen in turn.
 */
import type { AgendaRow } from '../../../core/session-api/session-api.ts'
import { chosenItem, type Model } from '../model/model.ts'

const agendaRows = ({ snapshot }: Model): readonly AgendaRow[] => snapshot?.agenda ?? []

/** The ids between the anchor and the cursor, both included. */
function rangeOf(model: Model): readonly number[] {
  const { anchor } = model.agenda
  if (anchor === undefined) return []
  const rows = agendaRows(model)
  const from = rows.findIndex(({ id }) => id === anchor)
  const to = rows.findIndex(({ id }) => id === chosenItem(model)?.id)
  if (from < 0 || to < 0) return []
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id)
}

/** Ids of the selected items in list order; marked items outside the loaded list come last. */
export function selectedIds(model: Model): readonly number[] {
  const { marked } = model.agenda
  const selected = new Set([...marked, ...rangeOf(model)])
  const inListOrder = agendaRows(model).flatMap(({ id }) => (selected.has(id) ? [id] : []))
  return [...new Set([...inListOrder, ...selected])]
}

export const isSelecting = ({ agenda }: Model): boolean =>
  agenda.marked.length > 0 || agenda.anchor !== undefined

export const withoutMarks = (model: Model): Model => ({
  ...model,
  agenda: { ...model.agenda, marked: [], anchor: undefined },
})

/** Toggles the mark of the chosen item. */
export function toggleMark(model: Model): Model {
  const item = chosenItem(model)
  if (!item) return model
  const { marked } = model.agenda
  const marks = marked.includes(item.id)
    ? marked.filter((id) => id !== item.id)
    : [...marked, item.id]
  return { ...model, agenda: { ...model.agenda, marked: marks } }
}

/** Starts a range; the second call turns the range into marks. */
export function toggleRange(model: Model): Model {
  const { agenda } = model
  if (agenda.anchor === undefined)
    return { ...model, agenda: { ...agenda, anchor: chosenItem(model)?.id } }
  return { ...model, agenda: { ...agenda, marked: selectedIds(model), anchor: undefined } }
}

/** Unmarks items that are gone, provided that the whole list was loaded. */
export function settleMarks(model: Model): Model {
  const { agenda, snapshot } = model
  if (!snapshot || !isSelecting(model) || snapshot.agenda.length >= snapshot.query.agendaLimit)
    return model
  const existingIds = new Set(snapshot.agenda.map(({ id }) => id))
  const marked = agenda.marked.filter((id) => existingIds.has(id))
  const anchor =
    agenda.anchor !== undefined && existingIds.has(agenda.anchor) ? agenda.anchor : undefined
  if (marked.length === agenda.marked.length && anchor === agenda.anchor) return model
  return { ...model, agenda: { ...agenda, marked, anchor } }
}

/** Maximum number of pins; more would leave no room for the list. */
const maxPinned = 9

export function togglePin(model: Model): Model {
  const { orderId, pinned } = model
  if (orderId === undefined) return model
  const others = pinned.filter((id) => id !== orderId)
  const next = others.length < pinned.length ? others : [orderId, ...others].slice(0, maxPinned)
  return { ...model, pinned: next }
}

export function chooseAdjacentPin(model: Model, by: 1 | -1): Model {
  const { orderId, pinned } = model
  const index = pinned.findIndex((id) => id === orderId)
  const from = index < 0 && by < 0 ? 0 : index
  const next = pinned.at((from + by) % Math.max(1, pinned.length))
  return next === undefined ? model : { ...model, tab: 'order', orderId: next }
}

/** Unpins orders that the session no longer knows. */
export function settlePins(model: Model): Model {
  const { snapshot, pinned } = model
  const known = snapshot?.pinned
  if (!known || known.length === pinned.length) return model
  const knownIds = new Set(known.map(({ orderId }) => orderId))
  const stillKnown = pinned.filter((id) => knownIds.has(id))
  // A pin set after the query was sent has not been queried yet.
  return stillKnown.length < pinned.length && snapshot.query.pinned >= pinned.length
    ? { ...model, pinned: stillKnown }
    : model
}
