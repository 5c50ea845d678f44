/**
 * Client replay of a recording: sends recorded requests to a service with new ids and current times, and compares the
 * replies. Connects session, player, recorded partner and comparison.
 */
import { compact } from '../../../core/base/compact.ts'
import { wallNow } from '../../../core/runtime/clock/clock.ts'
import { createForwarder } from '../forwarder.ts'
import { PlaybackPlayer } from '../player.ts'
import { leftOutSignatures } from '../compose-request.ts'
import { playbackSourceOf } from '../source.ts'
import { RecordedCounterpart } from '../recorded-counterpart.ts'
import type { Role } from '../../../core/protocol/role.ts'
import type { WorldRuntime } from '../../../core/runtime/world-runtime.ts'
import { playbackReactor } from '../../../core/engine/playback/react.ts'
import type { Responder } from '../../../core/runtime/server/responder.ts'
import { Binding } from '../../identity/correlation/bind.ts'
import { freshContacts } from '../../identity/correlation/customer-contacts.ts'
import type { Party } from '../../../core/traffic/exchange.ts'
import type { IdentifierBinding } from '../../../core/traffic/recording/binding.ts'
import type { Correlation } from '../../../core/traffic/recording/correlation.ts'
import { correlate } from '../../identity/correlation/correlate.ts'
import { compareExchanges, createReplayHistory } from '../../difference/compare-exchanges.ts'
import { acceptMovedTimes, ReplayTimeline } from '../../difference/moved-times.ts'
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
import { waitUntilIdle } from '../idle-timeout.ts'

interface PlaybackEndOptions {
  readonly recordedCounterpart: RecordedCounterpart
  readonly callTimeoutMs: number
  /** Serving mode with its end conditions. */
  readonly serves?:
    | { readonly untilAll?: boolean; readonly idleMs?: number; readonly settleMs?: number }
    | undefined
}

/**
 * Detects the end of a playback with answers: all sends are concluded and the service has made its calls or is idle;
 * when serving, the stop signal or its end conditions.
 */
