/**
 * Decides when a recorded exchange may be sent: not before its time by the recording's clock, and not before all its
 * causes have ended and the think time after them has passed. Dependants of a failed exchange are not played.
 */
import { compact } from '../../base/compact.ts'
import { ok } from '../../protocol/result.ts'
import type { Decisions } from '../decision.ts'
import type { Instant } from '../instant.ts'
import { refuse } from '../refusal.ts'
import type { PlaybackCommand } from './commands.ts'
import type { PlaybackFact } from './facts.ts'
import {
  playbackWindow,
  playbackRefOf,
  type PlaybackLoadRow,
  type PlaybackWorld,
  type ReadyPlaybackRow,
  type PendingPlaybackRow,
  withoutCause,
} from './row.ts'

type Concluded = Extract<PlaybackFact, { kind: 'playback.concluded' }>

/** No cause is open, and it is ours to send. */
const isReady = ({ open, awaited }: PendingPlaybackRow): boolean => open.length === 0 && !awaited

const readyOf = ({ at, notBefore, times, ...row }: PendingPlaybackRow): ReadyPlaybackRow => ({
  ...playbackRefOf(row),
  // Instants are whole milliseconds.
  due: Math.ceil(Math.max(at, notBefore)),
  at,
  times,
})

function pendingRowOf(
  row: PlaybackLoadRow,
  since: Instant,
  isKnown: (recordId: string) => boolean,
): PendingPlaybackRow {
  const { atMs, notBefore = since, times = 1 } = row
  return {
    ...playbackRefOf(row),
    at: since + atMs,
    notBefore,
    // An unknown cause has ended: `notBefore` of the loaded row says when.
    open: row.causes.filter(({ recordId }) => isKnown(recordId)),
    times,
    ...(row.awaited ? { awaited: true } : {}),
  }
}

const blockedBy = (
  {
    recordId,
    place,
    label,
    orderId,
  }: Pick<PendingPlaybackRow, 'recordId' | 'place' | 'label' | 'orderId'>,
  note: string,
): Concluded => ({
  kind: 'playback.concluded',
  recordId,
  place,
  label,
  ...compact({ orderId }),
  standing: 'blocked',
  failed: true,
  note,
  unsent: true,
  ready: [],
})

/** All direct and indirect dependants of a failed exchange, each once. */
function blockedDependants(
  row: PendingPlaybackRow,
  { rows, dependants }: PlaybackWorld,
): Concluded[] {
  const visited = new Set([row.recordId])
  const all: Concluded[] = []
  const open: [recordId: string, because: string][] = [[row.recordId, row.label]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [cause, because] = next
    for (const recordId of dependants.get(cause) ?? []) {
      const dependant = rows.get(recordId)
      if (!dependant || visited.has(recordId)) continue
      visited.add(recordId)
      all.push(blockedBy(dependant, `it comes of ${because}, which could not be played`))
      open.push([recordId, dependant.label])
    }
  }
  return all
}

export const playbackDecisions: Decisions<PlaybackCommand> = {
  'playback.load'({ rows }, { world: { playback }, now }) {
    const { rows: standing, since = now } = playback
    if (standing.size + rows.length > playbackWindow)
      return refuse(
        'PAYLOAD_TOO_LARGE',
        `a playback has ${playbackWindow} exchanges at a time, and these would make ${standing.size + rows.length}`,
      )
    const loaded = new Set<string>()
    const isKnown = (recordId: string): boolean => standing.has(recordId) || loaded.has(recordId)
    const blocked: Concluded[] = []
    const pending: PendingPlaybackRow[] = []
    for (const row of rows) {
      if (row.blocked === undefined) {
        if (isKnown(row.recordId)) continue
        pending.push(pendingRowOf(row, since, isKnown))
        loaded.add(row.recordId)
      } else blocked.push(blockedBy(row, row.blocked))
    }
    const ready = pending.filter(isReady).map(readyOf)
    return ok([{ kind: 'playback.loaded', rows: pending, ready }, ...blocked])
  },
  'playback.send'(command, { world, now, due = now }) {
    const { at, alone, recordId } = command
    const row = world.playback.rows.get(recordId)
    return ok([
      {
        kind: 'playback.sent',
        ...playbackRefOf(command),
        intended: due,
        at,
        ...(!row || row.sent || alone ? { again: true } : {}),
        ...compact({ alone }),
      },
    ])
  },
  'playback.conclude'({ recordId, standing, failed, note }, { world: { playback }, now }) {
    const row = playback.rows.get(recordId)
    if (!row) return refuse('NOT_FOUND', `${recordId} is over, or was never loaded`)
    const { place, label, orderId, event } = row
    const orderRef = orderId === undefined ? {} : { orderId }
    const ready = failed
      ? []
      : (playback.dependants.get(recordId) ?? []).flatMap((id) => {
          const dependant = playback.rows.get(id)
          const remaining = dependant && withoutCause(dependant, recordId, now)
          return remaining && isReady(remaining) ? [readyOf(remaining)] : []
        })
    const concluded: Concluded = {
      kind: 'playback.concluded',
      recordId,
      place,
      label,
      ...orderRef,
      standing,
      ...compact({ failed, note }),
      ...(row.sent || row.awaited ? {} : { unsent: true }),
      ready,
      ...(event && row.sent && !failed ? { handed: { eventId: event.eventId, ...orderRef } } : {}),
    }
    return ok(failed ? [concluded, ...blockedDependants(row, playback)] : [concluded])
  },
}
