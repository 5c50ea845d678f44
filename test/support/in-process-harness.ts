/**
 * The in-process harness: a session and the reference Software Service in one process, on the virtual clock of the
 * session. The same seed gives the same journal. Used by tests of faults, invariants and scenarios.
 */
import { compact } from '../../src/core/base/compact.ts'
import type { SoftwareService } from '../../src/demo/software-service.ts'
import type { Verdict } from '../../src/core/rules/invariants/verdict.ts'
import type { OrderType } from '../../src/core/protocol/orders/order.ts'
import type { Session } from '../../src/core/session-api/session.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'
import type { Judge } from '../../src/core/rules/invariants/judge/judge.ts'
import { prepareSession } from '../../src/core/session/session.ts'
import {
  createInProcessService,
  type InProcessServiceOptions,
  serviceCapabilities,
  servicePaths,
  serviceUrl,
} from './in-process-service.ts'
import { createTestJudge } from './judge-fixture.ts'
import { createV1Wire } from './v1-wire.ts'

export interface HarnessOptions extends InProcessServiceOptions {
  readonly seed?: number
  /** Stands between the service and the session. */
  readonly wire?: Wire
  /** The service and its partner speak V1. */
  readonly speaks?: 'v1'
  readonly faults?: NonNullable<SessionOptions['faults']>
  readonly session?: SessionOptions
  /** Further judges of the same run, each as if Sparring had been so many milliseconds late at all times. */
  readonly lags?: readonly number[]
}

/** Sees every call of the service, and passes it on or answers it itself. */
export type Wire = (
  request: Request,
  next: Session['fetch'],
  clock: Session['clock'],
) => Promise<Response>

export interface InProcessHarness extends AsyncDisposable {
  readonly session: Session
  readonly service: SoftwareService
  /** Creates an order; resolves with its id. */
  readonly order: (type?: OrderType) => Promise<string>
  /** Makes the service request a cancellation; resolves with the status code of the reply. */
  readonly requestCancellation: (orderId: string) => Promise<number | undefined>
  /** Advances the virtual time by `ms`. */
  readonly pass: (ms: number) => Promise<void>
  /** The status of an order in the session. */
  readonly status: (orderId: string) => Promise<string | undefined>
  /** Ends all faults, lets the tolerance of the judge elapse, and returns all verdicts. */
  readonly judgeAll: () => Promise<readonly Verdict[]>
  /** The verdicts of the judges with a lag, by that lag, after probing the service. */
  readonly judgeWithLags: () => Promise<ReadonlyMap<number, readonly Verdict[]>>
  /** Ends the process of the service and starts another, which knows what is in its `memory` alone. */
  readonly restartSubject: () => Promise<void>
}

/** Its tokens and webhooks are those of the reference service. */
const v1Session = {
  dialect: 'v1',
  capabilities: {},
  conduct: { webhookAccess: 'bearer' },
  protocol: { scopePrefix: 'proto' },
} as const satisfies SessionOptions

export async function openHarness(options: HarnessOptions = {}): Promise<InProcessHarness> {
  const { seed = 1, channel = 'polling', delivers = false, session: theirs, lags = [] } = options
  const isV1 = options.speaks === 'v1'
  const { wire = isV1 ? createV1Wire() : (request, next) => next(request) } = options
  const subject = createInProcessService(options)
  const judges = new Map<number, Judge>()
  const input: SessionOptions = {
    seed,
    clock: 'virtual',
    automatic: false,
    as: 'software-service',
    subject: servicePaths,
    handler: subject.fetch,
    listen: false,
    capabilities: serviceCapabilities(delivers),
    counterparts: { 'ordering-application': { channel, deliveries: false } },
    ...compact({ faults: options.faults }),
    ...(isV1 ? v1Session : {}),
    // One that remembers in a file can be ended at any message.
    ...(options.memory === undefined
      ? {}
      : { service: { end: () => started.kill(), start: () => void (started = startSubject()) } }),
    ...theirs,
  }
  const session = await prepareSession(input, undefined, {
    onWorldCreated({ engine }) {
      for (const ms of lags) {
        const judge = createTestJudge({ engine, now: engine.now, lag: { between: () => ms } })
        engine.onFact((entry) => judge.fact(entry))
        judges.set(ms, judge)
      }
    },
  })
  for (const judge of judges.values())
    session.onExchange((exchange, span) => judge.exchange(exchange, span))
  await Promise.all([session.begin(), session.loadFaults()])
  const startSubject = () =>
    subject.start(session, (request) => wire(request, session.fetch, session.clock))
  let started = startSubject()
  return {
    session,
    get service() {
      return started.service
    },
    async order(type = 'DELIVERY') {
      const made = await session.createOrder({ type })
      if (!made.ok) throw new Error(made.error.message)
      return made.value.orderId
    },
    requestCancellation(orderId) {
      session.asked(orderId)
      for (const judge of judges.values()) judge.operatorRequestedCancellation(orderId)
      return started.service.requestCancellation(orderId)
    },
    pass: (ms) => session.advance(ms),
    status: async (orderId) => (await session.look({ orderId })).order?.row.status,
    async judgeAll() {
      await session.submit({ kind: 'fault.end' })
      await session.advance(125_000)
      return session.judge()
    },
    async judgeWithLags() {
      for (const judge of judges.values())
        for (const { orderId } of judge.tracker.orders.values()) {
          const answer = await started.service.fetch(
            new Request(`${serviceUrl}/probe/orders/${orderId}`),
          )
          const { status } = answer.ok ? ((await answer.json()) as { status?: string }) : {}
          judge.probe({ orderId, status, at: judge.tracker.now })
          const counted = await started.service.fetch(
            new Request(`${serviceUrl}/probe/orders/${orderId}/effects`),
          )
          const { tickets = 0 } = (await counted.json()) as { tickets?: number }
          judge.effects({
            orderId,
            at: judge.tracker.now,
            counts: [{ kind: 'tickets', count: tickets, mayRepeat: false, evenIfCancelled: false }],
            failures: {},
          })
        }
      return new Map([...judges].map(([ms, judge]) => [ms, judge.verdicts()]))
    },
    async restartSubject() {
      if (options.memory !== undefined) {
        // Its control ends it and starts it.
        await session.submit({ kind: 'session.end-subject', signal: 'TERM' })
        await session.submit({ kind: 'session.renew-subject' })
        return
      }
      await started[Symbol.asyncDispose]()
      await session.submit({ kind: 'session.renew-subject' })
      started = startSubject()
    },
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]()
      await session.close()
    },
  }
}
