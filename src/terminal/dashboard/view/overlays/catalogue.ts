/**
 * Catalogue of list overlays: lines and title of each; the open one, and the target of its chosen line. Used by key bindings,
 * so it must not depend on them.
 */
import { assertNever } from '../../../../core/protocol/result.ts'
import type { Model } from '../../model/model.ts'
import type { ListOverlay, Overlay } from '../../model/overlay.ts'
import { shortId } from '../panes/pane.ts'
import { compareLines } from './compare.ts'
import { faultFormLines, faultFormTitle } from './fault-form.ts'
import { faultLines } from './faults.ts'
import { chosenListTarget, type ListInput, type ListLine, type ListTarget } from './listing.ts'
import { paletteLines } from './palette.ts'
import { storyLines } from './story.ts'
import { findingLines, verdictLines } from './verdicts.ts'
import { contactLines } from '../contact.ts'
import { type Glyphs, glyphSets } from '../text/glyphs.ts'
import { containsWords } from '../../../../core/traffic/contains-words.ts'
import { plainText } from '../text/row.ts'

export const isListOverlay = (overlay: Overlay): overlay is ListOverlay =>
  overlay.kind !== 'help' && overlay.kind !== 'detail' && overlay.kind !== 'message'

export function listOverlayLines(overlay: ListOverlay, input: ListInput): readonly ListLine[] {
  switch (overlay.kind) {
    case 'faults':
      return faultLines(input)
    case 'fault-form':
      return faultFormLines(input)
    case 'verdicts':
      return verdictLines(input)
    case 'verdict':
      return findingLines(input, overlay.id)
    case 'contact':
      return contactLines(input)
    case 'story':
      return storyLines(input)
    case 'palette':
      return paletteLines(input, overlay)
    case 'beside':
      return compareLines(input, overlay.place)
    default:
      return assertNever(overlay)
  }
}

export function listTitle(overlay: ListOverlay, model: Model): string {
  const { snapshot } = model
  switch (overlay.kind) {
    case 'faults':
      return 'Faults'
    case 'fault-form':
      return faultFormTitle(model)
    case 'verdicts':
      return 'Invariants'
    case 'verdict': {
      const name = snapshot?.verdicts.find(({ id }) => id === overlay.id)?.name ?? ''
      return `Invariant ${overlay.id} ${name}`
    }
    case 'contact':
      return 'Connect your service'
    case 'palette':
      return 'Actions'
    case 'story':
      return `Story of ${shortId(overlay.about)}`
    case 'beside': {
      const row = snapshot?.playback?.pair?.row
      return row?.place === overlay.place ? `#${row.seq} ${row.text}` : 'Exchange'
    }
    default:
      return assertNever(overlay)
  }
}

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
