/** The list that is open: its lines, and what the chosen one stands for. Keys ask here, so it knows nothing of keys. */
import { layoutOf, type Model } from '../../model/model.ts'
import { type Glyphs, glyphSets } from '../text/glyphs.ts'
import { isListing, linesOf } from './catalogue.ts'
import { chosenTarget, type Line, type Target } from './listing.ts'

/** The lines of the open list; none when no list is open. */
export function openLines(model: Model, glyphs: Glyphs = glyphSets.ascii): readonly Line[] {
  const { overlay } = model
  if (!overlay || !isListing(overlay)) return []
  return linesOf(overlay, { model, width: layoutOf(model).body.width, glyphs })
}

/** What the chosen line of the open list stands for. */
export function openTarget(model: Model): Target | undefined {
  const { overlay } = model
  return overlay && isListing(overlay) ? chosenTarget(openLines(model), overlay) : undefined
}
