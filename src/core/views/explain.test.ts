/** Explanations of played sessions. */
import { expect, test } from 'vitest'
import {
  conclusionText,
  explanationText,
  explainInSession,
} from '../../../test/support/explanation-text.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { createOriginator } from '../../../test/support/scripted-ordering-application.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'
import { untilConverged } from '../runtime/wait-until.ts'
import { openSession } from '../session/open-session.ts'

test('[ORD-EVR-02] a lost CANCELLED is explained by its fault, with the start of the split', async () => {
  await using duel = await openHarness({
    channel: 'webhook',
    defects: ['never-reconciles'],
    faults: [{ drop: { event: 'CANCELLED' } }],
  })
  const { session } = duel
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(2300)
  expect(await duel.status(orderId)).toBe('DELIVERED')

  const other = await duel.order('DELIVERY')
  await duel.pass(100)
  await session.submit({ kind: 'order.apply', orderId: other, trigger: 'cancel' })
  await duel.pass(100)
  const early = await explainInSession(session, 'o2')
  expect(early.title).toMatch(/^o2 \(.+\), DELIVERY order \d+ of .+: CANCELLED$/)
  expect(explanationText(early)).toContain(
    'the Ordering Application moves it by cancel: CREATED > CANCELLED, by hand',
  )
  expect(explanationText(early)).toContain(
    'fault 1 (drop:event=CANCELLED) acts on CANCELLED, by webhook: it is not delivered there at all',
  )
  expect(early.splits).toMatchObject([
    {
      text: 'the Ordering Application had it CANCELLED, and your service did not know, nor does it yet',
      because: expect.stringMatching(
        /^fault 1 \(drop:event=CANCELLED\) dropped CANCELLED, and your service has not read the order since #\d+ \(CREATED\)$/,
      ) as unknown,
    },
  ])
  expect(early.known.map(({ status }) => status)).toEqual(['CREATED'])
  expect(conclusionText(early)).toMatch(/the last that your service knew is CREATED/)

  // Its confirm of the cancelled order is refused, and its next read ends the split.
  await duel.pass(20_000)
  const late = await explainInSession(session, other)
  expect(late.splits).toHaveLength(1)
  expect(late.splits[0]?.to).toBeDefined()
  expect(late.splits[0]?.text).toMatch(/meanwhile it called confirm without success \(#\d+\)$/)
  expect(conclusionText(late)).toMatch(/^Both sides have it CANCELLED\.$/m)
  // The other order is not affected.
  expect((await explainInSession(session, 'o1')).splits).toEqual([])
})

test('[ORD-GEN-02] a duplicate CONFIRMED that caused two deliveries is explained', async () => {
  await using duel = await openHarness({
    channel: 'webhook',
    delivers: true,
    defects: ['forgets-event-ids'],
  })
  const { session } = duel
  const orderId = await duel.order('DELIVERY')
  await duel.pass(1200)
  const { order } = await session.look({ orderId })
  const { eventId = '' } = order?.events.find(({ eventType }) => eventType === 'CONFIRMED') ?? {}
  const command = { kind: 'event.push', eventId, attempt: 1 } as const
  await session.submit({ kind: 'agenda.plan', command, afterMs: 0 })
  await duel.pass(5000)
  const story = await explainInSession(session, orderId)
  expect(explanationText(story)).toMatch(
    /CONFIRMED reaches your service by webhook #\d+, for the 2nd time, and is accepted \(204\)/,
  )
  expect(
    story.lines.filter(({ text }) =>
      text.includes('your service calls createDelivery at the Delivery Platform'),
    ),
  ).toHaveLength(2)
  expect(conclusionText(story)).toMatch(
    /^With success, your service called .*createDelivery twice \(#\d+ and #\d+\).*; CONFIRMED reached it twice\.$/m,
  )

  const ofEvent = await explainInSession(session, eventId)
  expect(ofEvent.about).toEqual({ kind: 'event', id: eventId })
  expect(ofEvent.lines.map(({ kind }) => kind)).toEqual(['event', 'handover', 'handover'])
  expect(ofEvent.conclusion[0]).toMatch(/^CONFIRMED reached your service twice, first at \d\d:/)
})

test('[ORD-RUL-02] a call refused because of a newer status is explained by its number', async () => {
  await using duel = await openHarness({ channel: 'polling', pace: { pollMs: 5000 } })
  const { session } = duel
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(5100)
  await session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await duel.pass(3000)
  const { traffic } = await session.look({ traffic: { limit: 100, filter: 'status>=400' } })
  const refused = traffic.find(({ operation }) => operation === 'confirmOrder')
  expect(refused?.status).toBe(409)

  const story = await explainInSession(session, `#${refused?.seq}`)
  expect(story.about).toEqual({ kind: 'exchange', id: `#${refused?.seq}` })
  expect(story.orderId).toBe(orderId)
  expect(story.lines).toHaveLength(1)
  expect(story.lines[0]?.text).toMatch(/^your service calls confirm \(#\d+\): 409 \(.*in CANCELLED/)
  expect(story.conclusion[0]).toMatch(
    /^When your service called confirm \(#\d+\), the Ordering Application had it CANCELLED since .*, and your service knew only CREATED\.$/,
  )
  expect(conclusionText(story)).toMatch(
    /CANCELLED is queued for polling, and your service polled last/,
  )
})

test('[ORD-EVR-01] an order that does not converge because the service never reads it is explained', async () => {
  await using duel = await openHarness({
    defects: ['never-reconciles'],
    faults: [{ drop: { event: 'CONFIRMED' } }],
  })
  await duel.order('DELIVERY')
  await duel.pass(60_000)
  const story = await explainInSession(duel.session, 'o1')
  expect(story.host.map(({ status }) => status)).toEqual(['CREATED', 'CONFIRMED'])
  expect(story.splits).toMatchObject([
    {
      because: expect.stringContaining(
        'fault 1 (drop:event=CONFIRMED) dropped CONFIRMED',
      ) as unknown,
    },
  ])
  expect(conclusionText(story)).toMatch(
    /It is not finished: it has been CONFIRMED for 58\.\ds, and your service called last with #\d+ \(confirm, 202\)/,
  )
})

test('an event held or dropped by hand is reported as such', async () => {
  await using duel = await openHarness({ channel: 'webhook', session: { clock: 'stepped' } })
  const { session } = duel
  const orderId = await duel.order('TAKEOUT')
  const { agenda } = await session.look({ agenda: { limit: 20, orderId } })
  const push = agenda.find(({ kind }) => kind === 'event.push')
  await session.submit({ kind: 'agenda.drop', id: push?.id ?? 0 })
  await duel.pass(60_000)
  const story = await explainInSession(session, orderId)
  expect(conclusionText(story)).toContain('CREATED was not delivered: the operator dropped it')
  expect(explanationText(story)).toContain('the operator dropped the handover of an event')
  expect(conclusionText(story)).toContain('your service knows nothing of it')
})

test('an order without problems has no split', async () => {
  await using duel = await openHarness({ channel: 'both' })
  await duel.order('TAKEOUT')
  await duel.pass(120_000)
  const story = await explainInSession(duel.session, 'o1')
  expect(story.splits).toEqual([])
  expect(story.conclusion).toEqual(['Both sides have it CONCLUDED.'])
  expect(story.lines.filter(({ odd }) => odd)).toEqual([])
  // Facts come before the exchanges that they cause, also at the same instant.
  const place = (text: string) => story.lines.findIndex((each) => each.text.includes(text))
  expect(place('CREATED > CONFIRMED')).toBeLessThan(place('announces CONFIRMED'))
  expect(place('announces CONFIRMED')).toBeLessThan(place('CONFIRMED reaches your service'))
})

test('[ORD-EVT-01] an event that a poll filters out is explained by that poll', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create()
  expect(await wire.poll('?eventType=CONFIRMED&eventType=CANCELLED')).toEqual([])
  expect(await wire.poll()).toEqual([])
  const story = await explainInSession(wire.session, orderId)
  const because = 'poll #2 asks for CONFIRMED, CANCELLED only'
  expect(story.lines).toContainEqual(
    expect.objectContaining({
      text: `${because}: CREATED is not delivered, and counts as acknowledged`,
      exchanges: [2],
      odd: true,
    }),
  )
  expect(story.splits[0]?.because).toContain(`${because}, so CREATED counts as acknowledged`)
  const [created] = [...(await wire.session.look({ orderId })).order!.events]
  const ofEvent = await explainInSession(wire.session, created!.eventId)
  expect(ofEvent.conclusion[0]).toBe(`CREATED never reached your service: ${because}.`)
})

test('[MIG-ORD-03, MIG-ORD-07] a V1 order is told by what V1 shows: its last event, and pickedUp by its name', async () => {
  await using wire = await openOrdersWire({ dialect: 'v1', capabilities: {} })
  const orderId = await wire.create({ type: 'TAKEOUT' })
  const path = `/v1/orders/${orderId}`
  await wire.send('GET', path)
  const confirmation = { createdAt: '2026-01-05T15:00:00Z', orderExternalCode: '77' }
  for (const [call, body] of [
    ['confirm', confirmation],
    ['readyForPickup'],
    ['pickedUp'],
  ] as const) {
    await wire.send('POST', `${path}/${call}`, body ? { body } : {})
    await wire.pass(1000)
  }
  // The cancellation of another order is asked for, and its last event says nothing of its status.
  const other = await wire.create({ type: 'TAKEOUT' })
  await wire.send('GET', `/v1/orders/${other}`)
  await wire.session.submit({ kind: 'handshake.offer', orderId: other })
  await wire.pass(60_000)
  await wire.send('GET', `/v1/orders/${other}`)
  await wire.send('POST', `/v1/orders/${other}/acceptCancellation`)
  await wire.pass(60_000)

  const story = await explainInSession(wire.session, orderId)
  expect(explanationText(story)).toMatch(/^your service reads the order \(#\d+\): CREATED$/m)
  expect(explanationText(story)).toMatch(/^your service calls pickedUp \(#\d+\): 202, accepted/m)
  expect(explanationText(story)).toMatch(
    /^pickedUp \(#\d+\) takes effect after .*: READY > DELIVERED$/m,
  )
  expect(explanationText(story)).not.toContain('calls delivered')
  expect(story.known[0]?.status).toBe('CREATED')
  expect(JSON.stringify(story.splits)).not.toContain('had not read the order')

  const cancelled = await explainInSession(wire.session, other)
  expect(explanationText(cancelled)).toMatch(
    /^your service calls acceptCancellation \(#\d+\): 204$/m,
  )
  expect(cancelled.splits.at(-1)?.because).toMatch(
    /your service has not read the order since #\d+ \(without a status\)$/,
  )
})

test('[MIG-ORD-07] a V1 order without its last event was read all the same, and its reads show no status', async () => {
  await using wire = await openOrdersWire({
    dialect: 'v1',
    capabilities: {},
    conduct: { v1: { lastEvent: false } },
  })
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.pass(1000)
  await wire.send('GET', `/v1/orders/${orderId}`)
  await wire.pass(60_000)
  const { splits } = await explainInSession(wire.session, orderId)
  expect(splits.map(({ because }) => because)).toEqual([
    expect.stringMatching(/^CREATED is queued for polling, .*, and its GET #\d+ showed no status$/),
  ])
})

test('without a subject the explanation names our own counterparts', async () => {
  await using alone = await openSession({ clock: 'virtual', listen: false, automatic: false })
  const made = await alone.createOrder({ type: 'TAKEOUT' })
  await alone.advance(10_000)
  const story = await explainInSession(alone, made.ok ? made.value.orderId : '')
  expect(story.other).toEqual({ role: 'software-service', name: 'the Software Service' })
  expect(explanationText(story)).toMatch(/CREATED reaches the Software Service by poll #\d+/)
  expect(explanationText(story)).toMatch(
    /the Software Service calls confirm \(#\d+\): 202, accepted for later/,
  )
  expect(story.splits).toEqual([])
})

test('where the subject is the host, the explanation covers only our side', async () => {
  const originator = createOriginator()
  await using session = await openSession({
    as: 'ordering-application',
    subject: originator.fetch,
    clock: 'virtual',
    capabilities: {
      indoor: false,
      customer: false,
      reviews: false,
      loyalty: false,
      logistics: false,
    },
  })
  originator.place(minimalOrder('o-1', 'TAKEOUT'))
  originator.next('confirm', { status: 422, body: { error: { code: 'X', message: 'not yet' } } })
  await session.advance(30_000)
  const story = await explainInSession(session, 'o-1')
  expect(story.title).toBe('o1 (o-1), an order of your service')
  expect(explanationText(story)).toMatch(/^CREATED reaches the Software Service by poll #\d+$/m)
  expect(explanationText(story)).toMatch(/^the Software Service acknowledges CREATED \(#\d+\)$/m)
  expect(explanationText(story)).toMatch(
    /^the Software Service reads the order \(#\d+\): CREATED$/m,
  )
  expect(explanationText(story)).toMatch(
    /^the Software Service calls confirm \(#\d+\): 422 \(not yet\)$/m,
  )
  expect(story.conclusion[0]).toBe(
    'Your service is the host of this order, so its own view is known only from its calls and replies.',
  )
})

test('a long explanation omits its middle, and an unknown id has none', async () => {
  await using duel = await openHarness({ channel: 'webhook' })
  const { session } = duel
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(10_000)
  const { order } = await session.look({ orderId })
  const { eventId = '' } = order?.events[0] ?? {}
  for (let copy = 0; copy < 250; copy++)
    await session.submit({
      kind: 'agenda.plan',
      command: { kind: 'event.push', eventId, attempt: 1 },
      afterMs: 0,
    })
  await duel.pass(1000)
  const story = await explainInSession(session, 'o1')
  expect(story.lines).toHaveLength(200)
  expect(story.omitted).toBeGreaterThan(50)
  expect(story.lines[0]?.text).toContain('has a new TAKEOUT order')
  expect(story.lines.at(-1)?.text).toContain('for the 251st time')
  expect((await session.look({ explain: 'nobody' })).explanation).toBeUndefined()
  expect((await session.look({ explain: '#99999' })).explanation).toBeUndefined()
  expect((await session.look({})).explanation).toBeUndefined()
})

test('what is no longer in memory is not known, and no view differs by it', async () => {
  await using duel = await openHarness({})
  const { session } = duel
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(60_000)
  expect(conclusionText(await explainInSession(session, orderId))).toContain('Both sides have it')

  // Polls, until the exchanges about the order are evicted.
  await duel.pass(2_100_000)
  const story = await explainInSession(session, orderId)
  expect(story.wholeSince).toBeGreaterThan(story.host.at(-1)?.at ?? Infinity)
  expect(story.splits).toEqual([])
  expect(conclusionText(story)).toMatch(
    /what your service knew is not known: what was exchanged before \S+ is no longer in memory/,
  )
  expect((await untilConverged(session).look()).because).toEqual([])
})

test('[ORD-CHN-01] an event for which no attempt was made names the manifest', async () => {
  await using service = await openReceiver({ supportsWebhook: false })
  await using session = await openSession({
    as: 'software-service',
    subject: service.url,
    port: 0,
    clock: 'virtual',
    counterparts: { 'ordering-application': { channel: 'webhook' } },
  })
  await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(60_000)
  const { explanation } = await session.look({ explain: 'o1' })
  expect(JSON.stringify(explanation)).toContain(
    'no attempt was made, since the manifest declares no webhook for it',
  )
  expect(service.received).toEqual([])
})
