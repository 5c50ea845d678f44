/**
 * Client replay of a recording: sends recorded requests to a service with new ids and current times, and compares the
 * replies. Connects session, player, recorded partner and comparison.
 */
import { compact } from '../../../core/base/compact.ts'
import { wallNow } from '../../../core/runtime/clock/clock.ts'
import { createForwarder } from '../forwarder.ts'
import { createPlaybackEnd } from '../playback-end.ts'
import { PlaybackPlayer } from '../player.ts'
import { playbackSourceOf } from '../source.ts'
import { RecordedCounterpart } from '../recorded-counterpart.ts'
import type { Role } from '../../../core/protocol/role.ts'
import type { WorldRuntime } from '../../../core/runtime/world-runtime.ts'
import { playbackReactor } from '../../../core/engine/playback/react.ts'
import type { Responder } from '../../../core/runtime/server/responder.ts'
import { Binding } from '../../identity/correlation/bind.ts'
import type { IdentifierBinding } from '../../../core/traffic/recording/binding.ts'
import { correlate } from '../../identity/correlation/correlate.ts'
import { compareExchanges, createReplayHistory } from '../../difference/compare-exchanges.ts'
import { createReplayReportBuilder, contractRulesOf } from '../../minimise/report-builder.ts'
import type { EditRecorded } from '../../difference/edit-recording.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { settleReport } from '../../minimise/judge-exchange.ts'
import type {
  ReplayedExchange,
  ReplayReport,
} from '../../../core/traffic/recording/replay-report.ts'
import { type PlaybackOptions, readReplayInput } from './options.ts'
import { prepareSession } from '../../../core/session/session.ts'
import type { PreparedSession } from '../../../core/session/types.ts'

export interface Playback extends AsyncDisposable {
  /** The session that it plays in; its agenda holds the exchanges still to send. */
  readonly session: PreparedSession
  /** Plays the recording to its end and returns the report. */
  readonly run: () => Promise<ReplayReport>
  /** The results so far, also of what was sent after the end. */
  readonly report: () => ReplayReport
  /** The role of the service. */
  readonly role: Role
  /** Whether calls of the service are answered from the recording. */
  readonly isAnswered: boolean
  /** Sends the exchange at this place now, apart from what is planned. */
  readonly sendAlone: (place: number) => Promise<void>
  /** Leaves out what is before this place and was not sent yet; returns how many of them were loaded. */
  readonly skipTo: (place: number) => number
  /** Aborts: `run` returns the results so far. */
  readonly stop: () => void
  /** Whether an exchange of the recording is sent by us. */
  readonly wanted: (recorded: RecordedExchange) => boolean
  /** Mapping from recorded ids to current ones. */
  readonly binding: IdentifierBinding
  /** Current session time, in milliseconds since 1970. */
  readonly now: () => number
  readonly close: () => Promise<void>
}

export interface PlaybackPorts {
  readonly onReplayed?: (replayed: ReplayedExchange, place: number) => void
  /** Called with the runtime of the world that it is played in. */
  readonly onWorldCreated?: (created: WorldRuntime) => void
  /** Answers the service's calls in place of the counterparts. */
  readonly answering?: Responder
  /** The exchanges as they are played, in place of the option. */
  readonly edited?: EditRecorded
  /** Called with warnings for the user. */
  readonly onWarning?: (text: string) => void
}

/** Abort after this many failed calls, when none has reached the target yet. */
const maxUnreachable = 3

