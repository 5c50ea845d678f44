/**
 * Faults that match nothing in a session, although another one would have such messages: they are taken, and say so.
 */
import { expect, test } from 'vitest'
import { openSession } from '../../sparring/library/index.ts'

test.each([
  ['drop:event=CONFIRMED,channel=webhook', 'the channel webhook is off'],
  ['both-channels', 'only one channel is on'],
  ['drop:event=NOPE', 'no event of ours has the type NOPE'],
  ['fail:operation=createDelivery', 'createDelivery is of a capability that is switched off'],
  [
    'drop-response:operation=confirmOrder',
    'is called by your service, and this acts on calls of ours',
  ],
  ['truncate:operation=confirmOrder', undefined],
  ['drop:merchant=LOJA-999', 'no store is called LOJA-999; there are LOJA-001, LOJA-002'],
])('%s matches nothing: %s', async (spec, why) => {
  await using session = await openSession({
    as: 'software-service',
    clock: 'virtual',
    listen: false,
    capabilities: { logistics: false },
  })
  const { idle } = session.faults.add(spec)[0] ?? {}
  if (why === undefined) expect(idle).toBeUndefined()
  else expect(idle).toContain(why)
  expect(session.faults.add('drop:channel=polling,merchant=LOJA-001')[0]).not.toHaveProperty('idle')
})

test('another app acknowledges only events that are polled', async () => {
  await using session = await openSession({
    as: 'software-service',
    subject: () => Promise.resolve(new Response(null, { status: 204 })),
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    clock: 'virtual',
    listen: false,
  })
  expect(session.faults.add('ghost:does=acknowledges')[0]?.idle).toContain(
    'only events that are polled are acknowledged',
  )
  expect(session.faults.add('ghost:does=confirms')[0]).not.toHaveProperty('idle')
})
