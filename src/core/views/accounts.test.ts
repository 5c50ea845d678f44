import { describe, expect, test } from 'vitest'
import type { Account } from '../protocol/indoor/account.ts'
import { openIndoorSession } from '../../../test/support/indoor-session.ts'
import { accountQuery, type IndoorWire, openIndoorWire } from '../../../test/support/indoor-wire.ts'
import type { Move, EntityDetail } from '../session-api/entities.ts'

async function detail(wire: Pick<IndoorWire, 'session'>, id: string): Promise<EntityDetail> {
  const { entity } = await wire.session.look({ entity: { kind: 'account', id } })
  if (!entity) throw new Error(`nothing to look at: ${id}`)
  return entity
}

const names = (moves: readonly Move[], valid: boolean): readonly string[] =>
  moves
    .filter(({ invalid }) => (invalid === undefined) === valid)
    .map(({ trigger }) => trigger)
    .toSorted()

test('an account row shows place, status, bill and order', async () => {
  await using wire = await openIndoorWire()
  const orderId = await wire.order()
  await wire.post(`/accounts/payments?${accountQuery('7')}`, { amount: 12.5, method: 'PIX' })
  await wire.order({ identifier: '8' })
  const { entities, entityCount } = await wire.session.look({
    entities: { kind: 'account', limit: 10 },
  })
  expect(entityCount).toBe(2)
  expect(entities).toMatchObject([
    { label: 'TABLE 8', status: 'IN_USE' },
    {
      label: 'TABLE 7',
      status: 'IN_USE',
      text: '40.00, 12.50 paid, 27.50 due',
      orderId,
      merchant: 'loja-1',
    },
  ])
})

test('the account detail shows history, document and moves', async () => {
  await using wire = await openIndoorWire()
  const { accountId = '' } = await wire.account()
  await wire.account('IN_USE', '8')
  const inUse = await detail(wire, accountId)
  expect(inUse.statusHistory).toMatchObject([{ status: 'IN_USE', trigger: 'open' }])
  expect(inUse.regularStatuses).toEqual(['IN_USE', 'IN_PAYMENT', 'CLOSED'])
  expect((inUse.document as Account).totals.due).toBe(40)
  expect(names(inUse.moves, true)).toEqual([
    'cancel-item',
    'courtesy',
    'discount',
    'pay',
    'pay-half',
    'pre-close',
    'request-fiscal',
    'transfer',
    'transfer-item',
  ])
  expect(names(inUse.moves, false)).toEqual(['close'])
  await wire.post(`/accounts/pre-close?${accountQuery('7')}`)
  const locked = await detail(wire, accountId)
  expect(names(locked.moves, true)).toContain('unlock')
  expect(locked.moves.find(({ trigger }) => trigger === 'close')?.invalid).toBe(
    '40.00 is still due',
  )
  expect(new Set(locked.moves.map(({ trigger }) => trigger)).size).toBe(locked.moves.length)
})

test('every valid move has its stated effect', async () => {
  await using wire = await openIndoorWire({ conduct: { indoor: { fiscalDelay: '1h' } } })
  const { accountId = '' } = await wire.account()
  await wire.account('IN_USE', '8')
  const pull = async (trigger: string) => {
    const move = (await detail(wire, accountId)).moves.find((each) => each.trigger === trigger)
    if (!move) throw new Error(`there is no ${trigger}`)
    expect(await wire.session.submit(move.command)).toMatchObject({ ok: true })
    return (await detail(wire, accountId)).document as Account
  }
  expect((await pull('transfer-item')).items).toHaveLength(1)
  expect((await pull('discount')).totals).toMatchObject({ discount: 2, due: 18 })
  expect((await pull('pay-half')).totals).toMatchObject({ paid: 9, due: 9 })
  expect((await pull('adjust-payment')).totals).toMatchObject({ paid: 4.5, due: 13.5 })
  expect((await pull('pre-close')).status).toBe('IN_PAYMENT')
  await pull('request-fiscal')
  await pull('fail-fiscal')
  expect((await wire.documents())[0]?.documentStatus).toBe('ERROR')
  await pull('request-fiscal')
  await pull('issue-fiscal')
  expect((await wire.documents())[1]?.documentStatus).toBe('ISSUED')
  expect((await pull('unlock')).status).toBe('IN_USE')
  expect((await pull('cancel-item')).totals.due).toBe(0)
  await pull('courtesy')
  await pull('pre-close')
  expect((await pull('close')).status).toBe('CLOSED')
  // Invalid moves are forced.
  expect((await pull('unlock')).status).toBe('IN_USE')
  expect((await detail(wire, accountId)).statusHistory.map(({ status }) => status)).toEqual([
    'IN_USE',
    'IN_PAYMENT',
    'IN_USE',
    'IN_PAYMENT',
    'CLOSED',
    'IN_USE',
  ])
  expect((await wire.read()).accountId).toBe(accountId)
})

