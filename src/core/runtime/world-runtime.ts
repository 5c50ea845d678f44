/**
 * One world with everything that drives it: engine, hosts, outbound calls, clock driver. A reset creates a new runtime
 * behind the same sockets, so addresses stay and all state is fresh.
 */
import { type Chance, createChance } from '../engine/chance.ts'
import type { OutgoingCall } from '../engine/calls/call.ts'
import {
  SessionEngine,
  type Engine,
  type EngineOptions,
  type EngineSnapshot,
  type Reactor,
} from '../engine/engine.ts'
import type { FaultPort } from '../engine/faults/fault.ts'
import type { Instant } from '../engine/instant.ts'
import {
  type ServiceClock,
  sessionAsServiceClock,
} from '../rules/invariants/tracking/service-clock.ts'
import type { Settings } from '../engine/settings.ts'
import type { WebhookName } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import type { TrafficLog } from '../traffic/log.ts'
import type { Responder } from './server/responder.ts'
import { OutboundCalls } from './client/outbound-calls.ts'
import { wallNow } from './clock/clock.ts'
import { type ClockDriverOptions, ClockDriver } from './clock/clock-driver.ts'
import { createLagMonitor, type LagMonitor } from './clock/lag-monitor.ts'
import { OutboundExchanger, type Exchanger } from './client/exchange.ts'
import { RoleHost, type Host } from './server/host.ts'
import { createPauses, type Pause } from './clock/pauses.ts'
import type { Destination } from './client/destinations.ts'
import type { WorldTracer } from './tracing/world-tracer.ts'
import type { SubjectClock, SubjectControl } from '../session-api/session.ts'

/**
 * The session's clock for an in-process subject: its sleeps are items on the agenda, so nothing waits for the wall
 * clock, and a run depends only on its seed and its inputs.
 */
interface SubjectClockOptions {
  readonly now: () => Instant
  readonly pause: Pause
  readonly chance: Chance
  /** Marks activity of the subject, which postpones idle detection. */
  readonly markActivity: () => void
}

const createSubjectClock = ({
  now,
  pause,
  chance,
  markActivity,
}: SubjectClockOptions): SubjectClock => ({
  now() {
    markActivity()
    return now()
  },
  async sleep(ms, enough) {
    markActivity()
    await pause({ whose: 'subject', ms, enough })
  },
  random: () => chance.fraction(),
})

export interface WorldRuntimeOptions {
  readonly seed: number
  readonly settings: Settings
  readonly configured?: EngineOptions['configured']
  readonly reactors: readonly Reactor[]
  readonly origin: Instant
  readonly clock: Pick<ClockDriverOptions, 'mode' | 'speed' | 'automatic' | 'since'>
  readonly log: TrafficLog
  readonly webhooks: Readonly<Record<WebhookName, string>>
  readonly base: (role: Role) => string
  readonly destination: (role: Role, platform?: number, turn?: number) => Destination | undefined
  readonly onBug: (error: unknown) => void
  readonly faults?: () => FaultPort | undefined
  /** Of the user's service, where we started it. */
  readonly service?: SubjectControl | undefined
  /** Gives each exchange its span, in a session that is traced. */
  readonly tracer?: WorldTracer | undefined
  /** Answers requests in place of the world. */
  readonly answering?: Responder | undefined
  /** State of an earlier world to continue from (fork). */
  readonly begin?: EngineSnapshot | undefined
}

/** Event loop turns without activity after which an in-process subject is taken to wait for time. */
const idleTurns = 4

/** A short wait on the wall clock, for a call that may still be answered while the subject waits for us. */
const shortWait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, shortWaitMs))
const shortWaitMs = 20

