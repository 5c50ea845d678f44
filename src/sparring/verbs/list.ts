/** `sparring list`: prints the catalogues; needs no running session. */
import { problem } from '../../core/base/problem.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { jsonFlag, noColorFlag } from '../../terminal/cli/flags.ts'
import { type Io, printJson, printLine, textWidth } from '../../terminal/cli/io.ts'
import type { Listing } from './support/listing.ts'
import { printTable } from './support/table.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

/** The keys of `listings`, repeated because that module is too slow to load for a help text. */
const kinds = [
  'operations',
  'events',
  'faults',
  'samples',
  'profiles',
  'invariants',
  'scenarios',
  'clauses',
  'dialects',
  'defects',
] as const

/** The cell of a row by which it is chosen. */
export const nameOfRow =
  ({ columns: [first] }: Listing) =>
  (row: unknown): string =>
    String(first?.cell(row) ?? '')

/** The row of this name; else those with it in their name; else those with it anywhere. */
function rowsNamed(name: string | undefined, listed: Listing): readonly unknown[] {
  const { rows } = listed
  if (name === undefined) return rows
  const [wanted, nameOf] = [name.toLowerCase(), nameOfRow(listed)]
  const exact = rows.filter((row) => nameOf(row).toLowerCase() === wanted)
  if (exact.length > 0) return exact
  const named = rows.filter((row) => nameOf(row).toLowerCase().includes(wanted))
  if (named.length > 0) return named
  return rows.filter((row) => JSON.stringify(row).toLowerCase().includes(wanted))
}

async function printListing(
  { rows, columns, block, note }: Listing,
  what: string,
  io: Io,
): Promise<void> {
  if (block)
    await printLine(io.stdout, rows.map((row) => block(row, textWidth(io)).join('\n')).join('\n\n'))
  else await printTable(io, rows, columns, `no ${what}`)
  if (note !== undefined) await printLine(io.stderr, note)
}

export const listVerb = defineVerb({
  name: 'list',
  summary:
    'list operations, events, faults, samples of orders, profiles, invariants (the rules), scenarios, clauses, dialects or defects of the demo',
  arguments: [
    { name: 'what', summary: 'what to list', required: true, choices: kinds },
    { name: 'name', summary: 'only names that contain this text' },
  ],
  flags: [
    {
      name: 'judged',
      summary: 'of clauses: those that a session judges',
    },
    jsonFlag,
    noColorFlag,
  ],
  details: `
Examples:
  sparring list faults                faults for --fault, faults: in the configuration, and faults add
  sparring list samples text          orders that are not nice, for orders create --sample
  sparring list invariants SE-        rules whose name contains SE-
  sparring list clauses ORD-EVR-03    text and source of a clause, and what refers to it
  sparring list clauses EVR --json    all clauses of a group, with all details
  sparring list clauses --judged      which clauses a session judges, by which rules, of which roles
  sparring list dialects keeta        what a dialect sets, what is not settled, what it does not reproduce
  sparring list dialects ./mine.yaml  the same of one of your own, checked`,
  async run({ what, name, judged, json }, io) {
    if (judged && what !== 'clauses')
      throw problem(
        `listing ${what}`,
        '--judged is of clauses only',
        'Use sparring list clauses --judged.',
      )
    const { listings } = await import('./support/listing.ts')
    const listed = await listings[judged ? 'judged clauses' : what](io.cwd, name)
    const rows = rowsNamed(name, listed)
    if (name !== undefined && rows.length === 0) {
      const { findClosestNames } = await import('../../core/protocol/closest-name.ts')
      const near = findClosestNames(name, listed.rows.map(nameOfRow(listed)), 3)
      throw problem(
        `listing ${what}`,
        `no name contains "${name}"`,
        near.length === 0 ? `See sparring list ${what}.` : `Did you mean ${near.join(' or ')}?`,
      )
    }
    if (json) await printJson(io, rows)
    else await printListing({ ...listed, rows }, what, io)
    return exitCode.done
  },
})
