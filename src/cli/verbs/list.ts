/** `sparring list`: prints the catalogues; needs no running session. */
import { exitCode } from '../exit-code.ts'
import { jsonFlag, noColorFlag } from '../flags.ts'
import { printJson, printLine } from '../io.ts'
import { printTable } from '../table.ts'
import { defineVerb } from '../verb.ts'

/** The keys of `listings`, repeated because that module is too slow to load for a help text. */
const kinds = [
  'operations',
  'events',
  'faults',
  'profiles',
  'invariants',
  'scenarios',
  'clauses',
] as const

export const listVerb = defineVerb({
  name: 'list',
  summary: 'what there is: operations, events, faults, profiles, invariants, scenarios, clauses',
  arguments: [
    { name: 'what', summary: 'what to list', required: true, choices: kinds },
    { name: 'name', summary: 'only those whose name has this in it' },
  ],
  flags: [jsonFlag, noColorFlag],
  details: `
Examples:
  sparring list faults                what can go wrong, for --fault, faults: and faults add
  sparring list invariants SE-        those whose name has SE- in it
  sparring list clauses --json        clauses, and what names each`,
  async run({ what, name, json }, io) {
    const { listings } = await import('../listing.ts')
    const { rows: all, columns, note } = await listings[what](io.cwd)
    const [first] = columns
    const rows =
      name === undefined
        ? all
        : all.filter((row) => JSON.stringify(row).toLowerCase().includes(name.toLowerCase()))
    if (name !== undefined && rows.length === 0) {
      const { problem } = await import('../../problem.ts')
      const { findClosestName: closest } = await import('../../protocol/closest-name.ts')
      const near = closest(
        name,
        all.map((row) => String(first?.cell(row) ?? '')),
      )
      throw problem(
        `listing ${what}`,
        `none has "${name}" in it`,
        near === undefined ? `See sparring list ${what}.` : `Did you mean ${near}?`,
      )
    }
    if (json) await printJson(io, rows)
    else {
      await printTable(io, rows, columns, `no ${what}`)
      if (note !== undefined) await printLine(io.stderr, note)
    }
    return exitCode.done
  },
})
