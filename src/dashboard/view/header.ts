/**
 * The two rows at the top: mode, time and counts of the session, and its participants. On narrow terminals the parts
 * with the highest rank are dropped first.
 */
import type { Verdict } from '../../invariants/verdict.ts'
import type { CounterpartInfo, FaultRow, SessionInfo } from '../../session-api/session-api.ts'
import { shortRoleName } from '../../protocol/role.ts'
import type { PlaybackSnapshot } from '../../session-api/playback.ts'
import { layoutOf, type Model, shownInstant, shownPendingCount } from '../model/model.ts'
import { standingSigns } from './panes/recording.ts'
import { timelineRow } from './timeline.ts'
import { isRewound } from '../model/recording.ts'
import type { Glyphs } from './text/glyphs.ts'
import {
  cutSpans,
  rowWithEnds,
  type Row,
  row,
  type Span,
  span,
  type Tone,
  widthOf,
} from './text/row.ts'
import { ageText, timeText } from './text/time.ts'
import {
  failureOutcomes,
  type FailureCounts,
  type FailureOutcome,
} from '../../traffic/replay/failure-comparison.ts'
import { failedRequestCount } from '../../traffic/failed-requests.ts'
import { pluralise } from '../../traffic/pluralise.ts'
import { standings } from '../../traffic/recording/standing.ts'

/** Part of the header; when parts do not fit, the highest rank is dropped first. */
interface Part {
  readonly rank: number
  readonly spans: readonly Span[]
}

const part = (rank: number, ...spans: readonly Span[]): Part => ({ rank, spans })

export function headerRows(
  model: Model,
  width: number,
  height: number,
  glyphs: Glyphs,
): readonly Row[] {
  const left = badge(model, glyphs)
  if (layoutOf(model).kind === 'tiny')
    return [rowWithEnds(width, [span(' '), ...left], [span('60x16 shows panes ', 'muted')])]
  if (!model.seen) return [row(span(' '), ...left)]
  const { info, faults, verdicts, playback } = model.seen
  const room = width - widthOf(left) - 3
  const parts = fittingSpans(
    [
      ...playbackParts(playback),
      // While a recording is only browsed, there is no session to describe.
      ...(playback && playback.target === undefined ? [] : clockParts(model, info)),
      ...verdictParts(info, verdicts, glyphs),
      ...faultParts(faults),
      ...(playback && playback.target === undefined ? [] : sessionParts(info, glyphs)),
    ],
    room,
  )
  const second = playback ? timelineRow(playback, width, glyphs) : partiesRow(info, width)
  return [row(span(' '), ...left, ...parts), second].slice(0, height)
}

/** Mode badge: sign, word, and number of pending items. */
function badge(model: Model, glyphs: Glyphs): readonly Span[] {
  const { seen, at, lost } = model
  if (lost !== undefined) return [span(`${glyphs.failed} LOST`, 'err'), span(` ${lost}`, 'err')]
  if (!seen) return [span(`${glyphs.open} WAITING`, 'muted')]
  const { info, playback } = seen
  if (playback) return playbackBadge(model, playback, glyphs)
  if (at !== undefined) {
    const ago = ageText(info.clock.now - shownInstant(model))
    const later = Math.max(0, info.counts.facts - at)
    return [
      span(`${glyphs.past} PAST`, 'warn'),
      span(` fact ${at}, ${ago} ago, ${later} later`, 'plain'),
    ]
  }
  if (info.clock.mode === 'stepped') {
    return [span(`${glyphs.hold} HOLD`, 'warn'), span(` ${shownPendingCount(model)}`)]
  }
  return [span(`${glyphs.live} LIVE`, 'ok')]
}

/** Mode badge of a recording: playing, paused, played, or only browsed. */
function playbackBadge(model: Model, playback: PlaybackSnapshot, glyphs: Glyphs): readonly Span[] {
  const { target, over, at, total } = playback
  if (isRewound(model))
    return [span(`${glyphs.past} PAST`, 'warn'), span(` ${at} of ${total}: nothing is sent`)]
  if (target === undefined) return [span(`${glyphs.open} BROWSE`, 'info')]
  if (over) return [span(`${glyphs.done} PLAYED`, 'ok')]
  const { clock } = model.seen?.info ?? {}
  return clock?.mode === 'stepped'
    ? [
        span(`${glyphs.hold} PAUSED`, 'warn'),
        span(` ${shownPendingCount(model)} ready${speedText(clock)}`),
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
    part(4, span('seed ', 'muted'), span(String(info.seed))),
    part(9, span(info.channel === 'both' ? 'polling, webhook' : info.channel, 'muted')),
    recordingPart(info, glyphs),
    part(6, span(`${counts.exchanges} exchanges`, 'muted')),
    part(8, span(`${counts.facts} facts`, 'muted')),
    ...failedParts,
    ...held,
    ...controlPart(info),
    part(11, span(`${info.protocol.name} ${info.protocol.version}`, 'muted')),
  ]
}

/** Verdict counts, when there is a subject to judge. */
function verdictParts(
  { subject, forked }: SessionInfo,
  verdicts: readonly Verdict[],
  glyphs: Glyphs,
): readonly Part[] {
  if (forked !== undefined) return [part(2, span(`forked at ${forked}`, 'warn'))]
  if (!subject || verdicts.length === 0) return []
  const count = (outcome: Verdict['outcome']): number =>
    verdicts.filter((each) => each.outcome === outcome).length
  const failed = count('failed')
  if (failed > 0) return [part(1, span(`${glyphs.failed} ${failed} failed`, 'err'))]
  const inconclusive = count('inconclusive')
  if (inconclusive > 0) return [part(2, span(`? ${inconclusive} inconclusive`, 'warn'))]
  return count('passed') > 0
    ? [part(3, span(`${glyphs.done} all passed`, 'ok'))]
    : [part(5, span('nothing checked yet', 'muted'))]
}

function faultParts(faults: readonly FaultRow[]): readonly Part[] {
  const live = faults.filter(({ over }) => over === undefined).length
  return live === 0 ? [] : [part(2, span(`${live} fault${live === 1 ? '' : 's'}`, 'warn'))]
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

/** Counterparts with their addresses, and the subject. */
function partiesRow(info: SessionInfo, width: number): Row {
  const subject = subjectSpans(info)
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
  { role, temperament }: CounterpartInfo,
  address: string,
  withTemperament: boolean,
): readonly Span[] {
  const temper = withTemperament ? [span(` ${temperament}`, 'muted')] : []
  return [span(`${shortRoleName[role]} `, 'strong'), span(address), ...temper]
}

function subjectSpans({ subject }: SessionInfo): readonly Span[] {
  if (!subject) return [span('no subject: we play every role ', 'muted')]
  const { role, url } = subject
  return [
    span('subject ', 'muted'),
    span(`${shortRoleName[role]} `, 'strong'),
    span(`${url ?? 'calls us'} `, 'info'),
  ]
}

/** The port alone, for narrow terminals: the host is almost always this machine. */
const portOf = (url: string): string => /:\d+$/.exec(url.replace(/\/$/, ''))?.[0] ?? url
