/**
 * One world with everything that drives it: engine, hosts, outbound calls, clock driver. A reset creates a new runtime
 * behind the same sockets, so addresses stay and all state is fresh.
 */
import { type Chance, createChance } from '../engine/chance.ts'
import type { OutgoingCall } from '../engine/calls/call.ts'
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type EngineSnapshot,
  type Reactor,
} from '../engine/engine.ts'
import type { FaultPort } from '../engine/faults/fault.ts'
import type { Instant } from '../engine/instant.ts'
import type { Settings } from '../engine/settings.ts'
import type { WebhookName } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import type { TrafficLog } from '../traffic/log.ts'
import type { Responder } from './server/responder.ts'
import { createOutboundCalls } from './client/outbound-calls.ts'
import { wallNow } from './clock/clock.ts'
import {
  type ClockDriver,
  type ClockDriverOptions,
  createClockDriver,
} from './clock/clock-driver.ts'
import { createLagMonitor, type LagMonitor } from './clock/lag-monitor.ts'
import { createExchanger, type Exchanger } from './client/exchange.ts'
import { createHost, type Host } from './server/host.ts'
import { createPauses, type Pause } from './clock/pauses.ts'
import type { Destination } from './client/destinations.ts'
import type { WorldTracer } from './tracing/world-tracer.ts'
import type { SubjectClock } from '../session-api/session.ts'

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
  readonly destination: (role: Role, platform?: number) => Destination | undefined
  readonly onBug: (error: unknown) => void
  readonly faults?: () => FaultPort | undefined
  /** Gives each exchange its span, in a session that is traced. */
  readonly tracer?: WorldTracer | undefined
  /** Answers requests in place of the world. */
  readonly answering?: Responder | undefined
  /** State of an earlier world to continue from (fork). */
  readonly begin?: EngineSnapshot | undefined
}

export interface WorldRuntime {
  readonly engine: Engine
  readonly driver: ClockDriver
  /** When Sparring itself was late on the real clock; measured once started. */
  readonly lag: LagMonitor
  readonly hosts: ReadonlyMap<Role, Host>
  readonly pause: Pause
  readonly destination: WorldRuntimeOptions['destination']
  /** Created when an in-process subject first asks for it. */
  readonly clock: () => SubjectClock
  /** Marks activity that is not one of our calls: an in-process subject sends a request or is answered. */
  readonly markActivity: () => void
  /** Performs one exchange of a call: applies faults and logs it. */
  readonly exchange: Exchanger
  /** Registers work in flight: time does not advance until it settles. */
  readonly underWay: (work: Promise<unknown>) => void
  /**
   * Repeats the calls that were in flight when the world was forked: their original replies go to the abandoned world.
   */
  readonly repeatPendingCalls: () => void
}

/** Event loop turns without activity after which an in-process subject is taken to wait for time. */
const idleTurns = 4

/** A short wait on the wall clock, for a call that may still be answered while the subject waits for us. */
const shortWait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, shortWaitMs))
const shortWaitMs = 20

