/** Terminal reporter: differences side by side, accepted ones dimmed with their rule, the first divergence marked. */
import { comparatorText, columnPairs } from '../../../terminal/dashboard/view/text/difference.ts'
import type { Difference } from '../../../core/traffic/recording/difference.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { failureSentences } from '../../../core/traffic/recording/failure-comparison.ts'
import {
  type ReplayedExchange,
  replayAccuracy,
} from '../../../core/traffic/recording/replay-report.ts'
import { isNothingCompared } from '../../minimise/failure-signature.ts'
import { green, grey, red, type Style, yellow } from '../../../terminal/cli/reporters/reporter.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import type { ComparedExchange, CompareReporter, ComparisonReport } from './comparison-report.ts'
import {
  comparedText,
  countsText,
  editLines,
  exchangeHeading,
  isDeviation,
  exchangeLineText,
  unacceptedDifferences,
  differencePlace,
  comparedTexts,
} from './wording.ts'
import type { Standing } from '../../../core/traffic/recording/standing.ts'
import { fitToCells } from '../../../terminal/dashboard/view/text/cells.ts'

const separator = ' | '

const minColumns = 24

/** Rows of both texts; long values are cut. `columns` is the total width including `indent`. */
function sideBySide(
  left: string,
  right: string,
  { columns, indent }: { readonly columns: number; readonly indent: number },
): readonly (readonly [left: string, right: string])[] {
  const room = Math.max(minColumns, columns - indent)
  const width = Math.floor((room - separator.length) / 2)
  const cut = (row: string): string => fitToCells(`${row} …`, width, '…')
  return columnPairs(left, right, { width, cut }).map(([one, other]) => [one + separator, other])
}

export interface PrettyOptions {
  readonly columns: number
  /** Include exchanges that are the same or noise. */
  readonly all: boolean
}

/** Differences shown per exchange; `--json` has them all. */
const maxDifferences = 30
const indent = 6

const colors: Readonly<Partial<Record<Standing, typeof red>>> = {
  same: green,
  gone: green,
  noise: grey,
  late: yellow,
  blocked: yellow,
  unresolved: yellow,
}

function table(left: string, right: string, columns: number, style: Style): readonly string[] {
  return sideBySide(left, right, { columns, indent }).map(([a, b]) =>
    `${' '.repeat(indent)}${red(a, style)}${green(b, style)}`.trimEnd(),
  )
}

function differenceLines(
  difference: Difference,
  { columns }: PrettyOptions,
  style: Style,
): readonly string[] {
  const { kind, accepted, rule } = difference
  const [recorded, live] = comparedTexts(difference)
  const place = `    ${differencePlace(difference)}`
  if (accepted) {
    const why = `${rule.from} rule, ${comparatorText(rule.compare)}: ${escapeControls(rule.reason)}`
    const values = `${recorded} | ${live}`
    return [grey(`${place}  ${values}  (${why})`, style)]
  }
  const head = kind === 'value' ? place : `${place}  ${kind}`
  return [head, ...table(recorded, live, columns, style)]
}

function bodyLines(
  replayed: ReplayedExchange,
  appearance: PrettyOptions,
  style: Style,
): readonly string[] {
  const { recorded, live, differences, because } = replayed
  const shown = appearance.all ? differences : unacceptedDifferences(replayed)
  const lines = shown
    .slice(0, maxDifferences)
    .flatMap((each) => differenceLines(each, appearance, style))
  if (shown.length > maxDifferences) lines.push(`    and ${shown.length - maxDifferences} more`)
  if (!recorded || !live)
    lines.unshift(
      ...table(
        exchangeLineText(recorded) || '(nothing)',
        exchangeLineText(live) || '(nothing)',
        appearance.columns,
        style,
      ),
    )
  if (because !== undefined) lines.unshift(`    ${escapeControls(because)}`)
  return lines
}

