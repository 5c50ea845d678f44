/**
 * The open list overlay: its lines, and the target of the chosen one. Used by key bindings, so it must not depend on
 * them.
 */
import { type Model } from '../../model/model.ts'
import type { ListOverlay } from '../../model/overlay.ts'
import { type Glyphs, glyphSets } from '../text/glyphs.ts'
import { isListOverlay, listOverlayLines } from './catalogue.ts'
import { containsWords } from '../../../traffic/contains-words.ts'
import { plainText } from '../text/row.ts'
import { chosenListTarget, type ListLine, type ListTarget } from './listing.ts'

/** Lines of a list. */
export const listLinesOf = (
  model: Model,
  overlay: ListOverlay,
  glyphs: Glyphs = glyphSets.ascii,
): readonly ListLine[] => {
  const lines = listOverlayLines(overlay, { model, width: model.layout.body.width, glyphs })
  const test = containsWords(overlay.search)
  return test ? lines.filter(({ row }) => test(plainText(row))) : lines
}

/** Lines of the open list; empty when no list is open. */
export function openListLines(model: Model, glyphs: Glyphs = glyphSets.ascii): readonly ListLine[] {
  const { overlay } = model
  return overlay && isListOverlay(overlay) ? listLinesOf(model, overlay, glyphs) : []
}

/** Target of the chosen line of the open list. */
export function openListTarget(model: Model): ListTarget | undefined {
  const { overlay } = model
  return overlay && isListOverlay(overlay)
    ? chosenListTarget(openListLines(model), overlay)
    : undefined
}
