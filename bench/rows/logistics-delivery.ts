/**
 * A delivery as its consumer requests it: availability, creation, and the assignment of a courier; and reading a
 * delivery whose courier is on the way.
 */
import type { StartedChild } from '../child-processes.ts'
import { callChild } from '../ipc.ts'
import type { LoadRequest } from '../load/jobs.ts'
import type { BenchContext } from '../row.ts'
import {
  mutationRequest,
  createCapabilityRow,
  createRequests,
  warmedUpCost,
} from './capability-row.ts'
import { cpuPerRequest } from './server-cost.ts'

const store = {
  address: {
    street: 'Rua Augusta, 100',
    city: 'São Paulo',
    postalCode: '01305-000',
    coordinates: { latitude: -23.551, longitude: -46.656 },
  },
  contact: { name: 'Loja Um', phone: '+551190000001' },
}

/** A dropoff about three kilometres away; each is slightly farther than the one before. */
const home = (index: number) => ({
  address: {
    street: `Rua Harmonia, ${index}`,
    city: 'São Paulo',
    neighborhood: 'Vila Madalena',
    postalCode: '05435-000',
    coordinates: { latitude: -23.553, longitude: -46.688 - (index % 1000) / 100_000 },
  },
  contact: { name: 'Ana', phone: '+551190000002' },
})

const deliveryOf = (orderId: string, index: number) => ({
  orderId,
  merchant: { id: 'loja-1', name: 'Loja Um', ...store },
  pickup: store,
  dropoff: home(index),
})

const availability = (orderId: string, index: number, more: object = {}): LoadRequest => {
  const { merchant: _merchant, ...request } = deliveryOf(orderId, index)
  return mutationRequest('/logistics/availability', { ...request, ...more })
}

const creation = (orderId: string, index: number, more: object = {}): LoadRequest =>
  mutationRequest('/logistics/delivery', { ...deliveryOf(orderId, index), ...more })

const delivery = (orderId: string): LoadRequest => ({
  method: 'GET',
  path: `/logistics/delivery/${orderId}`,
})

/**
 * Requests availability and creation for `count` orders; returns the mean cost of both with the assignment, and the
 * order ids.
 */
async function createDeliveries(bench: BenchContext, server: StartedChild, count: number) {
  const orderIds = Array.from({ length: count }, () => crypto.randomUUID())
  const idOf = (index: number): string => orderIds[index] ?? ''
  const request = createRequests(count, (index) => availability(idOf(index), index))
  const created = createRequests(count, (index) => creation(idOf(index), index))
  const mean =
    (await cpuPerRequest(bench, server, request, 200)) +
    (await cpuPerRequest(bench, server, created, 202))
  return { mean, orderIds }
}

async function measure(bench: BenchContext, server: StartedChild) {
  const { warmUp, measured } = bench.sizes
  await createDeliveries(bench, server, warmUp)
  const { mean, orderIds } = await createDeliveries(bench, server, measured)
  await callChild(server.child, 'calm', {})
  const read = (index: number): LoadRequest => delivery(orderIds[index % 1000] ?? orderIds[0] ?? '')
  const get = await warmedUpCost(bench, server, read, [warmUp, measured])
  return { 'availability and creation': mean, 'GET a delivery': get }
}

export const logisticsDelivery = createCapabilityRow({
  name: 'logistics-delivery',
  capability: 'logistics',
  parts: ['availability and creation', 'GET a delivery'],
  target: { atLeast: 0.8 },
  async probe({ call, waitUntilIdle: calm }) {
    const created = creation('order-1', 1)
    await call(availability('order-1', 1))
    await call(created)
    await call(delivery('order-1'))
    await call(created)
    await call(creation('order-1', 1))
    await call(availability('order-2', 2))
    await call(creation('order-2', 2, { orderDisplayId: '4711', observations: 'no bell' }))
    await calm()
    await call(delivery('order-1'))
    await call(delivery('order-2'))
    await call(delivery('no-such-order'))
    const far = { address: { coordinates: { latitude: -22.9, longitude: -43.2 } } }
    await call(availability('order-3', 3, { dropoff: far }))
    await call(availability('order-3', 3, { dropoff: { address: { street: 'somewhere' } } }))
    await call(creation('order-3', 3, { pickup: 'here' }))
    await call(creation('', 3))
    await call({ ...created, body: '{"orderId":"order-1"}' })
    await call(creation('order-4', 4), 'somebody-else')
  },
  measure,
})