test('account facts have a text in the journal', async () => {
  await using wire = await openIndoorWire()
  await wire.account('CLOSED')
  const { journal } = await wire.session.look({ journal: { limit: 1000 } })
  const told = journal.filter(({ kind }) => kind.startsWith('account.')).map(({ text }) => text)
  expect(told).toEqual([
    'TABLE 7 opened with 2 items',
    'IN_USE > IN_PAYMENT',
    '40.00 paid by PIX',
    'IN_PAYMENT > CLOSED',
  ])
})

test('an account hosted by the subject is shown as known to the Ordering Application, with its moves', async () => {
  await using guests = await openIndoorSession({
    // A guest who does not unlock.
    seed: 4,
    counterparts: { 'ordering-application': { behaviour: 'slow' } },
  })
  const orderId = await guests.order()
  guests.host.open('a-1', { orders: [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }] })
  await guests.pass(180_000)
  const { session, host } = guests
  const { entities } = await session.look({ entities: { kind: 'account', limit: 10 } })
  expect(entities).toMatchObject([
    { id: 'a-1', label: 'TABLE 7', status: 'IN_USE', text: '40.00, 0.00 paid, 40.00 due' },
  ])
  const pull = async (trigger: string) => {
    const { entity } = await session.look({ entity: { kind: 'account', id: 'a-1' } })
    const move = entity!.moves.find((each) => each.trigger === trigger)
    await session.submit(move!.command)
    await guests.pass(150_000)
    return move
  }
  expect(await pull('pre-close')).not.toHaveProperty('illegal')
  expect(host.accounts.get('a-1')?.status).toBe('IN_PAYMENT')
  expect((await pull('cancel-item'))?.invalid).toContain('IN_USE')
  expect(host.of('cancel-item')).toHaveLength(1)
  await pull('list-payments')
  await pull('list-documents')
  await pull('look')
  expect(host.of('payments').length).toBeGreaterThan(0)
  expect(host.of('documents').length).toBeGreaterThan(0)
})

test('an outdated account read is marked as background on the agenda', async () => {
  await using guests = await openIndoorSession()
  const orderId = await guests.order()
  guests.host.open('a-1', { orders: [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }] })
  await guests.pushEvent(guests.host.news()[0]!)
  await guests.pushEvent(guests.host.event('a-1', 'ACCOUNT_ITEM_ADDED'))
  const looks = (background: boolean) =>
    guests.session
      .look({ agenda: { limit: 50, background } })
      .then(({ agenda }) => agenda.filter(({ kind }) => kind === 'table.look'))
  expect(await looks(true)).toHaveLength(2)
  expect(await looks(false)).toHaveLength(1)
})

/** A table whose account was read once; what happens at the host from here on is only told by events. */
async function readTable() {
  const guests = await openIndoorSession({
    counterparts: { 'ordering-application': { behaviour: 'slow' } },
  })
  const orderId = await guests.order()
  guests.host.open('a-1', { orders: [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }] })
  await guests.pass(180_000)
  const later = (eventType: string, seconds: number, more = {}) =>
    guests.pushEvent(
      guests.host.event('a-1', eventType, {
        occurredAt: `2026-01-05T16:00:0${seconds}.000Z`,
        ...more,
      }),
    )
  return { guests, later, row: async () => (await detail(guests, 'a-1')).row }
}

