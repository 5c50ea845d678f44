/**
 * `sparring orders create`: creates an order at our Ordering Application: made up, described by flags, or from a file.
 */
import { isUtf8 } from 'node:buffer'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { compact } from '../../core/base/compact.ts'
import type { CreatedOrder, NewOrder } from '../../core/session-api/session-api.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printJson, printLine } from '../../terminal/cli/io.ts'
import { orderTypeNames, paymentNames, statusNames } from '../../terminal/cli/name-lists.ts'
import {
  customerForm,
  itemForm,
  parseCustomerArgument,
  parseItemArgument,
  parsePaymentArgument,
  paymentForm,
} from './support/order-arguments.ts'
import { type SampleName, sampleNames } from '../../core/partners/seed-data/samples.ts'
import { defineSessionVerb, type SessionAccess } from './support/session-verb.ts'
import type { OptionsOf } from '../../terminal/cli/verb.ts'

const orderFlags = [
  {
    name: 'type',
    value: '<type>',
    summary: 'profile of the order (default: drawn)',
    choices: orderTypeNames,
  },
  {
    name: 'table',
    value: '<table>',
    summary: 'the table of an INDOOR order: 7, TAB:12 or COUNTER:3 (default: drawn)',
  },
  {
    name: 'merchant',
    value: '<merchant>',
    summary: 'id, code or name of the merchant (sparring orders menu lists them)',
  },
  {
    name: 'item',
    value: '<item>',
    summary: `an item, ${itemForm}; the price is that of the menu when absent; repeatable`,
    many: true,
  },
  {
    name: 'items',
    value: '<n>',
    summary: 'how many items it has, drawn from the menu',
    number: { min: 1, max: 500 },
  },
  {
    name: 'customer',
    value: '<customer>',
    summary: `the customer, ${customerForm}`,
  },
  {
    name: 'pay',
    value: '<payment>',
    summary: `how it is paid, ${paymentForm}: ${paymentNames.join(', ')}`,
    suggestions: paymentNames,
  },
  {
    name: 'sample',
    value: '<sample>',
    summary: 'an order that is not nice (sparring list samples); repeatable: one order of each',
    suggestions: sampleNames,
    many: true,
  },
] as const

const waitFlags = [
  {
    name: 'wait',
    value: '<status>',
    summary: 'wait until the order has this status, and print each one as it comes',
    choices: statusNames,
  },
  {
    name: 'timeout',
    value: '<time>',
    summary: 'how long to wait at most, in real time (default: 2m)',
  },
] as const

const defaultTimeout = '2m'

export const ordersCreateVerb = defineSessionVerb({
  name: 'create',
  summary: 'create an order: made up from the seed, described by flags, or a document as JSON',
  flags: [
    ...orderFlags,
    {
      name: 'file',
      path: 'read',
      short: 'f',
      value: '<file>',
      summary: 'an order document as JSON, whole or in part; - reads stdin',
    },
    ...waitFlags,
  ],
  details: `
What is not said is made up from the seed, and fits what is said. Totals are computed.
An order whose items are named has no made-up fees and discounts.

Examples:
  sparring orders create --type DELIVERY --items 3
  sparring orders create --table 7
  sparring orders create --item HB-101:2 --item 'Daily special@25.90' --customer 'Ana Souza,+5511999990000' --pay cash@100
  sparring orders create --wait DELIVERED
  sparring orders create --sample options-five-deep --sample cash-with-change --type DELIVERY
  sparring orders create -f order.json
  sparring orders show o1 --json | sparring orders create -f -

order.json may hold a part of an order: {"items": [{"externalCode": "HB-101", "quantity": 2}]}

Exit codes: 0 created (with --wait: the order has the status), 1 refused, or the status did not come, 2 invalid input.`,
  async run({ file, wait, timeout = defaultTimeout, sample, ...described }, session) {
    const { io, json, print, printRefusal } = session
    const { parseDurationArgument } = await import('../../terminal/cli/parse-duration-argument.ts')
    const timeoutMs = parseDurationArgument(timeout, 'reading --timeout')
    const description = await descriptionOf(described, wait)
    // The session refuses other names, with what is near.
    const named = (sample ?? [undefined]) as readonly (SampleName | undefined)[]
    const requests = named.map((each) => compact({ ...description, sample: each }))
    const wanted = file === undefined ? requests : [await readOrder(file, requests[0] ?? {}, io)]
    const all: CreatedOrder[] = []
    for (const request of wanted) {
      const created = await (await session.connect()).createOrder(request)
      if (!created.ok) {
        // Those before it are there: their ids are said.
        for (const { orderId } of json ? [] : all) await printLine(io.stdout, orderId)
        const code = await printRefusal(created.error)
        // A document that is no order, or a description that fits nothing, is invalid input.
        return created.error.code === 'INVALID_PAYLOAD' ? exitCode.usage : code
      }
      all.push(created.value)
      for (const warning of created.value.warnings ?? [])
        await printLine(io.stderr, `sparring: warning: ${warning}`)
    }
    const isList = sample !== undefined
    if (wait !== undefined)
      return printAndWait(all, { status: wait, timeoutMs, timeout }, session, isList)
    const ids = all.map(({ orderId }) => orderId).join('\n')
    return print(isList ? all : all[0], () => printLine(io.stdout, ids))
  },
})

