import { expect, test } from 'vitest'
import { openIndoorSession } from '../../../test/support/indoor-session.ts'
import { accountQuery, openIndoorWire } from '../../../test/support/indoor-wire.ts'
import type { SessionApi } from '../session-api/session-api.ts'

async function explained(session: Pick<SessionApi, 'look'>, about: string) {
  const { explanation } = await session.look({ explain: about })
  if (!explanation) throw new Error(`nothing is explained: ${about}`)
  return explanation
}

test('an account of your POS: events, calls and reads in order, and what is known of it', async () => {
  await using guests = await openIndoorSession({
    counterparts: { 'ordering-application': { behaviour: 'slow' } },
  })
  const { host, session } = guests
  const orderId = await guests.order()
  host.open('a-1', { orders: [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }] })
  await guests.pass(180_000)
  await session.submit({ kind: 'table.move', tableId: 'a-1', trigger: 'close', force: true })
  await session.advance(1000)
  for (const name of ['a-1', 'TABLE 7', 'table 7', 'TABLE:7']) {
    const { about, title, lines, conclusion } = await explained(session, name)
    expect(about).toEqual({ kind: 'account', id: 'a-1' })
    expect(title).toBe('TABLE 7 (account a-1): IN_USE')
    const texts = lines.map(({ text }) => text.replace(/#\d+/, '#'))
    expect(texts.slice(0, 3)).toEqual([
      'your service sends ACCOUNT_OPENED to the Ordering Application (#): 204',
      'the Ordering Application calls getAccount (#): 200',
      'OA read TABLE 7: IN_USE, 0.00 of 40.00 paid',
    ])
    const close = lines.find(({ text }) => text.includes('calls closeAccount'))
    expect(close).toMatchObject({ odd: true, kind: 'call' })
    expect(conclusion).toContainEqual(
      expect.stringMatching(/^The Ordering Application has it IN_USE since .*: 40\.00, 0\.00 paid/),
    )
    expect(conclusion).toContain(`Without success: #${close?.exchanges[0]}.`)
  }
})

test('sums that do not follow from what the account lists are a line and a conclusion', async () => {
  await using guests = await openIndoorSession({
    counterparts: { 'ordering-application': { behaviour: 'slow' } },
  })
  const orderId = await guests.order()
  guests.host.open('a-1', { orders: [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }] })
  const wrong = {
    ...guests.host.accounts.get('a-1'),
    totals: { itemsSubtotal: 55, paid: 0, due: 55 },
  }
  guests.host.script('get', () => ({ status: 200, body: wrong }))
  await guests.pass(180_000)
  const { lines, conclusion } = await explained(guests.session, 'a-1')
  const sentence = 'totals.itemsSubtotal is 55.00, and its items come to 40.00'
  expect(lines.filter(({ odd }) => odd).map(({ text }) => text)).toEqual([
    `the account of TABLE 7: ${sentence}`,
  ])
  expect(conclusion).toContain(`When it was read last, ${sentence}.`)
})

test('an account of ours: what was done and announced, and its bill; an earlier guest of the table is another account', async () => {
  await using wire = await openIndoorWire()
  const { accountId = '' } = await wire.account('CLOSED')
  const second = await wire.account()
  expect((await explained(wire.session, 'TABLE 7')).about.id).toBe(second.accountId)
  const { lines, conclusion } = await explained(wire.session, accountId)
  const texts = lines.map(({ text }) => text)
  expect(texts).toContain('40.00 paid by PIX')
  expect(texts).toContain('SS announces ACCOUNT_CLOSED TABLE 7')
  expect(texts.filter((text) => text.includes('sends ACCOUNT_OPENED'))).toHaveLength(1)
  expect(conclusion[0]).toMatch(/^The Software Service has it CLOSED since .*: 40\.00, 40\.00 paid/)
  await wire.post(`/accounts/payments?${accountQuery('7')}`, { amount: 12.5, method: 'PIX' })
  const later = (await explained(wire.session, accountId)).lines
  expect(later.some(({ text }) => text.includes('of 12.50'))).toBe(false)
})

test('what is neither order, event, exchange nor account is not explained', async () => {
  await using wire = await openIndoorWire()
  expect((await wire.session.look({ explain: 'TABLE 99' })).explanation).toBeUndefined()
})
