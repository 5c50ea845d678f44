/** The bottom rows: notice or prompt, and the keys of the current context. */
import { assertNever } from '../../../core/protocol/result.ts'
import { footerBindings } from '../keys/binding.ts'
import { keyBindings } from '../keys/catalogue.ts'
import { keyRow, keySpans, questionSpans } from '../keys/documented-key.ts'
import type { Model } from '../model/model.ts'
import type { Prompt } from '../model/prompts.ts'
import { acceptComparators } from './overlays/compare.ts'
import { chosenId } from '../model/present.ts'
import { shortId } from './panes/pane.ts'
import { movesOf } from '../model/key-outcomes.ts'
import { formSpec } from '../model/fault-form.ts'
import { losses, unsavedActions } from '../model/leaving.ts'
import { searchText } from '../model/search.ts'
import { cutSpans, type Row, row, rowWithEnds, type Span, span, wrapSpans } from './text/row.ts'

/** A longer text is cut; `:` has all messages in full. */
const maxTextRows = 5

/**
 * The rows at the bottom, ending with the last row of the screen: a notice or a prompt takes as many as it needs, over
 * the panes. The keys stay visible below a notice.
 */
export function bottomRows(model: Model): readonly Row[] {
  const { prompt, notice } = model
  const { footer, notice: noticeRect } = model.layout
  const { width, height } = footer
  if (height === 0) return []
  const bindings = footerBindings(keyBindings, model)
  const right = keySpans(bindings.filter(({ always }) => always === true))
  const hints = keySpans(bindings.filter(({ always }) => always !== true))
  const noticeSpans = notice ? [span(` ${notice.text}`, notice.tone)] : []
  const left = model.at !== undefined && !model.overlay ? pastSpans : []
  const keys = keyRow(left, hints, right, width)
  const above = notice || noticeRect ? textRows(noticeSpans, width) : []
  const below = prompt ? wrappedBefore(promptSpans(model, prompt), hints, width) : [keys]
  return covering([...above, ...below], width)
}

function textRows(spans: readonly Span[], width: number): readonly Row[] {
  const rows = wrapSpans(spans, width)
  if (rows.length <= maxTextRows) return rows
  const last = rows[maxTextRows - 1]?.spans ?? []
  return [...rows.slice(0, maxTextRows - 1), row(...cutSpans(last, width - 2), span(' ~', 'muted'))]
}

/** Text on as many rows as it needs; in the last one also keys, if they fit. */
function wrappedBefore(
  text: readonly Span[],
  hints: readonly Span[],
  width: number,
): readonly Row[] {
  const rows = textRows(text, width)
  return [...rows.slice(0, -1), keyRow(rows.at(-1)?.spans ?? [], hints, [], width)]
}

/** Padded rows: what is below them must not show through. */
const covering = (rows: readonly Row[], width: number): readonly Row[] =>
  rows.map((each) => rowWithEnds(width, each.spans, []))

const pastSpans: readonly Span[] = [
  span(' , ', 'accent'),
  span('earlier '),
  span(' . ', 'accent'),
  span('later '),
  span(' L ', 'accent'),
  span('back to now '),
  span(' C ', 'accent'),
  span('go on from here '),
]

export function promptSpans(model: Model, prompt: Prompt): readonly Span[] {
  const { filter } = model
  switch (prompt.kind) {
    case 'filter': {
      const problemSpans = filter.problem === undefined ? [] : [span(`  ${filter.problem}`, 'err')]
      return [span(' / ', 'accent'), span(filter.draft), span('_', 'accent'), ...problemSpans]
    }
    case 'search': {
      const draft =
        prompt.pane === 'overlay' ? (model.overlay?.search ?? '') : searchText(model, prompt.pane)
      return inputLine('/', draft, undefined)
    }
    case 'copy':
      return questionSpans(
        'Copy:',
        ...prompt.choices.map(({ key, name }) => `${key} ${name}`),
        'esc no',
      )
    case 'new-order':
      return questionSpans(
        'A new order for',
        'd delivery',
        't takeout',
        'i indoor',
        'enter any',
        ...(model.snapshot?.order ? ['e editor'] : []),
      )
    case 'fault':
      return inputLine('fault', prompt.draft, prompt.problem)
    case 'fault-form':
      return [span(' '), span(formSpec(prompt.form), 'accent'), span('  ')]
    case 'palette':
      return inputLine(':', prompt.draft, undefined)
    case 'export':
      return inputLine('export to', prompt.draft, undefined)
    case 'ignore':
      return questionSpans(
        'Accept it as:',
        ...acceptComparators.map(([key, , words]) => `${key} ${words}`),
        'esc no',
      )
    case 'note':
      return inputLine(`note on #${prompt.seq}`, prompt.draft, undefined)
    case 'save':
      return inputLine('scenario', prompt.draft, undefined)
    case 'overwrite':
      return questionSpans(`${prompt.file} is there already.`, 'y overwrites', 'esc no')
    case 'mend':
      return [
        span(` ${prompt.problem} `, 'err'),
        ...questionSpans('', 'e edits again', 'esc gives up'),
      ]
    case 'fork':
      return questionSpans(
        `Go on from entry ${model.at}? What went over the wire stays; no rule is checked then.`,
        'y goes back',
        'esc no',
      )
    case 'move':
    case 'force': {
      const moves = movesOf(model, prompt.kind).slice(0, 9)
      const names = moves.map(({ trigger }, index) => `${index + 1} ${trigger}`)
      const verb = prompt.kind === 'move' ? 'Move' : 'Force'
      return questionSpans(`${verb} ${shortId(chosenId(model))}:`, ...names, 'esc no')
    }
    case 'quit': {
      const lost = losses(model)
      const save = unsavedActions(model) > 0 ? ['s saves first'] : []
      const because = lost.length === 0 ? [] : [span(` ${lost.join(', ')}`, 'warn')]
      return [...questionSpans('Quit?', 'y yes', ...save, 'esc no'), ...because]
    }
    default:
      return assertNever(prompt)
  }
}

/** Text prompt, followed by its validation problem. */
const inputLine = (name: string, draft: string, problem: string | undefined): readonly Span[] => [
  span(` ${name} `, 'accent'),
  span(draft),
  span('_', 'accent'),
  ...(problem === undefined ? [] : [span(`  ${problem}`, 'err')]),
]
