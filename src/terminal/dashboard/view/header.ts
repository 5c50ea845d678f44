/**
 * The two rows at the top: mode, time and counts of the session, and its participants. On narrow terminals the parts
 * with the highest rank are dropped first.
 */
import type { CounterpartInfo, SessionInfo } from '../../../core/session-api/session-api.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import type { PlaybackSnapshot } from '../../../core/session-api/playback.ts'
import { healthOf, healthTones, shownPendingText } from '../model/health.ts'
import { type Model, shownInstant } from '../model/model.ts'
import {
  attachedParts,
  clockParts,
  faultParts,
  fittingSpans,
  part,
  type Part,
  portOf,
  rateParts,
  sessionParts,
  verdictParts,
} from './header-parts.ts'
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
import { ageText } from './text/time.ts'
import {
  type FailureCounts,
  type FailureOutcome,
  failureOutcomes,
} from '../../../core/traffic/recording/failure-comparison.ts'
import { standings } from '../../../core/traffic/recording/standing.ts'

export function headerRows(
  model: Model,
  width: number,
  height: number,
  glyphs: Glyphs,
): readonly Row[] {
  const left = badge(model, glyphs)
  if (model.layout.kind === 'tiny')
    return [rowWithEnds(width, [span(' '), ...left], [span('60x16 shows panes ', 'muted')])]
  if (!model.seen) return [row(span(' '), ...left)]
  const { info, faults, playback, rate } = model.seen
  // While a recording is only browsed, there is no session to describe.
  const isBrowsed = playback !== undefined && playback.target === undefined
  const room = width - widthOf(left) - 3
  const parts = fittingSpans(
    [
      ...playbackParts(playback),
      ...(isBrowsed ? [] : clockParts(model, info)),
      ...attachedParts(model.seen),
      ...verdictParts(model.seen, glyphs),
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
      span(` entry ${at}, ${ago} ago, ${later} later`, 'plain'),
    ]
  }
  if (info.clock.mode === 'stepped') {
    return [span(`${glyphs.hold} HOLD`, 'warn'), span(` ${shownPendingText(model)}`)]
  }
  return [span(`${glyphs.live} LIVE`, healthTones[healthOf(seen)])]
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
  { role, temperament }: CounterpartInfo,
  address: string,
  withTemperament: boolean,
): readonly Span[] {
  const temper = withTemperament ? [span(` ${temperament}`, 'muted')] : []
  return [span(`${shortRoleName[role]} `, 'strong'), span(address), ...temper]
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
