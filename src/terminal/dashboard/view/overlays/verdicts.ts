/**
 * Verdicts of the invariants: failed, inconclusive, open, passed, not exercised, in this order; and the details of one invariant with its
 * findings and the exchanges that are the evidence.
 */
import { isoOf } from '../../../../core/engine/instant.ts'
import {
  adviceMeaningOf,
  groupedByCause,
  isInconclusive,
  type Finding,
  type VerdictOutcome,
  type Verdict,
  verdictLabel,
} from '../../../../core/rules/invariants/verdict.ts'
import { clauseWithPlace } from '../../../../core/protocol/clause.ts'
import { firedFaults, judgedRules, suggest } from '../../../../core/rules/suggest.ts'
import type { Model } from '../../model/model.ts'
import { hintRows, shortId } from '../panes/pane.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { columnSpans, emptyRow, row, span, type Tone } from '../text/row.ts'
import { headingLine, listLine, type ListLine, type ListInput, wrappedLines } from './listing.ts'

const ranks: Readonly<Record<VerdictOutcome, number>> = {
  failed: 0,
  inconclusive: 1,
  open: 2,
  passed: 3,
  'not-exercised': 4,
}

const tones: Readonly<Record<VerdictOutcome, Tone>> = {
  failed: 'err',
  inconclusive: 'warn',
  open: 'warn',
  passed: 'ok',
  'not-exercised': 'muted',
}

const glyphOf = (outcome: VerdictOutcome, glyphs: Glyphs): string =>
  ({
    failed: glyphs.failed,
    inconclusive: '?',
    open: glyphs.open,
    passed: glyphs.done,
    'not-exercised': glyphs.scheduled,
  })[outcome]

const sorted = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  groupedByCause(verdicts.toSorted((one, other) => ranks[one.outcome] - ranks[other.outcome]))

/** Why there are no verdicts; undefined when there are. */
export function notJudgedReason({ snapshot }: Pick<Model, 'snapshot'>): string | undefined {
  const info = snapshot?.info
  if (!info) return 'the session has not been seen yet'
  if (snapshot.playback && snapshot.playback.target === undefined)
    return `nothing is sent, so no rule is checked: sparring report ${snapshot.playback.recording} has the verdicts of the session`
  if (!info.subject && snapshot.verdicts.length === 0)
    return 'no service of yours takes part: there is nothing to check'
  return info.forked === undefined
    ? undefined
    : 'no rule is checked since the session went back: your service remembers what came after'
}

export function verdictLines({ model, width, glyphs }: ListInput): readonly ListLine[] {
  const because = notJudgedReason(model)
  if (because !== undefined) return [listLine(row(span(` ${because}`, 'muted')))]
  const verdicts = sorted(model.snapshot?.verdicts ?? [])
  const idWidth = Math.max(6, ...verdicts.map(({ id }) => id.length))
  const lines = verdicts.map((verdict): ListLine => {
    const { id, outcome, sentence, premises, violations, inconclusive, follows } = verdict
    const what = follows === undefined ? sentence : `with ${follows}: ${sentence}`
    const found = outcome === 'inconclusive' ? inconclusive : violations
    const times = found > 0 ? `${found} of ${premises}` : String(premises)
    return listLine(
      {
        spans: columnSpans(width - 1, [
          { text: glyphOf(outcome, glyphs), width: 1, tone: tones[outcome] },
          { text: id, width: idWidth, tone: 'strong' },
          { text: verdictLabel(verdict), width: 13, tone: tones[outcome] },
          { text: times, width: 9, align: 'right', tone: 'muted' },
          { text: what, tone: outcome === 'not-exercised' ? 'muted' : 'plain' },
        ]),
      },
      { kind: 'verdict', id },
    )
  })
  return [...lines, ...suggestedLines(model, width)]
}

/** The faults to try next, for what the service has not met. */
function suggestedLines({ snapshot }: Model, width: number): readonly ListLine[] {
  const { verdicts = [], faults = [] } = snapshot ?? {}
  const { next } = suggest(judgedRules(verdicts), firedFaults(faults), snapshot?.info.subject?.role)
  if (next.length === 0) return []
  return [
    listLine(emptyRow),
    headingLine('To try next', 'f adds a fault; sparring suggest says more'),
    ...next.map(({ fault, kind, rule }) =>
      listLine({
        spans: columnSpans(width - 1, [
          { text: rule, width: 6, tone: 'strong' },
          { text: fault, width: 48, tone: 'accent' },
          { text: kind },
        ]),
      }),
    ),
  ]
}

