/** The bottom rows: notice or prompt, and the keys of the current context. */
import { assertNever } from '../../protocol/result.ts'
import { type KeyBinding, footerBindings, bindingLabel } from '../keys/binding.ts'
import { keyBindings } from '../keys/catalogue.ts'
import { layoutOf, type Model } from '../model/model.ts'
import type { Prompt } from '../model/prompts.ts'
import { acceptComparators } from './overlays/compare.ts'
import { movesOf } from '../model/key-outcomes.ts'
import {
  cutSpans,
  rowWithEnds,
  type Row,
  row,
  type Span,
  span,
  fittingPairs,
  widthOf,
} from './text/row.ts'

/** Row for the notice, on screens that have one. */
export const noticeRow = ({ notice }: Model): Row =>
  notice ? row(span(` ${notice.text}`, notice.tone)) : row(span(' '))

export function footerRow(model: Model, width: number): Row {
  const { prompt, notice } = model
  const bindings = footerBindings(keyBindings, model)
  const right = keySpans(bindings.filter(({ always }) => always === true))
  const hints = keySpans(bindings.filter(({ always }) => always !== true))
  if (prompt) return sideBySide(promptSpans(model, prompt, width), hints, [], width)
  if (notice && !layoutOf(model).notice) return sideBySide(noticeRow(model).spans, [], right, width)
  const left = model.at !== undefined && !model.overlay ? pastSpans : []

  return sideBySide(left, hints, right, width)
}

const pastSpans: readonly Span[] = [
  span(' , ', 'accent'),
  span('earlier '),
  span(' . ', 'accent'),
  span('later '),
  span(' L ', 'accent'),
  span('back to now '),
  span(' ctrl-r ', 'accent'),
  span('go on from here '),
]

const keySpans = (bindings: readonly KeyBinding[]): readonly Span[] =>
  bindings.flatMap((binding) => [
    span(`${bindingLabel(binding)} `, 'accent'),
    span(`${binding.footer ?? binding.title}  `, 'muted'),
  ])

/** Text at the left, then as many keys as fit whole, then the permanent keys at the right. */
function sideBySide(
  left: readonly Span[],
  hints: readonly Span[],
  right: readonly Span[],
  width: number,
): Row {
  const room = width - widthOf(right) - 1
  const start = cutSpans(left, room)
  return rowWithEnds(
    width,
    [...start, span(' '), ...fittingPairs(hints, room - widthOf(start) - 1)],
    right,
  )
}

function promptSpans(model: Model, prompt: Prompt, width: number): readonly Span[] {
  const { filter } = model
  switch (prompt.kind) {
    case 'filter': {
      const problemSpans = filter.problem === undefined ? [] : [span(`  ${filter.problem}`, 'err')]
      const text = [span(' / ', 'accent'), span(filter.draft), span('_', 'accent'), ...problemSpans]
      return cutSpans(text, width)
    }
    case 'new-order':
      return question(
        'A new order for',
        'd delivery',
        't takeout',
        'i indoor',
        'enter any',
        ...(model.seen?.order ? ['e editor'] : []),
      )
    case 'fault':
      return inputLine('fault', prompt.draft, prompt.problem, width)
    case 'seek':
      return inputLine('go to', prompt.draft, prompt.problem, width)
    case 'export':
      return inputLine('export to', prompt.draft, undefined, width)
    case 'ignore':
      return cutSpans(
        question(
          'Accept it as:',
          ...acceptComparators.map(([key, , words]) => `${key} ${words}`),
          'esc not',
        ),
        width,
      )
    case 'save':
      return inputLine('scenario', prompt.draft, undefined, width)
    case 'overwrite':
      return cutSpans(
        question(`${prompt.file} is there already.`, 'y overwrites', 'esc not'),
        width,
      )
    case 'mend':
      return [
        ...cutSpans([span(` ${prompt.problem} `, 'err')], width - 28),
        ...question('', 'e edits again', 'esc gives up'),
      ]
    case 'fork':
      return cutSpans(
        question(
          `Go on from fact ${model.at}? What went over the wire stays.`,
          'y goes back',
          'esc not',
        ),
        width,
      )
    case 'move':
    case 'force': {
      const moves = movesOf(model, prompt.kind).slice(0, 9)
      const names = moves.map(({ trigger }, index) => `${index + 1} ${trigger}`)
      const words = prompt.kind === 'move' ? 'Move the order:' : 'Force the order:'
      return cutSpans(question(words, ...names, 'esc not'), width)
    }
    case 'quit': {
      const held = model.seen?.info.counts.held ?? 0
      const items = held === 1 ? '1 item is held' : `${held} items are held`
      return question(`${items}. Quit all the same?`, 'q quits', 'esc stays')
    }
    default:
      return assertNever(prompt)
  }
}

/** Text prompt, followed by its validation problem. */
const inputLine = (
  name: string,
  draft: string,
  problem: string | undefined,
  width: number,
): readonly Span[] =>
  cutSpans(
    [
      span(` ${name} `, 'accent'),
      span(draft),
      span('_', 'accent'),
      ...(problem === undefined ? [] : [span(`  ${problem}`, 'err')]),
    ],
    width,
  )

const question = (words: string, ...answers: readonly string[]): readonly Span[] => [
  span(` ${words} `, 'strong'),
  ...answers.flatMap((answer) => {
    const [key = '', ...rest] = answer.split(' ')
    return [span(` ${key} `, 'accent'), span(`${rest.join(' ')} `)]
  }),
]
