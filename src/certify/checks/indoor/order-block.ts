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
} from '../../judge/assertion.ts'
import { type Check, defineChecks, type Assertion } from '../../judge/check.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
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

interface Field {
  /** Path below the block. */
  readonly path: string
  readonly test: ValueTest
  readonly isRequired?: true
}

interface FieldRow {
  readonly clause: string
  readonly fields: readonly Field[]
  readonly remedy: string
}

/** Each order that has one of the fields, or lacks a required one, is an occasion. */
const fieldsAssertion = (fields: readonly Field[]): Assertion =>
  function* (trace) {
    for (const order of indoorOrders(trace)) {
      const present = fields.filter(
        ({ path, isRequired }) => isRequired || valuesAt(order.reply, block + path).length > 0,
      )
      if (present.length === 0) continue
      const tests = present.map(({ path, test, isRequired }) =>
        (isRequired ? required : optional)(block + path, test),
      )
      const problem = body(...tests)(order.reply)
      yield observation([order], problem !== undefined && `its order is wrong: ${problem}`)
    }
  }

const fieldCheck = ({ clause, fields, remedy }: FieldRow): Check => ({
  clauses: [clause],
  ...guest,
  assertion: fieldsAssertion(fields),
  remedy,
})

const channels = [
  'TOTEM',
  'QR_CODE',
  'CUSTOMER_TABLET',
  'WAITER_TABLET',
  'FRONT_DESK',
  'POS',
  'APP',
  'CHAT',
  'OTHER',
]

const rows: readonly FieldRow[] = [
  {
    clause: 'IND-FLD-01',
    fields: [
      { path: '/operationMode', test: isOneOf('TABLE', 'TAB', 'COUNTER'), isRequired: true },
    ],
    remedy: 'Send operationMode with every INDOOR order: TABLE, TAB or COUNTER.',
  },
  {
    clause: 'IND-FLD-02',
    fields: [{ path: '/identifier', test: isText, isRequired: true }],
    remedy: 'Send identifier with every INDOOR order: a text for the table, tab or counter.',
  },
  {
    clause: 'IND-FLD-04',
    fields: [{ path: '/originChannel/type', test: isOneOf(...channels), isRequired: true }],
    remedy: 'Send originChannel.type with every INDOOR order: one of the nine values.',
  },
  {
    clause: 'IND-FLD-05',
    fields: [
      { path: '/originChannel/id', test: isText },
      { path: '/originChannel/notes', test: isText },
    ],
    remedy: 'Send originChannel.id and originChannel.notes as texts, or leave them out.',
  },
  {
    clause: 'IND-FLD-06',
    fields: [{ path: '/consumptionType', test: isOneOf('DINE_IN', 'TAKEAWAY'), isRequired: true }],
    remedy: 'Send consumptionType with every INDOOR order: DINE_IN or TAKEAWAY.',
  },
  {
    clause: 'IND-FLD-08',
    fields: [
      { path: '/fulfillment/call/notifyOriginator', test: isBoolean },
      { path: '/fulfillment/call/label', test: isText },
    ],
    remedy: 'Send call.notifyOriginator as true or false, and call.label as a text.',
  },
  {
    clause: 'IND-FLD-09',
    fields: [
      {
        path: '/fulfillment/call/type',
        test: isOneOf('TICKET_NUMBER', 'PAGER', 'CALL_NAME', 'CHAT', 'OTHER'),
      },
    ],
    remedy: 'Send call.type as TICKET_NUMBER, PAGER, CALL_NAME, CHAT or OTHER.',
  },
  {
    clause: 'IND-FLD-10',
    fields: [
      { path: '/fulfillment/dispatch/id', test: isText },
      { path: '/fulfillment/dispatch/label', test: isText },
      { path: '/fulfillment/dispatch/sector', test: isText },
    ],
    remedy: 'Send id, label and sector of a dispatch as texts.',
  },
  {
    clause: 'IND-FLD-11',
    fields: [
      { path: '/fulfillment/dispatch/seat/id', test: isText },
      { path: '/fulfillment/dispatch/seat/label', test: isText },
    ],
    remedy: 'Send id and label of a seat as texts.',
  },
  {
    clause: 'IND-FLD-12',
    fields: [
      { path: '/service/peopleCount', test: isInteger },
      { path: '/service/waiterCode', test: isText },
      { path: '/service/waiterName', test: isText },
    ],
    remedy: 'Send peopleCount as a whole number, and waiterCode and waiterName as texts.',
  },
  {
    clause: 'IND-FLD-13',
    fields: [{ path: '/notifications/chatId', test: isText }],
    remedy: 'Send notifications.chatId as a text.',
  },
  {
    clause: 'IND-FLD-14',
    fields: [{ path: '/fiscal/shouldIssueDocument', test: isBoolean }],
    remedy: 'Send fiscal.shouldIssueDocument as true or false.',
  },
  {
    clause: 'IND-FLD-15',
    fields: [{ path: '/fiscal/documentStatus', test: isOneOf('NOT_ISSUED', 'ISSUED', 'PENDING') }],
    remedy: 'Send fiscal.documentStatus as NOT_ISSUED, ISSUED or PENDING.',
  },
  {
    clause: 'IND-FLD-16',
    fields: [
      { path: '/fiscal/printDocument', test: isBoolean },
      { path: '/fiscal/paymentNSURequiredForNFCE', test: isBoolean },
    ],
    remedy: 'Send printDocument and paymentNSURequiredForNFCE as true or false.',
  },
]

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

export const orderBlockChecks = defineChecks(guest, rows.map(fieldCheck), {
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
