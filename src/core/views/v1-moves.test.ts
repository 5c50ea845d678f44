/** V1 moves of an order, and the texts of V1 facts and commands. */
import { expect, test } from 'vitest'
import { createWorld } from '../engine/world.ts'
import { commandText } from '../engine/command.ts'
import { factText } from '../engine/fact.ts'
import { openSession } from '../session/open-session.ts'

test('[MIG-ORD-01] the cancellation handshake has moves to begin and answer it, only in V1', async () => {
  await using session = await openSession({
    dialect: 'v1',
    only: ['ordering-application'],
    listen: false,
    clock: 'virtual',
  })
  const made = await session.createOrder({ type: 'TAKEOUT' })
  const orderId = made.ok ? made.value.orderId : ''
  const moves = async () => (await session.look({ orderId })).order?.moves ?? []
  const pull = async (trigger: string): Promise<void> => {
    const move = (await moves()).find((each) => each.trigger === trigger)
    if (!move) throw new Error(`there is no ${trigger}`)
    expect(await session.submit(move.command)).toMatchObject({ ok: true })
  }
  const names = async () =>
    (await moves()).filter((each) => !each.invalid).map((each) => each.trigger)
  expect(await names()).toEqual(['confirm', 'cancel', 'ask-to-cancel'])
  await pull('ask-to-cancel')
  expect(await names()).toEqual(['confirm', 'cancel', 'accept-cancelling', 'deny-cancelling'])
  await pull('deny-cancelling')
  await pull('ask-to-cancel')
  await pull('accept-cancelling')
  await session.advance(10_000)
  expect((await session.look({ orderId })).order?.row.status).toBe('CANCELLED')
  expect(await names()).toEqual(['conclude'])

  await using other = await openSession({ listen: false, clock: 'stepped' })
  const there = await other.createOrder({ type: 'TAKEOUT' })
  const seen = await other.look({ orderId: there.ok ? there.value.orderId : '' })
  expect(seen.order?.moves.map(({ trigger }) => trigger)).not.toContain('ask-to-cancel')
})

test('V1 facts and commands have short texts', () => {
  const orderId = 'o-1'
  const world = createWorld()
  const texts = [
    factText({ kind: 'handshake.offered', orderId, code: 'X' }, world),
    factText({ kind: 'handshake.answered', orderId, answer: 'deny' }, world),
    factText({ kind: 'legacy.heard', orderId, eventId: 'e', eventType: 'PICKED_UP' }, world),
    commandText({ kind: 'handshake.offer', orderId }, world),
    commandText({ kind: 'handshake.answer', orderId, answer: 'accept' }, world),
    commandText({ kind: 'legacy.answer', orderId, answer: 'deny' }, world),
  ]
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts[0]).toContain('X')
  expect(texts[2]).toContain('PICKED_UP')
})
