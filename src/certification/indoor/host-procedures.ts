/** Procedures with a Software Service as Indoor host: the life of an account, and of its fiscal documents. */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { AccountEventType } from '../../protocol/indoor/events.ts'
import type { ReadAccount } from '../../protocol/indoor/read.ts'
import { defineProcedure, type ProcedureContext } from '../procedure.ts'
import { emittedEvents } from '../trace.ts'
import {
  addOrder,
  callAccount,
  type CertifiedAccount,
  openAccounts,
  orderFor,
  pay,
  readByName,
  settle,
  untilStatus,
} from './accounts.ts'

/** Waits until each of these events was handed over by now, in their number. */
export async function untilEvents(
  context: ProcedureContext,
  ...types: readonly AccountEventType[]
): Promise<void> {
  await context.until(() => {
    const emitted = emittedEvents(context.seen()).map(({ eventType }) => eventType)
    return types.every(
      (type) =>
        emitted.filter((each) => each === type).length >=
        types.filter((each) => each === type).length,
    )
  })
}

const activeItems = (view: ReadAccount | undefined): readonly string[] =>
  view?.items.flatMap(({ itemId, isActive }) => (isActive ? [itemId] : [])) ?? []

export const cancelItem = (
  context: ProcedureContext,
  step: string,
  account: CertifiedAccount,
  itemId: string | undefined,
) =>
  callAccount(context, step, 'cancelAccountItem', account, {
    params: { itemId: itemId ?? context.unknownId() },
    body: { reason: 'desistiu' },
  })

/** A first order, a second one by another channel, and what is read of the account. */
export const accountOpening = defineProcedure({
  name: 'account-opening',
  about: 'has an account opened and added to by INDOOR orders, and reads it',
  roles: ['software-service'],
  needs: ['orders', 'indoor'],
  changes: 'one account, which ends as CLOSED, and two INDOOR orders',
  async run(context) {
    await context.call('manifest', { as: 'ordering-application', operation: 'getManifest' })
    const [account] = await openAccounts(context, 0, 'opened')
    if (!account) return
    if (account.accountId !== undefined) await readByName(context, 'read-by-id', account)
    const { accountId: _accountId, ...keyed } = account
    const unknown = await callAccount(context, 'read-unknown', 'getAccount', {
      ...keyed,
      identifier: context.unknownId().slice(0, 8),
    })
    await context.call('create-account', {
      as: 'ordering-application',
      method: 'POST',
      path: unknown.url.pathname,
      query: { operationMode: 'TABLE', identifier: context.unknownId().slice(0, 8) },
      body: {},
    })
    await addOrder(context, 'read-added', account, 'POS')
    await untilEvents(context, 'ACCOUNT_OPENED', 'ACCOUNT_ITEM_ADDED')
    await readByName(context, 'read-end', account)
    await settle(context, account)
  },
})

/** While it is locked no item is added; the order is given time to be processed. */
async function orderWhileLocked(
  context: ProcedureContext,
  account: CertifiedAccount,
): Promise<void> {
  const orderId = await orderFor(context, account)
  context.note('locked order', orderId)
  await context.until(
    () =>
      context
        .seen()
        .some(
          ({ operation, exchange }) => operation === 'getOrder' && exchange.orderId === orderId,
        ),
    { within: 60_000 },
  )
  await context.sleep(3000)
}

const refusedWhenClosed = [
  ['pay-closed', 'createPayment', { amount: 1, methodInfo: { method: 'PIX' } }],
  ['pre-close-closed', 'preCloseAccount', {}],
  ['unlock-closed', 'unlockAccount', {}],
] as const satisfies readonly (readonly [string, OperationId, object])[]

