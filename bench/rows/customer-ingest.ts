/**
 * Customers pushed to the CRM, one per call, half of them new and half updated, with the effects of each; and listing
 * pages of 50 out of 1000 customers.
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

/** Customers that are sent as one batch. */
const poolSize = 2500

/** Customers in the list, and per page. */
const listed = 1000
const pageSize = 50

/** A page costs as much as ten small replies: fewer of them are requested. */
const pageCostFactor = 10

/** The n-th customer of a run, in its first or its updated version. */
function customer(index: number, version: 'first' | 'second' = 'first', more: object = {}) {
  const isFirst = version === 'first'
  const updatedAt = isFirst ? '2026-01-05T14:00:00.000Z' : '2026-01-06T09:30:00.000Z'
  const id = `customer-${index}`
  return {
    id,
    identifier: { type: 'document', value: String(10_000_000_000 + index) },
    externalIds: [`app:${id}`],
    name: isFirst ? 'Ana Souza' : 'Ana Souza Lima',
    contacts: {
      email: `${id}@example.com`,
      phone: isFirst ? '+5511999990000' : '+5511999990001',
    },
    demographics: { birthDate: '1990-04-01' },
    address: { street: 'Rua Harmonia, 12', city: 'São Paulo', postalCode: '05435-000' },
    consent: { marketing: isFirst, updatedAt },
    createdAt: '2026-01-05T14:00:00.000Z',
    updatedAt,
    ...more,
  }
}

const ingest = (sent: object): LoadRequest =>
  mutationRequest('/v1/customer/customers:ingest', { customer: sent })

const page = (number: number, query = ''): LoadRequest => ({
  method: 'GET',
  path: `/v1/customer/customers?page=${number}&pageSize=${pageSize}${query}`,
})

/**
 * Sends customers, beginning with the number `from`, each in both versions, one pool at a time; returns the mean cost.
 */
async function ingestCustomers(
  bench: BenchContext,
  server: StartedChild,
  from: number,
  customers: number,
) {
  let total = 0
  for (let first = from; first < from + customers; first += poolSize) {
    const size = Math.min(poolSize, from + customers - first)
    for (const version of ['first', 'second'] as const) {
      const shots = createRequests(size, (index) => ingest(customer(first + index, version)))
      total += (await cpuPerRequest(bench, server, shots, 202)) * size
    }
  }
  return total / (customers * 2)
}

async function measure(bench: BenchContext, server: StartedChild) {
  const { warmUp, measured } = bench.sizes
  await ingestCustomers(bench, server, 0, listed)
  await callChild(server.child, 'calm', {})
  const pages = listed / pageSize
  const list = await warmedUpCost(bench, server, (index) => page((index % pages) + 1), [
    Math.ceil(warmUp / pageCostFactor),
    Math.ceil(measured / pageCostFactor),
  ])
  await ingestCustomers(bench, server, listed, Math.ceil(warmUp / 2))
  const from = listed + warmUp
  const one = await ingestCustomers(bench, server, from, Math.ceil(measured / 2))
  return { 'POST a customer': one, 'GET a page of 50': list }
}

export const customerIngest = createCapabilityRow({
  name: 'customer-ingest',
  capability: 'customer',
  parts: ['POST a customer', 'GET a page of 50'],
  target: { atLeast: 0.8 },
  async probe({ call, waitUntilIdle: calm }) {
    const ana = ingest(customer(1))
    await call(ana)
    await call(ana)
    await call(ingest(customer(2)))
    await calm()
    await call(page(1))
    await call(ingest(customer(1, 'second')))
    await calm()
    await call(page(1))
    // An outdated version is ignored; the customer is found by its identifier, even under another id.
    await call(ingest(customer(1, 'first', { id: 'another', externalIds: [] })))
    await call(ingest(customer(1, 'second', { id: 'another', externalIds: ['web:7'] })))
    await calm()
    await call(page(1))
    await call(page(2))
    await call(page(1, '&updatedFrom=2026-01-06T00:00:00Z&updatedTo=2026-01-07T00:00:00Z'))
    await call(page(1, '&updatedFrom=2025-01-06T00:00:00Z&updatedTo=2026-01-07T00:00:00Z'))
    await call(page(0))
    await call(ingest({ name: 'nobody' }))
    await call(ingest(customer(3, 'first', { identifier: { type: 'star', value: '1' } })))
    await call({ ...ana, body: '{"customer":' })
    await call(ingest(customer(4)), 'somebody-else')
  },
  measure,
})
