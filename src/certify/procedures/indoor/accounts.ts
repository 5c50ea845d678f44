/**
 * Accounts of a Software Service under certification: opened by INDOOR orders of ours, called as an Ordering
 * Application.
 */
import { compact } from '../../../core/base/compact.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import type { OperationMode } from '../../../core/protocol/indoor/labels.ts'
import type { AccountStatus } from '../../../core/protocol/indoor/status.ts'
import { type ReadAccount } from '../../../core/protocol/indoor/read.ts'
import type { IndoorBlock } from '../../../core/protocol/orders/indoor-block.ts'
import { lacksData } from '../../judge/certification-data.ts'
import { type ProcedureContext, readUntil } from '../../judge/procedure.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { accountNote, accountOrderNote } from '../../../core/rules/checks/indoor/noted-accounts.ts'
import { accountView } from '../../../core/rules/checks/indoor/account-assertions.ts'

type Channel = IndoorBlock['originChannel']['type']

/** How long a service may take to process an order: it may have to poll first. */
const processingMs = 60_000

/** The operational key of an account, and its id once the service has named it. */
interface AccountName {
  readonly operationMode: OperationMode
  readonly identifier: string
  readonly accountId?: string
}

interface NamedAccount extends AccountName {
  /** Name in notes, and in steps where a procedure has several accounts. */
  readonly label: string
  /** The service takes calls under the path of the account only. */
  readonly isScoped: boolean
}

