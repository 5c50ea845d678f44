/** Turns the Software Service's replies about accounts into facts at the Ordering Application. */
import { compact } from '../../base/compact.ts'
import { readAccount, type ReadAccount, readAccountLists } from '../../protocol/indoor/read.ts'
import { answerReader } from '../calls/answer-reader.ts'
import type { OutgoingCall } from '../calls/call.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { identifyTable, indoorOrderOf, operationOfTableAction, tableOfCall } from './tables.ts'
import { type DiningTable, type TableAction, tableActions } from './world.ts'

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

/** The identity of a known table, updated from its account. */
function updatedIdentity(table: DiningTable, account: ReadAccount) {
  const { accountId, operationMode, identifier } = account
  return {
    tableId: table.tableId,
    ...compact({ accountId, operationMode, identifier }),
  }
}

const accountOfOrder = answerReader<string>({
  subject: ({ params }) => params?.['orderId'],
  accepted(orderId, { body }, context) {
    const read = readAccount(body)
    return read.ok ? orderAccountFacts(orderId, read.value, context) : read.error
  },
  refused: (orderId) => [{ kind: 'table.missing', orderId }],
})

const subjectTable = (call: OutgoingCall, { world }: DecisionContext): DiningTable | undefined =>
  tableOfCall(call, world.indoor)

const readRefused = ({ tableId }: DiningTable, because: string): readonly Fact[] => [
  { kind: 'table.refused', tableId, act: 'read', because },
]

const accountOfTable = answerReader<DiningTable>({
  subject: subjectTable,
  accepted(table, { body }, context) {
    const read = readAccount(body)
    if (!read.ok) return read.error
    const account = read.value
    const { tableId, accountId: known } = table
    if (known === undefined || account.accountId === undefined || account.accountId === known)
      return [{ kind: 'table.read', table: updatedIdentity(table, account), account }]
    // The place has another guest by now, so this account belongs to another visit.
    const because = 'another account is at its place'
    return [
      { kind: 'table.refused', tableId, act: 'read', because, elsewhere: true },
      ...tableReadFacts(account, table, context),
    ]
  },
  refused: readRefused,
})

/** Both 202 and 200 only acknowledge the call: the effect is read by GET. */
const readCallAnswer = (act: TableAction): AnswerReader =>
  answerReader({
    subject: subjectTable,
    accepted: ({ tableId }) => [{ kind: 'table.accepted', tableId, act }],
    refused: ({ tableId }, because) => [{ kind: 'table.refused', tableId, act, because }],
  })

export const indoorAnswers: AnswerReaders = {
  getAccount: (call, ...rest) =>
    (call.params?.['orderId'] === undefined ? accountOfTable : accountOfOrder)(call, ...rest),
  getAccountById: accountOfTable,
  ...Object.fromEntries(
    tableActions.map((act) => [operationOfTableAction[act], readCallAnswer(act)]),
  ),
  listAccountPayments: answerReader({
    subject: subjectTable,
    accepted: ({ tableId }, { body }) => [
      { kind: 'table.payments-read', tableId, count: readAccountLists(body).payments },
    ],
    refused: readRefused,
  }),
  listAccountFiscalDocuments: answerReader({
    subject: subjectTable,
    accepted: ({ tableId }, { body }) => [
      { kind: 'table.documents-read', tableId, statuses: readAccountLists(body).documents },
    ],
    refused: readRefused,
  }),
}
