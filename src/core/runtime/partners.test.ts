/**
 * A counterpart's manifest over time: read again when stale, followed when it changes, and kept or dropped when it
 * fails.
 */
import { describe, expect, test } from 'vitest'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import {
  openSoftwareServiceSession,
  type SoftwareServiceSession,
} from '../../../test/support/software-service-session.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'

const minute = 60_000

/** The same manifest with another Cache-Control. */
const keptFor = (store: SoftwareServiceSession, cacheControl?: string): void =>
  store.originator.script('manifest', () => ({
    status: 200,
    body: store.originator.manifest(),
    ...(cacheControl === undefined ? {} : { headers: { 'cache-control': cacheControl } }),
  }))

const pausesOf = (times: readonly number[]): readonly number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? 0))

describe('a stale manifest', () => {
  test.each([
    ['what it says', 'public, max-age=120', 2 * minute],
    ['a minute at least', 'max-age=5', minute],
    ['a minute, where it must not be kept', 'no-store', minute],
    ['a day at most', 'public, max-age=31536000', 24 * 60 * minute],
    ['five minutes, where it says nothing', undefined, 5 * minute],
  ])(
    '[DIS-WKN-07, LIM-DIS-01, DIS-GEN-02] is read again after %s',
    async (_what, cacheControl, pause) => {
      // Without polls, which would fill the journal of a day.
      await using store = await openSoftwareServiceSession({
        counterparts: { 'ordering-application': { channel: 'webhook' } },
      })
      keptFor(store, cacheControl)
      await store.pass(3 * pause + 1000)
      const pauses = pausesOf(store.times('getManifest'))
      expect(pauses).toEqual([pause, pause, pause])
      expect(store.facts('partner.accepted')).toHaveLength(1)
      expect(store.facts('partner.unchanged')).toHaveLength(3)
      // A manifest without a lifetime is not read again.
      expect(store.originator.callsOf('merchants')).toHaveLength(1)
    },
  )

  test('[DIS-GEN-02] does not keep a session from settling', async () => {
    await using store = await openSoftwareServiceSession()
    store.originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.session.settle()
    expect(store.originator.orders.get('o-1')?.status).toBe('DELIVERED')
  })

  test('[TRN-CON-05, DIS-GEN-02] takes effect as it is now: calls go to its new endpoints', async () => {
    await using store = await openSoftwareServiceSession()
    await store.pass(minute)
    const [orders] = store.originator.manifest()['capabilities'] as object[]
    const moved = { ...orders, endpoint: 'http://ordering-application.test/api/v9' }
    store.originator.script('manifest', () => ({
      status: 200,
      body: { ...store.originator.manifest(), capabilities: [moved] },
    }))
    await store.pass(5 * minute)
    expect(store.facts('partner.changed')).toHaveLength(1)
    const polls = store.originator.calls.filter(({ url }) => url.includes('polling'))
    expect(polls.at(0)?.url).toBe('http://ordering-application.test/events:polling')
    expect(polls.at(-1)?.url).toBe('http://ordering-application.test/api/v9/events:polling')
  })

  test('[ORD-ITM-06, DIS-GEN-02] removes what it no longer declares', async () => {
    await using store = await openSoftwareServiceSession()
    await store.pass(minute)
    const without = JSON.parse(
      JSON.stringify(store.originator.manifest()).replace(',"partialItemCancellation"', ''),
    ) as unknown
    store.originator.script('manifest', () => ({ status: 200, body: without }))
    await store.pass(5 * minute)
    store.originator.place(minimalOrder('o-1'))
    await store.pass(minute)
    const answer = await store.session.submit({
      kind: 'ticket.cancel-item',
      orderId: 'o-1',
      itemId: 'i-1',
      cancellation: {},
    })
    expect(answer.ok).toBe(false)
  })
})

