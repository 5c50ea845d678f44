/** Terminal reporter: differences side by side, accepted ones dimmed with their rule, the first divergence marked. */
import { comparatorText } from '../../../dashboard/view/text/difference.ts'
import type { Difference } from '../../../traffic/difference/difference.ts'
import { accuracyOf } from '../../../traffic/replay/accuracy.ts'
import type { Replayed } from '../../../traffic/replay/status.ts'
import { green, grey, red, yellow } from '../../run/reporters/paint.ts'
import type { Style } from '../../run/reporters/reporter.ts'
import { plain } from '../../table.ts'
import type { Compared, ComparedExchange } from '../compared.ts'
import { sideBySide } from '../side-by-side.ts'
import { countText, headOf, isTrouble, lineOf, openOnes, placeOf, valueText } from '../words.ts'
import { type CompareReporter, defineCompareReporter } from './reporter.ts'
import { counted } from '../../../traffic/counted.ts'
import type { Standing } from '../../../traffic/recording/standing.ts'

export interface Appearance {
  readonly columns: number
  /** Include exchanges that are the same or noise. */
  readonly all: boolean
}

/** Differences shown per exchange; `--json` has them all. */
const maxDifferences = 30
const indent = 6

const colors: Readonly<Partial<Record<Standing, typeof red>>> = {
  same: green,
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
  { columns }: Appearance,
  style: Style,
): readonly string[] {
  const { kind, recorded, live, accepted, rule } = difference
  const place = `    ${placeOf(difference)}`
  if (accepted) {
    const why = `${rule.from} rule, ${comparatorText(rule.compare)}: ${plain(rule.reason)}`
    const values = `${valueText(recorded)} | ${valueText(live)}`
    return [grey(`${place}  ${values}  (${why})`, style)]
  }
  const head = kind === 'value' ? place : `${place}  ${kind}`
  return [head, ...table(valueText(recorded), valueText(live), columns, style)]
}

function bodyLines(replayed: Replayed, appearance: Appearance, style: Style): readonly string[] {
  const { recorded, live, differences, because } = replayed
  const shown = appearance.all ? differences : openOnes(replayed)
  const lines = shown
    .slice(0, maxDifferences)
    .flatMap((each) => differenceLines(each, appearance, style))
  if (shown.length > maxDifferences) lines.push(`    and ${shown.length - maxDifferences} more`)
  if (!recorded || !live)
    lines.unshift(
      ...table(
        lineOf(recorded) || '(nothing)',
        lineOf(live) || '(nothing)',
        appearance.columns,
        style,
      ),
    )
  if (because !== undefined) lines.unshift(`    ${plain(because)}`)
  return lines
}

function exchangeText(
  { replayed, isFirst }: ComparedExchange,
  appearance: Appearance,
  style: Style,
): string {
  if (!isTrouble(replayed) && (style.quiet || !appearance.all)) return ''
  const { standing } = replayed
  const mark = isFirst ? 'first > ' : ''
  const color = colors[standing] ?? red
  const head = `${mark}${color(standing.padEnd(isFirst ? 0 : 8), style)}  ${headOf(replayed)}`
  const lines = [head, ...bodyLines(replayed, appearance, style)]
  return `${lines.join('\n')}\n`
}

function replayLines({ replay }: Compared): readonly string[] {
  if (!replay) return []
  const { broken, conflicts, unused, timing, rungs } = replay
  const found = countText(rungs)
  const accuracy = accuracyOf({ rungs })
  return [
    ...broken.map(({ invariant, because }) => `broken  ${invariant}: ${plain(because)}`),
    ...conflicts.map(
      ({ kind, old, new: now, against }) =>
        `identity  ${kind} ${plain(old)} became ${plain(now)}, and is ${plain(against)} elsewhere`,
    ),
    ...(unused.length > 0 ? [`${unused.length} recorded exchanges were not asked for`] : []),
    ...(accuracy === undefined
      ? []
      : [`answered from the recording: ${found}; accuracy ${(accuracy * 100).toFixed(1)} %`]),
    ...(timing?.distrust === undefined ? [] : [`times cannot be trusted: ${timing.distrust}`]),
  ]
}

function endText(compared: Compared, style: Style): string {
  const { exchanges, counts, left, right, first, leftOut, map, exit } = compared
  if (style.quiet && exit === 0) return ''
  const verdict =
    exit === 0
      ? green('no difference beyond noise', style)
      : red(first === undefined ? 'not the same' : 'they differ', style)
  const divergence = first === undefined ? undefined : exchanges[first]
  const idle = leftOut?.idle.join(' and ')
  const tokens = leftOut?.tokens.join(' and ')
  const lines = [
    ...replayLines(compared),
    `${verdict}: ${counted(exchanges.length, 'exchange')}, ${countText(counts)}`,
    ...(divergence ? [`first divergence: ${headOf(divergence)}`] : []),
    ...(style.quiet
      ? []
      : [
          grey(
            `recorded: ${plain(left)}   live: ${plain(right)}   ${map.length} names are other ones`,
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
export const prettyFor = (appearance: Appearance): CompareReporter =>
  defineCompareReporter({
    name: 'pretty',
    summary: 'for people: what differs, side by side',
    form: 'lines',
    ended: (exchange, style) => exchangeText(exchange, appearance, style),
    finish: (compared, style) => endText(compared, style),
  })
