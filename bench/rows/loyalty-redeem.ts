/**
 * Redemptions that all spend one balance, each with its effects, the burn and the coupon; and reading the accounts of
 * different customers.
 */
import { callChild } from '../ipc.ts'
import type { StartedChild } from '../child-processes.ts'
import type { LoadRequest } from '../load/jobs.ts'
import type { BenchContext } from '../row.ts'
import { benchProgram, coffeeReward, unaffordableReward } from '../servers/loyalty-program.ts'
import {
  mutationRequest,
  createCapabilityRow,
  createRequests,
  warmedUpCost,
} from './capability-row.ts'
import { cpuPerRequest } from './server-cost.ts'

const account = (accountId: string): LoadRequest => ({
  method: 'GET',
  path: `/loyalty/accounts/${accountId}`,
})

const redeem = (accountId: string, more: object = {}): LoadRequest =>
  mutationRequest('/loyalty/redemptions', {
    accountId,
    rewardId: coffeeReward.id,
    quantity: 1,
    ...more,
  })

async function measure(bench: BenchContext, server: StartedChild) {
  const { warmUp, measured } = bench.sizes
  const accountIds = await callChild(server.child, 'create', { count: Math.min(1000, measured) })
  await callChild(server.child, 'calm', {})
  const read = (index: number): LoadRequest => account(accountIds[index % accountIds.length] ?? '')
  const get = await warmedUpCost(bench, server, read, [warmUp, measured])
  const spend = (): LoadRequest => redeem(accountIds[0] ?? '')
  await cpuPerRequest(bench, server, createRequests(warmUp, spend), 202)
  const one = await cpuPerRequest(bench, server, createRequests(measured, spend), 202)
  return { 'POST a redemption': one, 'GET an account': get }
}

export const loyaltyRedeem = createCapabilityRow({
  name: 'loyalty-redeem',
  capability: 'loyalty',
  parts: ['POST a redemption', 'GET an account'],
  target: { atLeast: 0.8 },
  async probe({ call, waitUntilIdle: calm, create }) {
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
    const byName = { accountId: undefined, customerId: 'customer-1', programId: benchProgram.id }
    await call(redeem('', { ...byName, quantity: 3, points: 3 * coffeeReward.cost }))
    // The order of effects that are due at about the same time is random.
    await calm()
    await call(redeem(accountId, { relatedOrderId: 'order-1' }))
    await calm()
    await call(account(accountId))
    await call({ method: 'GET', path: `/loyalty/accounts/${accountId}/transactions` })
    await call({ method: 'GET', path: '/loyalty/coupons?customerId=customer-1' })
    await call({ method: 'GET', path: '/loyalty/accounts/nobody/transactions' })
    await call(redeem(accountId, { rewardId: unaffordableReward.id }))
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
