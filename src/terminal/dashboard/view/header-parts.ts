/** Parts of the header that describe a session: time, counts, verdicts, faults, recording, rate of exchanges. */
import { isAdviceVerdict, type Verdict } from '../../../core/rules/invariants/verdict.ts'
import type { FaultRow, SessionInfo, Snapshot } from '../../../core/session-api/session-api.ts'
import { failedRequestCount } from '../../../core/traffic/failed-requests.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { failedRuleCount, healthOf } from '../model/health.ts'
import { type Model, shownInstant } from '../model/model.ts'
import type { Glyphs } from './text/glyphs.ts'
import { type Span, span, widthOf } from './text/row.ts'
import { shortDurationText, timeText } from './text/time.ts'
import type { TrafficRate } from '../../../core/traffic/rate.ts'

/** Part of the header; when parts do not fit, the highest rank is dropped first. */
export interface Part {
  readonly rank: number
  readonly spans: readonly Span[]
}

export const part = (rank: number, ...spans: readonly Span[]): Part => ({ rank, spans })

export function clockParts(model: Model, { clock }: SessionInfo): readonly Part[] {
  const speed = clock.mode === 'real' && clock.speed !== 1 ? ` x${clock.speed}` : ''
  const kind = clock.mode === 'stepped' ? 'n steps' : `${clock.mode} clock${speed}`
  return [
    part(1, span(timeText(shownInstant(model), false))),
    part(model.at === undefined ? 3 : 8, span(kind, 'muted')),
  ]
}

export function sessionParts(info: SessionInfo, glyphs: Glyphs): readonly Part[] {
  const { counts } = info
  const held: readonly Part[] =
    counts.held === 0 ? [] : [part(2, span(`${counts.held} held`, 'warn'))]
  const failed = failedRequestCount(counts.failed)
  const failedParts: readonly Part[] =
    failed === 0 ? [] : [part(2, span(pluralise(failed, 'failed request'), 'warn'))]
  return [
    ...failedParts,
    part(4, span('seed ', 'muted'), span(String(info.seed))),
    part(9, span(info.channel === 'both' ? 'polling, webhook' : info.channel, 'muted')),
    recordingPart(info, glyphs),
    part(6, span(`${counts.exchanges} exchanges`, 'muted')),
    part(8, span(`${counts.facts} entries`, 'muted')),
    ...held,
    ...controlPart(info),
    part(11, span(`${info.protocol.name} ${info.protocol.version}`, 'muted')),
  ]
}

/** Counts of rules, when there is a service to judge. Never in the colour of success while something else fails. */
export function verdictParts(
  { info, verdicts }: Pick<Snapshot, 'info' | 'verdicts'>,
  glyphs: Glyphs,
): readonly Part[] {
  if (info.forked !== undefined) return [part(2, span(`forked at ${info.forked}`, 'warn'))]
  if (!info.subject || verdicts.length === 0) return []
  const count = (outcome: Verdict['outcome']): number =>
    verdicts.filter((each) => each.outcome === outcome).length
  const failed = failedRuleCount(verdicts)
  const inconclusive = count('inconclusive')
  const advice = verdicts.filter(isAdviceVerdict).length
  const passed = count('passed')
  const doubts: readonly Part[] = [
    ...(inconclusive > 0 ? [part(2, span(`? ${inconclusive} inconclusive`, 'warn'))] : []),
    ...(advice > 0 ? [part(3, span(`! ${advice} advice`, 'warn'))] : []),
  ]
  if (failed > 0)
    return [
      part(1, span(`${glyphs.failed} ${pluralise(failed, 'rule')} failed`, 'err')),
      ...doubts,
      ...(passed > 0 ? [part(6, span(`${passed} passed`, 'muted'))] : []),
    ]
  const isWell = doubts.length === 0 && healthOf({ info, verdicts }) === 'well'
  const passedSpan = isWell
    ? span(`${glyphs.done} ${pluralise(passed, 'rule')} passed`, 'ok')
    : span(`${pluralise(passed, 'rule')} passed`)
  return [
    ...doubts,
    passed > 0 ? part(3, passedSpan) : part(5, span('no rule exercised yet', 'muted')),
  ]
}

export function faultParts(faults: readonly FaultRow[]): readonly Part[] {
  const live = faults.filter(({ over }) => over === undefined).length
  return live === 0 ? [] : [part(2, span(pluralise(live, 'fault'), 'warn'))]
}

/** Where a viewer is attached, and that it only looks. */
export function attachedParts({ attached }: Pick<Snapshot, 'attached'>): readonly Part[] {
  if (!attached) return []
  const host = URL.parse(attached.url)?.host ?? attached.url
  return [
    ...(attached.readOnly ? [part(1, span('read-only', 'warn'))] : []),
    part(4, span('attached to ', 'muted'), span(host)),
  ]
}

const controlPart = ({ control }: SessionInfo): readonly Part[] =>
  control === undefined ? [] : [part(10, span('control ', 'muted'), span(portOf(control), 'muted'))]

function recordingPart({ recording }: SessionInfo, glyphs: Glyphs): Part {
  if (!recording) return part(5, span('not recorded', 'muted'))
  const name = recording.file.split(/[/\\]/).at(-1) ?? recording.file
  if (recording.problem !== undefined)
    return part(0, span(`${glyphs.failed} recording: ${recording.problem}`, 'err'))
  return part(5, span('rec ', 'muted'), span(`${name} ${recording.written}`, 'plain'))
}

/** Parts that fit into the given cells, in order; the highest ranks are dropped first. */
export function fittingSpans(parts: readonly Part[], room: number): readonly Span[] {
  let remaining = parts
  const width = (list: readonly Part[]): number =>
    list.reduce((sum, { spans }) => sum + 3 + widthOf(spans), 0)
  while (remaining.length > 1 && width(remaining) > room) {
    const highestRank = Math.max(...remaining.map(({ rank }) => rank))
    remaining = remaining.filter(({ rank }) => rank !== highestRank)
  }
  return remaining.flatMap(({ spans }) => [span('   '), ...spans])
}

/** The port alone, for narrow terminals: the host is almost always this machine. */
export const portOf = (url: string): string => /:\d+$/.exec(url.replace(/\/$/, ''))?.[0] ?? url

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
