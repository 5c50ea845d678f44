/** The focus of panes. */
import { paneIds, visiblePanes, type PaneId } from '../model/layout.ts'
import { focusOf, layoutOf, type Model } from '../model/model.ts'

export const focusPane = (model: Model, pane: PaneId): Model => ({
  ...model,
  recent: [pane, ...model.recent.filter((other) => other !== pane)],
})

/** Cycles through the panes by number, including those that share an area. */
export function cyclePanes(model: Model, by: 1 | -1): Model {
  const screenLayout = layoutOf(model)
  const visible: readonly PaneId[] = [
    ...visiblePanes(screenLayout, model.recent).map(({ id }) => id),
    ...(screenLayout.shared?.panes ?? []),
  ]
  const all = paneIds.filter((id) => visible.includes(id))
  const index = all.indexOf(focusOf(model))
  const next = all[(index + by + all.length) % all.length]
  return next ? focusPane(model, next) : model
}