describe('our view of an account of the subject follows its events', () => {
  test('[IND-TRA-02, IND-TRA-04] after ACCOUNT_PRE_CLOSED it is locked, and may be closed once it is paid', async () => {
    const { guests, later } = await readTable()
    await using _session = guests
    const validity = async (name: string) =>
      (await detail(guests, 'a-1')).moves.find(({ trigger }) => trigger === name)?.invalid
    expect(await validity('close')).toBe('close needs IN_PAYMENT, and it is IN_USE')
    await later('ACCOUNT_PRE_CLOSED', 1)
    expect(await validity('close')).toBe('40.00 is still due')
    await later('PAYMENT_CREATED', 2, { paymentId: 'p-1', payload: { amount: 40 } })
    expect(await validity('close')).toBeUndefined()
    expect(await validity('pay')).toBe('nothing is due')
    expect((await detail(guests, 'a-1')).statusHistory).toMatchObject([
      { status: 'IN_USE' },
      { status: 'IN_PAYMENT', trigger: 'ACCOUNT_PRE_CLOSED' },
    ])
  })

  test('an event that is older than another, and any event of a closed account, moves nothing', async () => {
    const { guests, later, row } = await readTable()
    await using _session = guests
    await later('ACCOUNT_UNLOCKED', 3)
    await later('ACCOUNT_PRE_CLOSED', 5)
    await later('ACCOUNT_UNLOCKED', 4)
    expect((await row()).status).toBe('IN_PAYMENT')
    await later('ACCOUNT_CLOSED', 6)
    await later('ACCOUNT_UNLOCKED', 7)
    expect((await row()).status).toBe('CLOSED')
  })

  test('[IND-EVT-05, IND-EVT-06] a payment counts once, whether its event or its reply comes first, and as it was amended', async () => {
    const { guests, later, row } = await readTable()
    await using _session = guests
    const bill = async () => (await row()).text
    await later('PAYMENT_CREATED', 1, { paymentId: 'p-1', payload: { amount: 15 } })
    await later('PAYMENT_CREATED', 2, { paymentId: 'p-1', data: { amount: 15 } })
    expect(await bill()).toBe('40.00, 15.00 paid, 25.00 due')
    await later('PAYMENT_UPDATED', 3, { paymentId: 'p-1', payload: { amount: 10 } })
    expect(await bill()).toBe('40.00, 10.00 paid, 30.00 due')
    // Without an amount an event says nothing of the bill (IND-UND-05).
    await later('PAYMENT_CREATED', 4, { paymentId: 'p-2' })
    expect(await bill()).toBe('40.00, 10.00 paid, 30.00 due')
  })

  test('[IND-OPS-08] what was paid with success is not paid again before the account is read', async () => {
    const { guests, row } = await readTable()
    await using _session = guests
    const { host, session } = guests
    const pay = (await detail(guests, 'a-1')).moves.find(({ trigger }) => trigger === 'pay')!
    await session.submit(pay.command)
    await session.advance(100)
    expect(host.accounts.get('a-1')?.payments).toMatchObject([{ amount: 40 }])
    expect((await row()).text).toBe('40.00, 40.00 paid, 0.00 due')
    const [payment] = host.accounts.get('a-1')!.payments
    for (const event of host.news()) await guests.pushEvent({ ...event, payload: payment })
    expect((await row()).text).toBe('40.00, 40.00 paid, 0.00 due')
  })

  test('items, payments and events are listed', async () => {
    const { guests, later } = await readTable()
    await using _session = guests
    await later('PAYMENT_CREATED', 1, { paymentId: 'p-1', payload: { amount: 15 } })
    const { parts } = await detail(guests, 'a-1')
    const [items, payments, events] = parts ?? []
    expect(items).toMatchObject({
      name: 'items',
      rows: [{ price: '20.00', status: 'ACTIVE' }, { status: 'ACTIVE' }],
    })
    expect(payments?.rows).toEqual([{ payment: 'p-1', amount: '15.00', method: '-' }])
    expect(events?.rows.map(({ event }) => event)).toEqual(['ACCOUNT_OPENED', 'PAYMENT_CREATED'])
  })
})

test('items, payments and events of an account of ours are listed', async () => {
  await using wire = await openIndoorWire()
  const { accountId = '' } = await wire.account()
  await wire.post(`/accounts/payments?${accountQuery('7')}`, { amount: 12.5, method: 'PIX' })
  const [items, payments, events] = (await detail(wire, accountId)).parts ?? []
  expect(items?.rows).toMatchObject([{ price: '20.00', status: 'ACTIVE' }, { price: '20.00' }])
  expect(payments?.rows).toMatchObject([{ amount: '12.50', method: 'PIX' }])
  expect(events?.rows.map(({ event }) => event)).toEqual(['ACCOUNT_OPENED', 'PAYMENT_CREATED'])
})

test('account events are named by type and table in traffic, facts and agenda', async () => {
  await using wire = await openIndoorWire()
  await wire.account()
  const { traffic, journal } = await wire.session.look({
    traffic: { limit: 100 },
    journal: { limit: 1000 },
  })
  expect(traffic.flatMap(({ event }) => event ?? [])).toContain('ACCOUNT_OPENED TABLE 7')
  const texts = journal.map(({ text }) => text)
  expect(texts).toContain('SS announces ACCOUNT_OPENED TABLE 7')
  expect(texts).toContain('ACCOUNT_OPENED TABLE 7 delivered by webhook (204)')
  const { guests } = await readTable()
  await using _session = guests
  const known = await guests.session.look({ journal: { limit: 1000 }, traffic: { limit: 100 } })
  const received = known.journal.filter(({ kind }) => kind === 'table.heard')
  expect(received.map(({ text }) => text)).toEqual(['OA received ACCOUNT_OPENED of TABLE 7'])
  expect(known.traffic.flatMap(({ event }) => event ?? [])).toEqual(['ACCOUNT_OPENED account a-1'])
})
