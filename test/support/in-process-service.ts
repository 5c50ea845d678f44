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
  /** Ends it as SIGKILL ends a process: what it waits for never comes, and what it was asked is not answered. */
  readonly kill: () => void
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

const networkError = (code: string): Error => Object.assign(new Error(code), { code })

const never = <Value>(): Promise<Value> => new Promise(() => undefined)

/** What a service waits for, until it dies: then nothing of it comes. */
export function createMortalLife() {
  const life = new AbortController()
  const death = Promise.withResolvers<never>()
  death.promise.catch(() => undefined)
  const outlived = async <Value>(work: Promise<Value>): Promise<Value> => {
    const [settled] = await Promise.allSettled([work])
    if (life.signal.aborted) return never()
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }
  return {
    died: death.promise,
    end() {
      // Its connections end with it.
      life.abort()
      death.reject(networkError('ECONNRESET'))
    },
    guarded: (clock: Clock, fetch: (request: Request) => Promise<Response>) => ({
      clock: {
        ...clock,
        sleep: (ms: number, enough?: AbortSignal) => outlived(clock.sleep(ms, enough)),
      },
      fetch(request: Request) {
        if (life.signal.aborted) return never<Response>()
        const signal = AbortSignal.any([request.signal, life.signal])
        return outlived(fetch(new Request(request, { signal })))
      },
    }),
  }
}

export function createInProcessService(options: InProcessServiceOptions = {}): InProcessService {
  const { channel = 'polling', defects, pace, delivers, serviceClock, memory } = options
  let service: SoftwareService | undefined
  let died: Promise<never> | undefined
  let isDead = false
  return {
    async fetch(request) {
      if (isDead) throw networkError('ECONNREFUSED')
      const answer = service?.fetch(request)
      return (
        (await (died && answer ? Promise.race([answer, died]) : answer)) ??
        new Response(null, { status: 503 })
      )
    },
    start(session, fetch = session.fetch) {
      // Only one that may die waits through it: in virtual time a turn more would decide what comes first.
      const life = memory === undefined ? undefined : createMortalLife()
      died = life?.died
      isDead = false
      const running = createSoftwareService({
        partner: session.urls.get('ordering-application') ?? '',
        platform: delivers ? session.urls.get('delivery-platform') : undefined,
        base: serviceUrl,
        channel,
        ...(life
          ? life.guarded(serviceClock ?? session.clock, fetch)
          : { clock: serviceClock ?? session.clock, fetch }),
        ...compact({ defects, pace, memory }),
      })
      service = running
      running.start()
      return {
        service: running,
        kill() {
          isDead = true
          life?.end()
        },
        async [Symbol.asyncDispose]() {
          const stopped = running.stop()
          await session.advance(0)
          await stopped
        },
      }
    },
  }
}
