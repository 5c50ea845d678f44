/** `sparring orders list` and `show`: all orders, or one in detail. */
import { clockOf } from '../../core/engine/instant.ts'
import { effectsText } from '../../core/views/effects-text.ts'
import { compact } from '../../core/base/compact.ts'
import { shortened } from '../../core/protocol/count-text.ts'
import type { OrderDetail, OrderRow } from '../../core/session-api/session-api.ts'
import { printMoves, printStatusHistory } from './support/detail-tables.ts'
import { defaultLimit, limitFlag } from '../../terminal/cli/flags.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { statusNames } from '../../terminal/cli/name-lists.ts'
import { printTable } from './support/table.ts'
import { defineSessionVerb } from './support/session-verb.ts'
import { orderArgumentSummary } from './support/resolve-order-id.ts'

const hostedByService =
  'no orders of ours: your service hosts them; sparring explain <order id> tells what was exchanged about one'

export const ordersListVerb = defineSessionVerb({
  name: 'list',
  summary: 'orders, newest first',
  flags: [
    { name: 'status', value: '<status>', summary: 'only with this status', choices: statusNames },
    limitFlag,
  ],
  async run({ status, limit = defaultLimit }, { connect, printRows }) {
    const { orders, info } = await (await connect()).look({ orders: compact({ limit, status }) })
    const isHost = info.subject?.role === 'ordering-application'
    return printRows(orders, columns, isHost ? hostedByService : 'no orders')
  },
})

/** A longer number or name would push all other columns off the screen; `orders show` has it whole. */
const maxChars = 32

const columns = [
  { title: 'ORDER', cell: ({ orderId }: OrderRow) => orderId },
  { title: 'NUMBER', cell: ({ displayId }: OrderRow) => shortened(displayId, maxChars) },
  { title: 'TYPE', cell: ({ profile }: OrderRow) => profile },
  { title: 'STATUS', cell: ({ status }: OrderRow) => status },
  { title: 'LAST EVENT', cell: ({ lastEvent }: OrderRow) => lastEvent },
  { title: 'MERCHANT', cell: ({ merchant }: OrderRow) => shortened(merchant, maxChars) },
  { title: 'AMOUNT', cell: ({ amount }: OrderRow) => amount, right: true },
  { title: 'SINCE', cell: ({ since }: OrderRow) => clockOf(since) },
] as const

export const ordersShowVerb = defineSessionVerb({
  name: 'show',
  summary: 'one order: its history, its events and the transitions that are possible',
  arguments: [{ name: 'id', summary: orderArgumentSummary, required: true }],
  async run({ id }, { connect, orderId, print, printRefusal, io }) {
    const { order } = await (await connect()).look({ orderId: await orderId(id) })
    if (!order) return printRefusal({ code: 'NOT_FOUND', message: `there is no order ${id}` })
    return print(order, () => printDetail(io, order))
  },
})

async function printDetail(
  io: Io,
  { row, statusHistory, events, moves, effects }: OrderDetail,
): Promise<void> {
  const parts = [row.profile, row.status, row.merchant, row.amount]
  await printLine(io.stdout, `${row.orderId}  ${row.displayId}  ${parts.join('  ')}\n`)
  await printStatusHistory(io, statusHistory)
  await printLine(io.stdout, '')
  await printTable(
    io,
    events,
    [
      { title: 'EVENT', cell: ({ eventType }) => eventType },
      { title: 'CREATED', cell: ({ createdAt }) => createdAt },
      { title: 'STATE', cell: ({ state }) => state },
      { title: 'ID', cell: ({ eventId }) => eventId },
    ],
    'no events yet',
  )
  if (effects) await printLine(io.stdout, `\neffects  ${effectsText(effects)}`)
  await printMoves(io, moves)
}
