/** Faults in tests with msw: its `fetch` fails as on a real network. */
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { handlers } from '../../sparring/library/msw.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { openSession } from '../session/open-session.ts'

test('a reset rejects, half a body fails while being read, and a late answer arrives late', async () => {
  await using session = await openSession({
    clock: 'virtual',
    automatic: false,
    listen: false,
    as: 'software-service',
    capabilities: ordersOnly,
    faults: [
      'reset:operation=getManifest,limit=1',
      'truncate:operation=getManifest,limit=1',
      'slow-response:operation=getManifest,by=5s,limit=1',
    ],
  })
  const server = setupServer(...handlers(session))
  server.listen({ onUnhandledFrame: 'error' })
  try {
    const url = `${session.urls.get('ordering-application')}/.well-known/protocol`
    await expect(fetch(url)).rejects.toThrow(TypeError)
    const half = await fetch(url)
    expect(half.status).toBe(200)
    await expect(half.text()).rejects.toThrow(TypeError)
    let late: Response | undefined
    const asked = fetch(url).then((response) => (late = response))
    await session.advance(4999)
    expect(late).toBeUndefined()
    await session.advance(1)
    expect((await asked).status).toBe(200)
  } finally {
    server.close()
  }
})
