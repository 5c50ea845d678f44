/** The focus of panes. */
import { layout, paneIds, visiblePanes, type PaneId } from '../model/layout.ts'
import { focusOf, type Model } from '../model/model.ts'

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
