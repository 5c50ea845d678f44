/** Explanations of correct services contain no false statements. */
import { expect, test } from 'vitest'
import {
  conclusionText,
  explanationText,
  explainInSession,
} from '../../../test/support/explanation-text.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { type InProcessHarness, openHarness } from '../../../test/support/in-process-harness.ts'
import { openSoftwareServiceSession } from '../../../test/support/software-service-session.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openOrdersWire, type OrdersWire } from '../../../test/support/wire.ts'

test('a call refused for its token is not reported as accepted when its retry succeeds at the same instant', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.send('POST', `/orders/${orderId}/confirm`, { token: 'dead' })
  await wire.ask(orderId, 'confirm')
  await wire.pass(3000)
  const story = explanationText(await explainInSession(wire.session, orderId))
  expect(story).toMatch(/calls confirm \(#\d+\): 401 \([^)]*\)$/m)
  expect(story).toMatch(/calls confirm \(#\d+\): 202, accepted for later$/m)
})

test('a call that a fault kept from taking effect is not accepted; one whose answer was lost is', async () => {
  const storyWith = async (fault: string): Promise<string> => {
    await using wire = await openOrdersWire({ faults: [fault] })
    const orderId = await wire.create({ type: 'TAKEOUT' })
    await wire.ask(orderId, 'confirm')
    await wire.ask(orderId, 'confirm')
    await wire.pass(3000)
    return explanationText(await explainInSession(wire.session, orderId))
  }
  const failed = await storyWith('fail:operation=confirmOrder,limit=1')
  expect(failed).not.toContain('accepted all the same')
  expect(failed).toMatch(/: 202, accepted for later$/m)
  const lost = await storyWith('fail:operation=confirmOrder,effect=after,limit=1')
  expect(lost).toContain('but it was accepted all the same')
})

test('[ORD-EVR-01] a newer status read before an older acknowledgment counts as known', async () => {
  await using wire = await openOrdersWire()
  const { session } = wire
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.ask(orderId, 'confirm')
  await wire.pass(1000)
  await session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  const events = await wire.poll()
  await wire.read(orderId)
  await wire.pass(10)
  await wire.acknowledge(events.slice(0, 2))
  await wire.pass(10)
  await wire.ask(orderId, 'preparing')
  expect(conclusionText(await explainInSession(session, orderId))).toMatch(
    /^Both sides have it CANCELLED\.$/m,
  )
  const { traffic } = await session.look({ traffic: { limit: 1 } })
  const ofCall = await explainInSession(session, `#${traffic[0]?.seq}`)
  expect(ofCall.conclusion[0]).toMatch(/CANCELLED since .*, and your service knew that since/)
})

test('CONCLUDED after a known CANCELLED is no split', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await wire.pass(1000)
  await wire.drain()
  await wire.pass(60_000)
  const story = await explainInSession(wire.session, orderId)
  expect(story.host.at(-1)?.status).toBe('CONCLUDED')
  expect(conclusionText(story)).toMatch(/^Both sides have it over\.$/m)
})

test('a webhook answered 2xx late counts as acknowledged', async () => {
  const late: { duel?: InProcessHarness } = {}
  await using harness = await openHarness({
    channel: 'webhook',
    session: {
      async handler(request) {
        if (!late.duel) return new Response(null, { status: 503 })
        const isCancelled = (await request.clone().text()).includes('CANCELLED')
        if (isCancelled) await late.duel.session.clock.sleep(2000)
        return late.duel.service.fetch(request)
      },
    },
  })
  late.duel = harness
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(100)
  await harness.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await harness.pass(10_000)
  const story = await explainInSession(harness.session, orderId)
  expect(explanationText(story)).toMatch(
    /CANCELLED reaches your service by webhook #\d+, and is accepted/,
  )
  expect(conclusionText(story)).toMatch(
    /CANCELLED was delivered once \(#\d+\), and acknowledged later/,
  )
  expect(conclusionText(story)).not.toContain('never acknowledged')
})

test('an event whose id is a prefix of another id is not acknowledged with it', async () => {
  await using store = await openSoftwareServiceSession({ automatic: false })
  store.originator.place(minimalOrder('o-1', 'TAKEOUT'))
  await store.pass(5000)
  for (let count = 0; count < 9; count++)
    store.originator.place(minimalOrder(`p-${count}`, 'TAKEOUT'))
  await store.pass(60_000)
  const { lines } = await explainInSession(store.session, 'o-1')
  const ids = new Set(lines.flatMap(({ eventId }) => eventId ?? []))
  const ofCreated = lines.filter(
    ({ kind, text }) => kind === 'acknowledgment' && text.includes('CREATED'),
  )
  expect(ids.size).toBeGreaterThan(3)
  expect(ofCreated).toHaveLength(1)
  expect(lines.filter(({ odd }) => odd)).toEqual([])
})

test('pending handovers of an order’s events count as pending on the agenda', async () => {
  await using harness = await openHarness({ channel: 'webhook', session: { clock: 'stepped' } })
  const { session } = harness
  const orderId = await harness.order('TAKEOUT')
  const { agenda } = await session.look({ agenda: { limit: 20, orderId } })
  const push = agenda.find(({ kind }) => kind === 'event.push')
  await session.submit({ kind: 'agenda.hold', id: push?.id ?? 0 })
  await harness.pass(1000)
  expect(conclusionText(await explainInSession(session, orderId))).toMatch(
    /, "[^"]*CREATED[^"]*" is on the agenda for it/,
  )
})

test('an edited item is named as the agenda names it, and what the agenda does not show is not said to be on it', async () => {
  await using wire = await openOrdersWire()
  const { session } = wire
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.ask(orderId, 'confirm')
  const { agenda } = await session.look({ agenda: { limit: 20, orderId } })
  const apply = agenda.find(({ kind }) => kind === 'order.apply')
  await session.submit({ kind: 'agenda.drop', id: apply?.id ?? 0 })
  await wire.pass(60_000)
  const story = await explainInSession(session, orderId)
  expect(explanationText(story)).toContain(
    `the operator dropped ${apply?.text} (item ${apply?.id})`,
  )
  expect(explanationText(story)).not.toContain('order.apply')
  const shown = await session.look({ agenda: { limit: 20, orderId, background: false } })
  expect(shown.agenda).toEqual([])
  expect(conclusionText(story)).toContain('It is not finished')
  expect(conclusionText(story)).not.toContain('on the agenda')
})

test('[ORD-OPS-03] a status read for a webhook that was then turned away is no proof that the service has it', async () => {
  let wire: OrdersWire | undefined
  await using receiver = await openReceiver({
    async reply(_nth, { eventType, orderId }) {
      if (eventType !== 'CONFIRMED') return { status: 204 }
      await wire?.read(orderId)
      return { status: 500 }
    },
  })
  const opened = await openOrdersWire({
    conduct: { manifest: 'trust', webhookAccess: 'signature', webhookRetry: 'never' },
    subject: { url: receiver.url },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
  })
  await using running = opened
  wire = running
  const orderId = await running.create({ type: 'TAKEOUT' })
  await running.pass(1000)
  await running.session.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
  await running.pass(1000)
  const conclusion = async () => conclusionText(await explainInSession(running.session, orderId))
  expect(await conclusion()).toMatch(
    /has it CONFIRMED since .*, and your service read that, but never took CONFIRMED \(#\d+\): nothing shows that it has it\.$/m,
  )
  // A read of its own accord is one.
  await running.read(orderId)
  expect(await conclusion()).toMatch(/^Both sides have it CONFIRMED\.$/m)
})

test('[ORD-FLO-03] an order whose CREATED was acknowledged, and that was never read, is not what both sides have', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.acknowledge(await wire.poll())
  const conclusion = async () => conclusionText(await explainInSession(wire.session, orderId))
  expect(await conclusion()).toMatch(
    /has it CREATED since .*, and your service took CREATED \(#\d+\), but has not read the order: nothing shows that it has it\.$/m,
  )
  await wire.read(orderId)
  expect(await conclusion()).toMatch(/^Both sides have it CREATED\.$/m)
})

test('a status that the order returned to, and an end that it did not have, are not known from before', async () => {
  await using wire = await openOrdersWire()
  const { session } = wire
  const orderId = await wire.create({ type: 'TAKEOUT' })
  const apply = (trigger: 'confirm' | 'preparing' | 'cancel' | 'delivered' | 'conclude') =>
    session.submit({ kind: 'order.apply', orderId, trigger, force: true })
  const conclusion = async () => conclusionText(await explainInSession(session, orderId))
  await apply('confirm')
  await wire.read(orderId)
  expect(await conclusion()).toMatch(/^Both sides have it CONFIRMED\.$/m)
  await wire.pass(10)
  await apply('preparing')
  await wire.pass(10)
  await apply('confirm')
  expect(await conclusion()).toContain('nothing shows that your service has learned it since')
  await apply('cancel')
  await wire.read(orderId)
  expect(await conclusion()).toMatch(/^Both sides have it CANCELLED\.$/m)
  await wire.pass(10)
  await apply('delivered')
  await apply('conclude')
  expect(await conclusion()).toContain('the last that your service knew is CANCELLED')
})

test('a story begins at the reset: the same seed gives the same id, and what was called for it before does not count', async () => {
  await using wire = await openOrdersWire()
  const { session } = wire
  const before = await wire.create({ type: 'TAKEOUT' })
  await wire.read(before)
  await wire.ask(before, 'confirm')
  const { info, traffic } = await session.look({ traffic: { limit: 1 } })
  await session.reset(info.seed)
  const orderId = await wire.create({ type: 'TAKEOUT' })
  expect(orderId).toBe(before)
  const story = await explainInSession(session, orderId)
  expect(explanationText(story)).not.toMatch(/confirm|your service reads/i)
  expect(conclusionText(story)).toMatch(/your service knows nothing of it/)
  const old = await explainInSession(session, `#${traffic[0]?.seq}`)
  expect(old.title).toMatch(/confirm, before the reset$/)
})
