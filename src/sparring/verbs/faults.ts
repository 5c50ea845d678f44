/** `sparring faults`: the faults of a running session: list, add, remove, end. */
import { clockOf } from '../../core/engine/instant.ts'
import type { FaultRow } from '../../core/session-api/session-api.ts'
import { printLine } from '../../terminal/cli/io.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { defineSessionVerb } from './support/session-verb.ts'
import { defineVerbGroup } from '../../terminal/cli/verb.ts'

const stateOf = ({ over, forMs, limit, idle }: FaultRow): string => {
  if (over !== undefined) return over
  const bounds = [
    ...(forMs === undefined ? [] : [`for ${forMs / 1000}s`]),
    ...(limit === undefined ? [] : [`at most ${limit} times`]),
  ]
  return ['active', ...bounds, ...(idle === undefined ? [] : [idle])].join(', ')
}

const columns = [
  { title: 'FAULT', cell: ({ id }: FaultRow) => id, right: true },
  { title: 'WHAT', cell: ({ text }: FaultRow) => text },
  { title: 'FIRED', cell: ({ fired }: FaultRow) => fired, right: true },
  { title: 'STATE', cell: stateOf },
  { title: 'CONFORMANT', cell: ({ legal }: FaultRow) => (legal ? 'yes' : 'no') },
  { title: 'SINCE', cell: ({ since }: FaultRow) => clockOf(since) },
] as const

const list = defineSessionVerb({
  name: 'list',
  summary: 'active and ended faults, with how often each has fired',
  async run(_, { connect, printRows }) {
    const { faults } = await (await connect()).look({ faults: true })
    return printRows(faults, columns, 'no faults')
  },
})

/** Text that begins with `{` is JSON; anything else is the short form or a profile's name. */
function specOf(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const add = defineSessionVerb({
  name: 'add',
  summary: 'add faults to a running session',
  arguments: [
    {
      name: 'fault',
      summary:
        'a fault such as drop:event=CONFIRMED,nth=1, the same as JSON, or the name of a profile',
      required: true,
      many: true,
    },
  ],
  details: `
Examples:
  sparring faults add duplicate:event=CONFIRMED
  sparring faults add drop:event=CANCELLED,order=o2 duplicate:percent=20,for=30s
  sparring faults add '{"drop": {"event": ["CONFIRMED", "PREPARING"], "limit": 1}}'
  sparring list faults                                 all faults with their options`,
  async run({ fault: specs }, { connect, print, printRefusal, io }) {
    const face = await connect()
    const added: FaultRow[] = []
    for (const text of specs) {
      const result = await face.submit({ kind: 'fault.add', spec: specOf(text) })
      if (!result.ok) return printRefusal(result.error)
      const ids = result.value.flatMap((fact) =>
        fact.kind === 'fault.added' ? [fact.fault.id] : [],
      )
      const { faults } = await face.look({ faults: true })
      added.push(...faults.filter(({ id }) => ids.includes(id)))
    }
    return print(added, async () => {
      for (const { id, text, legal, idle } of added) {
        const note = legal ? '' : '  (no correct partner does this: findings are advice only)'
        await printLine(
          io.stdout,
          `${id}  ${escapeControls(text)}${note}${idle === undefined ? '' : `  (${idle})`}`,
        )
      }
    })
  },
})

const remove = defineSessionVerb({
  name: 'remove',
  summary: 'disable a fault',
  arguments: [
    { name: 'id', summary: 'number of the fault in sparring faults list', required: true },
  ],
  async run({ id: text }, { submit }) {
    const id = Number(text)
    if (!Number.isInteger(id) || id < 1) {
      const { problem } = await import('../../core/base/problem.ts')
      throw problem(
        'removing a fault',
        `"${text}" is not a fault number`,
        'See sparring faults list.',
      )
    }
    return submit({ kind: 'fault.remove', id }, `fault ${id} disabled`)
  },
})

const end = defineSessionVerb({
  name: 'end',
  summary:
    'disable all faults and deliver what they held back; verdicts then wait for pending work',
  run: (_, { submit }) => submit({ kind: 'fault.end' }, 'all faults disabled'),
})

export const faultsVerb = defineVerbGroup({
  name: 'faults',
  summary: 'faults of a running session: list, add, remove, end',
  verbs: [list, add, remove, end],
})
