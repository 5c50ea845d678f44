/** Clauses as lines for the terminal: as a block of their own, and cited by a rule. */
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import {
  boundPartyName,
  type Clause,
  clausePlaces,
  clauseWithPlace,
  type Clauses,
  clausesOf,
} from '../../../core/protocol/clause.ts'
import { wordWrap } from '../../../terminal/dashboard/view/text/cells.ts'
import type { ExplainedRule } from '../../../core/session-api/explanation.ts'
import type { ClauseUses } from './clause-uses.ts'

/** A label and a text that is wrapped beside it. */
export function labelledLines(
  label: string,
  text: string,
  { width, indent = 0 }: { readonly width: number; readonly indent?: number },
): readonly string[] {
  const room = Math.max(20, width - indent - label.length)
  return wordWrap(escapeControls(text), room).map(
    (line, index) =>
      `${' '.repeat(indent)}${index === 0 ? escapeControls(label) : ' '.repeat(label.length)}${line}`,
  )
}

/** A clause with its place, whom it binds, and what names it. */
export function clauseBlock(
  { namedBy, ...clause }: Clause & { readonly namedBy: ClauseUses },
  width: number,
): readonly string[] {
  const field = (name: string, text: string): readonly string[] =>
    labelledLines(`${name}:`.padEnd(13), text, { width, indent: 2 })
  return [
    ...labelledLines(`${clause.id}  `, clause.says, { width }),
    ...clausePlaces(clause).flatMap((place, index) =>
      field(index === 0 ? 'source' : 'also', place),
    ),
    ...field('binds', clause.binds.map(boundPartyName).join(', ')),
    ...field('kind', clause.kind),
    ...Object.entries(namedBy).flatMap(([kind, names]) =>
      names.length === 0 ? [] : field(kind, names.join(', ')),
    ),
  ]
}

/** What each of these clauses says, and where it stands. */
export const citedClauseLines = (
  ids: readonly string[],
  clauses: Clauses,
  width: number,
): readonly string[] =>
  clausesOf(ids, clauses).flatMap((clause) =>
    labelledLines(`${clause.id}  `, clauseWithPlace(clause), { width, indent: 4 }),
  )

/** What to do when a rule fails. */
export const remedyLines = (remedy: string, width: number): readonly string[] =>
  labelledLines('fix: ', remedy, { width, indent: 4 })

/** A rule: what it requires, what to do when it fails, and what its clauses say. */
export const citedRuleLines = (
  { id, sentence, remedy, clauses: ids }: ExplainedRule,
  clauses: Clauses,
  width: number,
): readonly string[] => [
  ...labelledLines(`${id}  `, sentence, { width }),
  ...remedyLines(remedy, width),
  ...citedClauseLines(ids, clauses, width),
]
