/** Reads the mistakes that prove the checks of certification, and holds the reasons of checks without one. */
import { readFileSync } from 'node:fs'
import type { Check } from '../../../src/core/rules/checks/check.ts'
import { type Role, roles } from '../../../src/core/protocol/role.ts'

/** Why no mistake of our own counterpart shows a check, by its first clause, and by its role where others have one. */
export const unproven: Readonly<Record<string, string>> = {
  'DIS-WKN-04': 'the address is the one that the user has named',
  'TRN-CON-01': 'messages in this process have no version of HTTP',
  'ORD-GEN-07 software-service': 'a call to another role of ours is no call of the lifecycle there',
  'ORD-ITM-06 software-service':
    'our Ordering Application declares it for as long as a session runs',
}

export const isUnproven = ({ clauses: [clause] }: Check, role: Role): boolean =>
  clause in unproven || `${clause} ${role}` in unproven

/** The mistakes of a file: the line of `ORD-OPS-05 | answer confirmOrder: status 202 => 200`, by clause and role. */
function readMistakes(file: string): ReadonlyMap<string, string> {
  const rows = readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((row) => row.includes(' | ') && !row.startsWith('#'))
  return new Map(
    rows.flatMap((row) => {
      const cut = row.indexOf(' | ')
      const [clause = '', ...named] = row.slice(0, cut).split(' ')
      return (named.length > 0 ? named : roles).map((role) => [
        `${clause} ${role}`,
        row.slice(cut + 3),
      ])
    }),
  )
}

const mistakes = { v2: readMistakes('mistakes.txt'), v1: readMistakes('mistakes-of-v1.txt') }

/** The mistakes that a check must find, by any of its clauses: lines for mutateTrace. */
export function mistakesFor(
  { clauses }: Pick<Check, 'clauses'>,
  role: Role,
  speaks: 'v1' | 'v2',
): readonly string[] {
  const lines = clauses.flatMap((clause) => mistakes[speaks].get(`${clause} ${role}`) ?? [])
  if (lines.length === 0) throw new Error(`no mistake of a ${role} proves ${clauses[0]}`)
  return lines
}
