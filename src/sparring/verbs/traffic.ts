/** `sparring traffic`: lists the exchanges of a running session, writes a note at one, and sends one again. */
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

/** The number of an exchange, as `#147` or `147`. */
function exchangeNumber(text: string, attempted: string): number {
  const seq = Number(text.replace(/^#/, ''))
  if (Number.isInteger(seq) && seq >= 1) return seq
  throw problem(
    attempted,
    `"${text}" is not the number of an exchange`,
    'See sparring traffic list.',
  )
}

const numberArgument = {
  name: 'number',
  summary: 'its number in sparring traffic list',
  required: true,
} as const

const note = defineSessionVerb({
  name: 'note',
  summary: 'write a note at an exchange, kept in the recording; an empty text takes it away',
  arguments: [numberArgument, { name: 'text', summary: 'what to note', required: true }],
  async run({ number, text }, { connect, print, printRefusal, io }) {
    const seq = exchangeNumber(number, 'writing a note')
    const noted = await (await connect()).note(seq, text)
    if (!noted.ok) return printRefusal(noted.error)
    return print(noted.value, () =>
      printLine(io.stdout, noted.value.note === undefined ? `#${seq}: no note` : `#${seq}: noted`),
    )
  },
})

const resend = defineSessionVerb({
  name: 'resend',
  summary:
    'send an exchange again: a call of ours with a fresh token and signature, a call of your service as it was, unjudged',
  arguments: [numberArgument],
  async run({ number: text }, { connect, print, printRefusal, io }) {
    const seq = exchangeNumber(text, 'sending an exchange again')
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
  summary: 'exchanges of a running session: list, note, resend',
  verbs: [list, note, resend],
})
