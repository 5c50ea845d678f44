/**
 * Sends the recorded requests that the engine releases, with current ids, times, token and signature; learns ids from
 * the reply, compares it, and concludes the item.
 */
import type { TimeShift } from '../../core/traffic/entities/shift-times.ts'
import { compact } from '../../core/base/compact.ts'
import type { PlaybackFact } from '../../core/engine/playback/facts.ts'
import type { PlaybackEvent } from '../../core/engine/playback/row.ts'
import type { IdentifierBinding, NameConflict } from '../../core/traffic/recording/binding.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { Exchange, ExchangeRequest } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import type { Role } from '../../core/protocol/role.ts'
import { operation } from '../../core/protocol/catalogue.ts'
import { failedOutcome } from '../../core/runtime/client/call-outcome.ts'
import { wallNow } from '../../core/runtime/clock/clock.ts'
import type { ExchangeResult } from '../../core/runtime/client/exchange.ts'
import type { InboundReply, OutboundRequest } from '../../core/runtime/server/messages.ts'
import type { WorldRuntime } from '../../core/runtime/world-runtime.ts'
import {
  ownCredentials,
  tokenAnswerOf,
  tokenRequestBody,
} from '../../core/runtime/client/token-request.ts'
import { callUrl } from '../../core/runtime/client/call-url.ts'
import { composeRequest, editedCredentials, signedAnew } from './compose-request.ts'
import { createReplayCredentials, isTokenExchange } from './credentials.ts'
import { createIdleQueue, type IdleQueue } from './idle-queue.ts'
import type { PlaybackSource } from './source.ts'
import { failedReplay, judgeExchange } from '../minimise/judge-exchange.ts'
import type { Stopwatch } from './timing.ts'
import type { Destination } from '../../core/runtime/client/destinations.ts'
import type { Settings } from '../../core/engine/settings.ts'

/** Semaphore: limits concurrent work; waiters are served in FIFO order. */
interface Semaphore {
  readonly run: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Whether the next caller would have to wait. */
  readonly isFull: () => boolean
}

