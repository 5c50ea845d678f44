/**
 * Viewer for a recording: wraps a session API and adds the recording to it. Reads only what is shown, stores the
 * result of each exchange, and leaves playing to the session.
 */
import { compact } from '../../../core/base/compact.ts'
import type { WorldRuntime } from '../../../core/runtime/world-runtime.ts'
import type { Fact } from '../../../core/engine/fact.ts'
import { refuse } from '../../../core/engine/refusal.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { playbackRow, ruleForDifference } from '../../../core/views/playback-rows.ts'
import type {
  PlaybackActions,
  PlaybackEditActions,
  PlaybackViewRow,
} from '../../../core/session-api/playback.ts'
import type { SessionApi, View } from '../../../core/session-api/session-api.ts'
import {
  type PlaybackSnapshotParts,
  takePlaybackSnapshot,
  createOrderStatuses,
} from './snapshot.ts'
import { type Bookmarks, createBookmarks, findNext, searchTests } from './bookmarks.ts'
import {
  createExchangeReader,
  type ExchangeReader,
  firstPlaceWhere,
  type RecordingTimeline,
  resolveSeek,
} from './timeline.ts'
import { createPlaybackResults, type PlaybackResults } from './results.ts'
import { createFilterSearch, type FilterSearch } from './search.ts'
import { editableSide, type EditRecorded } from '../../difference/edit-recording.ts'
import type { Playback } from '../replay/replay.ts'
import { createPlaybackEdits, editTexts, type PlaybackEdits } from './edits.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import { createRuleBook } from '../../difference/protocol-rules.ts'
import { rejudgeReport } from '../../minimise/judge-exchange.ts'
import type {
  ReplayedExchange,
  ReplayReport,
} from '../../../core/traffic/recording/replay-report.ts'
import type { MessageSide } from '../../../core/traffic/entities/mentions.ts'

/** The playback, as far as edits need it. */
type EditedPlayback = Pick<Playback, 'role' | 'isAnswered' | 'sendAlone' | 'skipTo'>

interface EditActionsOptions {
  readonly reader: ExchangeReader
  readonly edits: PlaybackEdits
  /** Undefined when nothing is played. */
  readonly playback: () => EditedPlayback | undefined
  /** The next place to play: what is before it was played. */
  readonly position: () => number
  readonly onChange: () => void
}

const noTarget = 'nothing is sent without a target: open it with --to <url of your service>'

interface Played {
  readonly recorded: RecordedExchange
  readonly side: MessageSide
  readonly playback: EditedPlayback
}

/** Edits an exchange that is played, sends it alone, or goes on from it. */
function createEditActions(options: EditActionsOptions): PlaybackEditActions {
  const { reader, edits, position, onChange } = options

  /** The exchange as it was recorded, and the side of it that we play. */
  async function playedAt(place: number): Promise<Result<Played, string>> {
    const playback = options.playback()
    if (!playback) return err(noTarget)
    const recorded = await reader.read(place)
    const side = editableSide(recorded, playback.role)
    if (!side.ok) return side
    if (side.value === 'reply' && !playback.isAnswered)
      return err('your service makes this call, and our counterparts answer it, not the recording')
    return ok({ recorded, side: side.value, playback })
  }

  async function sentAt(place: number): Promise<Result<Played, string>> {
    const played = await playedAt(place)
    return played.ok && played.value.side === 'reply'
      ? err('your service makes this call: e changes the answer that it gets')
      : played
  }

  return {
    async document(place) {
      const played = await playedAt(place)
      if (!played.ok) return played
      const { recorded, side } = played.value
      const text = edits.document(recorded, side)
      return ok({ name: `${recorded.seq}-${side}.json`, text, isSent: side === 'request' })
    },
    async edit(place, text) {
      const played = await playedAt(place)
      if (!played.ok) return played
      const taken = edits.take({ ...played.value, place }, text)
      onChange()
      return taken
    },
    turnEdit(direction) {
      const turned = edits.turn(direction)
      onChange()
      return Promise.resolve(turned)
    },
    async sendAlone(place) {
      const sent = await sentAt(place)
      if (!sent.ok) return sent
      await sent.value.playback.sendAlone(place)
      return ok(sent.value.recorded.seq)
    },
    async goOnFrom(place) {
      const sent = await sentAt(place)
      if (!sent.ok) return sent
      const { recorded, playback } = sent.value
      if (place < position())
        return err(
          `#${recorded.seq} is over, and what your service made of it stays: S sends it once more`,
        )
      const leftOut = playback.skipTo(place)
      onChange()
      return ok({ seq: recorded.seq, leftOut })
    },
  }
}

