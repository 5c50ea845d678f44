/** The composition root: options in, a running session out. It constructs and connects; it decides nothing. */
import type { Configuration } from '../configuration/schema.ts'
import { wallNow } from '../edge/clock/clock.ts'
import { createDestinations, type FetchHandler, inProcessUrl } from '../edge/client/destinations.ts'
import { createFetchFace } from '../edge/server/fetch-handler.ts'
import { createSocketReach, fetchReach } from '../edge/client/transport.ts'
import type { Incoming } from '../edge/server/messages.ts'
import { startServers } from '../edge/server/servers.ts'
import { createStage, type Stage } from '../edge/world-runtime.ts'
import type { Beginning } from '../engine/engine.ts'
import type { Instant } from '../engine/instant.ts'
import { problem } from '../problem.ts'
import { ok } from '../protocol/result.ts'
import type { Role } from '../protocol/role.ts'
import { createFaultsHand } from './fault-api.ts'
import { createSessionFaults, putInForce } from './session-faults.ts'
import { beginningAt, leave, takeUp } from './fork.ts'
import { createHands } from './operator.ts'
import { sessionInput, type SessionOptions } from './options.ts'
import { type Bench, judged, takeBench } from './verdicts.ts'
import { lookAt } from './snapshot.ts'
import { recordingInfo, startRecording } from './recording.ts'
import { reactorsOf } from './reactors.ts'
import type { PreparedSession, Session } from './types.ts'
import type { Playing } from './playing.ts'
import { portsOf, rolesOf, settingsOf } from './settings.ts'
import { storesIn } from './stores.ts'
import { startTls } from './tls.ts'
import { createTown, type Town } from './population.ts'
import { createTrafficLog } from '../traffic/log.ts'

export type { SessionOptions } from './options.ts'
export type { PreparedSession, Session } from './types.ts'

/** Default origin of the virtual clock: a Monday noon in São Paulo, the same in every run. */
const virtualOrigin: Instant = 1_767_625_200_000

/** A GET without a token is answered with public data and changes nothing. */
const onlyLooks = ({ method, header, target }: Incoming): boolean =>
  method === 'GET' && header('authorization') === undefined && !target.startsWith('/oauth/')

export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const session = await prepareSession(options)
  try {
    await Promise.all([session.begin(), session.loadFaults()])
  } catch (error) {
    await session.close()
    throw error
  }
  return session
}

