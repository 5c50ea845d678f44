/** `sparring orders list` and `show`: all orders, or one in detail. */
import { clockOf } from '../../engine/instant.ts'
import { compact } from '../../compact.ts'
import type { OrderDetail, OrderRow } from '../../session-api/session-api.ts'
import { printMoves, printStatusHistory } from '../detail-tables.ts'
import { exitCode } from '../exit-code.ts'
import { defaultLimit, jsonFlag, limitFlag, noColorFlag, controlFlags } from '../flags.ts'
import { type Io, printJson, printLine } from '../io.ts'
import { statusNames } from '../name-lists.ts'
import { printTable } from '../table.ts'
import { connectToSession, printRefusal } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { resolveOrderId, orderArgumentSummary } from '../resolve-order-id.ts'

export const ordersListVerb = defineVerb({
  name: 'list',
  summary: 'orders, newest first',
  flags: [
    { name: 'status', value: '<status>', summary: 'only with this status', choices: statusNames },
    limitFlag,
    jsonFlag,
    noColorFlag,
    ...controlFlags,
  ],
  async run({ status, limit = defaultLimit, json, ...connection }, io) {
    const face = await connectToSession(connection)
    const { orders } = await face.look({ orders: compact({ limit, status }) })
    if (json) await printJson(io, orders)
    else await printTable(io, orders, columns, 'no orders')
    return exitCode.done
  },
})

const columns = [
  { title: 'ORDER', cell: ({ orderId }: OrderRow) => orderId },
  { title: 'NUMBER', cell: ({ displayId }: OrderRow) => displayId },
  { title: 'TYPE', cell: ({ profile }: OrderRow) => profile },
  { title: 'STATUS', cell: ({ status }: OrderRow) => status },
  { title: 'LAST EVENT', cell: ({ lastEvent }: OrderRow) => lastEvent },
  { title: 'MERCHANT', cell: ({ merchant }: OrderRow) => merchant },
  { title: 'AMOUNT', cell: ({ amount }: OrderRow) => amount, right: true },
  { title: 'SINCE', cell: ({ since }: OrderRow) => clockOf(since) },
] as const

export const ordersShowVerb = defineVerb({
  name: 'show',
  summary: 'one order: its history, its events and the transitions that are possible',
  arguments: [{ name: 'id', summary: orderArgumentSummary, required: true }],
  flags: [jsonFlag, noColorFlag, ...controlFlags],
  async run({ id, json, ...connection }, io) {
    const face = await connectToSession(connection)
    const { order } = await face.look({ orderId: await resolveOrderId(face, id) })
    if (!order) return printRefusal({ code: 'NOT_FOUND', message: `there is no order ${id}` }, io)
    if (json) await printJson(io, order)
    else await printDetail(io, order)
    return exitCode.done
  },
})

async function printDetail(
  io: Io,
  { row, statusHistory, events, moves }: OrderDetail,
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
  await printMoves(io, moves)
}
