/**
 * The recorded partner as a responder: answers calls from the recording, knows which calls of the service later
 * exchanges wait for, and reports those that never came.
 */
import type { Instant } from '../../core/engine/instant.ts'
import type { PlaybackPace } from '../../core/engine/playback/pace.ts'
import { recogniseOperation, urlPath } from '../../core/traffic/recognise-operation.ts'
import type { Role } from '../../core/protocol/role.ts'
import { inferCauses } from '../identity/causality/causes.ts'
import {
  extractHandedOverEvents,
  namedExchangeEntities,
} from '../../core/traffic/entities/entities.ts'
import type { Correlation } from '../../core/traffic/recording/correlation.ts'
import { compareExchanges, createReplayHistory } from '../difference/compare-exchanges.ts'
import { acceptMovedTimes, type ReplayTimeline } from '../difference/moved-times.ts'
import { possibleNoise } from '../difference/noise.ts'
import type { RuleBook } from '../difference/rule-book.ts'
import type { Exchange, Party } from '../../core/traffic/exchange.ts'
import { matchableExchanges } from '../difference/candidate-index.ts'
import { isStateChange } from '../difference/entity-versions.ts'
import { newIdsIn } from '../difference/new-ids.ts'
import { ExchangeMatcher } from '../difference/matcher.ts'
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import type { WorldRuntime } from '../../core/runtime/world-runtime.ts'
import { type AnswererOptions, Answerer } from './answerer.ts'
import { Refusals } from './refusals.ts'
import type { Responder } from '../../core/runtime/server/responder.ts'
import { waitUntilIdle } from './idle-timeout.ts'
import { isPollCall } from '../../core/traffic/polling.ts'

/**
 * The calls of the service that come of a part of a recording: of what is sent of it, and of nothing that is left out.
 */
interface ExpectedCallsOptions {
  /** In the order of the recording. */
  readonly exchanges: readonly RecordedExchange[]
  readonly causes: ReadonlyMap<string, readonly Cause[]>
  /** Whether it was sent to the service. */
  readonly isSent: (recorded: RecordedExchange) => boolean
  /** Which of those are sent again. */
  readonly wanted: (recorded: RecordedExchange) => boolean
}

/** Record ids of the calls. */
function expectedCalls({
  exchanges,
  causes,
  isSent,
  wanted,
}: ExpectedCallsOptions): ReadonlySet<string> {
  const leftOut = new Set<string>()
  const played = new Set<string>()
  const expected = new Set<string>()
  for (const each of exchanges) {
    const { recordId } = each
    if (isSent(each)) {
      if (wanted(each)) played.add(recordId)
      else leftOut.add(recordId)
      continue
    }
    const before = causes.get(recordId) ?? []
    if (before.some(({ id }) => leftOut.has(id)) || !before.some(({ id }) => played.has(id)))
      continue
    played.add(recordId)
    expected.add(recordId)
  }
  return expected
}

export interface RecordedCounterpartOptions extends Pick<
  AnswererOptions,
  'binding' | 'edited' | 'onMiss' | 'base' | 'onReplayed' | 'onIdle'
> {
  readonly content: RecordingContent
  readonly correlation: Correlation
  readonly rules: RuleBook
  readonly pace: PlaybackPace
  /** Of what we send. */
  readonly timeline: ReplayTimeline
  /** The role of the service. */
  readonly role: Role
  /** Which recorded exchanges we send ourselves. */
  readonly wanted: (recorded: RecordedExchange) => boolean
  /** Of what was sent to the service only a part is sent again: it need not make all its calls. */
  readonly isPart: boolean
  /** The number of the first exchange that is played. */
  readonly from: number
  readonly faithfulFailures?: boolean | undefined
  /** Called when the service has made a recorded call. */
  readonly onProgress: () => void
}

export interface SettleOptions {
  readonly callTimeoutMs: number
  readonly enough: AbortSignal
  /** Whether sends are still pending. */
  readonly isPlaying: () => boolean
}

/** Entities that a request names, since there is no reply yet when matching; for polls all that are named. */
const entities = (exchange: Exchange): readonly string[] => {
  const all = isPollCall(exchange)
  return namedExchangeEntities(exchange).flatMap(({ kind, id, isInRequest: requestOf }) =>
    requestOf || all ? [`${kind} ${id}`] : [],
  )
}

const isRead = (exchange: Exchange): boolean =>
  exchange.request.method === 'GET' && !isPollCall(exchange)

/** Memoises by exchange. */
function memoised<Value>(find: (exchange: Exchange) => Value): (exchange: Exchange) => Value {
  const known = new WeakMap<Exchange, Value>()
  return (exchange) => {
    const before = known.get(exchange)
    if (before !== undefined) return before
    const value = find(exchange)
    known.set(exchange, value)
    return value
  }
}

const withoutReply = ({ reply: _reply, failure: _failure, ...rest }: Exchange): Exchange => rest

/** The path before that of the operation: `/v2` of `/v2/orders/o1`. */
const basePathOf = ({ operation, request: { method, url } }: Exchange): string =>
  (operation && recogniseOperation(method, url)?.prefix) ?? ''

