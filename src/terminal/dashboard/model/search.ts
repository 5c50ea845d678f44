/** Plain text search: in the lists of panes that have no filter language, and in overlays. */
import { focusOf, type Model } from './model.ts'
import { playbackOf } from './recording.ts'

/** Panes that are searched for words; the traffic, and every list of a recording, has the filter language. */
export type SearchPane = 'facts' | 'orders' | 'agenda'

/** The pane whose list `/` searches; undefined where it filters the traffic. */
export function searchedPane(model: Model): SearchPane | undefined {
  if (playbackOf(model)) return undefined
  const pane = focusOf(model)
  if (pane === 'traffic') return undefined
  return pane === 'order' ? 'orders' : pane
}

export const searchText = ({ search }: Model, pane: SearchPane): string => search[pane] ?? ''

/** Number of rows that fit; undefined while nothing is searched for. */
export function foundCount(model: Model, pane: SearchPane): number | undefined {
  const { snapshot, tab } = model
  if (searchText(model, pane).trim() === '' || !snapshot) return undefined
  if (pane === 'orders' && tab !== 'order') return snapshot.entityCount
  return snapshot.found?.[pane === 'facts' ? 'journal' : pane]
}

export const withSearch = (model: Model, pane: SearchPane, text: string): Model => ({
  ...model,
  search: { ...model.search, [pane]: text },
  // The list is another one: it begins at its top.
  ...(pane === 'orders' ? { orders: { ...model.orders, top: 0, toLast: false } } : {}),
  ...(pane === 'agenda' ? { agenda: { ...model.agenda, top: 0 } } : {}),
})