/** Resolves when the session listens; nothing is sent before `run`. */
export async function openPlayback(
  options: PlaybackOptions,
  ports: PlaybackPorts = {},
): Promise<Playback> {
  const input = readReplayInput(options)
  const { content, role, seed } = input
  const edited = ports.edited ?? input.edited
  const isOurs = (party: { readonly role: string }): boolean => party.role !== role
  const correlation = correlate(content.exchanges, { ours: isOurs, shared: input.shared })
  const binding = new Binding({
    correlation,
    exchanges: content.exchanges,
    seed,
    shared: input.shared,
    sameIds: input.sameIds,
  })
  // An id that only our side sent in the recording cannot be assigned anew by the service: it stays.
  const skipped = new Set(
    content.exchanges
      .filter(
        (each) =>
          each.seq < input.from || (input.sentIds.has(each.recordId) && !input.wanted(each)),
      )
      .map(({ recordId }) => recordId),
  )
  for (const { kind, value, origin, born } of correlation.identifiers) {
    if (origin !== 'theirs') continue
    const isSent = born.side === 'request' && input.sentIds.has(born.recordId)
    // The exchange that assigned it is not played: the service has it from the recording, if at all.
    const isKept = input.sameIds && skipped.has(born.recordId)
    if (isSent || isKept) binding.bind(kind, value, value, born)
  }
  const gathering = createReplayReportBuilder()
  const history = createReplayHistory()
  let player: PlaybackPlayer | undefined
  let interrupted = false
  let isOver = false
  let isUnusedReported = false
  let reached = false
  let unreachable = 0
  const { answers } = input
  const { waits = true } = answers ?? {}
  let now = (): number => 0
  let runtime: WorldRuntime | undefined
  const reported = new Set<string>()

  function onReplayed(replayed: ReplayedExchange, place: number): void {
    gathering.add(replayed, place)
    if (recordedCounterpart && replayed.recorded) reported.add(replayed.recorded.recordId)
    ports.onReplayed?.(replayed, place)
    if (replayed.live?.reply) reached = true
    else if (replayed.standing === 'error' && ++unreachable >= maxUnreachable && !reached)
      player?.stop()
  }

  function onWorldCreated(created: WorldRuntime): void {
    // A reset or fork creates another world: playback stops.
    if (player) return stop()
    runtime = created
    recordedCounterpart?.attach(created)
    now = created.engine.now
    ports.onWorldCreated?.(created)
    player = new PlaybackPlayer({
      runtime: created,
      source: playbackSourceOf(content, edited),
      binding,
      compare: (recorded, renamed) => compareExchanges(recorded, renamed, input.rules, history),
      recordedBaseOf: input.recordedBaseOf,
      runId: input.runId,
      pace: input.pace,
      wanted: input.wanted,
      ...(recordedCounterpart && waits && options.to !== undefined
        ? {
            awaits: (recorded) => recordedCounterpart.awaits(recorded),
            madeAt: (recordId) => recordedCounterpart.madeAt(recordId),
            onSending: (recorded, intended) => recordedCounterpart.onSending(recorded, intended),
          }
        : {}),
      times: input.times,
      onReplayed,
    })
  }

  function stop(): void {
    // Stopping is the regular end of serving.
    interrupted = !serves && !isOver
    playbackEnd?.stop()
    player?.stop()
  }

  const { serves } = options
  const { onMiss: wanted } = answers ?? {}
  const onMiss =
    typeof wanted === 'object'
      ? createForwarder({
          target: wanted.forward.replace(/\/+$/, ''),
          transport: (outbound) => session.transport(outbound),
          now: wallNow,
        })
      : wanted
  const recordedCounterpart: RecordedCounterpart | undefined =
    answers &&
    new RecordedCounterpart({
      ...answers,
      onMiss,
      content,
      binding,
      correlation,
      role,
      rules: input.rules,
      pace: input.pace,
      wanted: input.wanted,
      isPart: options.only !== undefined || input.from > 0,
      from: input.from,
      edited,
      base: (host) => session.urls.get(host) ?? '',
      onReplayed,
      onIdle: () => gathering.answered('repeat'),
      onProgress: () => playbackEnd?.check(),
    })
  const playbackEnd =
    answers &&
    recordedCounterpart &&
    (waits || serves) &&
    createPlaybackEnd({ recordedCounterpart, callTimeoutMs: answers.callTimeoutMs, serves })
  const answering = ports.answering ?? recordedCounterpart?.answering

  const session = await prepareSession(input.session, undefined, {
    reactors: [playbackReactor],
    onWorldCreated,
    ...compact({ answering }),
  })
  if (recordedCounterpart)
    session.onExchange((exchange) => recordedCounterpart.onExchange(exchange))
  const { signal } = options

  /** Reports recorded calls that the service did not make, where it could have made them. */
  function reportUnused(): void {
    if (!recordedCounterpart || !answers || interrupted || !playbackEnd) return
    if (
      serves
        ? answers.requireAll
        : options.only === undefined && recordedCounterpart.callCount() > 0
    )
      recordedCounterpart.reportUnused((recordId) => reported.has(recordId))
    else if (
      !serves &&
      recordedCounterpart.callCount() === 0 &&
      recordedCounterpart.remaining() > 0
    )
      ports.onWarning?.(
        `your service made no calls: ${recordedCounterpart.remaining()} calls that it made when this was recorded are left out; tell it where we listen, or say --no-answers`,
      )
  }

  const report = (): ReplayReport => {
    if (!isUnusedReported) reportUnused()
    isUnusedReported = true
    const timing = input.timed ? player?.timing() : undefined
    const gathered = gathering.report({
      recording: content.file,
      driver: serves ? 'server' : 'client',
      seed,
      unused: recordedCounterpart?.unused() ?? [],
      conflicts: binding.conflicts(),
      map: binding.map(),
      ...contractRulesOf(session.verdicts()),
      ...compact({ timing }),
      ...(interrupted ? { interrupted } : {}),
    })
    return settleReport(gathered)
  }

  const playback: Playback = {
    session,
    binding,
    wanted: input.wanted,
    report,
    role,
    isAnswered: recordedCounterpart !== undefined,
    sendAlone: async (place) => player?.sendAlone(place),
    skipTo: (place) => player?.skipTo(place) ?? 0,
    stop,
    now: () => now(),
    async run() {
      signal?.addEventListener('abort', stop, { once: true })
      try {
        await Promise.all([session.begin(), session.loadFaults()])
        if (signal?.aborted) stop()
        else player?.start()
        if (playbackEnd && player && runtime) await playbackEnd.waitForEnd(player, runtime)
        else await player?.ended
      } finally {
        signal?.removeEventListener('abort', stop)
      }
      isOver = true
      return report()
    },
    close: session.close,
    [Symbol.asyncDispose]: session.close,
  }
  return playback
}