/** Redrawing takes time and memory from reading. */
const tellEveryMs = 1000

/** Indexes the rest of a recording behind its first screen, and tells when there is more to show. */
function createTimelineGrowth(timeline: RecordingTimeline, onGrown: () => void) {
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    let notifiedAt = performance.now()
    try {
      await timeline.readOn(() => {
        if (performance.now() - notifiedAt < tellEveryMs) return
        notifiedAt = performance.now()
        onGrown()
      })
    } catch {
      // The index keeps the reason among its problems.
    }
    onGrown()
  }

  const whole = (): Promise<void> => {
    if (timeline.isWhole && !running) return Promise.resolve()
    return (running ??= run())
  }
  return {
    /** Goes on with what is left; nothing happens when all is there, or it goes on already. */
    begin: () => void whole(),
    /** Resolves when nothing is left, or the rest cannot be read. */
    whole,
  }
}

/** The farthest place of a recording that was sent, by the fact of each send. */
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

export class RecordingPlayer {
  readonly #options: RecordingPlayerOptions
  readonly #results: PlaybackResults
  readonly #reader: ExchangeReader
  readonly #progress = createPlaybackProgress()
  readonly #listeners = new Set<() => void>()
  readonly #marks: Bookmarks
  #addedRules: readonly Rule[] = []
  #runtime: WorldRuntime | undefined
  #over = false
  #played: PlayedRecording | undefined
  readonly #edits: PlaybackEdits
  readonly #search: FilterSearch
  readonly #growth: ReturnType<typeof createTimelineGrowth>
  /** Sequence number of the last `agenda.taken`, which directly precedes the facts of the item. */
  #takenSeq = 0
  readonly #snapshotParts: PlaybackSnapshotParts
  readonly #actions: PlaybackActions
  /** Callbacks for the playback. */
  readonly ports: {
    readonly onReplayed: (replayed: ReplayedExchange, place: number) => void
    readonly onWorldCreated: (runtime: WorldRuntime) => void
    /** The exchange as it is played. */
    readonly edited: EditRecorded
  }