/** One event loop turn: lets in-process handlers run. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createWorldRuntime(options: WorldRuntimeOptions): WorldRuntime {
  const { settings, log, base, destination, onBug, tracer } = options
  const created = createEngine({
    seed: options.seed,
    settings,
    configured: options.configured,
    reactors: options.reactors,
    origin: options.origin,
    faults: options.faults,
    resumeFrom: options.begin,
  })
  const engine = tracer?.tracedEngine(created) ?? created
  let activityCount = 0
  const markActivity = (): void => void activityCount++
  let pausedOnClock = 0
  let pausedOnSubject = 0
  let clock: SubjectClock | undefined
  const stopped = new AbortController()
  const pauses = createPauses(engine, markActivity)
  /** A call that waits for session time must not stop that time, nor may a call that waits for an answer. */
  const pause: Pause = async (request) => {
    if (request.whose === 'subject') return pauses(request)
    if (request.whose === 'call' || request.isOwnCall) pausedOnClock++
    else pausedOnSubject++
    wakeIfIdle()
    try {
      return await pauses(request)
    } finally {
      if (request.whose === 'call' || request.isOwnCall) pausedOnClock--
      else pausedOnSubject--
    }
  }
  const exchange = createExchanger({
    engine,
    log,
    pause,
    worldStopped: stopped.signal,
    tracer,
    // Without our clock the subject runs on wall time, and so does our timeout for it.
    usesSessionClock: () => clock !== undefined,
  })
  // The subject uses wall time unless it has asked for our clock; without a subject all readers of dates are ours.
  const subjectNow = (): Instant =>
    clock || settings.subject === undefined ? engine.now() : wallNow()
  const outbound = createOutboundCalls({ engine, destination, base, exchange, subjectNow })
  let inFlight = 0
  let waiting: (() => void)[] = []

  function underWay(work: Promise<unknown>): void {
    inFlight++
    work
      .catch(onBug)
      .finally(() => {
        inFlight--
        wakeIfIdle()
      })
      .catch(onBug)
  }

  const startCall = (call: OutgoingCall): void => underWay(outbound.make(call))

  engine.onFact(({ fact }) => {
    if (fact.kind === 'call.placed') startCall(fact.call)
  })

  function wakeIfIdle(): void {
    if (inFlight > pausedOnClock && pausedOnSubject === 0) return
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  /** Resolves when nothing is in flight any more, or a client is made to wait. */
  const whenIdle = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))

  /** Resolves when only work that waits for time is in flight. */
  async function untilQuiet(): Promise<void> {
    if (clock) return untilSubjectIdle()
    do {
      if (inFlight > pausedOnClock && pausedOnSubject === 0) await whenIdle()
      // Possible deadlock: our call may wait for a service that itself waits for the reply we hold
      // back; it cannot be detected from here.
      if (inFlight > pausedOnClock && pausedOnSubject > 0) await shortWait()
      await nextTurn()
    } while (inFlight > pausedOnClock && pausedOnSubject === 0)
  }

  /**
   * An in-process subject may be doing anything, and a call to it may wait for its own sleep. After some event loop
   * turns without activity, everything it does is taken to wait for time.
   */
  async function untilSubjectIdle(): Promise<void> {
    for (let turns = 0; turns < idleTurns; turns++) {
      const before = activityCount
      await nextTurn()
      if (activityCount !== before) turns = -1
    }
  }

  const driver = createClockDriver({
    ...options.clock,
    engine,
    whenIdle: untilQuiet,
    onDue: (due) => lag.itemTaken(due),
    onBug,
  })
  const lag = createLagMonitor({
    clock: () =>
      driver.mode() === 'real' ? { at: driver.at(), speed: driver.speed() } : undefined,
  })
  const hosts = new Map(
    settings.roles.map((role) => {
      const host = createHost({
        engine,
        role,
        base: () => base(role),
        urlOf: base,
        webhooks: options.webhooks,
        pause,
        worldStopped: stopped.signal,
        answering: options.answering,
        subjectNow,
      })
      return [role, tracer?.tracedHost(host) ?? host] as const
    }),
  )
  return {
    engine,
    driver: {
      ...driver,
      setClock(change) {
        driver.setClock(change)
        lag.start()
      },
      stop() {
        driver.stop()
        lag.stop()
        // Time no longer advances: what is held back is never sent.
        stopped.abort()
      },
    },
    lag,
    hosts,
    pause,
    destination,
    markActivity,
    exchange,
    underWay,
    repeatPendingCalls() {
      for (const call of engine.world.calls.values()) startCall(call)
    },
    clock: () =>
      (clock ??= createSubjectClock({
        now: engine.now,
        pause,
        chance: createChance(options.seed, 'subject'),
        markActivity,
      })),
  }
}
