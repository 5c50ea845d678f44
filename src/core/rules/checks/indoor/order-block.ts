/** Checks of `fulfillment.indoor` in the INDOOR orders of an Ordering Application: IND-FLD, and the words of it. */
import {
  bodyValue,
  body,
  each,
  isBoolean,
  isInteger,
  isOneOf,
  isText,
  optional,
  required,
  answersOf,
  observation,
  valuesAt,
  where,
  type ValueTest,
} from '../assertion.ts'
import { defineChecks, type Assertion, type Rows, rowsOf } from '../check.ts'
import { orderingPoints } from '../../../protocol/orders/indoor-block.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { perMessage } from '../live.ts'
import { isLegacyFree } from './vocabulary.ts'

const block = '/fulfillment/indoor'
const guest = {
  roles: ['ordering-application'],
  needs: ['indoor'],
  procedures: ['guest-orders'],
} as const

const indoorOrders = where(
  answersOf('getOrder'),
  ({ status, reply }) => status === 200 && bodyValue(reply, '/fulfillment/orderType') === 'INDOOR',
)

/** Path below the block, test of the value there, and whether every block has it. */
type Field = readonly [path: string, test: ValueTest, presence?: 'required']

/** Each order that has one of the fields, or lacks a required one, is an occasion. */
const fieldsAssertion = (fields: readonly Field[]): Assertion =>
  perMessage(function* (trace) {
    for (const order of indoorOrders(trace)) {
      const present = fields.filter(
        ([path, , presence]) => presence || valuesAt(order.reply, block + path).length > 0,
      )
      if (present.length === 0) continue
      const tests = present.map(([path, test, presence]) =>
        (presence ? required : optional)(block + path, test),
      )
      const problem = body(...tests)(order.reply)
      yield observation([order], problem !== undefined && `its order is wrong: ${problem}`)
    }
  })

const rows: Rows<readonly Field[]> = {
  'IND-FLD-01': [
    [['/operationMode', isOneOf('TABLE', 'TAB', 'COUNTER'), 'required']],
    'Send operationMode with every INDOOR order: TABLE, TAB or COUNTER.',
  ],
  'IND-FLD-02': [
    [['/identifier', isText, 'required']],
    'Send identifier with every INDOOR order: a text for the table, tab or counter.',
  ],
  'IND-FLD-04': [
    [['/originChannel/type', isOneOf(...orderingPoints), 'required']],
    'Send originChannel.type with every INDOOR order: one of the nine values.',
  ],
  'IND-FLD-05': [
    [
      ['/originChannel/id', isText],
      ['/originChannel/notes', isText],
    ],
    'Send originChannel.id and originChannel.notes as texts, or leave them out.',
  ],
  'IND-FLD-06': [
    [['/consumptionType', isOneOf('DINE_IN', 'TAKEAWAY'), 'required']],
    'Send consumptionType with every INDOOR order: DINE_IN or TAKEAWAY.',
  ],
  'IND-FLD-08': [
    [
      ['/fulfillment/call/notifyOriginator', isBoolean],
      ['/fulfillment/call/label', isText],
    ],
    'Send call.notifyOriginator as true or false, and call.label as a text.',
  ],
  'IND-FLD-09': [
    [['/fulfillment/call/type', isOneOf('TICKET_NUMBER', 'PAGER', 'CALL_NAME', 'CHAT', 'OTHER')]],
    'Send call.type as TICKET_NUMBER, PAGER, CALL_NAME, CHAT or OTHER.',
  ],
  'IND-FLD-10': [
    [
      ['/fulfillment/dispatch/id', isText],
      ['/fulfillment/dispatch/label', isText],
      ['/fulfillment/dispatch/sector', isText],
    ],
    'Send id, label and sector of a dispatch as texts.',
  ],
  'IND-FLD-11': [
    [
      ['/fulfillment/dispatch/seat/id', isText],
      ['/fulfillment/dispatch/seat/label', isText],
    ],
    'Send id and label of a seat as texts.',
  ],
  'IND-FLD-12': [
    [
      ['/service/peopleCount', isInteger],
      ['/service/waiterCode', isText],
      ['/service/waiterName', isText],
    ],
    'Send peopleCount as a whole number, and waiterCode and waiterName as texts.',
  ],
  'IND-FLD-13': [[['/notifications/chatId', isText]], 'Send notifications.chatId as a text.'],
  'IND-FLD-14': [
    [['/fiscal/shouldIssueDocument', isBoolean]],
    'Send fiscal.shouldIssueDocument as true or false.',
  ],
  'IND-FLD-15': [
    [['/fiscal/documentStatus', isOneOf('NOT_ISSUED', 'ISSUED', 'PENDING')]],
    'Send fiscal.documentStatus as NOT_ISSUED, ISSUED or PENDING.',
  ],
  'IND-FLD-16': [
    [
      ['/fiscal/printDocument', isBoolean],
      ['/fiscal/paymentNSURequiredForNFCE', isBoolean],
    ],
    'Send printDocument and paymentNSURequiredForNFCE as true or false.',
  ],
}

/** The parts of a hand-off: a sub-block that is there is that of its type. */
function handoffProblem(order: unknown): string | undefined {
  const handoff = bodyValue(order, `${block}/fulfillment`)
  if (!isUnknownRecord(handoff)) return undefined
  const type = handoff['type']
  const problem = isOneOf('DISPATCH', 'CALL')(type)
  if (problem !== undefined) return `${block}/fulfillment/type: ${problem}`
  const other = type === 'CALL' ? 'dispatch' : 'call'
  return isUnknownRecord(handoff[other])
    ? `${block}/fulfillment is ${String(type)} and has a ${other}`
    : undefined
}

export const orderBlockChecks = defineChecks(guest, rowsOf(rows, fieldsAssertion), {
  'IND-FLD-03': {
    assertion: function* (trace) {
      const known = new Set<unknown>([
        ...trace.received().map(({ event }) => event['accountId']),
        ...trace.calls('getAccount').map(({ reply }) => bodyValue(reply, '/accountId')),
      ])
      for (const order of indoorOrders(trace))
        for (const { value } of valuesAt(order.reply, `${block}/account/id`))
          yield observation(
            [order],
            !known.has(value) && `its account.id ${String(value)} is of no known account`,
          )
    },
    remedy: 'Send account.id only when the Software Service has told it, and as it was told.',
  },
  'IND-FLD-07': {
    assertion: each(
      where(indoorOrders, ({ reply }) => bodyValue(reply, `${block}/fulfillment`) !== undefined),
      ({ reply }) => handoffProblem(reply),
    ),
    remedy: 'Send fulfillment.type as DISPATCH or CALL, with the block of that name only.',
  },
  'IND-FLR-02': {
    assertion: each(indoorOrders, ({ reply }) => isLegacyFree(bodyValue(reply, block))),
    remedy: 'Write the English identifiers of the protocol in place of the legacy labels.',
  },
})
