/**
 * Payments at tables, and reading the account that they belong to. Four guests pay their share of each account: one
 * account with thousands of payments would not be realistic.
 */
import { callChild } from '../ipc.ts'
import type { StartedChild } from '../child-processes.ts'
import type { LoadRequest } from '../load/jobs.ts'
import type { BenchContext } from '../row.ts'
import {
  mutationRequest,
  createCapabilityRow,
  createRequests,
  warmedUpCost,
} from './capability-row.ts'
import { cpuPerRequest } from './server-cost.ts'

const guests = 4

/** Accounts that are paid as one batch. */
const poolSize = 1250

const tableQuery = (table: string): string => `operationMode=TABLE&identifier=${table}`
const account = (table: string): LoadRequest => ({
  method: 'GET',
  path: `/accounts?${tableQuery(table)}`,
})

const pay = (table: string, amount: number, more: object = {}): LoadRequest =>
  mutationRequest(`/accounts/payments?${tableQuery(table)}`, {
    amount,
    methodInfo: { method: 'CREDIT_CARD', brand: 'VISA', nsu: '123456789' },
    ...more,
  })

type Tables = readonly string[]

/** Creates tables with an open account each, in pools. All are created before the first is called: that is not measured. */
async function createTables(server: StartedChild, count: number): Promise<readonly Tables[]> {
  const pools: Tables[] = []
  for (let left = count; left > 0; left -= poolSize)
    pools.push(await callChild(server.child, 'create', { count: Math.min(left, poolSize) }))
  await callChild(server.child, 'calm', {})
  return pools
}

/** Sends four payments for each account, one pool of accounts at a time; returns the mean cost. */
async function measurePayments(
  bench: BenchContext,
  server: StartedChild,
  pools: readonly Tables[],
): Promise<number> {
  let total = 0
  for (const tables of pools) {
    const shots = createRequests(tables.length * guests, (index) =>
      pay(tables[index % tables.length] ?? '', 1.25),
    )
    total += (await cpuPerRequest(bench, server, shots, 200)) * tables.length
  }
  return total / pools.flat().length
}

async function measure(bench: BenchContext, server: StartedChild) {
  const { warmUp, measured } = bench.sizes
  const tables = (await createTables(server, Math.min(1000, measured))).flat()
  const warmUpTables = await createTables(server, Math.ceil(warmUp / guests))
  const paidTables = await createTables(server, Math.ceil(measured / guests))
  const read = (index: number): LoadRequest => account(tables[index % tables.length] ?? '')
  const get = await warmedUpCost(bench, server, read, [warmUp, measured])
  await measurePayments(bench, server, warmUpTables)
  return {
    'POST a payment': await measurePayments(bench, server, paidTables),
    'GET its account': get,
  }
}

export const indoorPayment = createCapabilityRow({
  name: 'indoor-payment',
  capability: 'indoor',
  parts: ['POST a payment', 'GET its account'],
  target: { atLeast: 0.8 },
  async probe({ call, waitUntilIdle: calm, create }) {
    const [table = ''] = await create(1)
    await calm()
    await call(account(table))
    const payment = pay(table, 1.25)
    await call(payment)
    await call(payment)
    await call({ ...payment, body: JSON.stringify({ amount: 2, methodInfo: { method: 'PIX' } }) })
    await call(pay(table, 2, { tip: 1, seat: 'Lugar 2', serviceCharge: { amount: 0.2 } }))
    await call(account(table))
    await call(pay(table, 100_000))
    await call(pay(table, -1))
    await call(pay(table, 0.001))
    await call(pay(table, 1, { items: ['no-such-item'] }))
    await call(pay(table, 1, { methodInfo: { method: 'GOLD' } }))
    await call(pay('nowhere', 1))
    await call(account('nowhere'))
    await call({ method: 'GET', path: '/accounts?operationMode=SOFA&identifier=1' })
    await call({ method: 'GET', path: '/accounts?operationMode=TABLE' })
    await call(account(table), 'somebody-else')
  },
  measure,
})
