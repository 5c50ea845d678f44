/** Turns the Software Service's replies about accounts into facts at the Ordering Application. */
import { compact } from '../../compact.ts'
import { readAccount, type ReadAccount, readAccountLists } from '../../protocol/indoor/read.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import { type CallOutcome, outcomeText, isSuccess, willRetry } from '../calls/call.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { tableActionOf, identifyTable, indoorOrderOf, tableOfCall } from './tables.ts'
import type { DiningTable } from './world.ts'

const failureReason = (outcome: CallOutcome): string =>
  outcome.kind === 'failed' ? outcome.message : `answered ${outcomeText(outcome)}`

/** The table of an account that was read, identified by the account's own fields, else by those of the lookup. */
function tableReadFacts(
  account: ReadAccount,
  place: Partial<DiningTable>,
  { world }: DecisionContext,
): readonly Fact[] {
  const { accountId = place.accountId } = account
  const operationMode = account.operationMode ?? place.operationMode
  const identifier = account.identifier ?? place.identifier
  const { merchantId } = place
  const table = identifyTable(
    accountId,
    compact({ merchantId, operationMode, identifier }),
    world.indoor.guest,
  )
  return table ? [{ kind: 'table.read', table, account }] : []
}

/**
 * Matches the account at an order's place to the order; an account closed before the order was placed is not its
 * account.
 */
function orderAccountFacts(
  orderId: string,
  account: ReadAccount,
  context: DecisionContext,
): readonly Fact[] {
  const order = indoorOrderOf(orderId, context.world)
  const isOld = account.status === 'CLOSED' && !account.orders.includes(orderId)
  if (!order || isOld) return [{ kind: 'table.missing', orderId }]
  const { merchantId, block } = order
  const { operationMode, identifier } = block
  return tableReadFacts(account, { merchantId, operationMode, identifier }, context)
}

const readAccountAnswer: AnswerReader = (call, outcome, context) => {
  if (willRetry(call, outcome)) return []
  const orderId = call.params?.['orderId']
  const table = orderId === undefined ? tableOfCall(call, context.world.indoor) : undefined
  const refused = (because: string, elsewhere = false): readonly Fact[] => {
    if (orderId !== undefined) return [{ kind: 'table.missing', orderId }]
    if (!table) return []
    const { tableId } = table
    const elsewhereFlag = elsewhere ? { elsewhere: true as const } : {}
    return [{ kind: 'table.refused', tableId, act: 'read', because, ...elsewhereFlag }]
  }
  if (outcome.kind === 'failed' || !isSuccess(outcome)) return refused(failureReason(outcome))
  const read = readAccount(outcome.body)
  if (!read.ok) return refused(read.error)
  const account = read.value
  if (orderId !== undefined) return orderAccountFacts(orderId, account, context)
  if (!table) return []
  const known = table.accountId
  if (known === undefined || account.accountId === undefined || account.accountId === known)
    return [{ kind: 'table.read', table: updatedIdentity(table, account), account }]
  // The place has another guest by now, so this account belongs to another visit.
  return [
    ...refused('another account is at its place', true),
    ...tableReadFacts(account, table, context),
  ]
}

/** The identity of a known table, updated from its account. */
function updatedIdentity(table: DiningTable, account: ReadAccount) {
  const { accountId, operationMode, identifier } = account
  return {
    tableId: table.tableId,
    ...compact({ accountId, operationMode, identifier }),
  }
}

/** Both 202 and 200 only acknowledge the call: the effect is read by GET. */
const readAskedAnswer: AnswerReader = (call, outcome, { world }) => {
  const act = tableActionOf(call.operation)
  const table = tableOfCall(call, world.indoor)
  if (act === undefined || !table || willRetry(call, outcome)) return []
  const { tableId } = table
  if (isSuccess(outcome)) return [{ kind: 'table.accepted', tableId, act }]
  return [{ kind: 'table.refused', tableId, act, because: failureReason(outcome) }]
}

const readListAnswer: AnswerReader = (call, outcome, { world }) => {
  const table = tableOfCall(call, world.indoor)
  if (!table || willRetry(call, outcome)) return []
  const { tableId } = table
  if (outcome.kind === 'failed' || !isSuccess(outcome))
    return [{ kind: 'table.refused', tableId, act: 'read', because: failureReason(outcome) }]
  const { documents, payments } = readAccountLists(outcome.body)
  return call.operation === 'listAccountPayments'
    ? [{ kind: 'table.payments-read', tableId, count: payments }]
    : [{ kind: 'table.documents-read', tableId, statuses: documents }]
}

export const indoorAnswers: AnswerReaders = {
  getAccount: readAccountAnswer,
  getAccountById: readAccountAnswer,
  preCloseAccount: readAskedAnswer,
  unlockAccount: readAskedAnswer,
  closeAccount: readAskedAnswer,
  createPayment: readAskedAnswer,
  cancelAccountItem: readAskedAnswer,
  transferAccountContent: readAskedAnswer,
  requestFiscalDocument: readAskedAnswer,
  listAccountPayments: readListAnswer,
  listAccountFiscalDocuments: readListAnswer,
}