/** A session that listens and reports its info. Its counterparts are not started, and time stands still. */
export async function prepareSession(
  options: SessionOptions = {},
  checked?: Configuration,
  playing?: Playing,
): Promise<PreparedSession> {
  const input = sessionInput(options, checked)
  const { configuration, only, handler, listen, automatic, fetch: ownFetch, onBug } = input
  const { subject, clock } = configuration
  const roles = rolesOf(configuration, only)
  // Sync the clock first: an exchange starts when it comes in, not at the last fact.
  const log = createTrafficLog({
    now: () => {
      stage.driver.sync()
      return stage.engine.now()
    },
  })
  const faults = createSessionFaults()
  const { answerTimeout: timeoutMs } = configuration.conduct
  const tls = listen || subject.ca !== undefined ? await startTls(configuration) : undefined
  const sockets = createSocketReach({ timeoutMs, trust: tls?.trust })
  const urls = new Map<Role, string>()
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  let { seed } = configuration
  let refused = 0
  let bench: Bench | undefined
  let origin: Instant
  let town: Town
  let beginning: Promise<void> | undefined
  let begun = false
  let closed = false
  let forked: number | undefined
  let stage: Stage = raise()

  const common = {
    log,
    subject: subject.role,
    beforeAnswer: (request: Incoming) => {
      stage.touch()
      if (!begun && !onlyLooks(request)) return opened().then(() => stage.driver.sync())
      stage.driver.sync()
      return undefined
    },
    onBug,
  }

  function faceOf(role: Role): FetchHandler {
    const host = stage.hosts.get(role)
    if (!host)
      throw problem(`cannot reach the ${role}`, 'this session does not play it', 'See --as.')
    return createFetchFace({ ...common, host })
  }

  function raise(from?: Beginning): Stage {
    const reachable = new Set<Role>(roles)
    const called = handler !== undefined || subject.url !== undefined
    if (subject.role && called) reachable.add(subject.role)
    const { speed } = configuration
    if (!from) {
      origin = configuration.origin ?? (clock === 'virtual' ? virtualOrigin : Math.floor(wallNow()))
      town = createTown(input.townSeed ?? seed, origin)
    }
    forked = from?.seq
    const raised = createStage({
      seed,
      settings: settingsOf(configuration, roles, storesIn(input.townSeed ?? seed, input.stores)),
      reactors: playing?.reactors ?? reactorsOf(configuration, roles, reachable, town.order),
      answering: playing?.answering,
      origin,
      clock: { mode: from ? 'stepped' : clock, speed, automatic },
      begin: from,
      log,
      faults: faults.port,
      webhooks: subject.webhooks,
      base: (role) => urls.get(role) ?? '',
      destination: createDestinations({
        urls,
        own: (role) => (listen ? sockets.reach : fetchReach(ownFetch ?? faceOf(role), timeoutMs)),
        sockets: sockets.reach,
        timeoutMs,
        platforms: configuration.counterparts['delivery-platform'].others,
        subject: { ...subject, handler },
      }),
      onBug,
    })
    raised.engine.onFact(notify)
    playing?.raised(raised)
    return raised
  }

  const stopCounting = log.onExchange(({ reply }) => {
    if (!reply || reply.status >= 400) refused++
    notify()
  })

  const servers = listen
    ? await startServers({
        ...common,
        roles,
        address: configuration.host,
        secure: tls?.createServer,
        ports: portsOf(configuration),
        host: (role) => stage.hosts.get(role),
        urls,
      })
    : undefined
  if (!listen) for (const role of roles) urls.set(role, inProcessUrl(role))
  const recorder = await startRecording(configuration, {
    seed,
    urls,
    underWay: log.underWay,
  }).catch(async (error: unknown) => {
    await servers?.close()
    throw error
  })
  if (recorder) log.onExchange(recorder.record)

  /**
   * Generated orders need a loaded population. On the virtual clock it is always loaded first: loading time must not
   * decide whether the first order comes before or after a subject's action.
   */
  const needsPeople =
    Boolean(configuration.counterparts['ordering-application'].orders.every) ||
    (clock === 'virtual' && roles.includes('ordering-application'))

  async function start(raised: Stage): Promise<void> {
    if (needsPeople) await town.everybody()
    // The session may have been closed or reset while the population loaded.
    if (closed || raised !== stage) return
    const seated = await takeBench({ configuration, engine: raised.engine, log, onBug })
    if (closed || raised !== stage) {
      seated?.leave()
      return
    }
    bench = seated
    await putInForce(configuration.faults, faults, raised.engine)
    if (closed || raised !== stage) return
    begun = true
    raised.engine.submit({ kind: 'session.open' }, 'session')
  }

  function begin(): Promise<void> {
    beginning ??= start(stage)
    return beginning
  }

  /** Loops, since a reset may replace the world while this one loads. */
  async function opened(): Promise<void> {
    while (!begun && !closed) await begin()
  }

  const hands = createHands({
    stage: () => stage,
    town: () => town,
    seed: () => seed,
    faults,
    opened: () => (begun ? undefined : opened()),
  })

  const session: PreparedSession = {
    begin,
    urls,
    ...(tls?.authority === undefined ? {} : { authority: tls.authority }),
    async fetch(request) {
      const role = roles.find((each) => request.url.startsWith(`${urls.get(each)}/`))
      if (role) return faceOf(role)(request)
      throw problem(`cannot answer ${request.url}`, 'no role that we play is there', 'See urls.')
    },
    look: (view) =>
      lookAt(() => {
        stage.driver.sync()
        const recording = recordingInfo(recorder)
        const info = { configuration, seed, roles, urls, refused, recording, forked }
        return { ...info, stage, log, hands, bench, origin }
      }, view),
    faults: createFaultsHand(hands.submitNow, () => stage.engine.world),
    loadFaults: async () => void (await faults.load()),
    submit: hands.submit,
    createOrder: hands.createOrder,
    step: hands.step,
    setClock: hands.setClock,
    advance: hands.advance,
    async reset(newSeed) {
      stage.driver.stop()
      seed = newSeed ?? seed
      hands.wash()
      bench?.leave()
      bench = undefined
      begun = false
      beginning = undefined
      stage = raise()
      await begin()
    },
    async fork(at) {
      await opened()
      const from = beginningAt(stage, at)
      if (!from.ok) return from
      leave(stage)
      bench?.leave()
      bench = undefined
      stage = raise(from.value)
      await hands.back(from.value)
      takeUp(stage)
      notify()
      return ok({ at: from.value.seq })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async settle() {
      if (!begun) await opened()
      await stage.driver.settle()
    },
    onExchange: log.onExchange,
    clock: {
      now: () => stage.clock().now(),
      sleep: (ms, enough) => stage.clock().sleep(ms, enough),
      random: () => stage.clock().random(),
    },
    verdicts: () => (bench?.judge.verdicts() ?? []).filter(({ outcome }) => outcome === 'broken'),
    endings: () => bench?.judge.endings() ?? new Map(),
    asked: (orderId) => bench?.judge.asked(orderId),
    probed: (orderId, status) => bench?.judge.probe({ orderId, status, at: bench.judge.watch.now }),
    async judge() {
      if (!begun) await opened()
      return judged(configuration, stage.destination, bench)
    },
    facts: () => stage.engine.journal.after(0, Number.MAX_SAFE_INTEGER),
    async close() {
      closed = true
      stage.driver.stop()
      stopCounting()
      await servers?.close()
      sockets.close()
      await recorder?.close()
    },
    [Symbol.asyncDispose]: () => session.close(),
  }
  return session
}
