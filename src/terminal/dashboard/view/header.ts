/**
 * The two rows at the top: mode, time and counts of the session, and its participants. On narrow terminals the parts
 * with the highest rank are dropped first.
 */
import type {
  CounterpartInfo,
  FaultRow,
  SessionInfo,
  Snapshot,
} from '../../../core/session-api/session-api.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import type { PlaybackSnapshot } from '../../../core/session-api/playback.ts'
import { failedRuleCount, healthOf, healthTones, shownPendingText } from '../model/health.ts'
import { type Model, shownInstant } from '../model/model.ts'
import { standingSigns } from './panes/recording.ts'
import { timelineRow } from './timeline.ts'
import { isRewound } from '../model/recording.ts'
import type { Glyphs } from './text/glyphs.ts'
import {
  cutSpans,
  type Row,
  row,
  rowWithEnds,
  type Span,
  span,
  type Tone,
  widthOf,
} from './text/row.ts'
import { ageText, shortDurationText, timeText } from './text/time.ts'
import {
  type FailureCounts,
  type FailureOutcome,
  failureOutcomes,
} from '../../../core/traffic/recording/failure-comparison.ts'
import { standings } from '../../../core/traffic/recording/standing.ts'
import { isAdviceVerdict, type Verdict } from '../../../core/rules/invariants/verdict.ts'
import { failedRequestCount } from '../../../core/traffic/failed-requests.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import type { TrafficRate } from '../../../core/traffic/rate.ts'

// Parts of the header that describe a session: time, counts, verdicts, faults, recording, rate of
// exchanges.

/** Part of the header; when parts do not fit, the highest rank is dropped first. */
interface Part {
  readonly rank: number
  readonly spans: readonly Span[]
}

const part = (rank: number, ...spans: readonly Span[]): Part => ({ rank, spans })

function clockParts(model: Model, { clock }: SessionInfo): readonly Part[] {
  const speed = clock.mode === 'real' && clock.speed !== 1 ? ` x${clock.speed}` : ''
  const kind = clock.mode === 'stepped' ? 'n steps' : `${clock.mode} clock${speed}`
  return [
    part(1, span(timeText(shownInstant(model), false))),
    part(model.at === undefined ? 3 : 8, span(kind, 'muted')),
  ]
}

