/**
 * Viewer for a recording: wraps a session API and adds the recording to it. Reads only what is shown, stores the
 * result of each exchange, and leaves playing to the session.
 */
import { compact } from '../../compact.ts'
import type { Stage } from '../../edge/world-runtime.ts'
import type { Fact } from '../../engine/fact.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import { playbackRow } from '../../views/playback-rows.ts'
import { ruleOf } from '../../views/playback-rules.ts'
import type { PlaybackHand, PlaybackMark, PlaybackRow } from '../../session-api/playback.ts'
import type { SessionFace, View } from '../../session-api/session-api.ts'
import { type Looked, lookAtTape } from './snapshot.ts'
import { isOfTape, marksOf, mostMarks, nextOf, soughtIn } from './bookmarks.ts'
import { createReading } from './reader.ts'
import { createResults, reportAgain } from './results.ts'
import { createSearch } from './search.ts'
import { placeOfSeek } from './seek.ts'
import { still } from './still.ts'
import type { Tape } from './timeline.ts'
import { createTrack } from './track.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import { ruleBook } from '../../traffic/difference/protocol-rules.ts'
import type { Replayed, ReplayReport } from '../../traffic/replay/status.ts'

/** Files saved beside a recording. */
export interface PlayerFiles {
  /** By the sequence number of their exchange. */
  readonly marks: readonly { readonly seq: number; readonly text: string }[]
  readonly keepMarks: (
    marks: readonly { readonly seq: number; readonly text: string }[],
  ) => Promise<Result<string, string>>
  /** Appends a comparison rule; returns the file's path. */
  readonly keepRule: (rule: Rule) => Promise<Result<string, string>>
}

export interface PlayerOptions {
  readonly tape: Tape
  readonly files: PlayerFiles
  /** Comparison rules, applied before those of the protocol. */
  readonly rules: readonly Rule[]
  /** Target of the playback; nothing is sent when absent. */
  readonly target?: string
}

export interface Player {
  /** Callbacks for the playback. */
  readonly ports: {
    readonly onReplayed: (replayed: Replayed, place: number) => void
    readonly onRaised: (stage: Stage) => void
  }
  /** The session API extended by the recording; `wanted` says which exchanges are sent. */
  readonly over: (
    session: SessionFace,
    wanted?: (recorded: RecordedExchange) => boolean,
  ) => SessionFace
  /** Marks the playback as finished. */
  readonly ended: () => void
  /** The report, compared again with the rules added since. */
  readonly judged: (report: ReplayReport) => ReplayReport
  readonly stop: () => void
}

export function createPlayer(options: PlayerOptions): Player {
  const { tape, files, target } = options
  const results = createResults(tape.count)
  const reading = createReading(tape)
  const track = createTrack()
  const listeners = new Set<() => void>()
  const marks = marksOf(tape, files)
  let added: readonly Rule[] = []
  let stage: Stage | undefined
  let over = false
  let isSent = (_recorded: RecordedExchange): boolean => false
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  const search = createSearch(tape, notify)

  /** Sequence number of the last `agenda.taken`, which directly precedes the facts of the item. */
  let taken = 0

  function hear(fact: Fact, seq: number): void {
    if (fact.kind === 'agenda.taken') taken = seq
    if (fact.kind === 'playback.sent' || (fact.kind === 'playback.concluded' && fact.unsent))
      track.sent(fact.place, taken === seq - 1 ? taken : seq)
  }

  const rowOf = (recorded: RecordedExchange, place: number): PlaybackRow => {
    const standing = results.standing(place)
    const mark = marks.get(place)
    return {
      ...playbackRow(recorded, place, isSent(recorded)),
      ...compact({ standing, mark }),
    }
  }

  /** The first playback item on the agenda that is not held. */
  function nextPlace(): number | undefined {
    for (const chunk of stage?.engine.world.agenda.chunks ?? [])
      for (const { command } of chunk) if (command.kind === 'playback.send') return command.place
    return undefined
  }

  const listed = (): readonly PlaybackMark[] =>
    [...marks].map(([place, text]) => ({ place, text })).toSorted((a, b) => a.place - b.place)

  const looked: Looked = {
    tape,
    reading,
    results,
    search,
    target,
    rowOf,
    position: track.position,
    next: nextPlace,
    marks: listed,
    over: () => over,
  }

  const hand: PlaybackHand = {
    seek: (to) => Promise.resolve(placeOfSeek(tape, to)),
    next: (from, what, way) => nextOf(from, way, soughtIn(tape, results, marks)[what]),
    async bookmark(place, text = '') {
      const before = marks.get(place)
      if (before === undefined && marks.size >= mostMarks)
        return no(`there are ${mostMarks} bookmarks already`)
      if (before === undefined) marks.set(place, text)
      else marks.delete(place)
      const own = listed().filter((mark) => !isOfTape(tape, mark.place))
      const kept = await files.keepMarks(
        own.map((mark) => ({ seq: tape.row(mark.place).seq, text: mark.text })),
      )
      notify()
      return kept.ok ? ok(before === undefined) : kept
    },
    async accept(place, difference, compare) {
      const { seq, operation } = tape.row(place)
      const rule = ruleOf(difference, compare, { operation, seq })
      const kept = await files.keepRule(rule)
      if (!kept.ok) return kept
      added = [rule, ...added]
      results.judgeAgain(ruleBook([...added, ...options.rules]))
      notify()
      return kept
    },
  }

  return {
    ports: {
      onReplayed(replayed, place) {
        results.add(replayed, place)
        notify()
      },
      onRaised(raised) {
        stage = raised
        raised.engine.onFact(({ fact, seq }) => hear(fact, seq))
      },
    },
    over(session, wanted) {
      isSent = wanted ?? isSent
      const face = target ? session : still(session)
      return {
        ...face,
        async look(view) {
          const wish = view.playback ?? {}
          const at = wish.at ?? track.position()
          const fact = target && at < track.position() ? track.before(at) : undefined
          const then: View = fact === undefined ? view : { ...view, at: fact }
          const [snapshot, playback] = await Promise.all([
            face.look(then),
            lookAtTape(looked, wish, at),
          ])
          const told = { ...snapshot, playback }
          return target ? told : { ...told, ...(await ahead(told, view, at)) }
        },
        subscribe(listener) {
          const off = face.subscribe(listener)
          listeners.add(listener)
          return () => {
            off()
            listeners.delete(listener)
          }
        },
        playback: hand,
      }
    },
    ended() {
      over = true
      notify()
    },
    judged: (report) =>
      added.length === 0 ? report : reportAgain(report, [...added, ...options.rules]),
    stop: search.stop,
  }

  /** Without a target, the next exchanges of the recording are shown as the agenda. */
  async function ahead(
    {
      info,
      playback,
    }: {
      readonly info: Awaited<ReturnType<SessionFace['look']>>['info']
      readonly playback: { readonly now: number }
    },
    { agenda }: View,
    at: number,
  ) {
    const limit = Math.max(0, Math.min(agenda?.limit ?? 0, tape.count - at, 1000))
    const places = Array.from({ length: limit }, (_, index) => at + index)
    const rows = (await reading.many(places)).map((recorded, index) => rowOf(recorded, at + index))
    return {
      info: {
        ...info,
        counterparts: [],
        clock: { ...info.clock, mode: 'stepped' as const, now: playback.now },
        counts: { ...info.counts, pending: tape.count - at },
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
