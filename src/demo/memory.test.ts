/**
 * The durable store of the reference Software Service: events and orders survive a restart, and the store is bounded.
 */
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { minimalOrder } from '../../test/support/minimal-order.ts'
import {
  createOriginator,
  type Originator,
} from '../../test/support/scripted-ordering-application.ts'
import { createPlatform, type Platform } from '../../test/support/scripted-delivery-platform.ts'
import { createDurableStore } from './durable-store.ts'
import { createSoftwareService, type SoftwareService } from './software-service.ts'
import {
  createVirtualClock,
  type VirtualClock,
} from '../../test/support/reference/virtual-clock.ts'

const aFile = (): string => join(mkdtempSync(join(tmpdir(), 'reference-')), 'memory.ndjson')

interface World {
  readonly clock: VirtualClock
  readonly originator: Originator
  readonly platform: Platform
  readonly service: (file: string) => SoftwareService
}

function aWorld(): World {
  const clock = createVirtualClock()
  const originator = createOriginator()
  const platform = createPlatform()
  return {
    clock,
    originator,
    platform,
    service(memory) {
      const service = createSoftwareService({
        partner: 'http://ordering-application.test',
        platform: 'http://delivery-platform.test',
        base: 'http://software-service.test',
        clock,
        memory,
        fetch: (request) =>
          request.url.startsWith('http://delivery-platform.test')
            ? platform.fetch(request)
            : originator.fetch(request),
      })
      service.start()
      return service
    },
  }
}

test('a restarted service resumes its orders and repeats no call', async () => {
  const { clock, originator, platform, service } = aWorld()
  const file = aFile()
  originator.script('preparing', () => ({ status: 202 }))
  const first = service(file)
  originator.place(minimalOrder('o-1'))
  await clock.advance(5000)
  await first.stop()
  expect(originator.pending).toEqual([])
  expect(platform.names()).toEqual(['availability', 'create', 'get'])

  originator.script('preparing')
  const second = service(file)
  await clock.advance(60_000)
  expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
  expect(originator.callsOf('confirm')).toHaveLength(1)
  expect(platform.names().filter((name) => name === 'create')).toHaveLength(1)
  await second.stop()
})

test('an order cancelled while the service was down has its delivery cancelled after the restart', async () => {
  const { clock, originator, platform, service } = aWorld()
  const file = aFile()
  originator.script('preparing', () => ({ status: 202 }))
  const first = service(file)
  originator.place(minimalOrder('o-1'))
  await clock.advance(5000)
  await first.stop()
  originator.change('o-1', { status: 'CONCLUDED' })

  const second = service(file)
  await clock.advance(60_000)
  expect(platform.names()).toContain('cancel')
  expect(second.view('o-1')).toMatchObject({ status: 'CONCLUDED', delivery: { state: 'undone' } })
  await second.stop()
})

test('without a file a restarted service has no state', async () => {
  const { clock, originator, service } = aWorld()
  const first = service(aFile())
  originator.place(minimalOrder('o-1', 'TAKEOUT'))
  await clock.advance(2000)
  await first.stop()
  const second = service(aFile())
  expect(second.view('o-1')).toBeUndefined()
  await second.stop()
})

test('an incomplete last line is ignored, and evicted entries are dropped from the file', () => {
  const file = aFile()
  const first = createDurableStore({ file, maxProcessed: 2 })
  for (const key of ['a', 'b', 'c']) first.markProcessed(key)
  first.saveOrder({ orderId: 'o-1', status: 'CREATED' })
  first.saveOrder({ orderId: 'o-1', status: 'CONFIRMED' })
  appendFileSync(file, '{"order":{"orderId":"o-1","status":"PREP')

  const second = createDurableStore({ file, maxProcessed: 2 })
  expect(second.orders()).toEqual([{ orderId: 'o-1', status: 'CONFIRMED' }])
  expect([second.isProcessed('a'), second.isProcessed('b'), second.isProcessed('c')]).toEqual([
    false,
    true,
    true,
  ])
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3)
})

test('without room for another open order, events stay unacknowledged', async () => {
  const clock = createVirtualClock()
  const originator = createOriginator()
  originator.script('confirm', () => ({ status: 202 }))
  const service = createSoftwareService({
    partner: 'http://ordering-application.test',
    base: 'http://software-service.test',
    clock,
    maxOrders: 2,
    fetch: originator.fetch,
  })
  service.start()
  for (const id of ['o-1', 'o-2', 'o-3']) originator.place(minimalOrder(id, 'TAKEOUT'))
  await clock.advance(20_000)
  expect(originator.pending.map(({ orderId }) => orderId)).toEqual(['o-3'])

  originator.script('confirm')
  await clock.advance(90_000)
  expect(originator.orders.get('o-3')?.status).toBe('DELIVERED')
  await service.stop()
})
