/**
 * Replays by decisions (redrive) against the reference Software Service in this process, with fresh ids and on virtual
 * time.
 */
import type { DefectName } from '../../src/demo/defects.ts'
import { createSoftwareService, type SoftwareService } from '../../src/demo/software-service.ts'
import { type DecisionsReplay, replayRecording } from '../../src/session/replay/library.ts'
import type { ReplayReport } from '../../src/traffic/replay/replay-report.ts'

export interface RedriveHarnessOptions extends Pick<
  DecisionsReplay,
  'timing' | 'onStep' | 'onWarning' | 'seed' | 'signal' | 'settle'
> {
  readonly defects?: readonly DefectName[]
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly delivers?: boolean
  /** Mean time of one step of an order, in ms. */
  readonly thinkMs?: number
}

/** A base URL for the service that is never resolved. */
const serviceUrl = 'http://software-service.test'

export async function redriveInProcess(
  recording: DecisionsReplay['recording'],
  options: RedriveHarnessOptions = {},
): Promise<ReplayReport> {
  const { defects = [], channel = 'polling', delivers = false, thinkMs, ...replay } = options
  let service: SoftwareService | undefined
  return replayRecording({
    driver: 'partner',
    seed: 4711,
    ...replay,
    recording,
    to: async (request) => (await service?.fetch(request)) ?? new Response(null, { status: 503 }),
    subject: {
      probe: '/probe/orders/{orderId}',
      webhooks: { orders: '/webhooks/orders', delivery: '/webhooks/delivery' },
    },
    asks: { cancellation: '/probe/orders/{orderId}/request-cancellation' },
    connect(session) {
      const running = createSoftwareService({
        partner: session.urls.get('ordering-application') ?? '',
        platform: delivers ? session.urls.get('delivery-platform') : undefined,
        base: serviceUrl,
        channel,
        clock: session.clock,
        fetch: (request: Request) => session.fetch(request),
        defects,
        ...(thinkMs === undefined ? {} : { pace: { thinkMs } }),
      })
      service = running
      running.start()
      return {
        async [Symbol.asyncDispose]() {
          const stopped = running.stop()
          await session.advance(0)
          await stopped
        },
      }
    },
  })
}
