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

/** Overlays whose text is in the prompt: they are closed together. */
const withPrompt: ReadonlySet<Overlay['kind'] | undefined> = new Set(['palette', 'fault-form'])

/** Closes the prompt with the overlay that belongs to it; what was open below is shown again. */
export const closePromptLayer = (model: Model): Model => ({
  ...(withPrompt.has(model.overlay?.kind) ? closeOverlay(model) : model),
  prompt: undefined,
})