/** By the role that was called. */
function basePathsIn(exchanges: readonly Exchange[]): ReadonlyMap<Role, readonly string[]> {
  const found = Map.groupBy(exchanges, ({ to }) => to.role)
  return new Map(
    Array.from(found, ([role, calls]) => [
      role,
      [...new Set(calls.map(basePathOf))]
        .filter((path) => path !== '')
        .toSorted((a, b) => b.length - a.length),
    ]),
  )
}

/** A call that is no operation of the protocol, by its method and path. */
const foreignCallOf = ({ request: { method, url } }: Exchange): string =>
  `${method} ${urlPath(url) || '/'}`

/** Whether sends are due or in flight. */
function isBusy({ engine }: WorldRuntime): boolean {
  for (const { awaited, open, sent } of engine.world.playback.rows.values())
    if (!awaited && (sent || open.length === 0)) return true
  return false
}

/** What is known of the recording before it is played. */
function analyseRecording(options: RecordedCounterpartOptions) {
  const { content, pace, role, wanted, faithfulFailures = false } = options
  const ours = (party: Party): boolean => party.role !== role
  const isPlayed = ({ seq }: RecordedExchange): boolean => seq >= options.from
  const isAmongUs = ({ from, to }: RecordedExchange): boolean => ours(from) && ours(to)
  // What was read before the part is read again by a service that does not know it yet.
  const exchanges = matchableExchanges(
    content.exchanges.filter(
      (each) => !isAmongUs(each) && (isPlayed(each) || (ours(each.to) && isRead(each))),
    ),
    { ours, faithfulFailures },
  ).map((each) => (isPollCall(each) ? options.edited(each) : each))
  const answerIds = new Set(exchanges.flatMap(({ to, recordId }) => (ours(to) ? [recordId] : [])))
  const causes = inferCauses(content.exchanges)
  const isSent = ({ from, to }: RecordedExchange): boolean => ours(from) && !ours(to)
  const t0 =
    (exchanges.find((each) => isPlayed(each) && (ours(each.to) || wanted(each))) ?? exchanges[0])
      ?.startedAt ?? 0
  const end = exchanges.at(-1)?.startedAt ?? t0
  const calls = content.exchanges.filter(({ from, to }) => ours(to) && !ours(from))
  return {
    exchanges,
    basePaths: basePathsIn(calls),
    refusals: new Refusals(calls),
    foreignCalls: Map.groupBy(
      calls.filter(({ operation }) => operation === undefined),
      foreignCallOf,
    ),
    ours,
    causes,
    answerIds,
    expected: options.isPart
      ? expectedCalls({ exchanges: content.exchanges.filter(isPlayed), causes, isSent, wanted })
      : answerIds,
    unusedBefore: new Set(exchanges.flatMap((each) => (isPlayed(each) ? [] : [each.recordId]))),
    t0,
    lengthMs: pace.mode === 'original' ? (end - t0) / (pace.speed ?? 1) : 0,
  }
}

export class RecordedCounterpart {
  readonly #options: RecordedCounterpartOptions
  readonly #recording: ReturnType<typeof analyseRecording>
  readonly #matched: ReadonlyMap<string, RecordedExchange>
  readonly #places: ReadonlyMap<string, number>
  readonly #made = new Map<string, Instant>()
  #runtime: WorldRuntime | undefined
  readonly #matcher: ExchangeMatcher
  readonly #answerer: Answerer
  readonly answering: Responder

