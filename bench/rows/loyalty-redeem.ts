/**
 * Redemptions that all spend one balance, each with its effects: burn, coupon and event; and reading the accounts of
 * different customers.
 */
import { ask } from '../asks.ts'
import type { Started } from '../children.ts'
import type { Shot } from '../load/jobs.ts'
import type { Bench } from '../row.ts'
import { club, coffee, dinner } from '../servers/club.ts'
import { mutation, rowOf, shotsOf, warmCost } from './extra.ts'
import { cost } from './serving.ts'

const account = (accountId: string): Shot => ({
  method: 'GET',
  path: `/loyalty/accounts/${accountId}`,
})

const redeem = (accountId: string, more: object = {}): Shot =>
  mutation('/loyalty/redemptions', { accountId, rewardId: coffee.id, quantity: 1, ...more })

async function measure(bench: Bench, server: Started) {
  const { warmUp, measured } = bench.sizes
  const accountIds = await ask(server.child, 'create', { count: Math.min(1000, measured) })
  await ask(server.child, 'calm', {})
  const read = (index: number): Shot => account(accountIds[index % accountIds.length] ?? '')
  const get = await warmCost(bench, server, read, [warmUp, measured])
  const spend = (): Shot => redeem(accountIds[0] ?? '')
  await cost(bench, server, shotsOf(warmUp, spend), 202)
  const one = await cost(bench, server, shotsOf(measured, spend), 202)
  return { 'POST a redemption': one, 'GET an account': get }
}

export const loyaltyRedeem = rowOf({
  name: 'loyalty-redeem',
  extra: 'loyalty',
  parts: ['POST a redemption', 'GET an account'],
  target: { atLeast: 0.9 },
  async probe({ call, calm, create }) {
    const [accountId = ''] = await create(1)
    await calm()
    await call(account(accountId))
    const first = redeem(accountId)
    await call(first)
    await call(first)
    await call({ ...first, body: '{}' })
    await call(account(accountId))
    await calm()
    await call(account(accountId))
    const byName = { accountId: undefined, customerId: 'customer-1', programId: club.id }
    await call(redeem('', { ...byName, quantity: 3, points: 3 * coffee.cost }))
    await call(redeem(accountId, { relatedOrderId: 'order-1' }))
    await calm()
    await call(account(accountId))
    await call(redeem(accountId, { rewardId: dinner.id }))
    await call(redeem(accountId, { rewardId: 'nothing' }))
    await call(redeem(accountId, { points: 7 }))
    await call(redeem(accountId, { quantity: 0 }))
    await call(redeem('', { ...byName, programId: undefined }))
    await call(redeem('nobody'))
    await call(account('nobody'))
    await call(redeem(accountId), 'somebody-else')
  },
  measure,
})
