import { expect, test } from 'vitest'
import { openHarness } from '../../../test/support/in-process-harness.ts'

/** Agenda right after an order was confirmed. */
async function waiting(fault: string): Promise<readonly unknown[]> {
  await using duel = await openHarness({ seed: 1, faults: [fault], channel: 'webhook' })
  const orderId = await duel.order('TAKEOUT')
  const rows: unknown[] = []
  for (let count = 0; count < 40 && rows.length === 0; count++) {
    await duel.pass(250)
    const { agenda } = await duel.session.look({ agenda: { limit: 50, orderId } })
    for (const { text, waits, fault: by } of agenda) if (waits) rows.push({ text, waits, by })
  }
  return rows
}

test('a waiting item shows its condition and its fault', async () => {
  expect(await waiting('reorder:event=CONFIRMED,k=2')).toEqual([
    {
      text: 'CONFIRMED by webhook',
      waits: '2 more handovers of later events of o1',
      by: 'reorder',
    },
  ])
  expect(await waiting('reorder:event=CONFIRMED,k=all')).toMatchObject([
    { waits: 'the end of o1', by: 'reorder' },
  ])
})

test('held items are found behind any number of others', async () => {
  await using duel = await openHarness({ seed: 1, faults: ['delay:order=o1,by=1h'] })
  await duel.order('TAKEOUT')
  await duel.order('TAKEOUT')
  const look = (limit: number, held?: true) =>
    duel.session.look({ agenda: { limit, background: false, ...(held ? { held } : {}) } })
  const last = (await look(100)).agenda.at(-1)
  await duel.session.submit({ kind: 'agenda.hold', id: last?.id ?? 0 })
  expect((await look(1)).agenda).not.toMatchObject([{ id: last?.id }])
  expect((await look(1, true)).agenda).toMatchObject([{ id: last?.id, held: true }])
})

test('the item detail contains the wire form of its event', async () => {
  await using duel = await openHarness({ seed: 1, channel: 'webhook' })
  const orderId = await duel.order('TAKEOUT')
  const [row] = (await duel.session.look({ agenda: { limit: 9, orderId } })).agenda
  const { item } = await duel.session.look({ item: row?.id ?? 0 })
  expect(item).toMatchObject({
    row,
    command: { kind: 'event.push' },
    event: { eventType: 'CREATED' },
  })
  expect(Object.keys(item?.event?.fields ?? {})).toEqual(
    expect.arrayContaining(['eventId', 'eventType', 'orderId', 'createdAt']),
  )
  expect(item?.event?.fields).not.toHaveProperty('merchantId')
  expect((await duel.session.look({ item: 9999 })).item).toBeUndefined()
})

test('pinned orders are shown outside the list window; unknown ids are omitted', async () => {
  await using duel = await openHarness({ seed: 1 })
  const first = await duel.order('TAKEOUT')
  await duel.order('TAKEOUT')
  const view = { orders: { limit: 1 }, pinned: ['nobody', first] }
  const { orders, pinned } = await duel.session.look(view)
  expect(orders.map(({ orderId }) => orderId)).not.toContain(first)
  expect(pinned?.map(({ orderId }) => orderId)).toEqual([first])
})

test('the row of a distorted exchange names its fault', async () => {
  await using duel = await openHarness({ seed: 1, faults: ['fail:operation=getOrder,limit=1'] })
  await duel.order('TAKEOUT')
  await duel.pass(5000)
  const { traffic } = await duel.session.look({ traffic: { limit: 50 } })
  const distorted = traffic.filter(({ fault }) => fault !== undefined)
  expect(distorted).toHaveLength(1)
  expect(distorted[0]).toMatchObject({
    operation: 'getOrder',
    fault: expect.stringContaining('fail'),
  })
})

test('the effect of a forced trigger is its target status', async () => {
  await using duel = await openHarness({ seed: 1, session: { clock: 'stepped' } })
  const { session } = duel
  const orderId = await duel.order('TAKEOUT')
  const command = {
    kind: 'order.apply',
    orderId,
    trigger: 'ready-for-pickup',
    force: true,
  } as const
  await session.submit({ kind: 'agenda.plan', command, afterMs: 60_000 })
  const { agenda } = await session.look({ agenda: { limit: 20, orderId } })
  expect(agenda.map(({ effect }) => effect)).toContain('CREATED > READY')
})

test('an event dropped by a fault has the state not delivered, and the others delivered', async () => {
  await using duel = await openHarness({ channel: 'webhook', faults: ['drop:event=CONFIRMED'] })
  const orderId = await duel.order('TAKEOUT')
  const states = async () => {
    const { order } = await duel.session.look({ orderId })
    return order?.events.map(({ eventType, state }) => `${eventType}: ${state}`)
  }
  expect(await states()).toEqual(['CREATED: planned'])
  await duel.pass(2000)
  expect(await states()).toEqual(['CREATED: delivered', 'CONFIRMED: not delivered'])
})

test('a view at a future fact reports that it does not exist yet', async () => {
  await using duel = await openHarness({ seed: 1 })
  const last = (await duel.session.look({})).info.counts.facts
  const { problem } = await duel.session.look({ at: last + 7 })
  expect(problem).toBe(`there is no fact ${last + 7} yet: the journal goes up to ${last}`)
})