describe('a manifest that becomes invalid', () => {
  test('[DIS-GEN-02] stops every business call; pending work is done when it is valid again', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    await store.pass(minute)
    const usual = originator.callsOf('poll').length
    originator.script('manifest', () => ({ status: 200, body: { participantId: 'broken' } }))
    await store.pass(5 * minute)
    expect(store.facts('partner.rejected').length).toBeGreaterThan(0)
    const before = originator.calls.length
    originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.push(originator.announce('o-2', 'CREATED', { lost: true }))
    await store.pass(10 * minute)
    expect(new Set(originator.calls.slice(before).map(({ name }) => name))).toEqual(
      new Set(['manifest']),
    )
    expect(store.facts('call.postponed').length).toBeGreaterThan(0)
    originator.script('manifest')
    await store.pass(minute)
    expect(store.facts('partner.restored')).toHaveLength(1)
    await store.pass(2 * minute)
    expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
    expect(originator.callsOf('order', 'o-2').length).toBeGreaterThan(0)
    // Exactly one poll loop, as before.
    const polls = originator.callsOf('poll').length
    await store.pass(minute)
    expect(Math.abs(originator.callsOf('poll').length - polls - usual)).toBeLessThan(usual / 4 + 2)
    expect(store.facts('partner.accepted')).toHaveLength(1)
  })

  test.each([
    ['is gone', 404],
    ['is a redirect', 302],
  ] as const)(
    '[DIS-GEN-02, DIS-WKN-05] stops them too when it %s and required',
    async (_what, status) => {
      await using store = await openSoftwareServiceSession({ conduct: { manifest: 'require' } })
      await store.pass(minute)
      store.originator.script('manifest', () => ({ status, headers: { location: '/x' } }))
      await store.pass(5 * minute)
      const { length } = store.originator.callsOf('poll')
      await store.pass(5 * minute)
      expect(store.originator.callsOf('poll')).toHaveLength(length)
    },
  )

  test('[DIS-GEN-02, MIG-VER-03] stops them too when its version changes', async () => {
    await using store = await openSoftwareServiceSession()
    await store.pass(minute)
    const other = { ...store.originator.manifest(), protocol: { supportedVersions: ['v3'] } }
    store.originator.script('manifest', () => ({ status: 200, body: other }))
    await store.pass(5 * minute)
    expect(store.facts('partner.rejected')[0]?.because).toContain('speaks v3')
  })

  test('[TRN-STA-11, TRN-STA-12] has no effect while it cannot be read: the last one stays in force', async () => {
    await using store = await openSoftwareServiceSession()
    await store.pass(minute)
    store.originator.script('manifest', () => ({ status: 503 }))
    store.originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.pass(20 * minute)
    expect(store.facts('partner.rejected')).toEqual([])
    expect(store.facts('partner.unchanged')[0]?.because).toContain('503')
    expect(store.originator.orders.get('o-1')?.status).toBe('DELIVERED')
  })

  test('[DIS-GEN-02, ORD-CHN-01] holds back webhooks, which are sent in order afterwards', async () => {
    let published = true
    await using receiver = await openReceiver({ published: () => published })
    await using wire = await openOrdersWire({
      subject: { url: receiver.url },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
      conduct: { manifest: 'require' },
    })
    const first = await wire.create()
    await wire.pass(1000)
    published = false
    await wire.pass(5 * minute)
    const later = [await wire.create(), await wire.create()]
    await wire.pass(5 * minute)
    expect(receiver.received.map(({ event }) => event.orderId)).toEqual([first])
    published = true
    await wire.pass(minute)
    expect(receiver.received.map(({ event }) => event.orderId)).toEqual([first, ...later])
  })
})

describe('names and versions of V1', () => {
  test('[MIG-ORD-10] are understood, and noted', async () => {
    await using store = await openSoftwareServiceSession()
    const [orders] = store.originator.manifest()['capabilities'] as object[]
    const listed = { ...orders, operations: ['sendPreparing', 'sendTracking', 'getOrder'] }
    store.originator.script('manifest', () => ({
      status: 200,
      body: { ...store.originator.manifest(), capabilities: [listed] },
    }))
    await store.pass(1000)
    const [accepted] = store.facts('partner.accepted')
    expect(accepted?.manifest.capabilities['orders']?.operations).toEqual([
      'setOrderPreparing',
      'sendOrderTracking',
      'getOrder',
    ])
    expect(accepted?.manifest.notices).toEqual([
      'orders declares sendPreparing, which is setOrderPreparing in V2',
      'orders declares sendTracking, which is sendOrderTracking in V2',
    ])
  })

  test.each([
    [undefined, 'v2'],
    ['2.0.0', '2.0.0'],
    ['V2', 'V2'],
  ])('[MIG-UND-01] our own manifest declares %s as %s', async (configured, declared) => {
    const protocol = configured === undefined ? {} : { protocol: { version: configured } }
    await using store = await openSoftwareServiceSession(protocol)
    const answer = await store.session.fetch(
      new Request('http://software-service.test/.well-known/protocol'),
    )
    expect(await answer.json()).toMatchObject({
      protocolVersion: declared,
      protocol: { supportedVersions: [declared] },
    })
  })

  test.each(['2.0.0', 'V2', 'v2.0.0-rc.2', '2'])(
    '[MIG-UND-01, MIG-VER-03] %s is accepted as a common version',
    async (version) => {
      await using store = await openSoftwareServiceSession()
      const body = {
        ...store.originator.manifest(),
        protocolVersion: version,
        protocol: { supportedVersions: [version] },
      }
      store.originator.script('manifest', () => ({ status: 200, body }))
      await store.pass(1000)
      expect(store.facts('partner.accepted')).toHaveLength(1)
    },
  )
})
