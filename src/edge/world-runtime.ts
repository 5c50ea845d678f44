/**
 * One world and everything that moves it: engine, hosts, the caller, the driver. A reset puts up a new stage behind the
 * same sockets, so addresses stay and everything else is fresh.
 */
import { createChance } from '../engine/chance.ts'
import type { Call } from '../engine/calls/call.ts'
import { type Beginning, createEngine, type Engine, type Reactor } from '../engine/engine.ts'
import type { FaultPort } from '../engine/faults/fault.ts'
import type { Instant } from '../engine/instant.ts'
import type { Settings } from '../engine/settings.ts'
import type { WebhookName } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import type { ClockMode } from '../session-api/session-api.ts'
import type { TrafficLog } from '../traffic/log.ts'
import type { Answering } from './server/responder.ts'
import { createCaller } from './client/outbound-calls.ts'
import { wallNow } from './clock/clock.ts'
import { createDriver, type Driver } from './clock/driver.ts'
import { createExchanger, type Exchanger } from './client/exchange.ts'
import { createHost, type Host } from './server/host.ts'
import { createPauses, type Pause } from './clock/pauses.ts'
import { createSubjectClock, type SubjectClock } from './clock/subject-clock.ts'
import type { Destination } from './client/destinations.ts'

export interface StageOptions {
  readonly seed: number
  readonly settings: Settings
  readonly reactors: readonly Reactor[]
  readonly origin: Instant
  readonly clock: { readonly mode: ClockMode; readonly speed: number; readonly automatic: boolean }
  readonly log: TrafficLog
  readonly webhooks: Readonly<Record<WebhookName, string>>
  readonly base: (role: Role) => string
  readonly destination: (role: Role, platform?: number) => Destination | undefined
  readonly onBug: (error: unknown) => void
  readonly faults?: () => FaultPort | undefined
  /** Whoever answers in place of the world. */
  readonly answering?: Answering | undefined
  /** The world of an earlier stage, to go on from where it once was. */
  readonly begin?: Beginning | undefined
}

export interface Stage {
  readonly engine: Engine
  readonly driver: Driver
  readonly hosts: ReadonlyMap<Role, Host>
  readonly pause: Pause
  readonly destination: StageOptions['destination']
  /** Made when a subject in this process asks for it. */
  readonly clock: () => SubjectClock
  /** Something goes on that no call of ours shows: a subject in this process asks, or is answered. */
  readonly touch: () => void
  /** Makes one exchange of a call: faults have their way with it, and it is written down. */
  readonly exchange: Exchanger
  /** Something is under way that time must not pass by. */
  readonly underWay: (work: Promise<unknown>) => void
  /** Makes the calls again that were under way when the world began: whoever made them then answers another world. */
  readonly callAgain: () => void
}

/** Turns of the machine's loop in which a subject in this process does nothing: then it waits for time to pass. */
const calmTurns = 4

/** A moment of the wall's time, for a call that may yet be answered while somebody waits for us. */
const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, momentMs))
const momentMs = 20

/** One turn of the machine's loop: whatever a handler in this process has set off gets its chance. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createStage(options: StageOptions): Stage {
  const { settings, log, base, destination, onBug } = options
  const { mode, speed, automatic } = options.clock
  const engine = createEngine({
    seed: options.seed,
    settings,
    reactors: options.reactors,
    origin: options.origin,
    faults: options.faults,
    begin: options.begin,
  })
  let touched = 0
  const touch = (): void => void touched++
  let pausing = 0
  let holding = 0
  let clock: SubjectClock | undefined
  const struck = new AbortController()
  const pauses = createPauses(engine, touch)
  /** A call that waits for the session's time must not keep that time from passing, nor may one that waits for an answer. */
  const pause: Pause = async (wish) => {
    if (wish.whose === 'subject') return pauses(wish)
    if (wish.whose === 'call' || wish.ours) pausing++
    else holding++
    settled()
    try {
      return await pauses(wish)
    } finally {
      if (wish.whose === 'call' || wish.ours) pausing--
      else holding--
    }
  }
  const exchange = createExchanger({
    engine,
    log,
    pause,
    struck: struck.signal,
    // Without a clock of ours the subject's time is the wall's, and so is our patience with it.
    patient: () => clock !== undefined,
  })
  // The subject goes by the wall unless it has asked for our clock; where there is none, all who read a date are ours.
  const theirNow = (): Instant =>
    clock || settings.subject === undefined ? engine.now() : wallNow()
  const caller = createCaller({ engine, destination, base, exchange, theirNow })
  let inFlight = 0
  let waiting: (() => void)[] = []

  function underWay(work: Promise<unknown>): void {
    inFlight++
    work
      .catch(onBug)
      .finally(() => {
        inFlight--
        settled()
      })
      .catch(onBug)
  }

  const make = (call: Call): void => underWay(caller.make(call))

  engine.onFact(({ fact }) => {
    if (fact.kind === 'call.placed') make(fact.call)
  })

  function settled(): void {
    if (inFlight > pausing && holding === 0) return
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  /** Resolves when nothing is under way any more, or somebody out there is made to wait. */
  const over = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))

  /** Nothing is under way but what waits for time to pass. */
  async function quiet(): Promise<void> {
    if (clock) return calm()
    do {
      if (inFlight > pausing && holding === 0) await over()
      // Our call may wait for a service that itself waits for the answer that we hold back: nobody can tell from here.
      if (inFlight > pausing && holding > 0) await moment()
      await turn()
    } while (inFlight > pausing && holding === 0)
  }

  /**
   * A subject in this process may be in the middle of anything, and a call to it may wait for its own sleep. When it
   * has not done anything for some turns, everything that it does waits for time.
   */
  async function calm(): Promise<void> {
    for (let turns = 0; turns < calmTurns; turns++) {
      const before = touched
      await turn()
      if (touched !== before) turns = -1
    }
  }

  const driver = createDriver({ engine, mode, speed, automatic, quiet, onBug })
  const hosts = new Map(
    settings.roles.map((role) => [
      role,
      createHost({
        engine,
        role,
        base: () => base(role),
        webhooks: options.webhooks,
        pause,
        struck: struck.signal,
        answering: options.answering,
        theirNow,
      }),
    ]),
  )
  return {
    engine,
    driver: {
      ...driver,
      stop() {
        driver.stop()
        // Nobody passes the time any more that somebody waits for: what is held back never goes out.
        struck.abort()
      },
    },
    hosts,
    pause,
    destination,
    touch,
    exchange,
    underWay,
    callAgain() {
      for (const call of engine.world.calls.values()) make(call)
    },
    clock: () =>
      (clock ??= createSubjectClock({
        now: engine.now,
        pause,
        chance: createChance(options.seed, 'subject'),
        touch,
      })),
  }
}
