/** conduct.confirmWithin: an order that is not confirmed in time is cancelled by the Ordering Application. */
import { expect, test } from 'vitest'
import { openSession } from './open-session.ts'

/** An order of a session whose store confirms nothing. */
async function created() {
  const session = await openSession({
    listen: false,
    clock: 'virtual',
    automatic: false,
    as: 'software-service',
    conduct: { confirmWithin: '8m' },
  })
  const order = await session.createOrder({ type: 'TAKEOUT' })
  if (!order.ok) throw new Error(order.error.message)
  const { orderId } = order.value
  return {
    session,
    orderId,
    agenda: async () => (await session.look({ agenda: { limit: 20, orderId } })).agenda,
    status: async () => (await session.look({ orderId })).order?.row.status,
    confirm: () => session.submit({ kind: 'order.request', orderId, trigger: 'confirm' }),
  }
}

test('the deadline stands on the agenda with its instant, and cancels with a reason', async () => {
  const host = await created()
  await using _session = host.session
  await host.session.advance(479_000)
  expect(await host.agenda()).toContainEqual(
    expect.objectContaining({ text: 'cancel, unless it is confirmed within 8m' }),
  )
  expect(await host.status()).toBe('CREATED')
  await host.session.advance(1000)
  expect(await host.status()).toBe('CANCELLED')
})

test('a confirm that is accepted in the last moment removes it', async () => {
  const host = await created()
  await using _session = host.session
  await host.session.advance(479_999)
  await host.confirm()
  await host.session.advance(60_000)
  expect(await host.status()).toBe('CONFIRMED')
  expect((await host.agenda()).filter(({ text }) => text.startsWith('cancel'))).toEqual([])
})
