/**
 * The composition root: options in, a running session out. It constructs and connects; it decides nothing.
 */
import type { Configuration } from './configuration.ts'
import { wallNow } from './edge/clock.ts'
import { createDestinations, type FetchHandler, inProcessUrl } from './edge/destinations.ts'
import { createFetchFace } from './edge/fetch-face.ts'
import { createSocketReach, fetchReach } from './edge/reach.ts'
import type { Incoming } from './edge/messages.ts'
import { startServers } from './edge/servers.ts'
import { createStage, type Stage } from './edge/stage.ts'
import { type Chance, createChance } from './engine/chance.ts'
import type { Instant } from './engine/instant.ts'
import type { Entry } from './engine/journal.ts'
import { merchantIdentities } from './fixtures/merchants.ts'
import { agendaRow } from './look/agenda-rows.ts'
import { look } from './look/look.ts'
import { newOrder } from './new-order.ts'
import { problem } from './problem.ts'
import { ok } from './protocol/result.ts'
import type { Role } from './protocol/role.ts'
import type { SessionFace } from './session-face.ts'
import { sessionInfo } from './session-info.ts'
import { sessionInput, type SessionOptions } from './session-input.ts'
import { recordingInfo, startRecording } from './session-recording.ts'
import { reactorsOf } from './session-reactors.ts'
import { portsOf, rolesOf, settingsOf } from './session-settings.ts'
import { startTls } from './session-tls.ts'
import { createTown, type Town } from './session-town.ts'
import type { Exchange } from './traffic/exchange.ts'
import { createTrafficLog } from './traffic/log.ts'

export type { SessionOptions } from './session-input.ts'

export interface Session extends SessionFace, AsyncDisposable {
  /** The base URL of each role that we play. */
  readonly urls: ReadonlyMap<Role, string>
  /** Answers a request to any role that we play, by its URL, without a socket. */
  readonly fetch: FetchHandler
  /** Lets time pass until nothing is left but endless loops that bring no news. */
  readonly settle: () => Promise<void>
  /** Calls back with each exchange as it ends; answers how to stop. */
  readonly onExchange: (listener: (exchange: Exchange) => void) => () => void
  /** The facts that are in memory, oldest first. */
  readonly facts: () => readonly Entry[]
  /** The certificate authority to trust for HTTPS, where the certificates were made here: a file. */
  readonly authority?: string
  readonly close: () => Promise<void>
}

/** The beginning of a session on the virtual clock: a Monday noon in São Paulo, the same in every run. */
const virtualOrigin: Instant = 1_767_625_200_000

/** Without a token a GET is answered with what is open to everybody, and changes nothing. */
const onlyLooks = ({ method, header, target }: Incoming): boolean =>
  method === 'GET' && header('authorization') === undefined && !target.startsWith('/oauth/')

export interface PreparedSession extends Session {
  /**
   * The counterparts begin, if they have not yet. They begin of their own accord with the first request that could
   * change something, which waits for it: so the same input gives the same journal, however long they take to load.
   */
  readonly begin: () => Promise<void>
}

export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const session = await prepareSession(options)
  try {
    await session.begin()
  } catch (error) {
    await session.close()
    throw error
  }
  return session
}

/** A session that listens and says what it is. Its counterparts have not begun, and time stands still. */
export async function prepareSession(
  options: SessionOptions = {},
  checked?: Configuration,
): Promise<PreparedSession> {
  const input = sessionInput(options, checked)
  const { configuration, only, handler, listen, automatic, fetch: ownFetch, onBug } = input
  const { subject, clock } = configuration
  const roles = rolesOf(configuration, only)
  const log = createTrafficLog()
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
  let wishes: Chance | undefined
  let origin: Instant
  let town: Town
  let beginning: Promise<void> | undefined
  let begun = false
  let closed = false
  let stage: Stage = raise()

  const common = {
    log,
    subject: subject.role,
    beforeAnswer: (request: Incoming) => {
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

  function raise(): Stage {
    const reachable = new Set<Role>(roles)
    const called = handler !== undefined || subject.url !== undefined
    if (subject.role && called) reachable.add(subject.role)
    const merchants = merchantIdentities(createChance(seed, 'population'))
    const { speed } = configuration
    origin = configuration.origin ?? (clock === 'virtual' ? virtualOrigin : Math.floor(wallNow()))
    town = createTown(seed, origin)
    const raised = createStage({
      seed,
      settings: settingsOf(configuration, roles, merchants),
      reactors: reactorsOf(configuration, roles, reachable, town.order),
      origin,
      clock: { mode: clock, speed, automatic },
      log,
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
  const recorder = await startRecording(configuration, { seed, urls }).catch(
    async (error: unknown) => {
      await servers?.close()
      throw error
    },
  )
  if (recorder) log.onExchange(recorder.record)

  /** Orders of their own accord need somebody to place them, who moves in first. */
  const needsPeople = Boolean(configuration.counterparts['ordering-application'].orders.every)

  async function start(raised: Stage): Promise<void> {
    if (needsPeople) await town.everybody()
    // Meanwhile somebody may have closed it, or have had another world put up.
    if (closed || raised !== stage) return
    begun = true
    raised.engine.submit({ kind: 'session.open' }, 'session')
  }

  function begin(): Promise<void> {
    beginning ??= start(stage)
    return beginning
  }

  /** Another world may be put up while this one loads what it needs. */
  async function opened(): Promise<void> {
    while (!begun && !closed) await begin()
  }

  const session: PreparedSession = {
    begin,
    urls,
    ...(tls?.authority === undefined ? {} : { authority: tls.authority }),
    async fetch(request) {
      const role = roles.find((each) => request.url.startsWith(`${urls.get(each)}/`))
      if (role) return faceOf(role)(request)
      throw problem(`cannot answer ${request.url}`, 'no role that we play is there', 'See urls.')
    },
    look: (view) => {
      stage.driver.sync()
      const { world, journal, settings } = stage.engine
      const exchanges = log.count()
      const recording = recordingInfo(recorder)
      const parts = { configuration, stage, seed, roles, urls, exchanges, refused, recording }
      const info = sessionInfo(parts)
      return Promise.resolve(look({ world, journal, log, info, settings }, view))
    },
    async submit(command) {
      if (!begun) await opened()
      const edit =
        command.kind === 'agenda.edit' ? await import('./edge/control/command-check.ts') : undefined
      stage.driver.sync()
      const lawful = edit?.checkEdit(command, stage.engine.world) ?? ok(command)
      return lawful.ok ? stage.engine.submit(lawful.value) : lawful
    },
    async createOrder(wish = {}) {
      if (!begun) await opened()
      const people = await town.everybody()
      stage.driver.sync()
      const { engine } = stage
      wishes ??= createChance(seed, 'wishes')
      const order = newOrder(wish, people, wishes, engine.now())
      if (!order.ok) return order
      const decision = engine.submit({ kind: 'order.create', order: order.value })
      return decision.ok ? ok({ orderId: order.value.id }) : decision
    },
    async step() {
      if (!begun) await opened()
      const taken = await stage.driver.step()
      return taken && agendaRow(taken.item, stage.engine.world)
    },
    async setClock(change) {
      if (!begun) await opened()
      stage.driver.setClock(change)
    },
    async advance(ms) {
      if (!begun) await opened()
      await stage.driver.advance(ms)
    },
    async reset(newSeed) {
      stage.driver.stop()
      seed = newSeed ?? seed
      wishes = undefined
      begun = false
      beginning = undefined
      stage = raise()
      await begin()
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
