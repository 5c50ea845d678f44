/** `sparring traffic`: lists the exchanges of a running session, and sends one again. */
import { compact } from '../../core/base/compact.ts'
import { problem } from '../../core/base/problem.ts'
import type { TrafficRow } from '../../core/session-api/session-api.ts'
import { defaultLimit, limitFlag, orderFlag } from '../../terminal/cli/flags.ts'
import { printLine } from '../../terminal/cli/io.ts'
import { exchangeLine } from '../../terminal/cli/log-lines.ts'
import { defineSessionVerb } from './support/session-verb.ts'
import { defineVerbGroup } from '../../terminal/cli/verb.ts'

const numbered = (row: TrafficRow): string => `#${row.seq}  ${exchangeLine(row, false)}`

const list = defineSessionVerb({
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
  ],
  async run({ order, limit = defaultLimit, filter }, session) {
    const orderId = await session.orderId(order)
    const { traffic, problem: wrong } = await (
      await session.connect()
    ).look({
      traffic: { limit, ...compact({ orderId, filter }) },
    })
    if (wrong !== undefined) throw problem('listing exchanges', wrong, 'Correct --filter.')
    return session.print(traffic, async () => {
      for (const row of traffic) await printLine(session.io.stdout, numbered(row))
    })
  },
})

const resend = defineSessionVerb({
  name: 'resend',
  summary:
    'send an exchange again: a call of ours with a fresh token and signature, a call of your service as it was, unjudged',
  arguments: [{ name: 'number', summary: 'its number in sparring traffic list', required: true }],
  async run({ number: text }, { connect, print, printRefusal, io }) {
    const seq = Number(text.replace(/^#/, ''))
    if (!Number.isInteger(seq) || seq < 1)
      throw problem(
        'sending an exchange again',
        `"${text}" is not the number of an exchange`,
        'See sparring traffic list.',
      )
    const sent = await (await connect()).resend(seq)
    if (!sent.ok) return printRefusal(sent.error)
    return print(sent.value, async () => {
      const { resentText } = await import('../../core/traffic/resend.ts')
      await printLine(io.stdout, resentText(sent.value))
    })
  },
})

export const trafficVerb = defineVerbGroup({
  name: 'traffic',
  summary: 'exchanges of a running session: list, resend',
  verbs: [list, resend],
})
