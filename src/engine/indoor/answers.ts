/** What the Software Service's answers about accounts mean to the Ordering Application. */
import { readAccount, type ReadAccount, statusesIn } from '../../protocol/indoor/read.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import { type CallOutcome, outcomeText, succeeded, willRetry } from '../calls/call.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { askedBy, namesOf, orderNames, tableOf } from './tables.ts'
import type { Table } from './world.ts'

const why = (outcome: CallOutcome): string =>
  outcome.kind === 'failed' ? outcome.message : `answered ${outcomeText(outcome)}`

/** The evening of an account that was read: by what it says of itself, and by where it was looked for. */
function named(account: ReadAccount, place: Partial<Table>, { world }: Context): readonly Fact[] {
  const { accountId = place.accountId } = account
  const operationMode = account.operationMode ?? place.operationMode
  const identifier = account.identifier ?? place.identifier
  const { merchantId } = place
  const table = namesOf(
    accountId,
    {
      ...(merchantId === undefined ? {} : { merchantId }),
      ...(operationMode === undefined ? {} : { operationMode }),
      ...(identifier === undefined ? {} : { identifier }),
    },
    world.indoor.guest,
  )
  return table ? [{ kind: 'table.read', table, account }] : []
}

/** The account of an order's place; one that was closed before the order came is not its account. */
function readFound(orderId: string, account: ReadAccount, context: Context): readonly Fact[] {
  const order = orderNames(orderId, context.world)
  const isOld = account.status === 'CLOSED' && !account.orders.includes(orderId)
  if (!order || isOld) return [{ kind: 'table.missing', orderId }]
  const { merchantId, block } = order
  const { operationMode, identifier } = block
  return named(account, { merchantId, operationMode, identifier }, context)
}

const readAccountAnswer: AnswerReader = (call, outcome, context) => {
  if (willRetry(call, outcome)) return []
  const orderId = call.params?.['orderId']
  const table = orderId === undefined ? tableOf(call, context.world.indoor) : undefined
  const refused = (because: string, elsewhere = false): readonly Fact[] => {
    if (orderId !== undefined) return [{ kind: 'table.missing', orderId }]
    if (!table) return []
    const { tableId } = table
    const there = elsewhere ? { elsewhere: true as const } : {}
    return [{ kind: 'table.refused', tableId, act: 'read', because, ...there }]
  }
  if (outcome.kind === 'failed' || !succeeded(outcome)) return refused(why(outcome))
  const read = readAccount(outcome.body)
  if (!read.ok) return refused(read.error)
  const account = read.value
  if (orderId !== undefined) return readFound(orderId, account, context)
  if (!table) return []
  const known = table.accountId
  if (known === undefined || account.accountId === undefined || account.accountId === known)
    return [{ kind: 'table.read', table: whole(table, account), account }]
  // Its place has another guest by now: that is news of another evening.
  return [...refused('another account is at its place', true), ...named(account, table, context)]
}

/** The names of a known evening, with what its account says of itself. */
function whole(table: Table, account: ReadAccount) {
  const { accountId, operationMode, identifier } = account
  return {
    tableId: table.tableId,
    ...(accountId === undefined ? {} : { accountId }),
    ...(operationMode === undefined ? {} : { operationMode }),
    ...(identifier === undefined ? {} : { identifier }),
  }
}

/** 202 is a receipt and 200 an answer: in both cases GET says what is so. */
const readAskedAnswer: AnswerReader = (call, outcome, { world }) => {
  const act = askedBy(call.operation)
  const table = tableOf(call, world.indoor)
  if (act === undefined || !table || willRetry(call, outcome)) return []
  const { tableId } = table
  if (succeeded(outcome)) return [{ kind: 'table.accepted', tableId, act }]
  return [{ kind: 'table.refused', tableId, act, because: why(outcome) }]
}

const readListAnswer: AnswerReader = (call, outcome, { world }) => {
  const table = tableOf(call, world.indoor)
  if (!table || willRetry(call, outcome)) return []
  const { tableId } = table
  if (outcome.kind === 'failed' || !succeeded(outcome))
    return [{ kind: 'table.refused', tableId, act: 'read', because: why(outcome) }]
  const { documents, payments } = statusesIn(outcome.body)
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
