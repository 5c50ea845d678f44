/** A key as the help and the footer of any screen print it. */
import { cellWidth } from '../view/text/cells.ts'
import {
  columnSpans,
  cutSpans,
  fittingPairs,
  type Row,
  rowWithEnds,
  type Span,
  span,
  type Tone,
  widthOf,
} from '../view/text/row.ts'

export interface DocumentedKey {
  /** Help and footer show the first one. */
  readonly keys: readonly string[]
  /** Label in help and footer, when it is not the first key. */
  readonly label?: string
  /** Description in the help. */
  readonly title: string
  /** Short description in the footer; without it the footer omits the key. */
  readonly footer?: string
  /** Shown permanently, at the right of the footer. */
  readonly always?: true
}

const labels: Readonly<Record<string, string>> = { ' ': 'space' }

export const bindingLabel = ({ label, keys }: DocumentedKey): string => {
  const first = keys[0] ?? ''
  return label ?? labels[first] ?? first
}

/** All keys of a binding: `j down`, `ctrl-d pagedown`. */
export const bindingKeysText = (binding: DocumentedKey): string =>
  binding.label ?? (binding.keys.length === 2 ? binding.keys.join(' ') : bindingLabel(binding))

/** Width of the widest keys. */
export const keysWidth = (bindings: readonly DocumentedKey[]): number =>
  Math.max(0, ...bindings.map((binding) => cellWidth(bindingKeysText(binding))))

export interface HelpLineStyle {
  readonly width: number
  /** Width of the column of keys. */
  readonly keyWidth: number
  /** Of the keys and the title; the keys are in the accent colour without it. */
  readonly tone?: Tone
}

/** A line of a help: keys, and what they do. */
export const helpLine = (
  keys: string,
  title: string,
  { width, keyWidth, tone }: HelpLineStyle,
): Row => ({
  spans: columnSpans(width, [
    { text: ` ${keys}`, width: keyWidth + 1, tone: tone ?? 'accent' },
    { text: title, ...(tone && { tone }) },
  ]),
})

export const keySpans = (bindings: readonly DocumentedKey[]): readonly Span[] =>
  bindings.flatMap((binding) => {
    const key = binding.keys[0] ?? ''
    return [
      { ...span(`${bindingLabel(binding)} `, 'accent'), key },
      { ...span(`${binding.footer ?? binding.title}  `, 'muted'), key },
    ]
  })

/** Text at the left, then as many keys as fit whole, then the permanent keys at the right. */
export function keyRow(
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

/** A question and its answers, each a key and a word: `y yes`. */
export const questionSpans = (words: string, ...answers: readonly string[]): readonly Span[] => [
  span(` ${words} `, 'strong'),
  ...answers.flatMap((answer) => {
    const [key = '', ...rest] = answer.split(' ')
    return [span(` ${key} `, 'accent'), span(`${rest.join(' ')} `)]
  }),
]