  constructor(options: RecordedCounterpartOptions) {
    this.#options = options
    const { content, binding, correlation, rules, pace, role, wanted, onProgress } = options
    const { faithfulFailures = false } = options
    const recording = analyseRecording(options)
    const { exchanges, causes, answerIds, unusedBefore, t0 } = recording
    this.#recording = recording
    this.#matched = new Map(exchanges.map((each) => [each.recordId, each]))
    this.#places = new Map(content.exchanges.map((each, place) => [each.recordId, place]))
    const history = createReplayHistory()
    const entitiesOf = memoised(entities)
    const requestOf = memoised(withoutReply)
    this.#matcher = new ExchangeMatcher({
      exchanges,
      ours: recording.ours,
      binding,
      correlation,
      causes: (recordId) => causes.get(recordId) ?? [],
      entities: entitiesOf,
      newsIn: memoised(extractHandedOverEvents),
      happens: (each) => answerIds.has(each.recordId) || wanted(each),
      compare: (recorded, live) =>
        acceptMovedTimes(
          compareExchanges(requestOf(recorded), live, rules, { ...history, noise: possibleNoise }),
          this.#answerer.shiftOfAll(),
          options.timeline,
        ),
      speed: pace.mode === 'original' ? (pace.speed ?? 1) : 'asap',
      t0,
      faithfulFailures,
    })
    this.#answerer = new Answerer({
      recording: content.file,
      matcher: this.#matcher,
      binding,
      subject: role,
      entities: entitiesOf,
      now: () => this.#now(),
      t0,
      base: options.base,
      basePaths: (host) => recording.basePaths.get(host) ?? [],
      foreignCalls: (live) => recording.foreignCalls.get(foreignCallOf(live)) ?? [],
      refusals: recording.refusals,
      findRecorded: (recordId) => this.#known(recordId),
      edited: (recorded) => {
        // A part of a poll's events: an edit of all of them does not fit it.
        const { recordId, reply } = recorded
        const isWhole = reply === this.#matched.get(recordId)?.reply
        const original = isWhole ? this.#known(recordId) : undefined
        return original ? options.edited(original.recorded) : recorded
      },
      namesNewId: (recordId) => newIdsIn(recordId, { binding, correlation }).length > 0,
      onMiss: options.onMiss,
      compare: (recorded, renamed, shift) =>
        acceptMovedTimes(
          compareExchanges(recorded, renamed, rules, history),
          shift,
          options.timeline,
        ),
      onReplayed: options.onReplayed,
      onIdle: options.onIdle,
      underWay: (reply) => this.#runtime?.underWay(reply),
      onCallMade: (recorded) => {
        this.#made.set(recorded.recordId, this.#now())
        unusedBefore.delete(recorded.recordId)
        // Refused by the engine when nothing waits for it.
        if (this.awaits(recorded)) this.#conclude(recorded.recordId, 'same', false)
        onProgress()
      },
    })
    this.answering = this.#answerer.answering
  }

  /** To be called with every exchange that ends; also reports those that the host answered without us. */
  onExchange(exchange: Exchange): void {
    this.#answerer.onExchange(exchange)
  }

  onSending(recorded: RecordedExchange, intended: Instant): void {
    this.#answerer.onSent(recorded, intended)
  }

  /** Number of requests of the service so far. */
  callCount(): number {
    return this.#answerer.callCount()
  }

  /** Number of calls that advanced the recording: no idle polls, no repetitions. */
  progressCount(): number {
    return this.#answerer.progressCount()
  }

  /** Whether the recording would have ended by now, at its pace, since the first call. */
  isTimeOver(): boolean {
    return this.#answerer.elapsedMs() >= this.#recording.lengthMs
  }

  /** Reports recorded calls that were not made, except those already reported. */
  reportUnused(isReported: (recordId: string) => boolean): void {
    const { unusedBefore } = this.#recording
    this.#answerer.reportUnused((recordId) => unusedBefore.has(recordId) || isReported(recordId))
  }

  /** Reports calls that our host refused and that were never made again. */
  reportUnretried(): void {
    this.#answerer.reportUnretried()
  }

  /** Attaches it to a world. */
  attach(raised: WorldRuntime): void {
    this.#runtime = raised
  }

  /** Whether later exchanges wait for this call of the service. */
  awaits({ recordId, from }: RecordedExchange): boolean {
    const { answerIds, expected } = this.#recording
    if (from.role !== this.#options.role || !answerIds.has(recordId) || !expected.has(recordId))
      return false
    // By the recorded reply: an edited one is for the service alone.
    const known = this.#known(recordId)
    return known !== undefined && isStateChange(known.recorded)
  }

  madeAt(recordId: string): Instant | undefined {
    return this.#made.get(recordId)
  }

  /** Record ids of calls that were not made yet. */
  unused(): readonly string[] {
    return this.#matcher.unused().filter((recordId) => !this.#recording.unusedBefore.has(recordId))
  }

  remaining(): number {
    return this.#matcher.unusedCount() - this.#recording.unusedBefore.size
  }

  /**
   * Resolves when the service has made all its recorded calls, or is idle for the timeout. Exchanges that wait for a
   * missing call are abandoned.
   */
  async settled({ callTimeoutMs, enough, isPlaying: playing }: SettleOptions): Promise<void> {
    if (!this.#runtime) return
    const world = this.#runtime
    await waitUntilIdle({
      runtime: world,
      timeoutMs: callTimeoutMs,
      progress: () => this.#answerer.progressCount() + world.engine.world.playback.concluded,
      shouldKeepWaiting: () => isBusy(world) || this.#giveUp(world) || playing(),
      enough,
    })
  }

  #now(): Instant {
    return this.#runtime?.engine.now() ?? 0
  }

  #known(recordId: string) {
    const place = this.#places.get(recordId)
    const recorded = place === undefined ? undefined : this.#options.content.exchanges[place]
    return place === undefined || !recorded ? undefined : { place, recorded }
  }

  #conclude(recordId: string, standing: string, failed: boolean): void {
    this.#runtime?.engine.submit(
      { kind: 'playback.conclude', recordId, standing, ...(failed ? { failed } : {}) },
      'subject',
    )
  }

  /** Gives up awaited calls. If the service never called at all, it does not know our address: no difference. */
  #giveUp({ engine }: WorldRuntime): boolean {
    const overdue = [...engine.world.playback.rows.values()].filter(
      ({ awaited, open }) => awaited && open.length === 0,
    )
    const hasCalled = this.#answerer.callCount() > 0
    for (const { recordId } of overdue)
      this.#conclude(recordId, hasCalled ? 'missing' : 'noise', hasCalled)
    return overdue.length > 0
  }
}
