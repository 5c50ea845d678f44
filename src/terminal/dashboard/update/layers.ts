/** The focus of panes, the stack of overlays, and notices: the last one is shown, those before it can be read again. */
import { type DashboardNotice, focusOf, type Model } from '../model/model.ts'
import type { Overlay } from '../model/overlay.ts'
import { layout, type PaneId, paneIds, visiblePanes } from '../model/layout.ts'

/** Opens an overlay above the one that is open, which closing it shows again; one of the same kind is replaced. */
export function openOverlay(model: Model, overlay: Overlay): Model {
  const { overlay: below, covered } = model
  const isAbove = below !== undefined && below.kind !== overlay.kind
  return { ...model, overlay, covered: isAbove ? [...covered, below] : covered }
}

/** Closes the topmost overlay. */
export const closeOverlay = (model: Model): Model => ({
  ...model,
  overlay: model.covered.at(-1),
  covered: model.covered.slice(0, -1),
})

/** Overlays whose text is in the prompt: they are closed together. */
const withPrompt: ReadonlySet<Overlay['kind'] | undefined> = new Set(['palette', 'fault-form'])

/** Closes the prompt with the overlay that belongs to it; what was open below is shown again. */
export const closePromptLayer = (model: Model): Model => ({
  ...(withPrompt.has(model.overlay?.kind) ? closeOverlay(model) : model),
  prompt: undefined,
})

const maxNotices = 100

export const addNotice = (model: Model, notice: DashboardNotice): Model => ({
  ...model,
  notice,
  notices: [...model.notices.slice(1 - maxNotices), notice],
})

/** All notices in full, the newest first. */
export const noticesOverlay = ({ notices }: Model): Overlay => ({
  kind: 'message',
  title: 'Messages, newest first',
  lines: notices.length === 0 ? ['None yet.'] : notices.map(({ text }) => text).toReversed(),
  top: 0,
})

export function focusPane(model: Model, pane: PaneId): Model {
  const { columns, rows } = model.layout
  const recent = [pane, ...model.recent.filter((other) => other !== pane)]
  return { ...model, recent, layout: layout(columns, rows, recent) }
}

/** Cycles through the panes by number, including those that share an area. */
export function cyclePanes(model: Model, by: 1 | -1): Model {
  const screenLayout = model.layout
  const visible: readonly PaneId[] = [
    ...visiblePanes(screenLayout).map(({ id }) => id),
    ...(screenLayout.shared?.panes ?? []),
  ]
  const all = paneIds.filter((id) => visible.includes(id))
  const index = all.indexOf(focusOf(model))
  const next = all[(index + by + all.length) % all.length]
  return next ? focusPane(model, next) : model
}
