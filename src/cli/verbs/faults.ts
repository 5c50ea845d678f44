/** `sparring faults`: the faults of a running session: list, add, remove, end. */
import { clockOf } from '../../engine/instant.ts'
import type { FaultRow } from '../../session-api/session-api.ts'
import { exitCode } from '../exit-code.ts'
import { jsonFlag, noColorFlag, controlFlags } from '../flags.ts'
import { printJson, printLine } from '../io.ts'
import { escapeControls } from '../../traffic/escape-controls.ts'
import { printTable } from '../table.ts'
import { submitCommand, connectToSession, printRefusal } from '../control-client.ts'
import { defineVerbGroup, defineVerb } from '../verb.ts'

const stateOf = ({ over, forMs, limit, idle }: FaultRow): string => {
  if (over !== undefined) return over
  const bounds = [
    ...(forMs === undefined ? [] : [`for ${forMs / 1000}s`]),
    ...(limit === undefined ? [] : [`at most ${limit} times`]),
  ]
  return ['in force', ...bounds, ...(idle === undefined ? [] : [idle])].join(', ')
}

const columns = [
  { title: 'FAULT', cell: ({ id }: FaultRow) => id, right: true },
  { title: 'WHAT', cell: ({ text }: FaultRow) => text },
  { title: 'FIRED', cell: ({ fired }: FaultRow) => fired, right: true },
  { title: 'STATE', cell: stateOf },
  { title: 'LEGAL', cell: ({ legal }: FaultRow) => (legal ? 'yes' : 'no') },
  { title: 'SINCE', cell: ({ since }: FaultRow) => clockOf(since) },
] as const

const list = defineVerb({
  name: 'list',
  summary: 'the faults in force, and those that are over, with how often each has fired',
  flags: [jsonFlag, noColorFlag, ...controlFlags],
  async run({ json, ...connection }, io) {
    const { faults } = await (await connectToSession(connection)).look({ faults: true })
    if (json) await printJson(io, faults)
    else await printTable(io, faults, columns, 'no faults')
    return exitCode.done
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

const add = defineVerb({
  name: 'add',
  summary: 'put faults in force, in a session that runs',
  arguments: [
    {
      name: 'fault',
      summary: 'such as drop:event=CONFIRMED,nth=1, the same as JSON, or a profile',
      required: true,
      many: true,
    },
  ],
  flags: [jsonFlag, noColorFlag, ...controlFlags],
  details: `
Examples:
  sparring faults add duplicate:event=CONFIRMED
  sparring faults add drop:event=CANCELLED,order=o2 duplicate:percent=20,for=30s
  sparring faults add '{"drop": {"event": ["CONFIRMED", "PREPARING"], "limit": 1}}'
  sparring list faults                                 what there is, with all options`,
  async run({ fault: specs, json, ...connection }, io) {
    const face = await connectToSession(connection)
    const added: FaultRow[] = []
    for (const text of specs) {
      const result = await face.submit({ kind: 'fault.add', spec: specOf(text) })
      if (!result.ok) return printRefusal(result.error, io)
      const ids = result.value.flatMap((fact) =>
        fact.kind === 'fault.added' ? [fact.fault.id] : [],
      )
      const { faults } = await face.look({ faults: true })
      added.push(...faults.filter(({ id }) => ids.includes(id)))
    }
    if (json) await printJson(io, added)
    else
      for (const { id, text, legal, idle } of added) {
        const note = legal ? '' : '  (no correct partner does that: what it finds is advice)'
        await printLine(
          io.stdout,
          `${id}  ${escapeControls(text)}${note}${idle === undefined ? '' : `  (${idle})`}`,
        )
      }
    return exitCode.done
  },
})

const remove = defineVerb({
  name: 'remove',
  summary: 'take a fault out of force',
  arguments: [{ name: 'id', summary: 'its number, as faults list shows it', required: true }],
  flags: [jsonFlag, noColorFlag, ...controlFlags],
  async run({ id: text, ...options }, io) {
    const id = Number(text)
    if (!Number.isInteger(id) || id < 1) {
      const { problem } = await import('../../problem.ts')
      throw problem(
        'removing a fault',
        `"${text}" is no number of a fault`,
        'See sparring faults list.',
      )
    }
    return submitCommand({ kind: 'fault.remove', id }, `fault ${id} is removed`, options, io)
  },
})

const end = defineVerb({
  name: 'end',
  summary:
    'the end of all faults: what they held back goes on, and verdicts wait for calm from here on',
  flags: [jsonFlag, noColorFlag, ...controlFlags],
  run: (options, io) =>
    submitCommand({ kind: 'fault.end' }, 'the faults are at their end', options, io),
})

export const faultsVerb = defineVerbGroup({
  name: 'faults',
  summary: 'what goes wrong in a running session: list, add, remove, end',
  verbs: [list, add, remove, end],
})
