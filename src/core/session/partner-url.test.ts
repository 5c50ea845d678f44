/** A partner at a URL in place of a role of ours: two sessions over sockets, each of which plays one side. */
import { expect, test } from 'vitest'
import { createServer, type AddressInfo } from 'node:net'
import { openSession } from './open-session.ts'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a role with a URL is not played, and its partner is called there with our credentials', async () => {
  const port = await freePort()
  const at = `http://127.0.0.1:${port}`
  await using application = await openSession({
    port: 0,
    only: ['ordering-application'],
    counterparts: {
      'ordering-application': { port },
      'delivery-platform': { url: 'http://127.0.0.1:9' },
    },
  })
  await using store = await openSession({
    port: 0,
    counterparts: {
      'ordering-application': { url: at },
      'software-service': { pollEvery: 100 },
      'delivery-platform': { url: 'http://127.0.0.1:9' },
    },
    capabilities: { customer: false },
  })
  expect([...store.urls.keys()]).toEqual(['software-service'])
  const created = await application.createOrder({ type: 'TAKEOUT' })
  if (!created.ok) throw new Error(created.error.message)
  const confirmed = Promise.withResolvers<void>()
  application.onExchange(({ operation, from, reply }) => {
    if (operation === 'confirmOrder' && reply?.status === 202) {
      expect(from).toMatchObject({ role: 'software-service' })
      confirmed.resolve()
    }
  })
  await confirmed.promise
})

test('a role cannot be played here and by a partner at once', async () => {
  const opening = openSession({
    port: 0,
    only: ['ordering-application', 'crm'],
    counterparts: { crm: { url: 'http://127.0.0.1:9' } },
  })
  await expect(opening).rejects.toThrow(
    'opening the session: counterparts.crm.url says that http://127.0.0.1:9 plays crm',
  )
})
