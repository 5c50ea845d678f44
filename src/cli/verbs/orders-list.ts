/** `sparring orders list` and `show`: all orders, or one in detail. */
import { clockOf } from '../../engine/instant.ts'
import { compact } from '../../compact.ts'
import type { OrderDetail, OrderRow } from '../../session-api/session-api.ts'
import { sayMoves, sayWay } from '../detail-tables.ts'
import { exitCode } from '../exit-code.ts'
import { defaultLimit, jsonFlag, limitFlag, noColorFlag, talkFlags } from '../flags.ts'
import { type Io, sayJson, sayLine } from '../io.ts'
import { statusNames } from '../name-lists.ts'
import { sayTable } from '../table.ts'
import { sessionOf, tellRefusal } from '../control-client.ts'
import { defineVerb } from '../verb.ts'
import { orderIdOf, orderSummary } from '../find-order.ts'

export const list = defineVerb({
  name: 'list',
  summary: 'orders, newest first',
  flags: [
    { name: 'status', value: '<status>', summary: 'with this status alone', choices: statusNames },
    limitFlag,
    jsonFlag,
    noColorFlag,
    ...talkFlags,
  ],
  async run({ status, limit = defaultLimit, json, ...connection }, io) {
    const face = await sessionOf(connection)
    const { orders } = await face.look({ orders: compact({ limit, status }) })
    if (json) await sayJson(io, orders)
    else await sayTable(io, orders, columns, 'no orders')
    return exitCode.done
  },
})

const columns = [
  { title: 'ORDER', of: ({ orderId }: OrderRow) => orderId },
  { title: 'NUMBER', of: ({ displayId }: OrderRow) => displayId },
  { title: 'TYPE', of: ({ profile }: OrderRow) => profile },
  { title: 'STATUS', of: ({ status }: OrderRow) => status },
  { title: 'LAST EVENT', of: ({ lastEvent }: OrderRow) => lastEvent },
  { title: 'MERCHANT', of: ({ merchant }: OrderRow) => merchant },
  { title: 'AMOUNT', of: ({ amount }: OrderRow) => amount, right: true },
  { title: 'SINCE', of: ({ since }: OrderRow) => clockOf(since) },
] as const

export const show = defineVerb({
  name: 'show',
  summary: 'one order: its way, its events, and the moves that it could make',
  arguments: [{ name: 'id', summary: orderSummary, required: true }],
  flags: [jsonFlag, noColorFlag, ...talkFlags],
  async run({ id, json, ...connection }, io) {
    const face = await sessionOf(connection)
    const { order } = await face.look({ orderId: await orderIdOf(face, id) })
    if (!order) return tellRefusal({ code: 'NOT_FOUND', message: `there is no order ${id}` }, io)
    if (json) await sayJson(io, order)
    else await printDetail(io, order)
    return exitCode.done
  },
})

async function printDetail(io: Io, { row, way, events, moves }: OrderDetail): Promise<void> {
  const parts = [row.profile, row.status, row.merchant, row.amount]
  await sayLine(io.stdout, `${row.orderId}  ${row.displayId}  ${parts.join('  ')}\n`)
  await sayWay(io, way)
  await sayLine(io.stdout, '')
  await sayTable(
    io,
    events,
    [
      { title: 'EVENT', of: ({ eventType }) => eventType },
      { title: 'CREATED', of: ({ createdAt }) => createdAt },
      { title: 'STATE', of: ({ state }) => state },
      { title: 'ID', of: ({ eventId }) => eventId },
    ],
    'no events yet',
  )
  await sayMoves(io, moves)
}
