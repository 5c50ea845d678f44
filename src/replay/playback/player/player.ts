/**
 * Viewer for a recording: wraps a session API and adds the recording to it. Reads only what is shown, stores the
 * result of each exchange, and leaves playing to the session.
 */
import { compact } from '../../../core/base/compact.ts'
import type { WorldRuntime } from '../../../core/runtime/world-runtime.ts'
import type { Fact } from '../../../core/engine/fact.ts'
import { refuse } from '../../../core/engine/refusal.ts'
import { err, type Result } from '../../../core/protocol/result.ts'
import { playbackRow, ruleForDifference } from '../../../core/views/playback-rows.ts'
import type { PlaybackActions, PlaybackViewRow } from '../../../core/session-api/playback.ts'
import type { SessionApi, View } from '../../../core/session-api/session-api.ts'
import { type PlaybackSnapshotParts, takePlaybackSnapshot } from './snapshot.ts'
import { createBookmarks, findNext, searchTests } from './bookmarks.ts'
import { createTimelineGrowth } from './growth.ts'
import { createExchangeReader } from './reader.ts'
import { createOrderStatuses } from './order-status.ts'
import { createPlaybackResults } from './results.ts'
import { createFilterSearch } from './search.ts'
import { createPlaybackProgress } from './progress.ts'
import { type RecordingTimeline, resolveSeek } from './timeline.ts'
import type { EditRecorded } from '../../difference/edit-recording.ts'
import type { Playback } from '../replay/replay.ts'
import { createEditActions, type EditedPlayback } from './edit-actions.ts'
import { createPlaybackEdits, editTexts } from './edits.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import { createRuleBook } from '../../difference/protocol-rules.ts'
import { rejudgeReport } from '../../minimise/rejudge.ts'
import type {
  ReplayedExchange,
  ReplayReport,
} from '../../../core/traffic/recording/replay-report.ts'

/** Files saved beside a recording. */
export interface PlayerFiles {
  /** By the sequence number of their exchange. */
  readonly marks: readonly { readonly seq: number; readonly text: string }[]
  readonly saveBookmarks: (
    marks: readonly { readonly seq: number; readonly text: string }[],
  ) => Promise<Result<string, string>>
  /** Appends a comparison rule; returns the file's path. */
  readonly saveRule: (rule: Rule) => Promise<Result<string, string>>
}

export interface RecordingPlayerOptions {
  readonly timeline: RecordingTimeline
  readonly files: PlayerFiles
  /** Comparison rules, applied before those of the protocol. */
  readonly rules: readonly Rule[]
  /** Target of the playback; nothing is sent when absent. */
  readonly target?: string
  /** The exchanges as they are played, before anything is edited here. */
  readonly edited?: EditRecorded
}

/** The playback, as far as the player needs it; `wanted` says which exchanges are sent. */
type PlayedRecording = Pick<Playback, 'wanted'> & EditedPlayback

export interface RecordingPlayer {
  /** Callbacks for the playback. */
  readonly ports: {
    readonly onReplayed: (replayed: ReplayedExchange, place: number) => void
    readonly onWorldCreated: (runtime: WorldRuntime) => void
    /** The exchange as it is played. */
    readonly edited: EditRecorded
  }
  /** The session API extended by the recording. */
  readonly over: (session: SessionApi, playback?: PlayedRecording) => SessionApi
  /** Marks the playback as finished. */
  readonly markEnded: () => void
  /** The report, compared again with the rules added since. */
  readonly rejudge: (report: ReplayReport) => ReplayReport
  readonly stop: () => void
}

