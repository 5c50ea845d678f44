/** Output of `sparring verdicts`: a table, then each failed rule: what it requires, what was observed, what to do. */
import {
  groupedByCause,
  isAdviceVerdict,
  notExercisedText,
  type Verdict,
  verdictLabel,
  withEvidenceOnce,
} from '../../../core/rules/invariants/verdict.ts'
import { type Clauses, clausesOf, loadClauses } from '../../../core/protocol/clause.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { citedClauseLines, labelledLines, remedyLines } from './clause-text.ts'
import { type Io, printLine, textWidth } from '../../../terminal/cli/io.ts'
import { printTable } from './table.ts'
import { causeText, formatOutcomeCounts } from '../../../core/views/verdict-text.ts'

/** The first clause, and how many others there are. */
const shortClauses = ([first = '-', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} +${others.length}`

const columns = [
  { title: 'ID', cell: ({ id }: Verdict) => id },
  { title: 'OUTCOME', cell: verdictLabel },
  { title: 'CHECKED', cell: ({ premises }: Verdict) => premises, right: true },
  { title: 'CLAUSES', cell: ({ clauses }: Verdict) => shortClauses(clauses) },
  { title: 'RULE', cell: ({ sentence }: Verdict) => sentence },
] as const

/** What each clause of a rule says, and where it stands. */
const clauseLines = (verdict: Verdict, clauses: Clauses, io: Io): readonly string[] =>
  citedClauseLines(verdict.clauses, clauses, textWidth(io))

/**
 * A failed or inconclusive rule: its findings with the exchanges that show them, what to do, and what its clauses say.
 */
function findingLines(verdict: Verdict, clauses: Clauses, io: Io): readonly string[] {
  const { id, sentence, remedy, findings, violations, inconclusive } = verdict
  const advice = isAdviceVerdict(verdict)
    ? ` (advice: ${verdict.adviceMeaning ?? 'found only under a fault that no correct partner causes'})`
    : ''
  const width = textWidth(io)
  const more = violations + inconclusive - findings.length
  return [
    '',
    ...labelledLines(`${id}  `, `${sentence}${advice}${causeText(verdict)}`, { width }),
    ...withEvidenceOnce(findings).flatMap(({ because, slot, orderId, evidence }) => {
      const order = slot ?? orderId
      // Most findings name the order themselves.
      const label = order === undefined || because.includes(order) ? '' : `${order}: `
      return [
        ...labelledLines(label, because, { width, indent: 4 }),
        ...evidence.map(({ seq, line }) => `      #${seq}  ${escapeControls(line)}`),
      ]
    }),
    ...(more > 0 ? [`    and ${more} more`] : []),
    ...remedyLines(remedy, width),
    ...clauseLines(verdict, clauses, io),
  ]
}

/** A rule without findings that was asked for: when it is checked, or why it was not exercised. */
const premiseLines = (verdict: Verdict, clauses: Clauses, io: Io): readonly string[] => [
  '',
  escapeControls(
    notExercisedText(verdict.id, [verdict]) ?? `${verdict.id}  checked when ${verdict.premise}`,
  ),
  ...clauseLines(verdict, clauses, io),
]

export async function printVerdicts(
  verdicts: readonly Verdict[],
  isSelection: boolean,
  io: Io,
): Promise<void> {
  const shown = verdicts.filter(({ outcome }) => isSelection || outcome !== 'not-exercised')
  const notExercised = verdicts.filter(({ outcome }) => outcome === 'not-exercised')
  const clauses = await loadClauses()
  if (shown.length > 0) await printTable(io, shown, columns, '')
  const details = groupedByCause(shown).flatMap((verdict) =>
    verdict.findings.length > 0
      ? findingLines(verdict, clauses, io)
      : isSelection
        ? premiseLines(verdict, clauses, io)
        : [],
  )
  if (details.length > 0) await printLine(io.stdout, details.join('\n'))
  if (isSelection) return
  const byNeed = Map.groupBy(notExercised, ({ needs }) => needs?.join(' or '))
  const unexercisedLines = Array.from(byNeed, ([need, rules]) => {
    const ids = rules.map(({ id }) => id).join(' ')
    return need === undefined
      ? `not exercised: ${ids}`
      : `not exercised, for need of ${need}: ${ids}`
  })
  if (notExercised.length > 0)
    await printLine(io.stdout, [...(shown.length > 0 ? [''] : []), ...unexercisedLines].join('\n'))
  await printLine(io.stdout, formatOutcomeCounts(verdicts))
}

/** `20 of 73`: how many findings are listed, where there are more. */
function listedText({ findings, violations, inconclusive }: Verdict): { listed?: string } {
  const all = violations + inconclusive
  return all > findings.length ? { listed: `${findings.length} of ${all}` } : {}
}

/** For programs: each verdict with what its clauses say, and how many of its findings are listed. */
export async function withClauseTexts(verdicts: readonly Verdict[]): Promise<readonly object[]> {
  const clauses = await loadClauses()
  return verdicts.map((verdict) => ({
    ...verdict,
    ...listedText(verdict),
    clauseTexts: clausesOf(verdict.clauses, clauses),
  }))
}
