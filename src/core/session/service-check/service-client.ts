/**
 * Calls the user's service as a session does, with its requests, tokens and signatures, but one call at a time and without
 * counterparts: nothing follows from an answer.
 */
import type { Configuration } from '../../session-api/configuration/schema.ts'
import { firstPartnerCommand, type PartnerPair } from '../../partners/counterparts/partners.ts'
import { manifestPairs } from '../../partners/counterparts/cast.ts'
import { ownMerchantsOf } from '../../session-api/configuration/own-merchants.ts'
import { wallNow } from '../../runtime/clock/clock.ts'
import { createPauses } from '../../runtime/clock/pauses.ts'
import { createDestinations } from '../../runtime/client/destinations.ts'
import { createExchanger } from '../../runtime/client/exchange.ts'
import { createOutboundCalls, type RequestEdit } from '../../runtime/client/outbound-calls.ts'
import { createSocketTransport } from '../../runtime/client/transport.ts'
import type { CallIntent, OutgoingCall } from '../../engine/calls/call.ts'
import type { Command } from '../../engine/command.ts'
import { createEngine, type Engine } from '../../engine/engine.ts'
import type { Role } from '../../protocol/role.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { createTrafficLog } from '../../traffic/log.ts'
import { castOptions } from '../reactors.ts'
import { engineSettings, playedRoles, reachableRoles } from '../settings.ts'
import { knownStores } from '../stores.ts'
import { startTls } from '../tls.ts'

/** What came of a call. */
export interface ServiceCallResult {
  /** Oldest first: a token request, the call, and the same call with a new token, each where it was made. */
  readonly exchanges: readonly Exchange[]
  /** Why the call was not sent, or has no reply. */
  readonly error?: Error
}

export interface ServiceClient {
  readonly engine: Pick<Engine, 'world' | 'settings'>
  /** The pairs of our roles and the service that deal with each other first. */
  readonly pairs: readonly PartnerPair[]
  /** Asks for the manifest, or goes without one, as the session would; the world knows the answer then. */
  readonly meet: (pair: PartnerPair) => Promise<ServiceCallResult>
  readonly call: (intent: CallIntent, edit?: RequestEdit) => Promise<ServiceCallResult>
  readonly close: () => void
}

/** `role` is that of the service. */
export async function createServiceClient(
  configuration: Configuration,
  role: Role,
): Promise<ServiceClient> {
  const { subject, counterparts, conduct, seed } = configuration
  const roles = playedRoles(configuration)
  const tls = await startTls({ ...configuration, tls: false })
  const sockets = createSocketTransport({ timeoutMs: conduct.answerTimeout, trust: tls?.trust })
  const log = createTrafficLog({})
  const exchanges: Exchange[] = []
  log.onExchange((exchange) => exchanges.push(exchange))
  const engine = createEngine({
    seed,
    settings: engineSettings(configuration, roles, knownStores([], ownMerchantsOf(configuration))),
    reactors: [],
    origin: wallNow(),
  })
  const outbound = createOutboundCalls({
    engine,
    destination: createDestinations({
      urls: new Map(),
      ownTransport: () => sockets.transport,
      socketTransport: sockets.transport,
      timeoutMs: conduct.answerTimeout,
      counterparts,
      subject,
    }),
    base: () => '',
    exchange: createExchanger({
      engine,
      log,
      pause: createPauses(engine),
      worldStopped: new AbortController().signal,
      usesSessionClock: () => false,
    }),
    subjectNow: wallNow,
  })
  /** Performs the next call that the engine places. */
  let perform: (call: OutgoingCall) => Promise<unknown> = outbound.make
  let performing: Promise<unknown> = Promise.resolve()
  engine.onFact(({ fact }) => {
    if (fact.kind === 'call.placed') performing = perform(fact.call)
  })

  async function submit(command: Command): Promise<ServiceCallResult> {
    const before = exchanges.length
    engine.submit(command, 'session')
    const error = await performing.then(
      () => undefined,
      (failed: unknown) => (failed instanceof Error ? failed : new Error(String(failed))),
    )
    return { exchanges: exchanges.slice(before), ...(error ? { error } : {}) }
  }

  return {
    engine,
    pairs: manifestPairs(
      castOptions(configuration, roles, reachableRoles(roles, configuration, undefined)),
    ).filter(({ to }) => to === role),
    meet(pair) {
      perform = outbound.make
      return submit(firstPartnerCommand(pair, engine.settings))
    },
    call(intent, edit) {
      perform = (call) => outbound.send(call, edit)
      return submit({ kind: 'call.place', call: intent })
    },
    close: sockets.close,
  }
}
