/** The reference Software Service in this process, as the subject of a session on virtual time. */
import { compact } from '../../src/core/base/compact.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import type { Pace } from '../../src/demo/pace.ts'
import type { Clock } from '../../src/demo/clock.ts'
import { createSoftwareService, type SoftwareService } from '../../src/demo/software-service.ts'
import type { Session } from '../../src/core/session-api/session.ts'

export interface InProcessServiceOptions {
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly defects?: readonly DefectName[]
  readonly pace?: Partial<Pace>
  /** Adds a Delivery Platform, which the service uses for DELIVERY orders. */
  readonly delivers?: boolean
  /** Its clock; that of the session when absent. */
  readonly serviceClock?: Clock
  /** File of what outlasts its process. */
  readonly memory?: string
}

/** A base URL for the service that is never resolved. */
export const serviceUrl = 'http://software-service.test'

/** Its paths, as the subject of a configuration. */
export const servicePaths = {
  probe: '/probe/orders/{orderId}',
  effects: { tickets: '/probe/orders/{orderId}/effects' },
  webhooks: { orders: '/webhooks/orders', delivery: '/webhooks/delivery' },
} as const

export const serviceCapabilities = (delivers: boolean) => ({
  indoor: false,
  customer: false,
  reviews: false,
  loyalty: false,
  logistics: delivers,
})

export interface StartedService extends AsyncDisposable {
  readonly service: SoftwareService
}

export interface InProcessService {
  /** Answers 503 until it is started. */
  readonly fetch: (request: Request) => Promise<Response>
  /** `fetch` stands between the service and the session. */
  readonly start: (
    session: Pick<Session, 'advance' | 'clock' | 'fetch' | 'urls'>,
    fetch?: Session['fetch'],
  ) => StartedService
}

export function createInProcessService(options: InProcessServiceOptions = {}): InProcessService {
  const { channel = 'polling', defects, pace, delivers, serviceClock, memory } = options
  let service: SoftwareService | undefined
  return {
    fetch: async (request) =>
      (await service?.fetch(request)) ?? new Response(null, { status: 503 }),
    start(session, fetch = session.fetch) {
      const running = createSoftwareService({
        partner: session.urls.get('ordering-application') ?? '',
        platform: delivers ? session.urls.get('delivery-platform') : undefined,
        base: serviceUrl,
        channel,
        clock: serviceClock ?? session.clock,
        fetch,
        ...compact({ defects, pace, memory }),
      })
      service = running
      running.start()
      return {
        service: running,
        async [Symbol.asyncDispose]() {
          const stopped = running.stop()
          await session.advance(0)
          await stopped
        },
      }
    },
  }
}