export function findingLines(input: ListInput, id: string): readonly ListLine[] {
  const { model, width } = input
  const verdict = model.snapshot?.verdicts.find((each) => each.id === id)
  if (!verdict) return [listLine(row(span(' looking for the verdict', 'muted')))]
  const { sentence, remedy, clauses, kind, outcome, premise, premises, findings } = verdict
  const found = verdict.violations + verdict.inconclusive
  const field = (name: string, text: string): readonly ListLine[] =>
    hintRows(width - 12, text).map((each, index) =>
      listLine(
        row(
          span(` ${(index === 0 ? name : '').padEnd(11)}`, 'muted'),
          span(each.spans[0]?.text.trimStart() ?? ''),
        ),
      ),
    )
  return [
    ...wrappedLines(sentence, width, 'strong'),
    listLine(emptyRow),
    ...field('outcome', resultText(verdict)),
    ...(verdict.follows === undefined
      ? []
      : field('follows', `${verdict.follows}, which failed first`)),
    ...field('kind', kind),
    ...(verdict.needs ? field('lacks', verdict.needs.join(' or ')) : []),
    ...field(outcome === 'not-exercised' ? 'needs' : 'checked by', premise),
    ...findings.flatMap((finding, index) => findingRows(finding, index, verdict, input)),
    // Findings of clauses are grouped, and say themselves how often they came.
    ...(found > findings.length && verdict.latest === undefined
      ? [
          listLine(emptyRow),
          ...wrappedLines(`… and ${found - findings.length} more.`, width, 'muted'),
        ]
      : []),
    ...(premises === 0 && outcome === 'not-exercised'
      ? [
          listLine(emptyRow),
          ...wrappedLines(
            'The rule was not exercised: it has nothing to check yet.',
            width,
            'muted',
          ),
        ]
      : []),
    listLine(emptyRow),
    headingLine('What to do'),
    ...wrappedLines(remedy, width, 'plain'),
    ...(clauses.length === 0 ? [] : [listLine(emptyRow), headingLine('What the protocol says')]),
    ...clauses.flatMap((clause) => field(clause, clauseText(clause, model))),
  ]
}

/** What the clause says and where it stands, once that is loaded. */
function clauseText(id: string, { snapshot }: Model): string {
  const clause = snapshot?.clauses?.get(id)
  return clause ? clauseWithPlace(clause) : ''
}

function resultText({ outcome, premises, violations, inconclusive }: Verdict): string {
  const times = premises === 1 ? 'once' : `${premises} times`
  switch (outcome) {
    case 'failed':
      return `failed ${violations === 1 ? 'once' : `${violations} times`}, checked ${times}`
    case 'inconclusive':
      return `inconclusive ${inconclusive === 1 ? 'once' : `${inconclusive} times`}, checked ${times}: Sparring itself was late`
    case 'passed':
      return `passed, checked ${times}`
    case 'open':
      return 'open: the required action is still within its deadline'
    case 'not-exercised':
      return 'not exercised'
    default:
      return outcome satisfies never
  }
}

function findingRows(
  finding: Finding,
  index: number,
  verdict: Verdict,
  { width }: ListInput,
): readonly ListLine[] {
  const { because, at, orderId, slot, evidence, advice } = finding
  const slotText = slot ?? shortId(orderId)
  const adviceText = advice ? `advice: ${adviceMeaningOf(verdict)}` : ''
  return [
    listLine(emptyRow),
    headingLine(
      `${index + 1}. ${isoOf(Math.floor(at)).slice(11, 23)} ${slotText}`.trimEnd(),
      adviceText,
    ),
    ...wrappedLines(because, width, advice ? 'info' : isInconclusive(finding) ? 'warn' : 'err'),
    ...evidence.map(({ seq, line: text }) =>
      listLine(row(span(`  #${seq}`.padEnd(8), 'accent'), span(text)), {
        kind: 'exchange',
        seq,
        place: String(index),
      }),
    ),
  ]
}
