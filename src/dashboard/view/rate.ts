/** The rate of exchanges in the header: numbers, and where there is room sparklines of the last minute. */
import type { TrafficRate } from '../../traffic/rate.ts'
import { part, type Part } from './header-parts.ts'
import type { Glyphs } from './text/glyphs.ts'
import { span } from './text/row.ts'
import { shortDurationText } from './text/time.ts'

/** Bars by the share of the highest value; the lowest bar is none at all. */
export function sparkline(values: readonly number[], { bars }: Glyphs): string {
  const highest = Math.max(...values)
  return values
    .map((value) => {
      const level = value <= 0 ? 0 : Math.max(1, Math.round((value / highest) * (bars.length - 1)))
      return bars[level] ?? ''
    })
    .join('')
}

const perSecondText = (perSecond: number): string =>
  `${perSecond < 10 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond)}/s`

/** Terminals of this width have a bar for every span of two seconds, others one for two of them. */
const fullWidth = 150

const pairs = (values: readonly number[], join: (a: number, b: number) => number): number[] =>
  values.flatMap((value, index) => (index % 2 === 0 ? [join(value, values[index + 1] ?? 0)] : []))

export function rateParts(
  rate: TrafficRate | undefined,
  width: number,
  glyphs: Glyphs,
): readonly Part[] {
  if (!rate) return []
  const { counts, latencies, perSecond, failed, p95Ms } = rate
  if (p95Ms === undefined) return [part(7, span('no calls for a minute', 'muted'))]
  const isFull = width >= fullWidth
  const countBars = isFull ? counts : pairs(counts, (a, b) => a + b)
  const latencyBars = isFull ? latencies : pairs(latencies, Math.max)
  return [
    part(3.5, span(perSecondText(perSecond))),
    part(5.5, span(sparkline(countBars, glyphs), 'muted')),
    part(3.5, span('p95 ', 'muted'), span(shortDurationText(p95Ms))),
    part(7, span(sparkline(latencyBars, glyphs), 'muted')),
    ...(failed === 0 ? [] : [part(4.5, span(`${failed} failed/min`, 'warn'))]),
  ]
}
