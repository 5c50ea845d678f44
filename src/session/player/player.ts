/**
 * Viewer for a recording: wraps a session API and adds the recording to it. Reads only what is shown, stores the
 * result of each exchange, and leaves playing to the session.
 */
import { compact } from '../../compact.ts'
import type { WorldRuntime } from '../../edge/world-runtime.ts'
import type { Fact } from '../../engine/fact.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { playbackRow } from '../../views/playback-rows.ts'
import { ruleForDifference } from '../../views/playback-rules.ts'
import type { PlaybackActions, PlaybackMark, PlaybackViewRow } from '../../session-api/playback.ts'
import type { SessionApi, View } from '../../session-api/session-api.ts'
import { type PlaybackSnapshotParts, takePlaybackSnapshot } from './snapshot.ts'
import {
  isRecordedBookmark,
  loadBookmarks,
  maxBookmarks,
  findNext,
  searchTests,
} from './bookmarks.ts'
import { createExchangeReader } from './reader.ts'
import { createPlaybackResults, rejudgeReport } from './results.ts'
import { createFilterSearch } from './search.ts'
import { type RecordingTimeline, firstPlaceWhere, resolveSeek } from './timeline.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import { createRuleBook } from '../../traffic/difference/protocol-rules.ts'
import type { ReplayedExchange, ReplayReport } from '../../traffic/replay/replay-report.ts'

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
}

export interface RecordingPlayer {
  /** Callbacks for the playback. */
  readonly ports: {
    readonly onReplayed: (replayed: ReplayedExchange, place: number) => void
    readonly onWorldCreated: (runtime: WorldRuntime) => void
  }
  /** The session API extended by the recording; `wanted` says which exchanges are sent. */
  readonly over: (
    session: SessionApi,
    wanted?: (recorded: RecordedExchange) => boolean,
  ) => SessionApi
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
  const marks = loadBookmarks(timeline, files)
  let addedRules: readonly Rule[] = []
  let runtime: WorldRuntime | undefined
  let over = false
  let isSent = (_recorded: RecordedExchange): boolean => false
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  const search = createFilterSearch(timeline, notify)

  /** Sequence number of the last `agenda.taken`, which directly precedes the facts of the item. */
  let takenSeq = 0

  function onFact(fact: Fact, seq: number): void {
    if (fact.kind === 'agenda.taken') takenSeq = seq
    if (fact.kind === 'playback.sent' || (fact.kind === 'playback.concluded' && fact.unsent))
      progress.sent(fact.place, takenSeq === seq - 1 ? takenSeq : seq)
  }

  const rowOf = (recorded: RecordedExchange, place: number): PlaybackViewRow => {
    const standing = results.standing(place)
    const mark = marks.get(place)
    return {
      ...playbackRow(recorded, place, isSent(recorded)),
      ...compact({ standing, mark }),
    }
  }

  /** The first playback item on the agenda that is not held. */
  function nextPlace(): number | undefined {
    for (const chunk of runtime?.engine.world.agenda.chunks ?? [])
      for (const { command } of chunk) if (command.kind === 'playback.send') return command.place
    return undefined
  }

  const sortedBookmarks = (): readonly PlaybackMark[] =>
    [...marks].map(([place, text]) => ({ place, text })).toSorted((a, b) => a.place - b.place)

  const snapshotParts: PlaybackSnapshotParts = {
    timeline,
    reader,
    results,
    search,
    target,
    rowOf,
    position: progress.position,
    next: nextPlace,
    marks: sortedBookmarks,
    over: () => over,
  }

  const actions: PlaybackActions = {
    seek: (to) => Promise.resolve(resolveSeek(timeline, to)),
    next: (from, what, direction) =>
      findNext(from, direction, searchTests(timeline, results, marks)[what]),
    async bookmark(place, text = '') {
      const before = marks.get(place)
      if (before === undefined && marks.size >= maxBookmarks)
        return err(`there are ${maxBookmarks} bookmarks already`)
      if (before === undefined) marks.set(place, text)
      else marks.delete(place)
      const own = sortedBookmarks().filter((mark) => !isRecordedBookmark(timeline, mark.place))
      const saved = await files.saveBookmarks(
        own.map((mark) => ({ seq: timeline.row(mark.place).seq, text: mark.text })),
      )
      notify()
      return saved.ok ? ok(before === undefined) : saved
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
      onReplayed(replayed, place) {
        results.add(replayed, place)
        notify()
      },
      onWorldCreated(raised) {
        runtime = raised
        raised.engine.onFact(({ fact, seq }) => onFact(fact, seq))
      },
    },
    over(session, wanted) {
      isSent = wanted ?? isSent
      const api = target ? session : readOnlySession(session)
      return {
        ...api,
        async look(view) {
          const query = view.playback ?? {}
          const at = query.at ?? progress.position()
          const fact = target && at < progress.position() ? progress.before(at) : undefined
          const then: View = fact === undefined ? view : { ...view, at: fact }
          const [snapshot, playback] = await Promise.all([
            api.look(then),
            takePlaybackSnapshot(snapshotParts, query, at),
          ])
          const snapshotWithPlayback = { ...snapshot, playback }
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

/** The farthest place sent so far, by the fact of each send. */
function createPlaybackProgress() {
  const facts: number[] = []
  const farthest: number[] = []
  return {
    sent(place: number, fact: number): void {
      facts.push(fact)
      farthest.push(Math.max(place, farthest.at(-1) ?? 0))
    },
    position: (): number => (farthest.at(-1) ?? -1) + 1,
    /** The last fact before the first exchange at or after this place was sent; undefined when none was. */
    before(place: number): number | undefined {
      const index = firstPlaceWhere(farthest.length, (each) => (farthest[each] ?? 0) >= place)
      const fact = facts[index]
      return fact === undefined ? undefined : Math.max(1, fact - 1)
    },
  }
}
