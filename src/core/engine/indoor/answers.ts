/** Turns the Software Service's replies about accounts into facts at the Ordering Application. */
import { compact } from '../../base/compact.ts'
import {
  paymentOfReply,
  readAccount,
  type ReadAccount,
  readAccountList,
} from '../../protocol/indoor/read.ts'
import { answerReader } from '../calls/answer-reader.ts'
import type { OutgoingCall } from '../calls/call.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { World } from '../world.ts'
import type { TableIdentity } from './table-facts.ts'
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
  return table ? readFacts(table, account, world) : []
}

/** The fact of a read; and of sums that do not follow from what the account lists, once until they change. */
function readFacts(table: TableIdentity, account: ReadAccount, { indoor }: World): readonly Fact[] {
  const { differences } = account
  const before = indoor.guest.tables.get(table.tableId)?.account?.differences
  const isNew = differences !== undefined && before?.join() !== differences.join()
  return [
    { kind: 'table.read', table, account },
    ...(isNew ? [{ kind: 'table.differs', table, differences } as const] : []),
  ]
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
function updatedIdentity(table: DiningTable, account: ReadAccount): TableIdentity {
  const { operationMode = table.operationMode, identifier = table.identifier, accountId } = account
  return { tableId: table.tableId, ...compact({ accountId, operationMode, identifier }) }
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
      return readFacts(updatedIdentity(table, account), account, context.world)
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
    accepted: ({ tableId }, { body }, _context, call) => [
      {
        kind: 'table.accepted',
        tableId,
        act,
        ...compact({ payment: act === 'pay' ? paymentOfReply(body, call.body) : undefined }),
      },
    ],
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
    accepted({ tableId }, { body }) {
      const read = readAccountList(body, 'payments')
      return read.ok
        ? [{ kind: 'table.payments-read', tableId, count: read.value.length }]
        : read.error
    },
    refused: readRefused,
  }),
  listAccountFiscalDocuments: answerReader({
    subject: subjectTable,
    accepted({ tableId }, { body }) {
      const read = readAccountList(body, 'documents')
      if (!read.ok) return read.error
      const statuses = read.value.flatMap(({ documentStatus }) => documentStatus ?? [])
      return [{ kind: 'table.documents-read', tableId, statuses }]
    },
    refused: readRefused,
  }),
}
