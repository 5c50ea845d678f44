/** What a command changed, as lines of text: notices, the open list or text, the question that is asked, or the focused pane. */
import type { Model } from '../model/model.ts'
import { promptSpans } from '../view/footer.ts'
import { isListOverlay, listTitle, openListLines } from '../view/overlays/catalogue.ts'
import { overlayRows, overlayTitle } from '../view/detail.ts'
import { sanitise } from '../view/text/cells.ts'
import { wordGlyphs } from '../view/text/glyphs.ts'
import { plainText } from '../view/text/row.ts'
import { isTextPrompt } from '../update/prompt.ts'
import { chosenOrderSentence, paneSentences } from './rows.ts'

/** Wider than any text, so that nothing is wrapped or cut. */
export const plainColumns = 1000
/** Decides how many rows of each list are loaded. */
export const plainRows = 120

/** A row without the gaps between its columns; the indentation of a document stays. */
const lineOf = (text: string): string => {
  const trimmed = sanitise(text).trimEnd()
  const indent = /^ */.exec(trimmed)?.[0] ?? ''
  return indent + trimmed.slice(indent.length).replaceAll(/ {2,}/g, '  ')
}

export function overlayText(model: Model): readonly string[] {
  const { overlay } = model
  if (!overlay) return []
  const rows = isListOverlay(overlay)
    ? openListLines(model, wordGlyphs).map(({ row }) => row)
    : overlayRows(model, plainColumns)
  const title = isListOverlay(overlay) ? listTitle(overlay, model) : overlayTitle(model)
  return [title, ...rows.map((row) => lineOf(plainText(row))).filter((line) => line.trim() !== '')]
}

/** The question that is open, and how it is answered. */
export function questionText(model: Model): string | undefined {
  const { prompt } = model
  if (!prompt) return undefined
  const text = plainText({ spans: promptSpans(model, prompt) })
    .replace(/_(?=\s|$)/, '')
    .trim()
  if (prompt.kind === 'fault-form')
    return `Type the fault as one line; the form so far is ${text}. An empty line leaves it.`
  const how = isTextPrompt(prompt.kind) ? ' Type the text; an empty line leaves it.' : ''
  return lineOf(`${text}.${how}`)
}

/** Everything by which another pane or another part of it is shown. */
const placeOf = ({ recent, tab, only, filter, search, at, recording, everything }: Model): string =>
  JSON.stringify([
    recent[0],
    tab,
    only,
    filter.draft,
    filter.idle,
    search,
    at,
    recording,
    everything,
  ])

/** The open list or text, or the pane, when it is another one; else the order that was chosen. */
function shownText(before: Model, after: Model, readsPane: boolean): readonly string[] {
  if (after.overlay) return after.overlay === before.overlay ? [] : overlayText(after)
  if (readsPane || placeOf(before) !== placeOf(after)) return paneSentences(after)
  return before.orderId === after.orderId ? [] : chosenOrderSentence(after)
}

/** The lines that answer a command. */
export function answerOf(before: Model, after: Model, readsPane: boolean): readonly string[] {
  const last = before.notices.at(-1)
  const from = last ? after.notices.lastIndexOf(last) + 1 : 0
  const notices = after.notices.slice(from).map(({ text }) => lineOf(text))
  const shown = shownText(before, after, readsPane)
  const question = questionText(after)
  const lines = [...shown, ...notices, ...(question === undefined ? [] : [question])]
  return lines.length > 0 ? lines : ['Done.']
}
