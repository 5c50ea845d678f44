/** `sparring agenda list` and `step`: the pending items, and running the first of them now. */
import { compact } from '../../core/base/compact.ts'
import { clockOf } from '../../core/engine/instant.ts'
import type { AgendaRow } from '../../core/session-api/session-api.ts'
import { defaultLimit, limitFlag, orderFlag } from '../../terminal/cli/flags.ts'
import { printLine } from '../../terminal/cli/io.ts'
import { defineSessionVerb } from './support/session-verb.ts'

const dueText = ({ due, held }: AgendaRow, now: number): string =>
  held ? 'held' : due <= now ? 'now' : `+${((due - now) / 1000).toFixed(1)}s`

const notesOf = ({ attempt, copyOf, edited, background }: AgendaRow): string =>
  [
    ...(attempt !== undefined && attempt > 1 ? [`try ${attempt}`] : []),
    ...(copyOf === undefined ? [] : [`copy of ${copyOf}`]),
    ...(edited ? ['edited'] : []),
    ...(background ? ['repeats'] : []),
  ].join(', ') || '-'

const columns = (now: number) =>
  [
    { title: 'ITEM', cell: ({ id }: AgendaRow) => id, right: true },
    { title: 'DUE', cell: (row: AgendaRow) => dueText(row, now), right: true },
    { title: 'AT', cell: ({ due }: AgendaRow) => clockOf(due) },
    { title: 'WHAT', cell: ({ text }: AgendaRow) => text },
    { title: 'ORDER', cell: ({ orderId }: AgendaRow) => orderId },
    { title: 'EFFECT', cell: ({ effect }: AgendaRow) => effect },
    { title: 'NOTES', cell: notesOf },
  ] as const

/** The text for an empty list; mentions background loops, which are listed only with `--background`. */
const emptyText = (loops: number): string =>
  loops === 0
    ? 'nothing is scheduled'
    : 'nothing is scheduled but background loops; list them with --background'

export const agendaListVerb = defineSessionVerb({
  name: 'list',
  summary: 'scheduled actions, in the order in which they are due',
  flags: [
    orderFlag,
    limitFlag,
    { name: 'background', summary: 'include background loops, such as polling' },
  ],
  async run({ order, limit = defaultLimit, background = false }, session) {
    const api = await session.connect()
    const orderId = await session.orderId(order)
    const { agenda, info } = await api.look({ agenda: compact({ limit, orderId, background }) })
    return session.printRows(agenda, columns(info.clock.now), emptyText(info.counts.loops))
  },
})

export const agendaStepVerb = defineSessionVerb({
  name: 'step',
  summary: 'run the first item now, due or not; background loops such as polling count too',
  arguments: [
    { name: 'count', summary: 'number of items to run, one after the other (default: 1)' },
  ],
  async run({ count = '1' }, { connect, json, io, print }) {
    const times = Number(count)
    if (!Number.isInteger(times) || times < 1) {
      const { problem } = await import('../../core/base/problem.ts')
      throw problem(
        'stepping',
        `"${count}" is not a number of steps`,
        'Write a whole number from 1 up.',
      )
    }
    const api = await connect()
    const taken: AgendaRow[] = []
    while (taken.length < times) {
      const row = await api.step()
      if (!row) break
      taken.push(row)
      if (!json)
        await printLine(io.stdout, `${row.id}  ${row.text}  ${row.orderId ?? ''}`.trimEnd())
    }
    return print(taken, async () => {
      if (taken.length < times) await printLine(io.stderr, 'nothing is scheduled any more')
    })
  },
})
