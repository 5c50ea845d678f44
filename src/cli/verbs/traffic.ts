/** `sparring traffic`: lists the exchanges of a running session, and sends one again. */
import { compact } from '../../compact.ts'
import { problem } from '../../problem.ts'
import type { TrafficRow } from '../../session-api/session-api.ts'
import { connectToSession, printRefusal } from '../control-client.ts'
import { exitCode } from '../exit-code.ts'
import {
  controlFlags,
  defaultLimit,
  jsonFlag,
  limitFlag,
  noColorFlag,
  orderFlag,
} from '../flags.ts'
import { printJson, printLine } from '../io.ts'
import { exchangeLine } from '../log-lines.ts'
import { resolveOrderId } from '../resolve-order-id.ts'
import { defineVerb, defineVerbGroup } from '../verb.ts'

const numbered = (row: TrafficRow): string => `#${row.seq}  ${exchangeLine(row, false)}`

const list = defineVerb({
  name: 'list',
  summary: 'exchanges that are in memory, oldest first, with their numbers',
  flags: [
    {
      name: 'filter',
      value: '<terms>',
      summary: 'as in the dashboard: confirm, status>=400, from:SS, mine, failed, !idle',
    },
    orderFlag,
    limitFlag,
    jsonFlag,
    noColorFlag,
    ...controlFlags,
  ],
  async run({ order, limit = defaultLimit, filter, json, ...connection }, io) {
    const face = await connectToSession(connection)
    const orderId = order === undefined ? undefined : await resolveOrderId(face, order)
    const { traffic, problem: wrong } = await face.look({
      traffic: { limit, ...compact({ orderId, filter }) },
    })
    if (wrong !== undefined) throw problem('listing exchanges', wrong, 'Correct --filter.')
    if (json) await printJson(io, traffic)
    else for (const row of traffic) await printLine(io.stdout, numbered(row))
    return exitCode.done
  },
})

const resend = defineVerb({
  name: 'resend',
  summary:
    'send an exchange again: a call of ours with a fresh token and signature, a call of your service as it was, unjudged',
  arguments: [{ name: 'number', summary: 'its number in sparring traffic list', required: true }],
  flags: [jsonFlag, noColorFlag, ...controlFlags],
  async run({ number: text, json, ...connection }, io) {
    const seq = Number(text.replace(/^#/, ''))
    if (!Number.isInteger(seq) || seq < 1)
      throw problem(
        'sending an exchange again',
        `"${text}" is not the number of an exchange`,
        'See sparring traffic list.',
      )
    const sent = await (await connectToSession(connection)).resend(seq)
    if (!sent.ok) return printRefusal(sent.error, io)
    if (json) await printJson(io, sent.value)
    else {
      const { resentText } = await import('../../traffic/resend.ts')
      await printLine(io.stdout, resentText(sent.value))
    }
    return exitCode.done
  },
})

export const trafficVerb = defineVerbGroup({
  name: 'traffic',
  summary: 'exchanges of a running session: list, resend',
  verbs: [list, resend],
})
