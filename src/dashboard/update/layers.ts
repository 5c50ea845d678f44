/** The stack of overlays, without what they show. */
import type { Model } from '../model/model.ts'
import type { Overlay } from '../model/overlay.ts'

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

/** Closes the palette with its text; what was open below it is shown again. */
export const closePalette = (model: Model): Model => ({ ...closeOverlay(model), prompt: undefined })
