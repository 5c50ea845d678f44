/** What people write for an order (slot, id, beginning of the id, number), through the session's own methods. */
import { expect, test } from 'vitest'
import { openSession } from './open-session.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

async function twoOrders() {
  const session = await openSession({ clock: 'stepped', listen: false })
  const made = [await session.createOrder(), await session.createOrder({ type: 'TAKEOUT' })]
  const [first = '', second = ''] = made.map((each) => (each.ok ? each.value.orderId : ''))
  return { session, first, second, [Symbol.asyncDispose]: () => session.close() }
}

test('look and submit take a slot, the beginning of an id, or a number', async () => {
  await using scene = await twoOrders()
  const { session, first, second } = scene
  const { displayId } = (await session.look({ orderId: first })).order!.row
  for (const [text, orderId] of [
    ['o1', first],
    ['o2', second],
    [second.slice(0, 8), second],
    [displayId, first],
  ] as const)
    expect((await session.look({ orderId: text })).order?.row.orderId).toBe(orderId)

  const { journal, agenda } = await session.look({
    journal: { limit: 100, orderId: 'o2' },
    agenda: { limit: 100, orderId: 'o2' },
  })
  expect(new Set(journal.map(({ orderId }) => orderId))).toEqual(new Set([second]))
  expect(agenda.length).toBeGreaterThan(0)
  expect((await session.look({ explain: second.slice(0, 8) })).explanation?.orderId).toBe(second)

  const moved = await session.submit({ kind: 'order.apply', orderId: 'o1', trigger: 'confirm' })
  expect(moved.ok).toBe(true)
  expect((await session.look({ orderId: first })).order?.row.status).toBe('CONFIRMED')
  const planned = await session.submit({
    kind: 'agenda.plan',
    command: { kind: 'order.apply', orderId: 'o2', trigger: 'cancel' },
    afterMs: 0,
  })
  expect(planned).toMatchObject({ ok: true, value: [{ item: { command: { orderId: second } } }] })
})

test('a traffic filter takes a slot; what is no slot stays text', async () => {
  await using scene = await twoOrders()
  const { session, second } = scene
  const [base = ''] = [...session.urls.values()]
  const { read } = createHostClient({ fetch: session.fetch, base })
  for (const id of [scene.first, second]) await read(`/orders/${id}`)
  const rows = async (filter: string) =>
    (await session.look({ traffic: { limit: 100, filter } })).traffic.map(({ orderId }) => orderId)
  expect(await rows('o2')).toEqual([second])
  expect(await rows('!o2 orders')).toEqual([scene.first])
  expect(await rows('o3')).toEqual([])
})

test('a text that fits several orders is a problem that names them, and changes nothing', async () => {
  await using scene = await twoOrders()
  const { session, first } = scene
  const { document, row } = (await session.look({ orderId: first })).order!
  await session.createOrder({ order: { ...(document as object), id: 'twin-1' } })
  const fits = `"${row.displayId}" fits several orders: ${first}, twin-1. Write more of the id`
  expect(await session.look({ orderId: row.displayId })).toMatchObject({ problem: fits })
  const command = { kind: 'order.apply', orderId: row.displayId, trigger: 'confirm' } as const
  expect(await session.submit(command)).toEqual({
    ok: false,
    error: { code: 'CONFLICT', message: fits },
  })
  const unknown = await session.submit({ ...command, orderId: 'o9' })
  expect(unknown).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
})
