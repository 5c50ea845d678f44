/**
 * The composition root: options in, a running session out. It constructs and connects; it decides nothing.
 */
import { wallNow } from './edge/clock.ts'
import { checkEdit } from './edge/command-check.ts'
import { createDestinations, type FetchHandler, inProcessUrl } from './edge/destinations.ts'
import { createFetchFace } from './edge/fetch-face.ts'
import { createSocketReach, fetchReach } from './edge/reach.ts'
import { startServers } from './edge/servers.ts'
import { createStage, type Stage } from './edge/stage.ts'
import { type Chance, createChance } from './engine/chance.ts'
import type { Instant } from './engine/instant.ts'
import type { Entry } from './engine/journal.ts'
import { merchantIdentities } from './fixtures/merchants.ts'
import { makeOrder } from './fixtures/orders.ts'
import { createPopulation, type Population } from './fixtures/population.ts'
import { agendaRow } from './look/agenda-rows.ts'
import { look } from './look/look.ts'
import { newOrder } from './new-order.ts'
import { problem } from './problem.ts'
import type { OrderType } from './protocol/orders/order.ts'
import { ok } from './protocol/result.ts'
import type { Role } from './protocol/role.ts'
import type { SessionFace } from './session-face.ts'
import { sessionInfo } from './session-info.ts'
import { sessionInput, type SessionOptions } from './session-input.ts'
import { recordingInfo, startRecording } from './session-recording.ts'
import { reactorsOf } from './session-reactors.ts'
import { portsOf, rolesOf, settingsOf } from './session-settings.ts'
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
  readonly close: () => Promise<void>
}

/** The beginning of a session on the virtual clock: a Monday noon in São Paulo, the same in every run. */
const virtualOrigin: Instant = 1_767_625_200_000

export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const input = sessionInput(options)
  const { configuration, only, handler, listen, automatic, fetch: ownFetch, onBug } = input
  const { subject, clock } = configuration
  const roles = rolesOf(subject.role, only)
  const log = createTrafficLog()
  const sockets = createSocketReach()
  const urls = new Map<Role, string>()
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  let { seed } = configuration
  let refused = 0
  let population: Promise<Population> | undefined
  let inhabitants: Population | undefined
  let wishes: Chance | undefined
  let begun: Instant
  let stage: Stage = raise()

  const common = {
    log,
    subject: subject.role,
    beforeAnswer: () => stage.driver.sync(),
    onBug,
  }

  function faceOf(role: Role): FetchHandler {
    const host = stage.hosts.get(role)
    if (!host)
      throw problem(`cannot reach the ${role}`, 'this session does not play it', 'See --as.')
    return createFetchFace({ ...common, host })
  }

  /** Who lives here is made when somebody is needed: its libraries take longer to load than all the rest. */
  function everybody(): Promise<Population> {
    population ??= createPopulation({
      chance: createChance(seed, 'population'),
      now: begun,
    }).then((people) => (inhabitants = people))
    return population
  }

  function orderFor(chance: Chance, now: Instant, type: OrderType): ReturnType<typeof makeOrder> {
    if (!inhabitants) throw new Error('an order is made before anybody lives here')
    return makeOrder({ population: inhabitants, chance, now, type })
  }

  function raise(): Stage {
    const reachable = new Set<Role>(roles)
    const called = handler !== undefined || subject.url !== undefined
    if (subject.role && called) reachable.add(subject.role)
    const merchants = merchantIdentities(createChance(seed, 'population'))
    const { origin, speed } = configuration
    begun = origin ?? (clock === 'virtual' ? virtualOrigin : Math.floor(wallNow()))
    const raised = createStage({
      seed,
      settings: settingsOf(configuration, roles, merchants),
      reactors: reactorsOf(configuration, roles, reachable, orderFor),
      origin: begun,
      clock: { mode: clock, speed, automatic },
      log,
      webhookPath: subject.webhooks.orders,
      base: (role) => urls.get(role) ?? '',
      destination: createDestinations({
        urls,
        own: (role) => (listen ? sockets.reach : fetchReach(ownFetch ?? faceOf(role))),
        sockets: sockets.reach,
        subject: { ...subject, handler, webhookPath: subject.webhooks.orders },
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

  /** The counterparts begin. Orders of their own accord need somebody to place them, who moves in first. */
  async function begin(): Promise<void> {
    if (configuration.counterparts['ordering-application'].orders.every) await everybody()
    stage.engine.submit({ kind: 'session.open' }, 'session')
  }
  await begin()

  const session: Session = {
    urls,
    async fetch(request) {
      const role = roles.find((each) => request.url.startsWith(`${urls.get(each)}/`))
      if (role) return faceOf(role)(request)
      throw problem(`cannot answer ${request.url}`, 'no role that we play is there', 'See urls.')
    },
    look: (view) => {
      stage.driver.sync()
      const { world, journal } = stage.engine
      const exchanges = log.count()
      const recording = recordingInfo(recorder)
      const parts = { configuration, stage, seed, roles, urls, exchanges, refused, recording }
      const info = sessionInfo(parts)
      return Promise.resolve(look({ world, journal, log, info }, view))
    },
    submit: (command) => {
      stage.driver.sync()
      const checked = checkEdit(command, stage.engine.world)
      return Promise.resolve(checked.ok ? stage.engine.submit(checked.value) : checked)
    },
    async createOrder(wish = {}) {
      const people = await everybody()
      stage.driver.sync()
      const { engine } = stage
      wishes ??= createChance(seed, 'wishes')
      const order = newOrder(wish, people, wishes, engine.now())
      if (!order.ok) return order
      const decision = engine.submit({ kind: 'order.create', order: order.value })
      return decision.ok ? ok({ orderId: order.value.id }) : decision
    },
    async step() {
      const taken = await stage.driver.step()
      return taken && agendaRow(taken.item, stage.engine.world)
    },
    setClock: (change) => Promise.resolve(stage.driver.setClock(change)),
    advance: (ms) => stage.driver.advance(ms),
    async reset(newSeed) {
      stage.driver.stop()
      seed = newSeed ?? seed
      population = undefined
      inhabitants = undefined
      wishes = undefined
      stage = raise()
      await begin()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    settle: () => stage.driver.settle(),
    onExchange: log.onExchange,
    facts: () => stage.engine.journal.after(0, Number.MAX_SAFE_INTEGER),
    async close() {
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
