/** Calls between our own roles are not attributed to the subject, even without a token. */
import { expect, test } from 'vitest'
import type { Exchange } from '../../traffic/exchange.ts'
import { openSession } from '../../session/open-session.ts'

test('a subject that never calls is in no exchange, while our own roles read manifests and get tokens', async () => {
  await using session = await openSession({
    as: 'software-service',
    clock: 'virtual',
    automatic: false,
    port: 0,
  })
  const exchanges: Exchange[] = []
  session.onExchange((exchange) => exchanges.push(exchange))
  await session.createOrder({ type: 'DELIVERY' })
  await session.advance(30_000)

  const operations = exchanges.map(({ operation }) => operation)
  expect(operations).toContain('getManifest')
  expect(operations).toContain('issueToken')
  expect(exchanges.filter(({ from }) => from.party === 'subject')).toEqual([])
})
