/**
 * The open list overlay: its lines, and the target of the chosen one. Used by key bindings, so it must not depend on
 * them.
 */
import { layoutOf, type Model } from '../../model/model.ts'
import { type Glyphs, glyphSets } from '../text/glyphs.ts'
import { isListing, linesOf } from './catalogue.ts'
import { chosenTarget, type Line, type Target } from './listing.ts'

/** Lines of the open list; empty when no list is open. */
export function openLines(model: Model, glyphs: Glyphs = glyphSets.ascii): readonly Line[] {
  const { overlay } = model
  if (!overlay || !isListing(overlay)) return []
  return linesOf(overlay, { model, width: layoutOf(model).body.width, glyphs })
}

/** Target of the chosen line of the open list. */
export function openTarget(model: Model): Target | undefined {
  const { overlay } = model
  return overlay && isListing(overlay) ? chosenTarget(openLines(model), overlay) : undefined
}
