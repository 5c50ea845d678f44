/** The composition root: options in, a running session out. It constructs and connects; it decides nothing. */
import { compact } from '../base/compact.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { createDestinations, inProcessUrl } from '../runtime/client/destinations.ts'
import { createFetchHandler } from '../runtime/server/fetch-handler.ts'
import { createFetchTransport, createSocketTransport } from '../runtime/client/transport.ts'
import { type IncomingRequest, isPublicRead } from '../runtime/server/messages.ts'
import { startServers } from '../runtime/server/server.ts'
import { WorldRuntime } from '../runtime/world-runtime.ts'
import type { EngineSnapshot } from '../engine/engine.ts'
import type { Instant } from '../engine/instant.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import { ok, type Result } from '../protocol/result.ts'
import type { Role } from '../protocol/role.ts'
import {
  addConfiguredFaults,
  changeSettings,
  configureSession,
  createFaultLoader,
} from './configure.ts'
import { lazyConnect } from './connect.ts'
import { ServiceCalls } from '../runtime/client/service-calls.ts'
import { Operator } from './operator.ts'
import { startObservers } from './observers.ts'
import { createNotes } from './notes.ts'
import { createResend } from './resend.ts'
import { sessionInput, type SessionOptions } from './options.ts'
import {
  createSessionJudge,
  judgedRole,
  judgeSession,
  passTolerances,
  type SessionJudge,
} from './verdicts.ts'
import { needsPopulation } from './population.ts'
import { takeSnapshot } from './snapshot.ts'
import { recordingInfo, startRecording } from './recording.ts'
import type { PreparedSession, WorldOverrides } from './types.ts'
import { publicHostNames, publicUrlsOf } from './public-urls.ts'
import { playedRoles, reachableRoles, rolePorts } from './settings.ts'
import {
  clockOrigin,
  createSessionTrafficLog,
  recordedClock,
  subjectClockOf,
} from './session-clock.ts'
import { startTls } from './tls.ts'
import { onlyOfItsParties, type TrafficLog } from '../traffic/log.ts'
import { createWorldConfiguration, type WorldConfiguration } from './world-configuration.ts'
import { replicaUrls } from '../session-api/configuration/subject.ts'
import type { FaultApi, FetchHandler, SubjectControl } from '../session-api/session.ts'
import type { Host } from '../runtime/server/host.ts'
import { problem } from '../base/problem.ts'
import type { Command } from '../engine/command.ts'
import type { Fact } from '../engine/fact.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import type { World } from '../engine/world.ts'
import { takenRow } from '../views/agenda-rows.ts'
import { faultRow, faultRows } from '../views/fault-rows.ts'
import { recordedVerdicts } from '../rules/invariants/recorded-verdicts.ts'
import type { SessionEnd } from '../traffic/recording/session-end.ts'

/** Orders of one recording at most, the newest ones. */
const maxOrders = 1000

/**
 * What a session tells its recording when it ends: its verdicts, its faults, and its orders by
 * their slots. Undefined where there is nothing to tell.
 */
function sessionEnd(world: World, sessionJudge: SessionJudge | undefined): SessionEnd | undefined {
  const verdicts = recordedVerdicts(sessionJudge?.verdicts() ?? [])
  const faults = faultRows(world).map(({ name, text, fired, over }) => ({
    name,
    text,
    fired,
    ...compact({ over: over === undefined ? undefined : (true as const) }),
  }))
  const orders = Array.from(world.faults.slotByOrder, ([orderId, slot]) => ({ orderId, slot }))
  return verdicts.length + faults.length + orders.length === 0
    ? undefined
    : { verdicts, faults, orders: orders.slice(-maxOrders) }
}

/** State of the world right after a fact. */
function stateAtFact({ engine }: WorldRuntime, at: number): Result<EngineSnapshot, Refusal> {
  const state = engine.snapshotAt(at)
  if (state) return ok(state)
  const { journal } = engine
  return at > journal.last()
    ? refuse('NOT_FOUND', `there is no fact ${at} yet: the last one is ${journal.last()}`)
    : refuse(
        'NOT_FOUND',
        `fact ${at} is no longer kept: the journal goes back to ${journal.first()}`,
      )
}

/** Stops a world and releases every call that waits on its clock; the next one begins with a service that runs. */
function leaveWorld({ engine, driver }: WorldRuntime, service: SubjectControl | undefined): void {
  driver.stop()
  if (engine.world.faults.isDown) service?.start()
  for (const { command } of engine.world.agenda.byId.values())
    if (command.kind === 'pause.end') engine.submit(command, 'session')
}

