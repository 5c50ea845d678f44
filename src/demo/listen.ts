/**
 * A reference service on the machine's clock and a loopback socket. It listens before it works, so that its address is
 * known to a partner which has to be notified.
 */
import { machineClock, scaledClock } from './clock.ts'
import type { DefectName } from './defects.ts'
import { profiles } from './lifecycle.ts'
import { createOrderingApplication } from './ordering-application.ts'
import type { Pace } from './pace.ts'
import type { ReferenceOptions, ReferenceService } from './reference-options.ts'
import { serve } from './serve.ts'
import { createSoftwareService } from './software-service.ts'
import type { Credentials } from './token-cache.ts'

/** The roles that a reference service can play. */
export const demoRoles = ['software-service', 'ordering-application'] as const

export interface DemoServiceOptions {
  readonly as: (typeof demoRoles)[number]
  /** Base URL of the other side: the Ordering Application of a Software Service, and the other way round. */
  readonly partner: string
  /** Base URL of a Delivery Platform, which then delivers DELIVERY orders. */
  readonly platform?: string | undefined
  /** How a Software Service hears of orders. */
  readonly channel: 'polling' | 'webhook' | 'both'
  readonly defects: readonly DefectName[]
  readonly pace: Partial<Pace>
  /** Factor by which its clock runs faster. */
  readonly speed: number
  /** Number of orders that an Ordering Application places. */
  readonly orders: number
  /** Milliseconds between two of these orders. */
  readonly orderPauseMs: number
  /** File in which a Software Service remembers. */
  readonly memory?: string | undefined
  readonly credentials: Credentials
  /** The clients that may get a token from it: its partners; any client when absent. */
  readonly clients?: readonly Credentials[]
  /** Last segment of /.well-known/. */
  readonly protocol: string
  /** Receives one sentence per problem. */
  readonly complain: (sentence: string) => void
}

export interface DemoService {
  readonly url: string
  /** Begins to work; before, requests are answered with 503. */
  readonly start: (options: DemoServiceOptions) => void
  readonly stop: () => Promise<void>
}

/** Listens on a port of 127.0.0.1, a free one for 0; rejects when the port is taken. */
export async function listenAsDemo(port: number): Promise<DemoService> {
  let service: ReferenceService | undefined
  const serving = await serve(
    (request) => service?.fetch(request) ?? Promise.resolve(new Response(null, { status: 503 })),
    port,
  )
  const url = `http://127.0.0.1:${serving.port}`
  return {
    url,
    start(options) {
      service = serviceOf(options, url)
      service.start()
    },
    async stop() {
      await service?.stop()
      await serving.close()
    },
  }
}

function serviceOf(options: DemoServiceOptions, base: string): ReferenceService {
  const { as, channel, memory, speed } = options
  const clock = speed === 1 ? machineClock : scaledClock(machineClock, speed)
  const common: ReferenceOptions = { ...options, base, clock }
  if (as === 'software-service')
    return createSoftwareService({
      ...common,
      channel,
      ...(memory === undefined ? {} : { memory }),
    })
  const application = createOrderingApplication(common)
  let isRunning = true
  async function placeOrders(): Promise<void> {
    for (let number = 0; number < options.orders && isRunning; number++) {
      application.place(profiles[number % profiles.length] ?? 'DELIVERY')
      await clock.sleep(options.orderPauseMs)
    }
  }
  return {
    ...application,
    start() {
      application.start()
      void placeOrders()
    },
    async stop() {
      isRunning = false
      await application.stop()
    },
  }
}