/** From the first order to CLOSED, with every operation in each status. */
export const accountLife = defineProcedure({
  name: 'account-life',
  about: 'takes an account from its first order to CLOSED, and tries each operation in each status',
  roles: ['software-service'],
  needs: ['orders', 'indoor'],
  changes:
    'one account, which ends as CLOSED, and four INDOOR orders, of which one is for a locked account',
  async run(context) {
    const [account] = await openAccounts(context, 1, 'life')
    if (!account) return
    const first = await addOrder(context, 'read-two', account)
    const [cancelled, kept] = activeItems(first)
    await callAccount(context, 'close-in-use', 'closeAccount', account)
    const view = await untilStatus(context, 'read-in-use', account, 'IN_USE')
    await pay(context, 'pay-in-use', account, Math.round(((view?.due ?? 0) * 100) / 3) / 100)
    await readByName(context, 'read-paid', account)
    await callAccount(context, 'list-payments', 'listAccountPayments', account)
    await cancelItem(context, 'cancel-item', account, cancelled)
    await readByName(context, 'read-cancelled', account)
    await callAccount(context, 'pre-close', 'preCloseAccount', account)
    await untilStatus(context, 'read-locked', account, 'IN_PAYMENT')
    await callAccount(context, 'repeat-pre-close', 'preCloseAccount', account)
    await cancelItem(context, 'cancel-item-locked', account, kept)
    await orderWhileLocked(context, account)
    await readByName(context, 'read-still-locked', account)
    await callAccount(context, 'unlock', 'unlockAccount', account)
    await untilStatus(context, 'read-unlocked', account, 'IN_USE')
    await addOrder(context, 'read-again', account)
    await callAccount(context, 'pre-close-again', 'preCloseAccount', account)
    await untilStatus(context, 'read-locked-again', account, 'IN_PAYMENT')
    await pay(context, 'pay-locked', account)
    await readByName(context, 'read-paid-locked', account)
    await callAccount(context, 'close', 'closeAccount', account)
    await untilStatus(context, 'read-closed', account, 'CLOSED')
    await callAccount(context, 'repeat-close', 'closeAccount', account)
    for (const [step, operation, body] of refusedWhenClosed)
      await callAccount(context, step, operation, account, { body })
    await cancelItem(context, 'cancel-item-closed', account, kept)
    const { accountId: _accountId, ...keyed } = account
    await callAccount(context, 'read-key-closed', 'getAccount', keyed)
    await untilEvents(
      context,
      'PAYMENT_CREATED',
      'PAYMENT_CREATED',
      'ACCOUNT_ITEM_CANCELLED',
      'ACCOUNT_ITEM_ADDED',
      'ACCOUNT_ITEM_ADDED',
      'ACCOUNT_PRE_CLOSED',
      'ACCOUNT_PRE_CLOSED',
      'ACCOUNT_CLOSED',
    )
    await readByName(context, 'read-end', account)
  },
})

/** A key whose account is closed opens another one. */
export const accountAfterClosing = defineProcedure({
  name: 'account-reopening',
  about: 'places an order for a table whose account was closed',
  roles: ['software-service'],
  needs: ['orders', 'indoor'],
  changes: 'two accounts of one table, which end as CLOSED',
  async run(context) {
    const [account] = await openAccounts(context, 2, 'first')
    if (!account) return
    await settle(context, account)
    await readByName(context, 'read-closed', account)
    const [next] = await openAccounts(context, 2, 'second')
    await readByName(context, 'read-first', account)
    if (next) await settle(context, next)
  },
})

const transferItems = (
  context: ProcedureContext,
  step: string,
  from: CertifiedAccount,
  { accountId, operationMode, identifier }: CertifiedAccount,
  itemIds: readonly string[],
) =>
  callAccount(context, step, 'transferAccountContent', from, {
    body: {
      transferType: 'ITEMS',
      itemIds,
      target: { operationMode, identifier, ...(accountId === undefined ? {} : { accountId }) },
      ...(accountId === undefined ? {} : { targetAccountId: accountId }),
      reason: 'mudou de mesa',
    },
  })

export const accountTransfer = defineProcedure({
  name: 'account-transfer',
  about: 'moves an item to another account, and tries it while one of the two is locked or closed',
  roles: ['software-service'],
  needs: ['orders', 'indoor'],
  changes: 'two accounts, which end as CLOSED',
  async run(context) {
    const [source, target] = await openAccounts(context, 3, 'source', 'target')
    if (!source || !target) return
    const view = await addOrder(context, 'source-read-two', source)
    await readByName(context, 'target-read-before', target)
    const [moved, kept] = activeItems(view)
    if (moved === undefined || kept === undefined)
      return void context.skip('the account shows no two items with an id')
    await transferItems(context, 'transfer', source, target, [moved])
    await readByName(context, 'source-read-moved', source)
    await readByName(context, 'target-read-moved', target)
    for (const [locked, account] of [
      ['target', target],
      ['source', source],
    ] as const) {
      await callAccount(context, `lock-${locked}`, 'preCloseAccount', account)
      await untilStatus(context, `${locked}-read-locked`, account, 'IN_PAYMENT')
      await transferItems(context, `transfer-${locked}-locked`, source, target, [kept])
      await readByName(context, `source-read-${locked}-locked`, source)
      await readByName(context, `target-read-${locked}-locked`, target)
      if (locked === 'target') {
        await callAccount(context, 'unlock-target', 'unlockAccount', account)
        await untilStatus(context, 'target-read-unlocked', account, 'IN_USE')
      }
    }
    await settle(context, source)
    await transferItems(context, 'transfer-source-closed', source, target, [kept])
    await readByName(context, 'target-read-end', target)
    await untilEvents(context, 'ACCOUNT_OPENED', 'ACCOUNT_OPENED', 'ACCOUNT_ITEM_ADDED')
    await settle(context, target)
  },
})