export function createRecordingPlayer(options: RecordingPlayerOptions): RecordingPlayer {
  const { timeline, files, target } = options
  const results = createPlaybackResults(timeline.count)
  const reader = createExchangeReader(timeline)
  const progress = createPlaybackProgress()
  const listeners = new Set<() => void>()
  const marks = createBookmarks(timeline, files.marks)
  let addedRules: readonly Rule[] = []
  let runtime: WorldRuntime | undefined
  let over = false
  let played: PlayedRecording | undefined
  const edits = createPlaybackEdits(options.edited ?? ((recorded) => recorded))
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  const search = createFilterSearch(timeline, notify)
  const growth = createTimelineGrowth(timeline, () => {
    reader.forget()
    marks.takeRecorded()
    search.goOn()
    notify()
  })

  /** Sequence number of the last `agenda.taken`, which directly precedes the facts of the item. */
  let takenSeq = 0

  function onFact(fact: Fact, seq: number): void {
    if (fact.kind === 'agenda.taken') takenSeq = seq
    if (fact.kind === 'playback.sent' && fact.alone) return
    if (fact.kind === 'playback.sent' || (fact.kind === 'playback.concluded' && fact.unsent))
      progress.sent(fact.place, takenSeq === seq - 1 ? takenSeq : seq)
  }

  const rowOf = (recorded: RecordedExchange, place: number): PlaybackViewRow => {
    const standing = results.standing(place)
    const mark = marks.at(recorded.seq)
    return {
      ...playbackRow(recorded, place, played?.wanted(recorded) ?? false),
      ...compact({ standing, mark }),
      ...(editTexts(recorded).length > 0 ? { edited: true } : {}),
    }
  }

  /** The first playback item on the agenda that is not held. */
  function nextPlace(): number | undefined {
    for (const chunk of runtime?.engine.world.agenda.chunks ?? [])
      for (const { command } of chunk) if (command.kind === 'playback.send') return command.place
    return undefined
  }

  const editedAt = async (place: number): Promise<RecordedExchange> =>
    edits.edited(await reader.read(place))

  const snapshotParts: PlaybackSnapshotParts = {
    timeline,
    reader: { ...reader, read: editedAt, readMany: (places) => Promise.all(places.map(editedAt)) },
    results,
    search,
    statuses: createOrderStatuses(timeline, reader),
    target,
    rowOf,
    position: progress.position,
    next: nextPlace,
    marks: marks.list,
    edits: edits.count,
    over: () => over,
  }

  const actions: PlaybackActions = {
    ...createEditActions({
      reader,
      edits,
      playback: () => (target === undefined ? undefined : played),
      position: progress.position,
      onChange: notify,
    }),
    async seek(to) {
      const found = resolveSeek(timeline, to)
      if (found.ok || timeline.isWhole) return found
      await growth.whole()
      return resolveSeek(timeline, to)
    },
    async next(from, what, direction) {
      const find = () => findNext(from, direction, searchTests(timeline, results, marks)[what])
      const found = await find()
      if (found !== undefined || timeline.isWhole) return found
      await growth.whole()
      return find()
    },
    async bookmark(place, text = '') {
      const set = marks.toggle(timeline.row(place).seq, text)
      if (!set.ok) return set
      const saved = await files.saveBookmarks(marks.own())
      notify()
      return saved.ok ? set : saved
    },
    async accept(place, difference, compare) {
      const { seq, operation } = timeline.row(place)
      const rule = ruleForDifference(difference, compare, { operation, seq })
      const saved = await files.saveRule(rule)
      if (!saved.ok) return saved
      addedRules = [rule, ...addedRules]
      results.rejudgeAll(createRuleBook([...addedRules, ...options.rules]))
      notify()
      return saved
    },
  }

  return {
    ports: {
      edited: edits.edited,
      onReplayed(replayed, place) {
        results.add(replayed, place)
        notify()
      },
      onWorldCreated(raised) {
        runtime = raised
        raised.engine.onFact(({ fact, seq }) => onFact(fact, seq))
      },
    },
    over(session, playback) {
      played = playback
      const api = target ? session : readOnlySession(session)
      let looks = 0
      return {
        ...api,
        resend: () => Promise.resolve(refuse('CONFLICT', 'R sends an exchange of the recording')),
        async look(view) {
          const query = view.playback ?? {}
          const at = query.at ?? progress.position()
          const fact = target && at < progress.position() ? progress.before(at) : undefined
          const then: View = fact === undefined ? view : { ...view, at: fact }
          const [snapshot, recording] = await Promise.all([
            api.look(then),
            takePlaybackSnapshot(snapshotParts, query, at),
          ])
          // The first screen is drawn in two steps, and comes first.
          if (looks++ > 0) growth.begin()
          const snapshotWithPlayback = { ...snapshot, playback: recording }
          return target
            ? snapshotWithPlayback
            : { ...snapshotWithPlayback, ...(await upcoming(snapshotWithPlayback, view, at)) }
        },
        subscribe(listener) {
          const unsubscribe = api.subscribe(listener)
          listeners.add(listener)
          return () => {
            unsubscribe()
            listeners.delete(listener)
          }
        },
        playback: actions,
      }
    },
    markEnded() {
      over = true
      results.settle()
      notify()
    },
    rejudge: (report) =>
      addedRules.length === 0 ? report : rejudgeReport(report, [...addedRules, ...options.rules]),
    stop: search.stop,
  }

  /** Without a target, the next exchanges of the recording are shown as the agenda. */
  async function upcoming(
    {
      info,
      playback,
    }: {
      readonly info: Awaited<ReturnType<SessionApi['look']>>['info']
      readonly playback: { readonly now: number }
    },
    { agenda }: View,
    at: number,
  ) {
    const limit = Math.max(0, Math.min(agenda?.limit ?? 0, timeline.count - at, 1000))
    const places = Array.from({ length: limit }, (_, index) => at + index)
    const rows = (await reader.readMany(places)).map((recorded, index) =>
      rowOf(recorded, at + index),
    )
    return {
      info: {
        ...info,
        counterparts: [],
        clock: { ...info.clock, mode: 'stepped' as const, now: playback.now },
        counts: { ...info.counts, pending: timeline.count - at },
      },
      agenda: rows
        .filter(({ orderId }) => agenda?.orderId === undefined || orderId === agenda.orderId)
        .map(({ place, startedAt, text, orderId, status }) => ({
          id: place + 1,
          due: startedAt,
          held: false,
          background: false,
          kind: 'playback.send' as const,
          text,
          ...compact({ orderId }),
          effect: status === 0 ? 'no answer' : String(status),
        })),
    }
  }
}

const refusal = {
  code: 'UNPROCESSABLE',
  message: 'nothing is sent without a target: open it with --to <url of your service>',
} as const

/** The session API of a recording without a target: every change is refused or ignored. */
const readOnlySession = (session: SessionApi): SessionApi => ({
  ...session,
  submit: () => Promise.resolve(err(refusal)),
  createOrder: () => Promise.resolve(err(refusal)),
  fork: () => Promise.resolve(err(refusal)),
  judge: () => Promise.resolve([]),
  step: () => Promise.resolve(undefined),
  setClock: () => Promise.resolve(),
  advance: () => Promise.resolve(),
  reset: () => Promise.resolve(),
})