type Described = Omit<OptionsOf<[], typeof orderFlags>, 'sample'>

/** The order as the flags describe it; of the profile that can have the status that is waited for. */
async function descriptionOf(
  { type, table, merchant, item, items, customer, pay }: Described,
  wait: (typeof statusNames)[number] | undefined,
): Promise<NewOrder> {
  if (item && items !== undefined) {
    const { problem } = await import('../../core/base/problem.ts')
    throw problem(
      'creating an order',
      'its items are named by --item and counted by --items',
      'Give one of the two.',
    )
  }
  const { typeWithStatus } = await import('./support/wait-for-status.ts')
  return compact({
    type: type ?? (table === undefined ? typeWithStatus(wait) : undefined),
    table,
    merchant,
    items: item?.map(parseItemArgument) ?? items,
    customer: customer === undefined ? undefined : parseCustomerArgument(customer),
    payment: pay === undefined ? undefined : parsePaymentArgument(pay),
  })
}

interface Wait {
  readonly status: (typeof statusNames)[number]
  readonly timeoutMs: number
  readonly timeout: string
}

/** Prints the ids at once, or JSON with the last statuses in the end; what the later orders did meanwhile is printed then. */
async function printAndWait(
  all: readonly CreatedOrder[],
  { status, timeoutMs, timeout }: Wait,
  { connect, json, io }: SessionAccess,
  isList: boolean,
): Promise<ExitCode> {
  const { waitForStatus } = await import('./support/wait-for-status.ts')
  if (!json) for (const { orderId } of all) await printLine(io.stdout, orderId)
  const face = await connect()
  const ended: object[] = []
  let worst: ExitCode = exitCode.done
  for (const created of all) {
    const { orderId } = created
    const of = all.length > 1 ? ` of ${orderId}` : ''
    await printLine(io.stderr, `waiting for ${status}${of}, at most ${timeout}`)
    const { code, status: last } = await waitForStatus(face, { orderId, status, timeoutMs }, io)
    if (code !== exitCode.done) worst = code
    ended.push({ ...created, ...compact({ status: last }) })
  }
  if (json) await printJson(io, isList ? ended : ended[0])
  return worst
}

async function readOrder(file: string, described: NewOrder, io: Io): Promise<NewOrder> {
  const { Problem, problem } = await import('../../core/base/problem.ts')
  if (Object.keys(described).length > 0)
    throw problem(
      'creating an order',
      `it is a document and described by ${Object.keys(described).join(', ')} at once`,
      'Give --file alone, and say everything in the document.',
    )
  const name = file === '-' ? 'stdin' : file
  const read = await textOf(file, io).catch((error: unknown) => {
    if (error instanceof Problem) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw problem(`reading ${name}`, why, 'Name a file that can be read, or - for stdin.')
  })
  const { parseJsonText: readJson } = await import('../../core/runtime/files/source-location.ts')
  const { value, error, rounded } = readJson(read)
  if (!error && !rounded) return { order: value }
  const { line, column } = error?.place ?? rounded?.place ?? { line: 1, column: 1 }
  const { roundedNumberText } = await import('../../core/traffic/json/lossless-json.ts')
  const wrong = error?.message ?? roundedNumberText(rounded?.source ?? '')
  throw problem(`reading ${name}:${line}:${column}`, wrong, 'Correct it there.')
}

async function textOf(file: string, io: Io): Promise<string> {
  const { readWhole, textOfBytes } = await import('../../core/runtime/files/text-file.ts')
  const bytes = await (file === '-'
    ? buffer(io.stdin())
    : readWhole(`reading ${file}`, resolve(io.cwd, file), { pipes: true }))
  if (!isUtf8(bytes)) throw new Error('it is no UTF-8 text')
  return textOfBytes(bytes)
}
