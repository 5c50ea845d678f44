/** What a user makes our Ordering Application do at the accounts of a POS, by `sparring accounts`. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startControl } from '../../core/runtime/control/control.ts'
import { runVerbs } from '../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import type { Session } from '../../core/session-api/session.ts'
import { openDeliverySession } from '../../../test/support/delivery-session.ts'
import { openLoyaltyPartner } from '../../../test/support/scripted-loyalty-host.ts'
import { refusal } from '../../../test/support/scripted-host.ts'
import { type IndoorSession, openIndoorSession } from '../../../test/support/indoor-session.ts'

let guests: IndoorSession
let control: Awaited<ReturnType<typeof startControl>>

beforeEach(async () => {
  guests = await openIndoorSession({
    counterparts: { 'ordering-application': { behaviour: 'passive' } },
  })
  control = await startControl({ session: guests.session, host: '127.0.0.1', port: 0 })
  for (const [accountId, identifier] of [
    ['account-7', '7'],
    ['account-8', '8'],
  ] as const) {
    const orderId = await guests.order(identifier)
    const orders = [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }]
    await guests.pushEvent(guests.host.open(accountId, { identifier, orders }))
  }
  await guests.pass(5000)
})
afterEach(async () => {
  await control.close()
  await guests.session.close()
})

/** Exit code and output of a verb, when what it led to is done. */
async function accounts(...argv: readonly string[]) {
  const { io, written } = createTestIo({ env: { SPARRING_CONTROL: control.url } })
  const code = await runVerbs(['accounts', ...argv], io)
  await guests.session.advance(100)
  return { code, ...written() }
}

const moved = async (...argv: readonly string[]) => (await accounts('move', ...argv)).stderr

test('an account is named by its id, the beginning of it, or its place', async () => {
  for (const name of ['account-7', 'TABLE 7', 'table 7', 'TABLE:7', 'table:7', '7'])
    expect((await accounts('show', name)).stdout).toMatch(/^account-7 {2}TABLE 7 {2}IN_USE/)
  for (const name of ['TAB:7', 'COUNTER:7', 'TABLE:70'])
    expect((await accounts('show', name)).stderr).toContain(`there is no account ${name}`)
  expect((await accounts('show', 'TABLE 9')).stderr).toContain('there is no account TABLE 9')
})

test('show lists items, payments and events, and what each move takes', async () => {
  await accounts('move', 'TABLE 7', 'pay', '--amount', '12.5')
  const { stdout } = await accounts('show', 'TABLE 7')
  expect(stdout).toMatch(/ITEM +NAME +QUANTITY +PRICE +STATUS/)
  expect(stdout).toMatch(/PAYMENT +AMOUNT +METHOD\n\S+ +12\.50/)
  expect(stdout).toMatch(/EVENT +AT\nACCOUNT_OPENED/)
  expect(stdout).toMatch(/transfer +IN_USE +ordering-application +yes +--to --item/)
})

test('[IND-OPS-08] pay takes an amount; more than is due only by force', async () => {
  const { host } = guests
  expect(await moved('TABLE 7', 'pay', '--amount', '15')).toBe('')
  expect(host.of('pay').at(-1)?.json).toMatchObject({ amount: 15 })
  expect(await moved('TABLE 7', 'pay', '--amount', '25.01')).toContain(
    '25.01 is more than the 25.00 that are due; use --force to force it',
  )
  expect(host.of('pay')).toHaveLength(1)
  await moved('TABLE 7', 'pay', '--amount', '25.01', '--force')
  expect(host.of('pay').at(-1)?.json).toMatchObject({ amount: 25.01 })
})

