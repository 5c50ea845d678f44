/**
 * Payments at tables, and reading the account that they belong to. Four guests pay their share of each account: one
 * account with thousands of payments would not be realistic.
 */
import { ask } from '../asks.ts'
import type { Started } from '../children.ts'
import type { Shot } from '../load/jobs.ts'
import type { Bench } from '../row.ts'
import { mutation, rowOf, shotsOf, warmCost } from './extra.ts'
import { cost } from './serving.ts'

const guests = 4

/** Accounts that are paid as one batch. */
const poolSize = 1250

const tableQuery = (table: string): string => `operationMode=TABLE&identifier=${table}`
const account = (table: string): Shot => ({ method: 'GET', path: `/accounts?${tableQuery(table)}` })

const pay = (table: string, amount: number, more: object = {}): Shot =>
  mutation(`/accounts/payments?${tableQuery(table)}`, {
    amount,
    methodInfo: { method: 'CREDIT_CARD', brand: 'VISA', nsu: '123456789' },
    ...more,
  })

/** Creates tables with an open account each, and collects the garbage of their creation before anything is measured. */
async function createTables(server: Started, count: number): Promise<readonly string[]> {
  const tables = await ask(server.child, 'create', { count })
  await ask(server.child, 'calm', {})
  await ask(server.child, 'memory', {})
  return tables
}

/** Sends `count` payments, four per account, one pool of accounts at a time; returns the mean cost. */
async function measurePayments(bench: Bench, server: Started, count: number): Promise<number> {
  const accounts = Math.ceil(count / guests)
  let total = 0
  for (let left = accounts; left > 0; left -= poolSize) {
    const tables = await createTables(server, Math.min(left, poolSize))
    const shots = shotsOf(tables.length * guests, (index) =>
      pay(tables[index % tables.length] ?? '', 1.25),
    )
    total += (await cost(bench, server, shots, 200)) * shots.length
  }
  return total / (accounts * guests)
}

async function measure(bench: Bench, server: Started) {
  const { warmUp, measured } = bench.sizes
  const tables = await createTables(server, Math.min(1000, measured))
  const read = (index: number): Shot => account(tables[index % tables.length] ?? '')
  const get = await warmCost(bench, server, read, [warmUp, measured])
  await measurePayments(bench, server, warmUp)
  return {
    'POST a payment': await measurePayments(bench, server, measured),
    'GET its account': get,
  }
}

export const indoorPayment = rowOf({
  name: 'indoor-payment',
  extra: 'indoor',
  parts: ['POST a payment', 'GET its account'],
  target: { atLeast: 0.9 },
  async probe({ call, calm, create }) {
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