/** Resumes a forked world: drops pauses of the abandoned one and repeats its calls in flight. */
function resumeWorld(runtime: WorldRuntime): void {
  const { engine } = runtime
  for (const { id, command } of engine.world.agenda.byId.values())
    if (command.kind === 'pause.end') engine.submit({ kind: 'agenda.drop', id }, 'session')
  runtime.repeatPendingCalls()
}

/** Synchronous API for the faults of an in-process session. */
function createFaultApi(
  submit: (command: Command) => Result<readonly Fact[], Refusal>,
  world: () => World,
): FaultApi {
  function submitOrThrow(attempted: string, command: Command, remedy: string): readonly Fact[] {
    const result = submit(command)
    if (result.ok) return result.value
    throw problem(attempted, result.error.message, remedy)
  }
  return {
    add(spec) {
      const facts = submitOrThrow(
        'adding a fault',
        { kind: 'fault.add', spec },
        'See sparring list faults.',
      )
      return facts.flatMap((fact) => (fact.kind === 'fault.added' ? [faultRow(fact.fault)] : []))
    },
    remove(id) {
      submitOrThrow(`removing fault ${id}`, { kind: 'fault.remove', id }, 'See faults.list().')
    },
    end() {
      submitOrThrow('ending the faults', { kind: 'fault.end' }, 'Try again.')
    },
    list: () => faultRows(world()),
  }
}