function createPlaybackEnd({ recordedCounterpart, callTimeoutMs, serves }: PlaybackEndOptions) {
  const over = new AbortController()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  let playing = true

  function check(): void {
    if (!playing && recordedCounterpart.remaining() === 0 && (!serves || serves.untilAll))
      over.abort()
  }
  over.signal.addEventListener('abort', () => stop(), { once: true })

  let calls = 0
  /** Polls that bring nothing keep a recording going that has events for later, and none that is over. */
  function hasCalledInTime(): boolean {
    const before = calls
    calls = recordedCounterpart.callCount()
    return calls > before && !recordedCounterpart.isTimeOver()
  }

  async function served(runtime: WorldRuntime, player: PlaybackPlayer): Promise<void> {
    const { idleMs, settleMs } = serves ?? {}
    const idle =
      settleMs !== undefined
        ? recordedCounterpart.settled({
            callTimeoutMs: settleMs,
            enough: over.signal,
            isPlaying: () => false,
          })
        : idleMs === undefined
          ? stopped
          : waitUntilIdle({
              runtime,
              timeoutMs: idleMs,
              progress: () => recordedCounterpart.progressCount(),
              shouldKeepWaiting: hasCalledInTime,
              enough: over.signal,
            })
    await Promise.race([stopped, idle])
    over.abort()
    player.stop()
  }

  return {
    /** To be called after every call of the service: checks the end conditions. */
    check,
    stop: () => over.abort(),
    /** Resolves at the end of the playback. */
    async waitForEnd(player: PlaybackPlayer, runtime: WorldRuntime): Promise<void> {
      const ended = player.ended.then(() => {
        playing = false
        check()
      })
      const rest = serves
        ? served(runtime, player)
        : recordedCounterpart.settled({
            callTimeoutMs,
            enough: over.signal,
            isPlaying: () => playing,
          })
      await Promise.all([ended, rest])
    },
  }
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

type ReplayInput = ReturnType<typeof readReplayInput>

/** Resolves when the session listens; nothing is sent before `run`. */
export async function openPlayback(
  options: PlaybackOptions,
  ports: PlaybackPorts = {},
): Promise<Playback> {
  const playback = new Playback(options, ports)
  await playback.open()
  return playback
}

/** A binding in which ids stay that the service cannot assign anew, since only our side sent them. */
function bindingOf(input: ReplayInput, correlation: Correlation): Binding {
  const { content, seed, shared, sameIds, sentIds } = input
  const { exchanges } = content
  const ours = (party: Party): boolean => party.role !== input.role
  const contacts = sameIds ? undefined : freshContacts(exchanges, ours, seed)
  const known = { correlation, exchanges, seed, shared, sameIds }
  const binding = new Binding({ ...known, ...compact({ contacts }) })
  const skipped = new Set(
    exchanges
      .filter(
        (each) => each.seq < input.from || (sentIds.has(each.recordId) && !input.wanted(each)),
      )
      .map(({ recordId }) => recordId),
  )
  for (const { kind, value, origin, born } of correlation.identifiers) {
    if (origin !== 'theirs') continue
    const isSent = born.side === 'request' && sentIds.has(born.recordId)
    // The exchange that assigned it is not played: the service has it from the recording, if at all.
    const isKept = sameIds && skipped.has(born.recordId)
    if (isSent || isKept) binding.bind(kind, value, value, born)
  }
  return binding
}

/** A recording that is played against a service, in a session of its own. */
export class Playback implements AsyncDisposable {
  /** The role of the service. */
  readonly role: Role
  /** Mapping from recorded ids to current ones. */
  readonly binding: IdentifierBinding
  /** Whether calls of the service are answered from the recording. */
  readonly isAnswered: boolean
  /** Whether an exchange of the recording is sent by us. */
  readonly wanted: (recorded: RecordedExchange) => boolean
  readonly #options: PlaybackOptions
  readonly #ports: PlaybackPorts
  readonly #input: ReplayInput
  readonly #edited: EditRecorded
  readonly #gathering = createReplayReportBuilder()
  readonly #history = createReplayHistory()
  readonly #timeline = new ReplayTimeline()
  readonly #counterpart: RecordedCounterpart | undefined
  readonly #end: ReturnType<typeof createPlaybackEnd> | undefined
  /** Recorded exchanges whose result is known, by `recordId`. */
  readonly #reported = new Set<string>()
  #session: PreparedSession | undefined
  #runtime: WorldRuntime | undefined
  #player: PlaybackPlayer | undefined
  #isInterrupted = false
  #isOver = false
  #isUnusedReported = false
  #isReached = false
  #unreachable = 0

  constructor(options: PlaybackOptions, ports: PlaybackPorts) {
    const input = readReplayInput(options)
    const { content, role, answers } = input
    this.#options = options
    this.#ports = ports
    this.#input = input
    this.#edited = ports.edited ?? input.edited
    this.role = role
    this.wanted = input.wanted
    const ours = (party: { readonly role: string }): boolean => party.role !== role
    const correlation = correlate(content.exchanges, { ours, shared: input.shared })
    this.binding = bindingOf(input, correlation)
    this.#counterpart = answers && this.#createCounterpart(answers, correlation)
    this.isAnswered = this.#counterpart !== undefined
    const { serves } = options
    if (this.#counterpart && answers && (this.#waits() || serves))
      this.#end = createPlaybackEnd({
        recordedCounterpart: this.#counterpart,
        callTimeoutMs: answers.callTimeoutMs,
        serves,
      })
  }

  async open(): Promise<void> {
    const answering = this.#ports.answering ?? this.#counterpart?.answering
    const session = await prepareSession(this.#input.session, undefined, {
      reactors: [playbackReactor],
      onWorldCreated: (created) => this.#onWorldCreated(created),
      ...compact({ answering }),
    })
    this.#session = session
    const counterpart = this.#counterpart
    if (counterpart) session.onExchange((exchange) => counterpart.onExchange(exchange))
  }

  /** The session that it plays in; its agenda holds the exchanges still to send. */
  get session(): PreparedSession {
    if (!this.#session) throw new Error('the session of the playback is not open')
    return this.#session
  }

  /** Plays the recording to its end and returns the report. */
  async run(): Promise<ReplayReport> {
    const { signal } = this.#options
    const { content, sentIds } = this.#input
    const sent = content.exchanges.filter((each) => sentIds.has(each.recordId) && this.wanted(each))
    for (const text of leftOutSignatures(sent)) this.#ports.onWarning?.(text)
    const stop = (): void => this.stop()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await Promise.all([this.session.begin(), this.session.loadFaults()])
      if (signal?.aborted) stop()
      else this.#player?.start()
      if (this.#end && this.#player && this.#runtime)
        await this.#end.waitForEnd(this.#player, this.#runtime)
      else await this.#player?.ended
    } finally {
      signal?.removeEventListener('abort', stop)
    }
    this.#isOver = true
    return this.report()
  }

  /** The results so far, also of what was sent after the end. */
  report(): ReplayReport {
    if (!this.#isUnusedReported) this.#reportUnused()
    this.#isUnusedReported = true
    const { content, seed, timed } = this.#input
    const timing = timed ? this.#player?.timing() : undefined
    const gathered = this.#gathering.report({
      recording: content.file,
      driver: this.#options.serves ? 'server' : 'client',
      seed,
      unused: this.#counterpart?.unused() ?? [],
      conflicts: this.binding.conflicts(),
      map: this.binding.map(),
      ...contractRulesOf(this.session.verdicts()),
      ...compact({ timing }),
      ...(this.#isInterrupted ? { interrupted: true } : {}),
    })
    return settleReport(gathered)
  }

  /** Sends the exchange at this place now, apart from what is planned. */
  async sendAlone(place: number): Promise<void> {
    await this.#player?.sendAlone(place)
  }

  /** Leaves out what is before this place and was not sent yet; returns how many of them were loaded. */
  skipTo(place: number): number {
    return this.#player?.skipTo(place) ?? 0
  }

  /** Aborts: `run` returns the results so far. */
  stop(): void {
    // Stopping is the regular end of serving.
    this.#isInterrupted = !this.#options.serves && !this.#isOver
    this.#end?.stop()
    this.#player?.stop()
  }

  /** Current session time, in milliseconds since 1970. */
  now(): number {
    return this.#runtime?.engine.now() ?? 0
  }

  close(): Promise<void> {
    return this.session.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Whether calls of the service are waited for. */
  #waits(): boolean {
    return this.#input.answers?.waits ?? true
  }

  #createCounterpart(
    answers: NonNullable<ReplayInput['answers']>,
    correlation: Correlation,
  ): RecordedCounterpart {
    const { content, role, rules, pace, wanted, from } = this.#input
    const { onMiss } = answers
    return new RecordedCounterpart({
      ...answers,
      onMiss:
        typeof onMiss === 'object'
          ? createForwarder({
              target: onMiss.forward,
              transport: (outbound) => this.session.transport(outbound),
              now: wallNow,
            })
          : onMiss,
      content,
      binding: this.binding,
      correlation,
      role,
      rules,
      pace,
      timeline: this.#timeline,
      wanted,
      isPart: this.#options.only !== undefined || from > 0,
      from,
      edited: this.#edited,
      base: (host) => this.session.urls.get(host) ?? '',
      onReplayed: (replayed, place) => this.#onReplayed(replayed, place),
      onIdle: () => this.#gathering.answered('repeat'),
      onProgress: () => this.#end?.check(),
    })
  }

  #onReplayed(replayed: ReplayedExchange, place: number): void {
    this.#gathering.add(replayed, place)
    if (this.#counterpart && replayed.recorded) this.#reported.add(replayed.recorded.recordId)
    this.#ports.onReplayed?.(replayed, place)
    if (replayed.live?.reply) this.#isReached = true
    else if (
      replayed.standing === 'error' &&
      ++this.#unreachable >= maxUnreachable &&
      !this.#isReached
    )
      this.#player?.stop()
  }

  #onWorldCreated(created: WorldRuntime): void {
    // A reset or fork creates another world: playback stops.
    if (this.#player) return this.stop()
    const { content, rules, recordedBaseOf, runId, pace, wanted, times } = this.#input
    const counterpart = this.#counterpart
    const isAwaited = this.#waits() && this.#options.to !== undefined
    this.#runtime = created
    counterpart?.attach(created)
    this.#ports.onWorldCreated?.(created)
    this.#player = new PlaybackPlayer({
      runtime: created,
      source: playbackSourceOf(content, this.#edited),
      binding: this.binding,
      compare: (recorded, renamed, shift) =>
        acceptMovedTimes(
          compareExchanges(recorded, renamed, rules, this.#history),
          shift,
          this.#timeline,
        ),
      recordedBaseOf,
      runId,
      pace,
      wanted,
      ...(counterpart && isAwaited
        ? {
            awaits: (recorded) => counterpart.awaits(recorded),
            madeAt: (recordId) => counterpart.madeAt(recordId),
          }
        : {}),
      onSending: (recorded, intended) => {
        this.#timeline.add(recorded.startedAt, intended - recorded.startedAt)
        if (isAwaited) counterpart?.onSending(recorded, intended)
      },
      times,
      onReplayed: (replayed, place) => this.#onReplayed(replayed, place),
    })
  }

  /** Reports recorded calls that the service did not make, where it could have made them. */
  #reportUnused(): void {
    const { answers } = this.#input
    const { serves, only } = this.#options
    const counterpart = this.#counterpart
    if (!counterpart || !answers || this.#isInterrupted || !this.#end) return
    counterpart.reportUnretried()
    if (serves ? answers.requireAll : only === undefined && counterpart.callCount() > 0)
      counterpart.reportUnused((recordId) => this.#reported.has(recordId))
    else if (!serves && counterpart.callCount() === 0 && counterpart.remaining() > 0)
      this.#ports.onWarning?.(
        `your service made no calls: ${counterpart.remaining()} calls that it made when this was recorded are left out; tell it where we listen, or say --no-answers`,
      )
  }
}