/** One event loop turn: lets in-process handlers run. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export class WorldRuntime {
  readonly #options: WorldRuntimeOptions
  readonly destination: WorldRuntimeOptions['destination']
  readonly engine: Engine
  #activityCount = 0
  #pausedOnClock = 0
  #pausedOnSubject = 0
  #clock: SubjectClock | undefined
  readonly #stopped = new AbortController()
  readonly #pauses: Pause
  /** Performs one exchange of a call: applies faults and logs it. */
  readonly exchange: Exchanger
  readonly #outbound: OutboundCalls
  #inFlight = 0
  #waiting: (() => void)[] = []
  /** When Sparring itself was late on the real clock; measured once started. */
  readonly lag: LagMonitor
  readonly hosts: ReadonlyMap<Role, Host>
  readonly driver: ClockDriver
  /** That of a service in this process is the session's, as soon as it has asked for it. */
  readonly serviceClock: ServiceClock

  constructor(options: WorldRuntimeOptions) {
    this.#options = options
    const { settings, log, base, destination, onBug, tracer } = options
    this.destination = destination
    const created = new SessionEngine({
      seed: options.seed,
      settings,
      configured: options.configured,
      reactors: options.reactors,
      origin: options.origin,
      faults: options.faults,
      resumeFrom: options.begin,
    })
    this.engine = tracer?.tracedEngine(created) ?? created
    this.#pauses = createPauses(this.engine, this.markActivity)
    const exchanger = new OutboundExchanger({
      engine: this.engine,
      log,
      pause: this.pause,
      worldStopped: this.#stopped.signal,
      tracer,
      // Without our clock the subject runs on wall time, and so does our timeout for it.
      usesSessionClock: () => this.#clock !== undefined,
    })
    this.exchange = (outbound, to) => exchanger.exchange(outbound, to)
    this.#outbound = new OutboundCalls({
      engine: this.engine,
      destination,
      base,
      exchange: this.exchange,
      subjectNow: this.#subjectNow,
    })
    this.engine.onFact(({ fact }) => {
      if (fact.kind === 'call.placed') this.#startCall(fact.call)
    })
    const { service } = options
    if (service)
      this.engine.onFact(({ fact }) => {
        if (fact.kind === 'session.subject-ended') service.end(fact.signal)
        else if (fact.kind === 'session.subject-renewed') service.start()
      })
    this.driver = new ClockDriver({
      ...options.clock,
      engine: this.engine,
      whenIdle: () => this.#untilQuiet(),
      onDue: (due) => this.lag.itemTaken(due),
      onSet: () => this.lag.start(),
      onStop: () => {
        this.lag.stop()
        // Time no longer advances: what is held back is never sent.
        this.#stopped.abort()
      },
      onBug,
    })
    const { serviceTime } = this.driver
    this.serviceClock = {
      between: (from, to) =>
        this.#clock
          ? sessionAsServiceClock.between(from, to)
          : ((to?.wall ?? wallNow()) - from.wall) * serviceTime.pace(),
      atLeast: (from, to) =>
        this.#clock ? sessionAsServiceClock.atLeast(from, to) : serviceTime.atLeast(from, to),
      pace: serviceTime.pace,
    }
    this.lag = createLagMonitor({
      clock: () => {
        const [mode, at] = [this.driver.mode(), this.driver.at()]
        if (mode === 'virtual') return undefined
        return { at, speed: mode === 'real' ? this.driver.speed() : 0 }
      },
    })
    this.hosts = new Map(
      settings.roles.map((role) => {
        const host = new RoleHost({
          engine: this.engine,
          role,
          base: () => base(role),
          urlOf: base,
          webhooks: this.#options.webhooks,
          pause: this.pause,
          worldStopped: this.#stopped.signal,
          answering: this.#options.answering,
          subjectNow: this.#subjectNow,
        })
        return [role, tracer?.tracedHost(host) ?? host] as const
      }),
    )
  }

  /** A call that waits for session time must not stop that time, nor may a call that waits for an answer. */
  readonly pause: Pause = async (request) => {
    if (request.whose === 'subject') return this.#pauses(request)
    if (request.whose === 'call' || request.isOwnCall) this.#pausedOnClock++
    else this.#pausedOnSubject++
    this.#wakeIfIdle()
    try {
      return await this.#pauses(request)
    } finally {
      if (request.whose === 'call' || request.isOwnCall) this.#pausedOnClock--
      else this.#pausedOnSubject--
    }
  }

  /** Marks activity that is not one of our calls: an in-process subject sends a request or is answered. */
  readonly markActivity = (): void => void this.#activityCount++

  /** Registers work in flight: time does not advance until it settles. */
  underWay(work: Promise<unknown>): void {
    this.#inFlight++
    work
      .catch(this.#options.onBug)
      .finally(() => {
        this.#inFlight--
        this.#wakeIfIdle()
      })
      .catch(this.#options.onBug)
  }

  /**
   * Repeats the calls that were in flight when the world was forked: their original replies go to the abandoned world.
   */
  repeatPendingCalls(): void {
    for (const call of this.engine.world.calls.values()) this.#startCall(call)
  }

  /** Created when an in-process subject first asks for it. */
  clock(): SubjectClock {
    return (this.#clock ??= createSubjectClock({
      now: this.engine.now,
      pause: this.pause,
      chance: createChance(this.#options.seed, 'subject'),
      markActivity: this.markActivity,
    }))
  }

  /** The subject uses wall time unless it has asked for our clock; without a subject all readers of dates are ours. */
  readonly #subjectNow = (): Instant => {
    return this.#clock || this.#options.settings.subject === undefined
      ? this.engine.now()
      : wallNow()
  }

  readonly #startCall = (call: OutgoingCall): void => this.underWay(this.#outbound.make(call))

  #wakeIfIdle(): void {
    if (this.#inFlight > this.#pausedOnClock && this.#pausedOnSubject === 0) return
    const woken = this.#waiting
    this.#waiting = []
    for (const wake of woken) wake()
  }

  /** Resolves when nothing is in flight any more, or a client is made to wait. */
  readonly #whenIdle = (): Promise<void> => new Promise((resolve) => this.#waiting.push(resolve))

  /** Resolves when only work that waits for time is in flight. */
  async #untilQuiet(): Promise<void> {
    if (this.#clock) return this.#untilSubjectIdle()
    do {
      if (this.#inFlight > this.#pausedOnClock && this.#pausedOnSubject === 0)
        await this.#whenIdle()
      // Possible deadlock: our call may wait for a service that itself waits for the reply we hold
      // back; it cannot be detected from here.
      if (this.#inFlight > this.#pausedOnClock && this.#pausedOnSubject > 0) await shortWait()
      await nextTurn()
    } while (this.#inFlight > this.#pausedOnClock && this.#pausedOnSubject === 0)
  }

  /**
   * An in-process subject may be doing anything, and a call to it may wait for its own sleep. After some event loop
   * turns without activity, everything it does is taken to wait for time.
   */
  async #untilSubjectIdle(): Promise<void> {
    for (let turns = 0; turns < idleTurns; turns++) {
      const before = this.#activityCount
      await nextTurn()
      if (this.#activityCount !== before) turns = -1
    }
  }
}