/** Tells subscribers that something has changed; they look for themselves at what. */
interface ChangeSignal {
  readonly notify: () => void
  /** Returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
}

function createChangeSignal(): ChangeSignal {
  const listeners = new Set<() => void>()
  return {
    notify: () => {
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Calls whose sockets were closed end a few turns of the event loop later, and belong into the recording. */
const endingTurns = 100

async function untilNothingInFlight(log: TrafficLog): Promise<void> {
  for (let turn = 0; turn < endingTurns && log.hasInFlight(); turn++)
    await new Promise((resolve) => setImmediate(resolve))
}

/** Seeds of the worlds of a session: the same in each session that began with the same. */
const nextSeed = (seed: number): number => (seed < Number.MAX_SAFE_INTEGER ? seed + 1 : 1)

/** The host of a role that a session plays. */
function hostOfRole({ hosts }: WorldRuntime, role: Role): Host {
  const host = hosts.get(role)
  if (!host) throw problem(`cannot reach the ${role}`, 'this session does not play it', 'See --as.')
  return host
}

/** The role whose base URL a request's URL begins with. */
function roleAtUrl(url: string, known: readonly (readonly [Role, string])[]): Role {
  const role = known.find(([, base]) => url.startsWith(`${base}/`))?.[0]
  if (role) return role
  throw problem(`cannot answer ${url}`, 'no role that we play is there', 'See urls.')
}

/** A session that listens and reports its info. Its counterparts are not started, and time stands still. */
export async function prepareSession(
  options: SessionOptions = {},
  checked?: Configuration,
  playing?: WorldOverrides,
): Promise<PreparedSession> {
  const input = await sessionInput(options, checked)
  const { configuration, only, handler, listen, automatic, fetch: ownFetch, onBug } = input
  const { subject, clock } = configuration
  const { answerTimeout: timeoutMs } = configuration.conduct
  const roles = playedRoles(configuration, only)
  const reachable = reachableRoles([...roles, ...input.elsewhere], configuration, handler)
  const log = createSessionTrafficLog(() => runtime)
  const faults = createFaultLoader()
  const tls = listen || subject.ca !== undefined ? await startTls(configuration) : undefined
  const sockets = createSocketTransport({ timeoutMs, trust: tls?.trust })
  const urls = new Map<Role, string>()
  let publicUrls: ReadonlyMap<Role, string> = urls
  const { notify: onChange, subscribe } = createChangeSignal()
  const observers = await startObservers({ ...input, log, onChange })
  let { seed } = configuration
  let sessionJudge: SessionJudge | undefined
  let origin: Instant
  /** The configuration of the next fresh world. */
  let base = configuration
  let parts: WorldConfiguration
  let beginning: Promise<void> | undefined
  let begun = false
  let closed = false
  let forked: number | undefined
  let runtime: WorldRuntime = createWorld()

  const hostOptions = {
    log,
    subject: subject.role,
    beforeAnswer: (request: IncomingRequest) => {
      runtime.markActivity()
      if (!begun && !isPublicRead(request)) return opened().then(() => runtime.driver.sync())
      runtime.driver.sync()
      return undefined
    },
    onBug,
  }

  const answererOf = (role: Role) => ({ ...hostOptions, host: hostOfRole(runtime, role) })
  const handlerOf = (role: Role): FetchHandler => createFetchHandler(answererOf(role))

  function createWorld(from?: EngineSnapshot): WorldRuntime {
    let since: number | undefined
    if (!from) {
      ;({ origin, since } = clockOrigin(configuration))
      const { stores, isLive, populationSeed = seed, service } = input
      const startsSubject = service !== undefined
      const world = { base, roles, reachable, stores, populationSeed, origin, isLive }
      parts = createWorldConfiguration({ ...world, startsSubject })
    }
    forked = from?.seq
    const created = new WorldRuntime({
      seed,
      settings: parts.settings,
      configured: parts.configured,
      reactors: playing?.reactors ?? parts.reactors,
      answering: playing?.answering,
      origin,
      clock: { mode: from ? 'stepped' : clock, speed: base.speed, automatic, since },
      begin: from,
      log,
      faults: faults.port,
      service: input.service,
      tracer: observers.tracer(seed),
      webhooks: subject.webhooks,
      base: (role) => publicUrls.get(role) ?? '',
      destination: createDestinations({
        urls,
        ownTransport: (role) =>
          listen
            ? sockets.ownTransport
            : createFetchTransport(ownFetch ?? handlerOf(role), timeoutMs),
        socketTransport: sockets.transport,
        elsewhere: ownFetch && { roles: input.elsewhere, fetch: ownFetch },
        timeoutMs,
        counterparts: configuration.counterparts,
        subject: { ...subject, replicaUrls: replicaUrls(subject), handler },
      }),
      onBug,
    })
    observers.addWorld(created.engine)
    playing?.onWorldCreated(created)
    return created
  }

  const servers = listen
    ? await startServers({
        ...hostOptions,
        roles,
        address: configuration.host,
        allowedHosts: [...configuration.allowedHosts, ...publicHostNames(configuration, roles)],
        secure: tls?.createServer,
        ports: rolePorts(configuration),
        host: (role) => runtime.hosts.get(role),
        urls,
      })
    : undefined
  if (!listen) for (const role of roles) urls.set(role, inProcessUrl(role))
  // A service may call while the rules are still being loaded: how late we are by then counts as well.
  if (judgedRole(configuration) !== undefined) runtime.lag.start()
  publicUrls = publicUrlsOf(configuration, urls)
  const connect = lazyConnect({
    configuration,
    settings: runtime.engine.settings,
    urls: publicUrls,
    authority: tls?.authority,
  })
  const recorder = await startRecording(configuration, {
    seed,
    urls,
    underWay: log.inFlight,
    driver: () => runtime.driver,
    onWarning: input.onWarning,
  }).catch(async (error: unknown) => {
    await servers?.close()
    throw error
  })
  if (recorder) log.onExchange(onlyOfItsParties((exchange) => recorder.record(exchange)))
  const recordClock = (): void => recorder?.setClock(recordedClock(runtime.driver))

  const verdicts = (): readonly Verdict[] => sessionJudge?.verdicts() ?? []
  const current = (): Configuration => parts.after(runtime.engine.world.configured.changes)

  async function start(created: WorldRuntime): Promise<void> {
    if (needsPopulation(base, roles)) await parts.population(base).load()
    // The session may have been closed or reset while the population loaded.
    if (closed || created !== runtime) return
    const attachedJudge = await createSessionJudge({
      configuration: current,
      isLive: input.isLive,
      runtime: created,
      runCommand: input.runCommand,
      onWarning: input.onWarning,
      contracts: input.contracts,
      judgesClauses: input.judgesClauses,
      log,
      onBug,
    })
    if (closed || created !== runtime) {
      attachedJudge?.detach()
      return
    }
    sessionJudge = attachedJudge
    await addConfiguredFaults(base.faults, faults, created.engine)
    if (closed || created !== runtime) return
    begun = true
    created.engine.submit({ kind: 'session.open' }, 'session')
  }

  const begin = (): Promise<void> => (beginning ??= start(runtime))

  function refuseWhenClosed(): void {
    if (closed) throw problem('using a session', 'it is closed', 'Open another one.')
  }

  /** Loops, since a reset may replace the world while this one loads. */
  async function opened(): Promise<void> {
    refuseWhenClosed()
    while (!begun && !closed) await begin()
  }

  const operator = new Operator({
    runtime() {
      refuseWhenClosed()
      return runtime
    },
    population: () => parts.population(current()),
    seed: () => seed,
    faults,
    whenOpen: () => (begun ? undefined : opened()),
  })

  const serviceCalls = new ServiceCalls(() => runtime, seed, subject.role)

  const session: PreparedSession = {
    begin,
    urls,
    publicUrls,
    ...compact({ authority: tls?.authority }),
    fetch: async (request) => handlerOf(roleAtUrl(request.url, [...urls, ...publicUrls]))(request),
    look: (view) =>
      takeSnapshot(() => {
        runtime.driver.sync()
        const recording = recordingInfo(recorder)
        const world = { runtime, seed, recording, forked, origin, operator, sessionJudge }
        const fixed = { configuration: current(), roles, urls, log, connect: connect() }
        const population = parts.population(current())
        return { ...world, ...fixed, ...observers.observed(), population }
      }, view),
    faults: createFaultApi(operator.submitNow, () => runtime.engine.world),
    loadFaults: async () => void (await faults.load()),
    transport: sockets.transport,
    withoutPorts: (work) => (servers ? servers.withoutPorts(work) : work()),
    submit: operator.submit,
    resend: createResend({ configuration, runtime: () => runtime, log, operator, answererOf }),
    note: createNotes({ log, recorder, onChange }),
    createOrder: operator.createOrder,
    contracts: input.contracts,
    callService: (call) => serviceCalls.call(call),
    step: operator.step,
    setClock: (change) => operator.setClock(change).then(recordClock).then(onChange),
    advance: operator.advance,
    async configure(desired) {
      await opened()
      runtime.driver.sync()
      const { engine } = runtime
      return configureSession({ current: current(), desired, parts, engine, faults })
    },
    changeSettings: (changes) =>
      opened().then(() => changeSettings(current(), changes, runtime.engine)),
    async reset(newSeed) {
      refuseWhenClosed()
      leaveWorld(runtime, input.service)
      base = current()
      // Equal ids would be those of the orders and events before, which a service with a memory knows already.
      seed = newSeed ?? nextSeed(seed)
      log.beginWorld()
      operator.clear()
      sessionJudge?.detach()
      sessionJudge = undefined
      begun = false
      beginning = undefined
      runtime = createWorld()
      recordClock()
      await begin()
    },
    async fork(at) {
      await opened()
      const from = stateAtFact(runtime, at)
      if (!from.ok) return from
      leaveWorld(runtime, input.service)
      sessionJudge?.detach()
      sessionJudge = undefined
      runtime = createWorld(from.value)
      recordClock()
      await operator.rewind(from.value)
      resumeWorld(runtime)
      onChange()
      return ok({ at: from.value.seq })
    },
    subscribe,
    async settle() {
      if (!begun) await opened()
      await runtime.driver.settle()
      // What lacks an effect has time until then.
      await sessionJudge?.effects?.ask('lacking')
      await passTolerances(runtime.driver, current(), verdicts)
    },
    editQuietly(edit) {
      runtime.driver.sync()
      runtime.engine.submit(edit, 'session')
    },
    takenRow: (command) => takenRow(command, runtime.engine.world),
    onExchange: log.onExchange,
    speaks: configuration.conduct.speaks,
    dialect: configuration.dialect,
    clock: subjectClockOf(() => runtime.clock()),
    hasRules: () => sessionJudge !== undefined,
    hasExercisedRules: () => verdicts().some(({ outcome }) => outcome !== 'not-exercised'),
    verdicts: (which) =>
      verdicts().filter(({ outcome }) => which === 'all' || outcome === 'failed'),
    endings: () => sessionJudge?.runOutcomes() ?? new Map(),
    asked: (order) => sessionJudge?.asked(order),
    probed: (order, status) => sessionJudge?.probed(order, status),
    countEffects: async () => sessionJudge?.effects?.ask('lacking'),
    async judge() {
      if (!begun) await opened()
      runtime.driver.sync()
      return judgeSession(configuration, runtime.destination, sessionJudge)
    },
    facts: (after = 0) => runtime.engine.journal.after(after, Number.MAX_SAFE_INTEGER),
    async close() {
      closed = true
      runtime.driver.stop()
      await servers?.close()
      sockets.close()
      await untilNothingInFlight(log)
      const end = sessionEnd(runtime.engine.world, sessionJudge)
      await Promise.all([observers.close(), recorder?.close(end)])
      const loss = recorder?.loss()
      if (loss !== undefined) input.onLoss(loss)
    },
    [Symbol.asyncDispose]: () => session.close(),
  }
  return session
}
