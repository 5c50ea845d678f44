// @module-tag slow
/** The reference subjects in the process of a session, with virtual clocks on both sides and no socket. */
import { expect, test } from 'vitest'
import { ordersOnly } from '../../test/support/orders-only.ts'
import { createOrderingApplication } from './ordering-application.ts'
import type { ReferenceService } from './reference-options.ts'
import { createSoftwareService } from './software-service.ts'
import {
  createVirtualClock,
  type VirtualClock,
} from '../../test/support/reference/virtual-clock.ts'
import type { Session } from '../core/session-api/session.ts'
import { openSession } from '../core/session/open-session.ts'

/** Advances both clocks in steps shorter than any interval of either side. */
async function pass(session: Session, clock: VirtualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await session.advance(100)
    await clock.advance(100)
  }
}

const behaviours = ['prompt', 'slow', 'forgetful', 'hostile'] as const
const channels = ['polling', 'webhook', 'both'] as const

test.each(behaviours.flatMap((behaviour) => channels.map((how) => [behaviour, how] as const)))(
  'six orders complete in four virtual minutes with a %s counterpart and the channel %s',
  async (behaviour, channel) => {
    const clock = createVirtualClock()
    let service: ReferenceService | undefined
    await using session = await openSession({
      as: 'software-service',
      subject: (request) => service?.fetch(request) ?? Promise.reject(new Error('not there yet')),
      clock: 'virtual',
      capabilities: ordersOnly,
      counterparts: { 'ordering-application': { channel, behaviour } },
    })
    service = createSoftwareService({
      partner: session.urls.get('ordering-application') ?? '',
      base: 'http://software-service.test',
      clock,
      channel,
      fetch: session.fetch,
    })
    service.start()
    for (const type of ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const) {
      await session.createOrder({ type })
      await session.createOrder({ type })
    }
    await pass(session, clock, 240_000)
    const { orders } = await session.look({ orders: { limit: 10 } })
    expect(orders.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'CONCLUDED'))
    await service.stop()
  },
)

test('the same seed gives the same requests in the same order', async () => {
  async function wire(): Promise<readonly string[]> {
    const clock = createVirtualClock()
    const seen: string[] = []
    await using session = await openSession({
      as: 'ordering-application',
      subject: (request) => {
        const { pathname } = new URL(request.url)
        seen.push(`${clock.now()} ${request.method} ${pathname}`)
        return application.fetch(request)
      },
      clock: 'virtual',
      capabilities: { customer: false, logistics: false },
    })
    const application = createOrderingApplication({
      partner: session.urls.get('software-service') ?? '',
      base: 'http://ordering-application.test',
      clock,
      fetch: session.fetch,
    })
    application.start()
    for (const profile of ['DELIVERY', 'INDOOR'] as const) application.place(profile)
    await pass(session, clock, 30_000)
    await application.stop()
    return seen
  }
  const one = await wire()
  expect(one.length).toBeGreaterThan(40)
  expect(await wire()).toEqual(one)
})
