/**
 * The reference Ordering Application and a real session over sockets; the session plays the store, its accounts and the
 * platform.
 */
import type { SessionOptions } from '../../../src/core/session/options.ts'
import { machineClock, scaledClock } from '../../../src/demo/clock.ts'
import {
  createOrderingApplication,
  type OrderingApplication,
  type OrderingApplicationOptions,
} from '../../../src/demo/ordering-application.ts'
import { serve } from '../../../src/demo/listen.ts'
import { until } from './until.ts'
import type { Session } from '../../../src/core/session-api/session.ts'
import { openSession } from '../../../src/core/session/open-session.ts'

export interface ApplicationPair extends AsyncDisposable {
  readonly session: Session
  readonly application: OrderingApplication
  readonly url: string
  readonly until: typeof until
}

/** Speed of both clocks relative to the real one. */
const speed = 40

export async function openApplicationPair(
  own: Partial<OrderingApplicationOptions> & { readonly delivers?: boolean } = {},
  theirs: SessionOptions = {},
): Promise<ApplicationPair> {
  let application: OrderingApplication | undefined
  const serving = await serve(
    async (request) => (await application?.fetch(request)) ?? new Response(null, { status: 503 }),
    0,
  )
  const url = `http://127.0.0.1:${serving.port}`
  const session = await openSession({
    port: 0,
    clock: 'real',
    speed,
    capabilities: { customer: false, logistics: own.delivers === true },
    as: 'ordering-application',
    subject: url,
    ...theirs,
  })
  application = createOrderingApplication({
    partner: session.urls.get('software-service') ?? '',
    ...(own.delivers ? { platform: session.urls.get('delivery-platform') } : {}),
    base: url,
    clock: scaledClock(machineClock, speed),
    ...own,
  })
  application.start()
  const running = application
  return {
    session,
    application: running,
    url,
    until,
    async [Symbol.asyncDispose]() {
      await running.stop()
      await session.close()
      await serving.close()
    },
  }
}
