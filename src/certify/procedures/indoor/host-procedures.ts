/** Procedures with a Software Service as Indoor host: the life of an account, and of its fiscal documents. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import type { AccountEventType } from '../../../core/protocol/indoor/events.ts'
import type { ReadAccount } from '../../../core/protocol/indoor/read.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { emittedEvents } from '../../../core/rules/checks/trace.ts'
import { type CertifiedAccount, openAccount, openAccounts, reopenAccount } from './accounts.ts'

/** Waits until each of these events was handed over by now, in their number. */
export async function untilAccountEvents(
  context: ProcedureContext,
  ...types: readonly AccountEventType[]
): Promise<void> {
  await context.until(() => {
    const emitted = emittedEvents(context.observed()).map(({ eventType }) => eventType)
    return types.every(
      (type) =>
        emitted.filter((each) => each === type).length >=
        types.filter((each) => each === type).length,
    )
  })
}

const activeItems = (view: ReadAccount | undefined): readonly string[] =>
  view?.items.flatMap(({ itemId, isActive }) => (isActive ? [itemId] : [])) ?? []

/** While it is locked no item is added; the order has time to be processed. */
async function orderWhileLocked(
  context: ProcedureContext,
  account: CertifiedAccount,
): Promise<void> {
  const orderId = await account.order()
  context.note('locked order', orderId)
  await context.until(
    () =>
      context
        .observed()
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

const transferBody = (
  { accountId, operationMode, identifier }: CertifiedAccount,
  itemIds: readonly string[],
) => ({
  transferType: 'ITEMS',
  itemIds,
  target: { operationMode, identifier, ...(accountId === undefined ? {} : { accountId }) },
  ...(accountId === undefined ? {} : { targetAccountId: accountId }),
  reason: 'mudou de mesa',
})

const shared = { roles: ['software-service'], needs: ['orders', 'indoor'] } as const

export const accountHostProcedures = defineProcedures(shared, {
  /** A first order, a second one by another channel, and what is read of the account. */
  'account-opening': {
    about:
      'has an account opened and added to by INDOOR orders, reads it, and tries to close it, paid, before the pre-close',
    changes: 'one account, which ends as CLOSED, and two INDOOR orders',
    async run(context) {
      const account = await openAccount(context, 0, 'opened')
      if (account.accountId !== undefined) await account.read('read-by-id')
      const unknown = await context.call('read-unknown', {
        as: 'ordering-application',
        operation: 'getAccount',
        query: { operationMode: 'TABLE', identifier: context.unknownId().slice(0, 8) },
      })
      await context.call('create-account', {
        as: 'ordering-application',
        method: 'POST',
        path: unknown.url.pathname,
        query: { operationMode: 'TABLE', identifier: context.unknownId().slice(0, 8) },
        body: {},
      })
      await account.addOrder('read-added', 'POS')
      await untilAccountEvents(context, 'ACCOUNT_OPENED', 'ACCOUNT_ITEM_ADDED')
      await account.read('read-end')
      await account.pay('pay-all')
      const paid = await account.untilStatus('read-paid', 'IN_USE')
      // A close of what is not paid may be refused for that.
      if (paid?.due === 0) {
        await account.call('close-paid', 'closeAccount')
        await account.untilStatus('read-not-closed', 'IN_USE')
      }
      await account.settle()
    },
  },
  /** From the first order to CLOSED, with every operation in each status. */
  'account-life': {
    about:
      'takes an account from its first order to CLOSED, and tries each operation in each status',
    changes:
      'one account, which ends as CLOSED, and four INDOOR orders, of which one is for a locked account',
    async run(context) {
      const account = await openAccount(context, 1, 'life')
      const first = await account.addOrder('read-two')
      const [cancelled, kept] = activeItems(first)
      await account.call('close-in-use', 'closeAccount')
      const view = await account.untilStatus('read-in-use', 'IN_USE')
      await account.pay('pay-in-use', Math.round(((view?.due ?? 0) * 100) / 3) / 100)
      await account.read('read-paid')
      await account.call('list-payments', 'listAccountPayments')
      await account.cancelItem('cancel-item', cancelled)
      await account.read('read-cancelled')
      await account.call('pre-close', 'preCloseAccount')
      await account.untilStatus('read-locked', 'IN_PAYMENT')
      await account.call('repeat-pre-close', 'preCloseAccount')
      await account.cancelItem('cancel-item-locked', kept)
      await orderWhileLocked(context, account)
      await account.read('read-still-locked')
      await account.call('unlock', 'unlockAccount')
      await account.untilStatus('read-unlocked', 'IN_USE')
      await account.addOrder('read-again')
      await account.call('pre-close-again', 'preCloseAccount')
      await account.untilStatus('read-locked-again', 'IN_PAYMENT')
      await account.pay('pay-locked')
      await account.read('read-paid-locked')
      await account.call('list-payments-again', 'listAccountPayments')
      await account.call('close', 'closeAccount')
      await account.untilStatus('read-closed', 'CLOSED')
      await account.call('repeat-close', 'closeAccount')
      for (const [step, operation, body] of refusedWhenClosed)
        await account.call(step, operation, { body })
      await account.cancelItem('cancel-item-closed', kept)
      await account.readByKey('read-key-closed')
      await untilAccountEvents(
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
      await account.read('read-end')
    },
  },
  /** A key whose account is closed opens another one. */
  'account-reopening': {
    about: 'places an order for a table whose account was closed',
    changes: 'two accounts of one table, which end as CLOSED',
    async run(context) {
      const account = await openAccount(context, 2, 'first')
      await account.settle()
      await account.read('read-closed')
      const next = await reopenAccount(context, account, 'second')
      // Without an id the table names the second account by now.
      if (account.accountId !== undefined) await account.read('read-first')
      await next.settle()
    },
  },
  'account-transfer': {
    about:
      'moves an item to another account, and tries it while one of the two is locked or closed',
    changes: 'two accounts, which end as CLOSED',
    async run(context) {
      const [source, target] = await openAccounts(context, 3, 'source', 'target')
      if (!source || !target) return
      const view = await source.addOrder('source-read-two')
      await target.read('target-read-before')
      const [moved, kept] = activeItems(view)
      if (moved === undefined || kept === undefined) {
        context.skip('the account shows no two items with an id')
        return
      }
      const move = (step: string, itemIds: readonly string[]) =>
        source.call(step, 'transferAccountContent', { body: transferBody(target, itemIds) })
      await move('transfer', [moved])
      await source.read('source-read-moved')
      await target.read('target-read-moved')
      for (const [locked, account] of [
        ['target', target],
        ['source', source],
      ] as const) {
        await account.call(`lock-${locked}`, 'preCloseAccount')
        await account.untilStatus(`${locked}-read-locked`, 'IN_PAYMENT')
        await move(`transfer-${locked}-locked`, [kept])
        await source.read(`source-read-${locked}-locked`)
        await target.read(`target-read-${locked}-locked`)
        if (locked === 'target') {
          await account.call('unlock-target', 'unlockAccount')
          await account.untilStatus('target-read-unlocked', 'IN_USE')
        }
      }
      await source.settle()
      await move('transfer-source-closed', [kept])
      await target.read('target-read-end')
      await untilAccountEvents(context, 'ACCOUNT_OPENED', 'ACCOUNT_OPENED', 'ACCOUNT_ITEM_ADDED')
      await target.settle()
    },
  },
})