/** `500 when it was recorded, 202 now` */
function recoveryText({ recorded, live }: ReplayedExchange): string {
  const textOf = (exchange: Exchange | undefined): string | number =>
    exchange?.reply?.status ?? exchange?.failure?.code ?? 'no answer'
  return escapeControls(`${textOf(recorded)} when it was recorded, ${textOf(live)} now`)
}

function exchangeText(
  { replayed, isFirst }: ComparedExchange,
  appearance: PrettyOptions,
  style: Style,
): string {
  const { standing } = replayed
  const isShown = isDeviation(replayed) || (!style.quiet && (appearance.all || standing === 'gone'))
  if (!isShown) return ''
  const mark = isFirst ? 'first > ' : ''
  const color = colors[standing] ?? red
  const head = `${mark}${color(standing.padEnd(isFirst ? 0 : 8), style)}  ${exchangeHeading(replayed)}`
  const lines =
    standing === 'gone' && !appearance.all
      ? [`${head}  ${recoveryText(replayed)}`]
      : [head, ...bodyLines(replayed, appearance, style)]
  return `${lines.join('\n')}\n`
}

function replayLines({ replay, exchanges }: ComparisonReport): readonly string[] {
  if (!replay) return []
  const { failedRules, advice = [], conflicts, unused, timing, strategies, failures } = replay
  const found = countsText(strategies)
  const accuracy = replayAccuracy({ strategies })
  return [
    ...editLines(exchanges).map((line) => `edited  ${line}`),
    ...failedRules.map(
      ({ invariant, because }) => `failed  ${invariant}: ${escapeControls(because)}`,
    ),
    ...advice.map(({ invariant, because }) => `advice  ${invariant}: ${escapeControls(because)}`),
    ...conflicts.map(
      ({ kind, old, new: now, against }) =>
        `identity  ${kind} ${escapeControls(old)} became ${escapeControls(now)}, and is ${escapeControls(against)} elsewhere`,
    ),
    ...failureSentences(failures),
    ...(unused.length > 0 ? [`${unused.length} recorded exchanges were not asked for`] : []),
    ...(accuracy === undefined
      ? []
      : [`answered from the recording: ${found}; accuracy ${(accuracy * 100).toFixed(1)} %`]),
    ...(timing?.distrust === undefined ? [] : [`times cannot be trusted: ${timing.distrust}`]),
  ]
}

function endText(compared: ComparisonReport, style: Style): string {
  const { exchanges, counts, left, right, first, leftOut, map, exit, replay } = compared
  if (style.quiet && exit === 0) return ''
  const verdict =
    exit === 0
      ? green('no difference beyond noise', style)
      : red(
          replay && isNothingCompared({ exchanges, ...replay })
            ? 'nothing could be compared: your service made no call that the recording has'
            : first === undefined
              ? 'not the same'
              : 'they differ',
          style,
        )
  const divergence = first === undefined ? undefined : exchanges[first]
  const idle = leftOut?.idle.join(' and ')
  const tokens = leftOut?.tokens.join(' and ')
  const lines = [
    ...replayLines(compared),
    `${verdict}: ${comparedText(exchanges)}, ${countsText(counts)}`,
    ...(divergence ? [`first divergence: ${exchangeHeading(divergence)}`] : []),
    ...(style.quiet
      ? []
      : [
          grey(
            `recorded: ${escapeControls(left)}   live: ${escapeControls(right)}   ${map.length} names are other ones`,
            style,
          ),
          ...(leftOut
            ? [
                grey(
                  `left out: ${idle} idle polls and readings, ${tokens} fetchings of tokens`,
                  style,
                ),
              ]
            : []),
        ]),
  ]
  return `${lines.join('\n')}\n`
}

/** Built per run, since it depends on the terminal width. */
export const createPrettyReporter = (appearance: PrettyOptions): CompareReporter => ({
  name: 'pretty',
  summary: 'for people: what differs, side by side',
  form: 'lines',
  ended: (exchange, style) => exchangeText(exchange, appearance, style),
  finish: endText,
})
