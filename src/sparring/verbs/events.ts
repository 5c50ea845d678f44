/** `sparring events`: lists and follows the facts about events, and emits events by hand. */
import { compact } from '../../core/base/compact.ts'
import { orderEventTypes } from '../../core/protocol/orders/events.ts'
import { clockOf } from '../../core/engine/instant.ts'
import type { JournalRow, SessionApi } from '../../core/session-api/session-api.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { defaultLimit, limitFlag, orderFlag } from '../../terminal/cli/flags.ts'
import { printLine } from '../../terminal/cli/io.ts'
import { listenForStop } from '../../terminal/cli/stop-signal.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { defineSessionVerb } from './support/session-verb.ts'
import { defineVerbGroup } from '../../terminal/cli/verb.ts'
import { orderArgumentSummary } from './support/resolve-order-id.ts'

/** Facts about events: emitted, announced, offered, polled, acknowledged, pushed, and received by a role of ours. */
const isAboutEvents = ({ kind }: JournalRow): boolean =>
  /^events?\.|\.(announced|heard|heard-again)$|\.event-/.test(kind)

/** Page size in facts; the journal is read backwards page by page. */
const pageSize = 1000

async function lastFacts(
  face: SessionApi,
  limit: number,
  wanted: (row: JournalRow) => boolean,
  orderId: string | undefined,
): Promise<readonly JournalRow[]> {
  let found: JournalRow[] = []
  let before: number | undefined
  while (found.length < limit) {
    const { journal } = await face.look({
      journal: {
        limit: pageSize,
        ...compact({ before, orderId }),
      },
    })
    const oldest = journal[0]
    if (!oldest) break
    found = [...journal.filter(wanted), ...found]
    before = oldest.seq
  }
  return found.slice(-limit)
}

const columns = [
  { title: 'FACT', cell: ({ seq }: JournalRow) => seq, right: true },
  { title: 'AT', cell: ({ at }: JournalRow) => clockOf(at) },
  { title: 'KIND', cell: ({ kind }: JournalRow) => kind },
  { title: 'WHAT', cell: ({ text }: JournalRow) => text },
  { title: 'ORDER', cell: ({ orderId }: JournalRow) => orderId },
  { title: 'BY', cell: ({ by }: JournalRow) => by },
] as const

const list = defineSessionVerb({
  name: 'list',
  summary: 'journal entries about events, oldest first; with --order, all entries of that order',
  flags: [orderFlag, limitFlag],
  async run({ order, limit = defaultLimit }, session) {
    const wanted = order === undefined ? isAboutEvents : () => true
    const orderId = await session.orderId(order)
    const rows = await lastFacts(await session.connect(), limit, wanted, orderId)
    return session.printRows(rows, columns, 'the journal is empty')
  },
})

const emit = defineSessionVerb({
  name: 'emit',
  summary: 'emit an event of an order without changing its status',
  arguments: [
    { name: 'order', summary: orderArgumentSummary, required: true },
    { name: 'type', summary: 'the event', required: true, choices: orderEventTypes },
  ],
  flags: [{ name: 'force', summary: 'emit it even if the order type or status does not allow it' }],
  async run({ order, type, force }, session) {
    const orderId = await session.orderId(order)
    return session.submit(
      { kind: 'event.emit', orderId, eventType: type, ...compact({ force }) },
      `${orderId}: ${type} emitted`,
    )
  },
})

const follow = defineSessionVerb({
  name: 'follow',
  summary: 'print journal entries about events as they are written, until Ctrl-C',
  flags: [orderFlag],
  async run({ order }, { connect, orderId: orderIdOf, json, io }) {
    using stopping = listenForStop(io)
    const face = await connect()
    const wanted = await orderIdOf(order)
    const { currentCursor: cursorOf, followSession: followed } =
      await import('../../core/runtime/control/follow.ts')
    const { signal } = stopping
    for await (const { facts } of followed(face, { from: await cursorOf(face), signal }))
      for (const row of facts.filter((each) =>
        wanted === undefined ? isAboutEvents(each) : each.orderId === wanted,
      )) {
        const { at, kind, text, orderId = '' } = row
        const line = `${clockOf(at)}  ${kind}  ${text}  ${orderId}`
        await printLine(io.stdout, json ? JSON.stringify(row) : escapeControls(line).trimEnd())
      }
    return stopping.reason() === 'closed' ? exitCode.done : exitCode.interrupted
  },
})

const enable = defineSessionVerb({
  name: 'enable-webhooks',
  summary: 'send webhooks again to an endpoint that was switched off (conduct.webhookDisableAfter)',
  run: (_flags, session) => session.submit({ kind: 'webhook.enable' }, 'switched on again'),
})

export const eventsVerb = defineVerbGroup({
  name: 'events',
  summary: 'events of a running session: list, emit, follow, webhooks that were switched off',
  verbs: [list, emit, follow, enable],
})
