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

export function rateParts(rate: TrafficRate | undefined, glyphs: Glyphs): readonly Part[] {
  if (!rate) return []
  const { counts, latencies, perSecond, failed, p95Ms } = rate
  if (p95Ms === undefined) return [part(7, span('no calls for a minute', 'muted'))]
  return [
    part(3.5, span(perSecondText(perSecond)), span(` p95 ${shortDurationText(p95Ms)}`, 'muted')),
    ...(failed === 0 ? [] : [part(4.5, span(`${failed} failed/min`, 'warn'))]),
    part(5.5, span(`rate ${sparkline(counts, glyphs)}`, 'muted')),
    part(7, span(`p95 ${sparkline(latencies, glyphs)}`, 'muted')),
  ]
}
