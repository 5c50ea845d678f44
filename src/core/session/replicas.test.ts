/** Several processes of one service (subject.replicas): all of them are called, and none is blamed for what another knows. */
import { expect, test } from 'vitest'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openSession } from './open-session.ts'

const settings = {
  as: 'software-service',
  clock: 'stepped',
  port: 0,
  seed: 7,
  capabilities: ordersOnly,
  counterparts: { 'ordering-application': { channel: 'webhook' } },
} as const

test('webhooks go to each of them in turn, and what one process remembers is not judged', async () => {
  await using one = await openReceiver({ supportsPolling: false })
  await using other = await openReceiver({ supportsPolling: false })
  await using session = await openSession({
    ...settings,
    subject: { url: one.url, replicas: [other.url] },
  })
  for (let nth = 0; nth < 4; nth++) await session.createOrder({ type: 'TAKEOUT' })
  const received = () => [one, other].map((each) => each.received.length)
  for (let steps = 0; steps < 60 && received().some((count) => count < 2); steps++)
    await session.step()
  expect(Math.min(...received())).toBeGreaterThanOrEqual(2)
  const rules = (await session.judge()).map(({ id }) => id)
  expect(rules).toEqual(expect.arrayContaining(['SE-8', 'CV-1', 'WH-1']))
  expect(rules.filter((id) => /^(?:RT-[1-5]|TK-[12]|PO-2|RC-[123])$/.test(id))).toEqual([])
})

test('a number of processes that nothing starts is refused, with what to give instead', async () => {
  const opening = openSession({ ...settings, subject: { url: 'http://127.0.0.1:9', replicas: 2 } })
  await expect(opening).rejects.toThrow(/subject\.replicas is 2, and nothing starts so many/)
})