interface CallContent {
  readonly body?: object
  readonly params?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** An account with what may be done about it; each call has a step. */
export interface CertifiedAccount extends NamedAccount {
  /** Calls an operation about the account as the Ordering Application. */
  readonly call: (step: string, operation: OperationId, content?: CallContent) => Promise<Observed>
  /** Reads it by its key, without its id. */
  readonly readByKey: (step: string) => Promise<Observed>
  /** Reads it: by its id where it has one, since its key may stand for a later one. */
  readonly read: (step: string) => Promise<Observed>
  /** Reads it until it is as it should be, or cannot be read as it should not; the last view of it, if there is one. */
  readonly readUntil: (
    step: string,
    holds: (view: ReadAccount | undefined) => boolean,
    within?: number,
  ) => Promise<ReadAccount | undefined>
  readonly untilStatus: (step: string, status: AccountStatus) => Promise<ReadAccount | undefined>
  /** Places an INDOOR order for its key at our Ordering Application. */
  readonly order: (channel?: Channel) => Promise<string>
  /** Places another order for it, and reads it until it shows more items. */
  readonly addOrder: (step: string, channel?: Channel) => Promise<ReadAccount | undefined>
  /** Pays an amount; what is due when none is stated, and nothing when nothing is. */
  readonly pay: (
    step: string,
    amount?: number,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<void>
  readonly cancelItem: (step: string, itemId: string | undefined) => Promise<Observed>
  /** Pays what is due and closes it, so that the table is free again. */
  readonly settle: () => Promise<void>
}

function accountOf(context: ProcedureContext, named: NamedAccount): CertifiedAccount {
  const { label, operationMode, identifier, accountId, isScoped } = named
  const key = { operationMode, identifier }
  const account: CertifiedAccount = {
    ...named,
    call(step, operation, { body, params, headers = {} } = {}) {
      const isRead = operation.startsWith('get') || operation.startsWith('list')
      const isUnderPath = isScoped && accountId !== undefined
      return context.call(step, {
        as: 'ordering-application',
        operation,
        headers,
        ...(isUnderPath
          ? { params: { ...params, accountId } }
          : {
              ...(params ? { params } : {}),
              query: { ...key, ...(accountId === undefined ? {} : { accountId }) },
            }),
        ...(isRead ? {} : { body: body ?? {} }),
      })
    },
    readByKey: (step) =>
      context.call(step, { as: 'ordering-application', operation: 'getAccount', query: key }),
    read: (step) =>
      accountId === undefined
        ? account.readByKey(step)
        : context.call(step, {
            as: 'ordering-application',
            operation: 'getAccountById',
            params: { accountId },
          }),
    readUntil: (step, holds, within) =>
      readUntil(context, async () => accountView(await account.readByKey(step)), holds, {
        ...compact({ within }),
        what: `the change of the account of ${operationMode} ${identifier}`,
      }),
    // A key may stand for no account once it is closed (IND-UND-04).
    untilStatus: (step, status) =>
      account.readUntil(
        step,
        (view) => view?.status === status || (status === 'CLOSED' && view === undefined),
      ),
    async order(channel = 'WAITER_TABLET') {
      const [merchant] = context.data.merchants
      const { orderId } = await context.createOrder({
        order: {
          merchant: merchant === undefined ? { externalCode: 'LOJA-001' } : { id: merchant },
          fulfillment: {
            orderType: 'INDOOR',
            indoor: {
              ...key,
              originChannel: { type: channel },
              consumptionType: 'DINE_IN',
              fiscal: { shouldIssueDocument: false, documentStatus: 'NOT_ISSUED' },
            },
          },
        },
      })
      context.note(...accountOrderNote(label, orderId))
      return orderId
    },
    async addOrder(step, channel) {
      const before = accountView(await account.readByKey(`before-${step}`))
      await account.order(channel)
      const count = before?.items.length ?? 0
      return account.readUntil(step, (view) => (view?.items.length ?? 0) > count, processingMs)
    },
    async pay(step, amount, headers = {}) {
      const due = async () => accountView(await account.readByKey(`before-${step}`))?.due ?? 0
      const wanted = amount ?? (await due())
      const body = { amount: wanted, methodInfo: { method: 'PIX' } }
      if (wanted > 0) await account.call(step, 'createPayment', { body, headers })
    },
    cancelItem: (step, itemId) =>
      account.call(step, 'cancelAccountItem', {
        params: { itemId: itemId ?? context.unknownId() },
        body: { reason: 'desistiu' },
      }),
    async settle() {
      const step = `settle-${label}`
      await account.pay(step)
      await account.call(step, 'preCloseAccount')
      await account.untilStatus(step, 'IN_PAYMENT')
      const closed = await account.call(step, 'closeAccount')
      const view = await account.untilStatus(step, 'CLOSED')
      if (view && view.status !== 'CLOSED')
        context.leaves(
          `the account of table ${identifier}: it is ${view.status} after closeAccount was answered ${closed.status}`,
        )
    },
  }
  return account
}

/** A place whose account is not open: of --data, else one that is made up. */
const freePlace = ({ data, now }: ProcedureContext, slot: number): string =>
  data.tables[slot] ?? `C${slot}-${Math.floor(now() / 1000) % 1_000_000}`

/** The account of an order that was placed: its id, and the form of its paths. */
async function awaitOpened(
  context: ProcedureContext,
  placed: CertifiedAccount,
  step: string,
): Promise<CertifiedAccount> {
  const view = await placed.readUntil(
    step,
    (found) => found !== undefined && found.status !== 'CLOSED',
    processingMs,
  )
  if (!view) {
    const lacking = (['merchants', 'tables'] as const).filter(
      (key) => context.data[key].length === 0,
    )
    const why = `no account was opened for table ${placed.identifier} within 60 s`
    return context.skip(lacksData(why, ...lacking))
  }
  const { label, operationMode, identifier } = placed
  const { accountId } = view
  const name = {
    label,
    operationMode,
    identifier,
    ...(accountId === undefined ? {} : { accountId }),
  }
  context.note(...accountNote(name))
  const flat = accountOf(context, { ...name, isScoped: false })
  const { status } = await flat.call('probe-form', 'listAccountPayments')
  const isScoped = accountId !== undefined && (status === 404 || status === 405)
  return isScoped ? accountOf(context, { ...name, isScoped }) : flat
}

/**
 * Has an account opened for each label by an INDOOR order: the orders are placed side by side. Steps are `read-new`, with
 * the label before it where there are several. The slot chooses the tables.
 */
export async function openAccounts(
  context: ProcedureContext,
  slot: number,
  ...labels: readonly string[]
): Promise<readonly CertifiedAccount[]> {
  const placed = labels.map((label, index) =>
    accountOf(context, {
      label,
      operationMode: 'TABLE',
      identifier: freePlace(context, slot + index),
      isScoped: false,
    }),
  )
  for (const each of placed) await each.order('QR_CODE')
  const opened: CertifiedAccount[] = []
  for (const each of placed) {
    const step = labels.length === 1 ? 'read-new' : `${each.label}-read-new`
    opened.push(await awaitOpened(context, each, step))
  }
  return opened
}

/** Has another account opened for the key of one that was closed. */
export async function reopenAccount(
  context: ProcedureContext,
  { operationMode, identifier }: CertifiedAccount,
  label: string,
): Promise<CertifiedAccount> {
  const placed = accountOf(context, { label, operationMode, identifier, isScoped: false })
  await placed.order()
  return awaitOpened(context, placed, `${label}-read-new`)
}

/** Has one account opened. */
export async function openAccount(
  context: ProcedureContext,
  slot: number,
  label: string,
): Promise<CertifiedAccount> {
  const [account] = await openAccounts(context, slot, label)
  return account ?? context.skip('no account was opened')
}
