/**
 * A session and the reference Software Service in one process, on the session's virtual clock: no socket, no waiting, and
 * the same seed gives the same journal. What tests of faults, invariants and scenarios stand on.
 */
import { compact } from '../../src/compact.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import type { Pace } from '../../src/demo/pace.ts'
import { createSoftwareService, type SoftwareService } from '../../src/demo/software-service.ts'
import type { Verdict } from '../../src/invariants/verdict.ts'
import type { OrderType } from '../../src/protocol/orders/order.ts'
import type { Session } from '../../src/session-api/session.ts'
import type { SessionOptions } from '../../src/session/options.ts'
import { openSession } from '../../src/session/open-session.ts'

export interface DuelOptions {
  readonly seed?: number
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly defects?: readonly DefectName[]
  readonly pace?: Partial<Pace>
  /** A Delivery Platform is there, and the service has its DELIVERY orders delivered. */
  readonly delivers?: boolean
  readonly faults?: NonNullable<SessionOptions['faults']>
  readonly session?: SessionOptions
}

export interface Duel extends AsyncDisposable {
  readonly session: Session
  readonly service: SoftwareService
  /** Makes an order; answers its id. */
  readonly order: (type?: OrderType) => Promise<string>
  /** Has the service ask to cancel an order, because somebody wants it; resolves when that was answered. */
  readonly requestCancellation: (orderId: string) => Promise<number | undefined>
  /** Lets so much of the session's time pass. */
  readonly pass: (ms: number) => Promise<void>
  /** What an order is at the session. */
  readonly status: (orderId: string) => Promise<string | undefined>
  /** Ends all faults and lets pass what the judge grants; answers every verdict. */
  readonly judged: () => Promise<readonly Verdict[]>
}

/** The service as a name that no resolver knows. */
const own = 'http://software-service.test'

export async function openDuel(options: DuelOptions = {}): Promise<Duel> {
  const { seed = 1, channel = 'polling', delivers = false, session: theirs } = options
  let service: SoftwareService | undefined
  const session = await openSession({
    seed,
    clock: 'virtual',
    automatic: false,
    as: 'software-service',
    subject: {
      probe: '/probe/orders/{orderId}',
      webhooks: { orders: '/webhooks/orders', delivery: '/webhooks/delivery' },
    },
    handler: async (request) =>
      (await service?.fetch(request)) ?? new Response(null, { status: 503 }),
    listen: false,
    capabilities: {
      indoor: false,
      customer: false,
      reviews: false,
      loyalty: false,
      logistics: delivers,
    },
    counterparts: { 'ordering-application': { channel, deliveries: false } },
    ...compact({ faults: options.faults }),
    ...theirs,
  })
  const partner = session.urls.get('ordering-application') ?? ''
  const platform = delivers ? session.urls.get('delivery-platform') : undefined
  const running = createSoftwareService({
    partner,
    platform,
    base: own,
    channel,
    clock: session.clock,
    fetch: (request: Request) => session.fetch(request),
    ...compact({ defects: options.defects, pace: options.pace }),
  })
  service = running
  running.start()
  return {
    session,
    service: running,
    async order(type = 'DELIVERY') {
      const made = await session.createOrder({ type })
      if (!made.ok) throw new Error(made.error.message)
      return made.value.orderId
    },
    requestCancellation(orderId) {
      session.asked(orderId)
      return running.requestCancellation(orderId)
    },
    pass: (ms) => session.advance(ms),
    status: async (orderId) => (await session.look({ orderId })).order?.row.status,
    async judged() {
      await session.submit({ kind: 'fault.end' })
      await session.advance(125_000)
      return session.judge()
    },
    async [Symbol.asyncDispose]() {
      const stopped = running.stop()
      await session.advance(0)
      await stopped
      await session.close()
    },
  }
}
