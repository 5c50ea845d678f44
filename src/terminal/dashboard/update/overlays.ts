/** Opens, scrolls and closes overlays, and closes prompts. */
import { overlayLength } from '../view/detail.ts'
import { moveListing } from '../view/overlays/listing.ts'
import { isListOverlay, openListLines } from '../view/overlays/catalogue.ts'
import { scroll } from '../model/lists.ts'
import type { Motion } from '../model/message.ts'
import { focusOf, type Model } from '../model/model.ts'
import { chosenExchangeSeq, detailTargetOf } from '../model/open-target.ts'
import type { Overlay } from '../model/overlay.ts'
import { choosePlace, chosenPlace, playbackOf } from '../model/recording.ts'
import { returnToNow } from '../model/travel.ts'
import { isSelecting, withoutMarks } from './marks.ts'
import { closeOverlay, closePromptLayer, focusPane, openOverlay } from './layers.ts'
import { searchedPane, searchText, withSearch } from '../model/search.ts'
import { withFilter, withSearchText } from './prompt.ts'

export function moveOverlay(model: Model, overlay: Overlay, motion: Motion): Model {
  if (isListOverlay(overlay))
    return { ...model, overlay: moveListing(openListLines(model), overlay, motion, model) }
  const { body } = model.layout
  const height = Math.max(1, body.height - 1)
  const top = scroll(overlayLength(model), height, overlay.top, motion)
  return { ...model, overlay: { ...overlay, top } }
}

export function openDetail(model: Model): Model {
  if (playbackOf(model) && focusOf(model) === 'traffic')
    return openOverlay(model, {
      kind: 'beside',
      place: chosenPlace(model),
      chosen: undefined,
      top: 0,
    })
  const of = detailTargetOf(model)
  return of ? openOverlay(model, { kind: 'detail', of, top: 0 }) : model
}

/** An open compare view follows: a burst of keys is faster than the snapshot. */
export function showPlace(model: Model, place: number): Model {
  const { overlay } = model
  const nextOverlay: Overlay | undefined =
    overlay?.kind === 'beside' ? { ...overlay, place, chosen: undefined, top: 0 } : overlay
  return choosePlace({ ...focusPane(model, 'traffic'), overlay: nextOverlay }, place)
}

/** Chooses an exchange that the filter lets through; an open detail of an exchange shows it instead. */
export function chooseExchange(model: Model, seq: number): Model {
  const { overlay } = model
  const since = model.traffic.follow
    ? (model.seen?.info.counts.exchanges ?? 0)
    : model.traffic.since
  const chosen: Model = {
    ...focusPane(model, 'traffic'),
    traffic: { follow: false, chosen: seq, top: undefined, since, toFirst: false },
  }
  return overlay?.kind === 'detail'
    ? { ...chosen, overlay: { kind: 'detail', of: { kind: 'exchange', seq }, top: 0 } }
    : chosen
}

/** Chooses the exchange that was sent again, where the original still has the cursor; a list that follows shows it anyway. */
export function chooseResent(
  model: Model,
  { original, seq }: { readonly original: number; readonly seq: number },
): Model {
  const isOpen = model.overlay?.kind === 'detail'
  const isListed = !model.overlay && focusOf(model) === 'traffic' && !model.traffic.follow
  return (isOpen || isListed) && chosenExchangeSeq(model) === original
    ? chooseExchange(model, seq)
    : model
}

/** Chooses an exchange and clears everything that could hide it. */
export function jumpToExchange(model: Model, seq: number): Model {
  const since = model.seen?.info.counts.exchanges ?? 0
  return {
    ...focusPane(model, 'traffic'),
    overlay: undefined,
    covered: [],
    only: false,
    filter: { draft: '', valid: '', problem: undefined, idle: true },
    traffic: { follow: false, chosen: seq, top: undefined, since, toFirst: false },
  }
}

/** Closes exactly one layer, the topmost; it never quits. */
export function closeTopLayer(model: Model): Model {
  const { prompt } = model
  if (prompt?.kind === 'filter') return { ...withFilter(model, prompt.before), prompt: undefined }
  if (prompt?.kind === 'search')
    return { ...withSearchText(model, prompt.pane, prompt.before), prompt: undefined }
  if (prompt) return closePromptLayer(model)
  if ((model.overlay?.search ?? '') !== '') return withSearchText(model, 'overlay', '')
  if (model.overlay) return closeOverlay(model)
  const searched = searchedPane(model)
  if (searched && searchText(model, searched) !== '') return withSearch(model, searched, '')
  if (isSelecting(model)) return withoutMarks(model)
  if (model.filter.draft !== '') return withFilter(model, '')
  if (Object.values(model.search).some((text) => text !== '')) return { ...model, search: {} }
  if (model.only) return { ...model, only: false }
  return model.at === undefined && model.recording.at === undefined ? model : returnToNow(model)
}

/** Closes the prompt; an invalid filter is replaced by the last valid one. */
export function closePrompt(model: Model): Model {
  const { filter, prompt } = model
  const closed: Model = closePromptLayer(model)
  if (prompt?.kind !== 'filter' || filter.problem === undefined) return closed
  return {
    ...closed,
    filter: { ...filter, draft: filter.valid, problem: undefined },
    notice: { text: filter.problem, tone: 'warn' },
  }
}