test('[IND-OPS-07] transfer takes items and the other account; what is unknown only by force', async () => {
  const { host } = guests
  const [item] = host.accounts.get('account-7')!.items
  expect(await moved('TABLE 7', 'transfer', '--item', item!.itemId, '--to', 'TABLE 8')).toBe('')
  expect(host.of('transfer').at(-1)?.json).toMatchObject({
    itemIds: [item!.itemId],
    targetAccountId: 'account-8',
  })
  expect(await moved('TABLE 7', 'transfer', '--to', 'nowhere')).toContain('no account nowhere')
  await moved('TABLE 7', 'transfer', '--to', 'nowhere', '--item', 'no-such', '--force')
  expect(host.of('transfer').at(-1)?.json).toMatchObject({
    itemIds: ['no-such'],
    targetAccountId: 'nowhere',
  })
})

test('[IND-OPS-06] cancel-item takes an item; one that the account does not have only by force', async () => {
  const { host } = guests
  expect(await moved('TABLE 7', 'cancel-item', '--item', 'no-such')).toContain(
    'it has no item no-such; its items: ',
  )
  await moved('TABLE 7', 'cancel-item', '--item', 'no-such', '--force')
  expect(host.of('cancel-item').at(-1)?.path).toContain('/items/no-such/cancel')
})

test('[IND-OPS-10] a move that the host refuses ends with 1 and says what the host answers', async () => {
  expect(await accounts('move', 'TABLE 7', 'close', '--force')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^sparring: account-7: close: POST \/accounts\/close\?\S+ is answered 409: .*INVALID_ACCOUNT_STATE.*\n$/,
    ),
  })
  expect(await accounts('move', 'TABLE 7', 'pre-close')).toMatchObject({
    code: 0,
    stdout: 'account-7: pre-close\n',
    stderr: '',
  })
})

test('what a move does not take is refused, and so is what is wrong without force', async () => {
  expect(await moved('TABLE 7', 'look', '--amount', '5')).toContain(
    'look does not take --amount; it takes nothing to choose',
  )
  expect(await moved('TABLE 7', 'close')).toContain('close needs IN_PAYMENT, and it is IN_USE')
  expect(guests.host.of('close')).toHaveLength(0)
  await moved('TABLE 7', 'close', '--force')
  expect(guests.host.of('close')).toHaveLength(1)
})

/** Exit code and output of a verb at a session. */
async function typed(session: Session, ...argv: readonly string[]) {
  const served = await startControl({ session, host: '127.0.0.1', port: 0 })
  const { io, written } = createTestIo({ env: { SPARRING_CONTROL: served.url } })
  const code = await runVerbs(argv, io)
  await served.close()
  return { code, ...written() }
}

test('a CRM that refuses what loyalty move asks is named with its problem, and one that answers ends with 0', async () => {
  const account = { id: 'acc-1', customerId: 'customer-1', programId: 'club', points: 10 }
  let status = 200
  await using crm = await openLoyaltyPartner({
    accounts: [account],
    replyTo: ({ path }) =>
      status >= 400 && path.startsWith('/loyalty/accounts/') ? refusal(status, 'NO') : undefined,
  })
  await crm.order('o-1')
  await crm.pass(60_000)
  expect(await typed(crm.session, 'loyalty', 'move', 'acc-1', 'read again')).toMatchObject({
    code: 0,
    stdout: 'acc-1: read again\n',
  })
  status = 422
  expect(await typed(crm.session, 'loyalty', 'move', 'acc-1', 'read again')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^sparring: acc-1: read again: GET \/loyalty\/accounts\/acc-1 is answered 422: .*NO/,
    ),
  })
})

test('a Delivery Platform that refuses a cancellation makes deliveries move end with 1', async () => {
  await using shipper = await openDeliverySession({
    platform: { status: (call) => (call === 'cancel' ? 409 : undefined) },
  })
  await shipper.createConfirmed()
  await shipper.pass(5000)
  const { entities } = await shipper.session.look({ entities: { kind: 'delivery', limit: 1 } })
  const cancel = ['deliveries', 'move', entities[0]?.id ?? '', 'cancel'] as const
  expect(await typed(shipper.session, ...cancel)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /: cancel: POST \/logistics\/delivery\/\S+\/cancel is answered 409: .*NO/,
    ),
  })
})