function createSemaphore(maxActive: number, onWaiting: (count: number) => void): Semaphore {
  const waiters: (() => void)[] = []
  let active = 0

  async function enter(): Promise<void> {
    if (active < maxActive) {
      active++
      return
    }
    await new Promise<void>((resolve) => {
      waiters.push(resolve)
      onWaiting(waiters.length)
    })
  }

  function leave(): void {
    const next = waiters.shift()
    // Hand the permit to the next waiter.
    if (next) next()
    else active--
  }

  return {
    isFull: () => active >= maxActive,
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

type Sent = Extract<PlaybackFact, { kind: 'playback.sent' }>

export interface SenderOptions {
  readonly runtime: Pick<
    WorldRuntime,
    'engine' | 'driver' | 'exchange' | 'destination' | 'underWay' | 'markActivity'
  >
  readonly source: PlaybackSource
  readonly binding: IdentifierBinding
  /** Compares, once the live exchange is mapped to recorded ids and times. */
  readonly compare: (
    recorded: RecordedExchange,
    renamed: Exchange,
    shift: TimeShift,
  ) => readonly Difference[]
  /** Recorded base URL of a role. */
  readonly recordedBaseOf: (role: Role) => string | undefined
  /** Run id for `X-Replay-Run`; no such headers when absent. */
  readonly runId?: string | undefined
  /** Maximum number of sends in flight. */
  readonly maxInFlight: number
  /** Playback was stopped: queued sends are not made. */
  readonly isStopped: () => boolean
  readonly stopwatch: Stopwatch
  /** Called when an exchange is sent, with its intended instant. */
  readonly onSending?: ((recorded: RecordedExchange, intended: number) => void) | undefined
  /** Called with each result. */
  readonly onReplayed: (replayed: ReplayedExchange, place: number) => void
}

/** One attempt of a recorded exchange. */
interface Attempt {
  readonly recorded: RecordedExchange
  readonly request: ExchangeRequest
  readonly there: Destination
  readonly event: PlaybackEvent | undefined
}

/** One that was sent and is still to be compared. */
interface Answered {
  readonly recorded: RecordedExchange
  readonly live: Exchange
  readonly conflicts: readonly NameConflict[]
  readonly shift: TimeShift
  readonly intendedAt: number
  readonly sentAt: number
}

/** The start of a wait for a connection. */
interface WaitStart {
  readonly at: number
  readonly busy: number
}

function failedWith(recorded: RecordedExchange, error: unknown): ReplayedExchange {
  const { code, message } = failedOutcome(error)
  return failedReplay(recorded, code === 'NO_TOKEN' ? 'auth' : 'error', message)
}

export class Sender {
  readonly #options: SenderOptions
  readonly #engine: WorldRuntime['engine']
  readonly #driver: WorldRuntime['driver']
  readonly #settings: Settings
  readonly #semaphore: Semaphore
  readonly #idleQueue: IdleQueue
  readonly #credentials: ReturnType<typeof createReplayCredentials>
  /** The target role; another one needs its own tokens. */
  #target: Role | undefined

  constructor(options: SenderOptions) {
    const { runtime, maxInFlight, stopwatch } = options
    const { engine, driver } = runtime
    this.#options = options
    this.#engine = engine
    this.#driver = driver
    this.#settings = engine.settings
    this.#semaphore = createSemaphore(maxInFlight, (count) => stopwatch.waiting(count))
    this.#idleQueue = createIdleQueue({
      isBusy: () => driver.hasOverdueItem(),
      now: wallNow,
      nextTurn: setImmediate,
    })
    this.#credentials = createReplayCredentials({
      settings: this.#settings,
      now: () => engine.now(),
      requestToken: (from) => this.#ask(from),
    })
  }

  async send(sent: Sent): Promise<void> {
    const { source, isStopped, onSending } = this.#options
    const recorded = await source.read(sent.place)
    if (isStopped()) return
    onSending?.(recorded, sent.intended)
    const waiting = this.#waitingSince()
    const got = await this.#semaphore
      .run(async () =>
        isStopped() ? undefined : await this.#sendRecorded(sent, recorded, waiting),
      )
      .catch((error: unknown) => failedWith(recorded, error))
    if (!got) return
    if ('standing' in got) this.#conclude(sent, recorded, got)
    else await this.#end(sent, got)
  }

  async #ask(from: Role): Promise<InboundReply> {
    const { runtime } = this.#options
    const to = this.#target
    const there = to && runtime.destination(to)
    const client = ownCredentials(from, this.#settings)
    if (!to || !there || !client) throw new Error(`the ${from} has no way to a token`)
    const { body, type } = tokenRequestBody({ from, to }, client, this.#settings)
    const call = { from, to, operation: 'issueToken', attempt: 1 } as const
    const request: OutboundRequest = {
      method: operation(call.operation).method,
      url: callUrl(call, there, this.#engine),
      headers: { accept: 'application/json', 'content-type': type },
      body,
    }
    const { reply, error } = await runtime.exchange({ call, request }, there)
    if (!reply) throw error
    return { ...reply, body: tokenAnswerOf(reply.body, this.#settings) }
  }

  #outgoing({ recorded, request, there }: Attempt, authorization: string | undefined) {
    return composeRequest(recorded, request, authorization, {
      settings: this.#settings,
      recordedBase: this.#options.recordedBaseOf(recorded.to.role),
      base: there.base,
      runId: this.#options.runId,
    })
  }

  #exchange(attempt: Attempt, authorization: string | undefined): Promise<ExchangeResult> {
    const { recorded, there, event } = attempt
    const { from, to, operation: id, params, attempt: nth = 1, orderId } = recorded
    const about = orderId === undefined ? {} : { orderId: this.#currentName('order', orderId) }
    return this.#options.runtime.exchange(
      {
        call: {
          from: from.role,
          to: to.role,
          attempt: nth,
          ...compact({ operation: id }),
          ...(params ? { params: this.#currentParams(params) } : {}),
          ...(event ? { eventId: this.#currentName('event', event.eventId) } : {}),
        },
        request: this.#outgoing(attempt, authorization),
        ...(event
          ? { event: { ...event, ...about, eventId: this.#currentName('event', event.eventId) } }
          : {}),
        ...about,
        sign: (parts) => signedAnew(recorded, parts, this.#settings),
      },
      there,
    )
  }

  #currentName(kind: string, old: string): string {
    return this.#options.binding.newName(kind, old) ?? old
  }

  /** Path parameters with current ids, for the traffic log only: the path itself is already rewritten. */
  #currentParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const now: Record<string, string> = {}
    for (const [name, value] of Object.entries(params))
      now[name] = this.#currentName(name.replace(/Id$/, ''), value)
    return now
  }

  /** Sends it; after an unexpected 401 once more with a renewed token. */
  async #exchanged(attempt: Attempt): Promise<ExchangeResult> {
    const { recorded } = attempt
    const chosen = editedCredentials(recorded)
    if (chosen.has('authorization')) return this.#exchange(attempt, chosen.get('authorization'))
    const authorization = await this.#credentials.authorize(recorded)
    const first = await this.#exchange(attempt, authorization.header)
    if (first.reply?.status !== 401 || recorded.reply?.status === 401 || !authorization.renew)
      return first
    return this.#exchange(attempt, await authorization.renew())
  }

  /** Start of its wait for a connection, if it has to wait. */
  #waitingSince(): WaitStart | undefined {
    if (!this.#semaphore.isFull()) return undefined
    return { at: this.#driver.at(), busy: this.#options.stopwatch.busy() }
  }

  /** Sends it, and learns ids and tokens from the reply that other sends may need at once. */
  async #sendRecorded(
    sent: Sent,
    recorded: RecordedExchange,
    waiting: WaitStart | undefined,
  ): Promise<Answered | ReplayedExchange> {
    const { binding, runtime, stopwatch } = this.#options
    const intendedAt = sent.intended
    const shift = { shiftMs: intendedAt - recorded.startedAt, from: recorded.startedAt }
    const bound = binding.request(recorded, shift)
    if (!bound.ok) {
      const { old, kind, because } = bound.error
      return failedReplay(recorded, 'unresolved', `${kind} ${old}: ${because}`)
    }
    this.#target = recorded.to.role
    const there = runtime.destination(recorded.to.role)
    if (!there)
      return failedReplay(recorded, 'error', `the URL of the ${recorded.to.role} is not known`)
    const request = isTokenExchange(recorded)
      ? this.#credentials.tokenRequest(recorded, bound.value)
      : bound.value
    const sentAt = this.#driver.at()
    const waitedMs = waiting ? sentAt - waiting.at : 0
    const busyMs = waiting ? stopwatch.busy() - waiting.busy : 0
    const { event } = sent
    const { exchange: live, error } = await this.#exchanged({ recorded, request, there, event })
    const answeredAt = this.#driver.at()
    stopwatch.send({ intended: intendedAt, sentAt, answeredAt, at: sent.at, waitedMs, busyMs })
    if (!live) {
      const { message } = failedOutcome(error)
      return failedReplay(recorded, 'error', message)
    }
    this.#credentials.learnToken(recorded, live)
    const conflicts = sent.again ? [] : binding.learn(recorded, live)
    return { recorded, live, conflicts, shift, intendedAt, sentAt }
  }

  /** Compares the reply with the recorded one. */
  #compare(answered: Answered): ReplayedExchange {
    const { recorded, live, conflicts, shift, intendedAt, sentAt } = answered
    // Reuse the recorded path parameters: the path was built from them.
    const renamed = withParams(this.#options.binding.renamed(live, shift, recorded), recorded)
    const differences = this.#options.compare(recorded, renamed, shift)
    const verdict = judgeExchange({ recorded, live, differences, conflicts })
    return { ...verdict, recorded, live, renamed, differences, intendedAt, sentAt }
  }

  #conclude(sent: Sent, recorded: RecordedExchange, replayed: ReplayedExchange): void {
    this.#options.onReplayed(
      sent.again ? { ...replayed, because: repeatNote(sent, replayed) } : replayed,
      sent.place,
    )
    if (sent.again) return
    this.#driver.sync()
    const { standing, because } = replayed
    this.#engine.submit(
      {
        kind: 'playback.conclude',
        recordId: recorded.recordId,
        standing,
        ...(isFailure(replayed) ? { failed: true } : {}),
        ...compact({ note: because }),
      },
      'counterpart',
    )
  }

  #outcome(answered: Answered): ReplayedExchange {
    try {
      return this.#compare(answered)
    } catch (error) {
      return failedWith(answered.recorded, error)
    }
  }

  /** Compares when idle, or at once when other exchanges depend on this one. */
  #end(sent: Sent, answered: Answered): Promise<void> | undefined {
    const { recorded } = answered
    const work = (): void => this.#conclude(sent, recorded, this.#outcome(answered))
    if (!this.#engine.world.playback.dependants.has(recorded.recordId)) return this.#idleQueue(work)
    work()
    return undefined
  }
}

function repeatNote({ alone }: Sent, { because }: ReplayedExchange): string {
  const note = alone ? 'it was sent alone' : 'it was sent once more'
  return because === undefined ? note : `${note}: ${because}`
}

/** Whether its effects cannot be played either. */
const isFailure = ({ standing, recorded, live }: ReplayedExchange): boolean =>
  standing === 'unresolved' ||
  standing === 'auth' ||
  (standing === 'error' && (recorded?.reply !== undefined || live === undefined))

const withParams = (exchange: Exchange, { params }: RecordedExchange): Exchange =>
  params ? { ...exchange, params } : exchange