function sessionParts(info: SessionInfo, glyphs: Glyphs): readonly Part[] {
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
function verdictParts(
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

function faultParts(faults: readonly FaultRow[]): readonly Part[] {
  const live = faults.filter(({ over }) => over === undefined).length
  return live === 0 ? [] : [part(2, span(pluralise(live, 'fault'), 'warn'))]
}

/** Where a viewer is attached, and that it only looks. */
function attachedParts({ attached }: Pick<Snapshot, 'attached'>): readonly Part[] {
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

/** Parts that fit into the cells, in order; the highest ranks are dropped first. */
function fittingSpans(parts: readonly Part[], room: number): readonly Span[] {
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
const portOf = (url: string): string => /:\d+$/.exec(url.replace(/\/$/, ''))?.[0] ?? url

/** Bars by the share of the highest value; the lowest bar is none at all. */
function sparkline(values: readonly number[], { bars }: Glyphs): string {
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

function rateParts(rate: TrafficRate | undefined, width: number, glyphs: Glyphs): readonly Part[] {
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

export function headerRows(
  model: Model,
  width: number,
  height: number,
  glyphs: Glyphs,
): readonly Row[] {
  const left = badge(model, glyphs)
  if (model.layout.kind === 'tiny') {
    const needs = [span('panes need 60x16 ', 'muted')]
    const verdicts = model.snapshot ? verdictParts(model.snapshot, glyphs) : []
    const room = width - widthOf([...left, ...needs]) - 2
    const shown = verdicts.length > 0 ? fittingSpans(verdicts, room) : []
    return [rowWithEnds(width, [span(' '), ...left, ...shown], widthOf(shown) > room ? [] : needs)]
  }
  if (!model.snapshot) return [row(span(' '), ...left)]
  const { info, faults, playback, rate } = model.snapshot
  // While a recording is only browsed, there is no session to describe.
  const isBrowsed = playback !== undefined && playback.target === undefined
  const room = width - widthOf(left) - 3
  const parts = fittingSpans(
    [
      ...playbackParts(playback),
      ...(isBrowsed ? [] : clockParts(model, info)),
      ...attachedParts(model.snapshot),
      ...verdictParts(model.snapshot, glyphs),
      ...faultParts(faults),
      ...(isBrowsed ? [] : rateParts(rate, width, glyphs)),
      ...(isBrowsed ? [] : sessionParts(info, glyphs)),
    ],
    room,
  )
  const second = playback ? timelineRow(playback, width, glyphs) : partiesRow(info, width, glyphs)
  return [row(span(' '), ...left, ...parts), second].slice(0, height)
}

/** Mode badge: sign, word, and number of pending items. */
function badge(model: Model, glyphs: Glyphs): readonly Span[] {
  const { snapshot, at, lost } = model
  if (lost !== undefined) return [span(`${glyphs.failed} LOST`, 'err'), span(` ${lost}`, 'err')]
  if (!snapshot) return [span(`${glyphs.open} WAITING`, 'muted')]
  const { info, playback } = snapshot
  if (playback) return playbackBadge(model, playback, glyphs)
  if (at !== undefined) {
    const ago = ageText(info.clock.now - shownInstant(model))
    const later = Math.max(0, info.counts.facts - at)
    return [
      span(`${glyphs.past} PAST`, 'warn'),
      span(` entry ${at}, ${ago} ago, ${later} later`, 'plain'),
    ]
  }
  if (info.clock.mode === 'stepped') {
    return [span(`${glyphs.hold} HOLD`, 'warn'), span(` ${shownPendingText(model)}`)]
  }
  return [span(`${glyphs.live} LIVE`, healthTones[healthOf(snapshot)])]
}

/** Mode badge of a recording: playing, paused, played, or only browsed. */
function playbackBadge(model: Model, playback: PlaybackSnapshot, glyphs: Glyphs): readonly Span[] {
  const { target, over, at, total } = playback
  if (isRewound(model))
    return [span(`${glyphs.past} PAST`, 'warn'), span(` ${at} of ${total}: nothing is sent`)]
  if (target === undefined) return [span(`${glyphs.open} BROWSE`, 'info')]
  if (over) return [span(`${glyphs.done} PLAYED`, 'ok')]
  const { clock } = model.snapshot?.info ?? {}
  return clock?.mode === 'stepped'
    ? [
        span(`${glyphs.hold} PAUSED`, 'warn'),
        span(` ${shownPendingText(model)} ready${speedText(clock)}`),
      ]
    : [span(`${glyphs.next} REPLAY`, 'ok')]
}

const speedText = ({ speed }: SessionInfo['clock']): string => (speed === 1 ? '' : `, x${speed}`)

function playbackParts(playback: PlaybackSnapshot | undefined): readonly Part[] {
  if (!playback) return []
  const { recording, target, counts, failures } = playback
  const countSpans = standings.flatMap((standing) => {
    const count = counts[standing]
    return count === undefined ? [] : [span(` ${count} ${standing}`, standingSigns[standing][1])]
  })
  return [
    part(1, span(recording.split(/[/\\]/).at(-1) ?? recording, 'strong')),
    ...(countSpans.length > 0 ? [part(2, ...countSpans)] : []),
    ...failureParts(failures),
    part(3, span(target === undefined ? 'no target: nothing is sent' : `to ${target}`, 'muted')),
  ]
}

const failureTones: Readonly<Record<FailureOutcome, Tone>> = {
  again: 'warn',
  gone: 'ok',
  other: 'err',
  new: 'err',
  unplayed: 'muted',
}

/** `failures 6 again 1 new` */
function failureParts(failures: FailureCounts): readonly Part[] {
  const spans = failureOutcomes.flatMap((outcome) => {
    const count = Object.values(failures[outcome] ?? {}).reduce((sum, each) => sum + each, 0)
    return count === 0 ? [] : [span(` ${count} ${outcome}`, failureTones[outcome])]
  })
  return spans.length === 0 ? [] : [part(2, span('failures', 'muted'), ...spans)]
}

/** Counterparts with their addresses, and the user's service. */
function partiesRow(info: SessionInfo, width: number, glyphs: Glyphs): Row {
  const subject = subjectSpans(info, glyphs)
  const room = width - widthOf(subject) - 2
  const forms = [
    info.counterparts.map((one) => partySpans(one, one.url, true)),
    info.counterparts.map((one) => partySpans(one, one.url, false)),
    info.counterparts.map((one) => partySpans(one, portOf(one.url), false)),
  ]
  const joined = forms.map((list) => list.flatMap((spans) => [span(' '), ...spans, span(' ')]))
  const chosen = joined.find((spans) => widthOf(spans) <= room) ?? joined.at(-1) ?? []
  return rowWithEnds(width, cutSpans(chosen, Math.max(0, room)), subject)
}

function partySpans(
  { role, behaviour }: CounterpartInfo,
  address: string,
  withBehaviour: boolean,
): readonly Span[] {
  const shown = withBehaviour ? [span(` ${behaviour}`, 'muted')] : []
  return [span(`${shortRoleName[role]} `, 'strong'), span(address), ...shown]
}

/** The user's service: where it is, or why it is not reached. */
function subjectSpans({ subject, contact }: SessionInfo, glyphs: Glyphs): readonly Span[] {
  if (!subject) return [span('no service of yours: every role is played here ', 'muted')]
  if (contact?.unreachable !== undefined)
    return [span(`${glyphs.failed} ${contact.unreachable} `, 'err')]
  const { role, url } = subject
  const isAwaited = url === undefined && contact?.connected === undefined
  return [
    span('your service ', 'muted'),
    span(`${shortRoleName[role]} `, 'strong'),
    span(`${url ?? (isAwaited ? 'not connected yet' : 'connected')} `, 'info'),
  ]
}