  constructor(options: RecordingPlayerOptions) {
    this.#options = options
    const { timeline, files, edited = (recorded) => recorded } = options
    this.#results = createPlaybackResults(timeline.count)
    this.#reader = createExchangeReader(timeline)
    this.#marks = createBookmarks(timeline, files.marks)
    this.#edits = createPlaybackEdits(edited)
    this.#search = createFilterSearch(timeline, () => this.#notify())
    this.#growth = createTimelineGrowth(timeline, () => {
      this.#reader.forget()
      this.#marks.takeRecorded()
      this.#search.goOn()
      this.#notify()
    })
    this.#snapshotParts = this.#createSnapshotParts()
    this.#actions = this.#createActions()
    this.ports = {
      edited: this.#edits.edited,
      onReplayed: (replayed, place) => {
        this.#results.add(replayed, place)
        this.#notify()
      },
      onWorldCreated: (raised) => {
        this.#runtime = raised
        raised.engine.onFact(({ fact, seq }) => this.#onFact(fact, seq))
      },
    }
  }

  /** The session API extended by the recording. */
  over(session: SessionApi, playback?: PlayedRecording): SessionApi {
    const { target } = this.#options
    this.#played = playback
    const api = target ? session : readOnlySession(session)
    let looks = 0
    return {
      ...api,
      resend: () => Promise.resolve(refuse('CONFLICT', 'R sends an exchange of the recording')),
      note: () => Promise.resolve(refuse('CONFLICT', 'm marks an exchange of the recording')),
      look: async (view) => {
        const query = view.playback ?? {}
        const at = query.at ?? this.#progress.position()
        const fact =
          target && at < this.#progress.position() ? this.#progress.before(at) : undefined
        const then: View = fact === undefined ? view : { ...view, at: fact }
        const [snapshot, recording] = await Promise.all([
          api.look(then),
          takePlaybackSnapshot(this.#snapshotParts, query, at),
        ])
        // The first screen is drawn in two steps, and comes first.
        if (looks++ > 0) this.#growth.begin()
        const snapshotWithPlayback = { ...snapshot, playback: recording }
        return target
          ? snapshotWithPlayback
          : { ...snapshotWithPlayback, ...(await this.#upcoming(snapshotWithPlayback, view, at)) }
      },
      subscribe: (listener) => {
        const unsubscribe = api.subscribe(listener)
        this.#listeners.add(listener)
        return () => {
          unsubscribe()
          this.#listeners.delete(listener)
        }
      },
      playback: this.#actions,
    }
  }

  stop(): void {
    this.#search.stop()
  }

  /** Marks the playback as finished. */
  markEnded(): void {
    this.#over = true
    this.#results.settle()
    this.#notify()
  }

  /** The report, compared again with the rules added since. */
  rejudge(report: ReplayReport): ReplayReport {
    return this.#addedRules.length === 0
      ? report
      : rejudgeReport(report, [...this.#addedRules, ...this.#options.rules])
  }

  #createSnapshotParts(): PlaybackSnapshotParts {
    const { timeline, target } = this.#options
    return {
      timeline,
      reader: {
        ...this.#reader,
        read: (place) => this.#editedAt(place),
        readMany: (places) => Promise.all(places.map((place) => this.#editedAt(place))),
      },
      results: this.#results,
      search: this.#search,
      statuses: createOrderStatuses(timeline, this.#reader),
      target,
      rowOf: (recorded, place) => this.#rowOf(recorded, place),
      position: this.#progress.position,
      next: () => this.#nextPlace(),
      marks: this.#marks.list,
      edits: this.#edits.count,
      over: () => this.#over,
    }
  }

  #createActions(): PlaybackActions {
    const { timeline, target, files, rules } = this.#options
    return {
      ...createEditActions({
        reader: this.#reader,
        edits: this.#edits,
        playback: () => (target === undefined ? undefined : this.#played),
        position: this.#progress.position,
        onChange: () => this.#notify(),
      }),
      seek: async (to) => {
        const found = resolveSeek(timeline, to)
        if (found.ok || timeline.isWhole) return found
        await this.#growth.whole()
        return resolveSeek(timeline, to)
      },
      next: async (from, what, direction) => {
        const find = () =>
          findNext(from, direction, searchTests(timeline, this.#results, this.#marks)[what])
        const found = await find()
        if (found !== undefined || timeline.isWhole) return found
        await this.#growth.whole()
        return find()
      },
      bookmark: async (place, text = '') => {
        const set = this.#marks.toggle(timeline.row(place).seq, text)
        if (!set.ok) return set
        const saved = await files.saveBookmarks(this.#marks.own())
        this.#notify()
        return saved.ok ? set : saved
      },
      accept: async (place, difference, compare) => {
        const { seq, operation } = timeline.row(place)
        const rule = ruleForDifference(difference, compare, { operation, seq })
        const saved = await files.saveRule(rule)
        if (!saved.ok) return saved
        this.#addedRules = [rule, ...this.#addedRules]
        this.#results.rejudgeAll(createRuleBook([...this.#addedRules, ...rules]))
        this.#notify()
        return saved
      },
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #onFact(fact: Fact, seq: number): void {
    if (fact.kind === 'agenda.taken') this.#takenSeq = seq
    if (fact.kind === 'playback.sent' && fact.alone) return
    if (fact.kind === 'playback.sent' || (fact.kind === 'playback.concluded' && fact.unsent))
      this.#progress.sent(fact.place, this.#takenSeq === seq - 1 ? this.#takenSeq : seq)
  }

  #rowOf(recorded: RecordedExchange, place: number): PlaybackViewRow {
    const standing = this.#results.standing(place)
    const mark = this.#marks.at(recorded.seq)
    return {
      ...playbackRow(recorded, place, this.#played?.wanted(recorded) ?? false),
      ...compact({ standing, mark }),
      ...(editTexts(recorded).length > 0 ? { edited: true } : {}),
    }
  }

  /** The first playback item on the agenda that is not held. */
  #nextPlace(): number | undefined {
    for (const chunk of this.#runtime?.engine.world.agenda.chunks ?? [])
      for (const { command } of chunk) if (command.kind === 'playback.send') return command.place
    return undefined
  }

  async #editedAt(place: number): Promise<RecordedExchange> {
    return this.#edits.edited(await this.#reader.read(place))
  }

  /** Without a target, the next exchanges of the recording are shown as the agenda. */
  async #upcoming(
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
    const { timeline } = this.#options
    const limit = Math.max(0, Math.min(agenda?.limit ?? 0, timeline.count - at, 1000))
    const places = Array.from({ length: limit }, (_, index) => at + index)
    const rows = (await this.#reader.readMany(places)).map((recorded, index) =>
      this.#rowOf(recorded, at + index),
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
