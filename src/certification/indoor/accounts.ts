/** Accounts of a Software Service under certification: opened by INDOOR orders of ours, called as an Ordering Application. */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OperationMode } from '../../protocol/indoor/labels.ts'
import { type ReadAccount, readAccount } from '../../protocol/indoor/read.ts'
import type { IndoorBlock } from '../../protocol/orders/indoor-block.ts'
import type { ProcedureContext } from '../procedure.ts'
import type { Observed } from '../trace.ts'
import { accountNote, accountOrderNote } from './noted-accounts.ts'

/** How long a service may take to process an order: it may have to poll first. */
const processingMs = 60_000
/** How long an accepted call may take to show its effect. */
const effectMs = 15_000
const readEveryMs = 500

/** An account of a story: its operational key, and its id once the service has told it. */
export interface CertifiedAccount {
  /** Name in notes, and in steps where a procedure has several accounts. */
  readonly label: string
  readonly operationMode: OperationMode
  readonly identifier: string
  readonly accountId?: string
  /** The service takes calls under the path of the account only. */
  readonly isScoped: boolean
}

export const accountView = ({ status, reply }: Observed): ReadAccount | undefined => {
  const read = status === 200 ? readAccount(reply) : undefined
  return read?.ok ? read.value : undefined
}

/** A place whose account is not open: of the data that was given, else one that is made up. */
const freePlace = ({ data, now }: ProcedureContext, slot: number): string =>
  data.tables[slot] ?? `C${slot}-${Math.floor(now() / 1000) % 1_000_000}`

/** Places an INDOOR order at our Ordering Application for the account's key. */
export async function orderFor(
  context: ProcedureContext,
  { label, operationMode, identifier }: Omit<CertifiedAccount, 'isScoped'>,
  channel: IndoorBlock['originChannel']['type'] = 'WAITER_TABLET',
): Promise<string> {
  const [merchant] = context.data.merchants
  const { orderId } = await context.createOrder({
    order: {
      merchant: merchant === undefined ? { externalCode: 'LOJA-001' } : { id: merchant },
      fulfillment: {
        orderType: 'INDOOR',
        indoor: {
          operationMode,
          identifier,
          originChannel: { type: channel },
          consumptionType: 'DINE_IN',
          fiscal: { shouldIssueDocument: false, documentStatus: 'NOT_ISSUED' },
        },
      },
    },
  })
  context.note(...accountOrderNote(label, orderId))
  return orderId
}

/** Calls an operation about an account as the Ordering Application. */
export function callAccount(
  context: ProcedureContext,
  step: string,
  operation: OperationId,
  account: CertifiedAccount,
  {
    body,
    params,
  }: { readonly body?: object; readonly params?: Readonly<Record<string, string>> } = {},
): Promise<Observed> {
  const { operationMode, identifier, accountId, isScoped } = account
  const isRead = operation.startsWith('get') || operation.startsWith('list')
  return context.call(step, {
    as: 'ordering-application',
    operation,
    ...(isScoped && accountId !== undefined && operation !== 'getAccount'
      ? { params: { ...params, accountId } }
      : {
          ...(params ? { params } : {}),
          query: { operationMode, identifier, ...(accountId === undefined ? {} : { accountId }) },
        }),
    ...(isRead ? {} : { body: body ?? {} }),
  })
}

/** Reads the account: by its id where it has one, since its key may stand for a later one. */
export const readByName = (
  context: ProcedureContext,
  step: string,
  account: CertifiedAccount,
): Promise<Observed> =>
  account.accountId === undefined
    ? callAccount(context, step, 'getAccount', account)
    : context.call(step, {
        as: 'ordering-application',
        operation: 'getAccountById',
        params: { accountId: account.accountId },
      })

/** Reads the account by its key until it is as it should be; the last view of it, if there is one. */
export async function readUntil(
  context: ProcedureContext,
  step: string,
  account: CertifiedAccount,
  holds: (view: ReadAccount) => boolean,
  within = effectMs,
): Promise<ReadAccount | undefined> {
  const end = context.now() + within
  for (;;) {
    const view = accountView(await callAccount(context, step, 'getAccount', account))
    if ((view && holds(view)) || context.now() >= end) return view
    await context.sleep(readEveryMs)
  }
}

export const untilStatus = (
  context: ProcedureContext,
  step: string,
  account: CertifiedAccount,
  status: ReadAccount['status'],
): Promise<ReadAccount | undefined> =>
  readUntil(context, step, account, (view) => view.status === status)

/** Places another order for the account, and reads the account until it shows more items. */
export async function addOrder(
  context: ProcedureContext,
  step: string,
  account: CertifiedAccount,
  channel?: IndoorBlock['originChannel']['type'],
): Promise<ReadAccount | undefined> {
  const before = accountView(await callAccount(context, `before-${step}`, 'getAccount', account))
  await orderFor(context, account, channel)
  const items = before?.items.length ?? 0
  return readUntil(context, step, account, (view) => view.items.length > items, processingMs)
}

const stepOf = (accounts: readonly unknown[], label: string, step: string): string =>
  accounts.length === 1 ? step : `${label}-${step}`

/**
 * Has an account opened for each label by an INDOOR order: the orders are placed side by side. Steps are `read-new`, with
 * the label before it where there are several. Slots choose the tables.
 */
export async function openAccounts(
  context: ProcedureContext,
  slot: number,
  ...labels: readonly [string, ...(readonly string[])]
): Promise<readonly CertifiedAccount[]> {
  const wanted = labels.map((label, index) => ({
    label,
    operationMode: 'TABLE' as const,
    identifier: freePlace(context, slot + index),
    isScoped: false,
  }))
  for (const each of wanted) await orderFor(context, each, 'QR_CODE')
  const opened: CertifiedAccount[] = []
  for (const each of wanted) {
    const step = stepOf(labels, each.label, 'read-new')
    const view = await readUntil(context, step, each, () => true, processingMs)
    if (!view) context.skip(`no account was opened for table ${each.identifier} within 60 s`)
    const { accountId } = view
    const named = { ...each, ...(accountId === undefined ? {} : { accountId }) }
    context.note(...accountNote(named))
    const flat = await callAccount(context, 'probe-form', 'listAccountPayments', named)
    const isScoped = accountId !== undefined && [404, 405].includes(flat.status)
    opened.push({ ...named, isScoped })
  }
  return opened
}

const dueOf = (view: ReadAccount | undefined): number => view?.due ?? 0

/** Pays an amount; what is due when none is given, and nothing when nothing is. */
export async function pay(
  context: ProcedureContext,
  step: string,
  account: CertifiedAccount,
  amount?: number,
): Promise<void> {
  const wanted =
    amount ??
    dueOf(accountView(await callAccount(context, `before-${step}`, 'getAccount', account)))
  if (wanted > 0)
    await callAccount(context, step, 'createPayment', account, {
      body: { amount: wanted, methodInfo: { method: 'PIX' } },
    })
}

/** Pays what is due and closes the account, so that the table is free again. */
export async function settle(context: ProcedureContext, account: CertifiedAccount): Promise<void> {
  const step = `settle-${account.label}`
  await pay(context, step, account)
  await callAccount(context, step, 'preCloseAccount', account)
  await untilStatus(context, step, account, 'IN_PAYMENT')
  await callAccount(context, step, 'closeAccount', account)
  const view = await readUntil(context, step, account, ({ status }) => status === 'CLOSED', 5000)
  if (view && view.status !== 'CLOSED')
    context.leaves(`the account of table ${account.identifier}, which is ${view.status}`)
}
