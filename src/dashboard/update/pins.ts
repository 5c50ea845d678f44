/** Pinned orders: kept at the top of their list, and chosen in turn. */
import type { Model } from '../model/model.ts'

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
  const { seen, pinned } = model
  const known = seen?.pinned
  if (!known || known.length === pinned.length) return model
  const knownIds = new Set(known.map(({ orderId }) => orderId))
  const stillKnown = pinned.filter((id) => knownIds.has(id))
  // A pin set after the query was sent has not been queried yet.
  return stillKnown.length < pinned.length && seen.query.pinned >= pinned.length
    ? { ...model, pinned: stillKnown }
    : model
}
