/**
 * Verdicts of the invariants: broken, inconclusive, open, held, untested, in this order; and the details of one invariant with its
 * findings and the exchanges that are the evidence.
 */
import { isoOf } from '../../../engine/instant.ts'
import {
  groupedByCause,
  type Finding,
  type VerdictOutcome,
  type Verdict,
} from '../../../invariants/verdict.ts'
import type { Model } from '../../model/model.ts'
import { hintRows, shortId } from '../panes/pane.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { columnSpans, emptyRow, row, span, type Tone } from '../text/row.ts'
import { headingLine, listLine, type ListLine, type ListInput } from './listing.ts'

const ranks: Readonly<Record<VerdictOutcome, number>> = {
  broken: 0,
  inconclusive: 1,
  open: 2,
  held: 3,
  untested: 4,
}

const tones: Readonly<Record<VerdictOutcome, Tone>> = {
  broken: 'err',
  inconclusive: 'warn',
  open: 'warn',
  held: 'ok',
  untested: 'muted',
}

const signOf = (outcome: VerdictOutcome, glyphs: Glyphs): string =>
  ({
    broken: glyphs.failed,
    inconclusive: '?',
    open: glyphs.open,
    held: glyphs.done,
    untested: glyphs.scheduled,
  })[outcome]

const sorted = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  groupedByCause(verdicts.toSorted((one, other) => ranks[one.outcome] - ranks[other.outcome]))

/** Why there are no verdicts; undefined when there are. */
export function notJudgedReason({ seen }: Pick<Model, 'seen'>): string | undefined {
  const info = seen?.info
  if (!info) return 'the session has not been seen yet'
  if (!info.subject) return 'no service of yours takes part: there is nobody to judge'
  return info.forked === undefined
    ? undefined
    : 'nobody is judged since the world went back: your service remembers what was'
}

export function verdictLines({ model, width, glyphs }: ListInput): readonly ListLine[] {
  const because = notJudgedReason(model)
  if (because !== undefined) return [listLine(row(span(` ${because}`, 'muted')))]
  return sorted(model.seen?.verdicts ?? []).map((verdict): ListLine => {
    const { id, outcome, sentence, premises, broken, inconclusive, follows } = verdict
    const what = follows === undefined ? sentence : `with ${follows}: ${sentence}`
    const found = outcome === 'inconclusive' ? inconclusive : broken
    const times = found > 0 ? `${found} of ${premises}` : String(premises)
    return listLine(
      {
        spans: columnSpans(width - 1, [
          { text: signOf(outcome, glyphs), width: 1, tone: tones[outcome] },
          { text: id, width: 6, tone: 'strong' },
          { text: outcome, width: 12, tone: tones[outcome] },
          { text: times, width: 9, align: 'right', tone: 'muted' },
          { text: what, tone: outcome === 'untested' ? 'muted' : 'plain' },
        ]),
      },
      { kind: 'verdict', id },
    )
  })
}

const wrapped = (text: string, width: number, tone: Tone): readonly ListLine[] =>
  hintRows(width, text).map(({ spans }) =>
    listLine({ spans: spans.map((each) => ({ ...each, tone })) }),
  )

export function findingLines(input: ListInput, id: string): readonly ListLine[] {
  const { model, width } = input
  const verdict = model.seen?.verdicts.find((each) => each.id === id)
  if (!verdict) return [listLine(row(span(' looking for the verdict', 'muted')))]
  const { sentence, clauses, kind, outcome, premise, premises, findings } = verdict
  const found = verdict.broken + verdict.inconclusive
  const field = (name: string, text: string): readonly ListLine[] =>
    hintRows(width - 11, text).map((each, index) =>
      listLine(
        row(
          span(` ${index === 0 ? name.padEnd(10) : ' '.repeat(10)}`, 'muted'),
          span(each.spans[0]?.text.trimStart() ?? ''),
        ),
      ),
    )
  return [
    ...wrapped(sentence, width, 'strong'),
    listLine(emptyRow),
    ...field('outcome', outcomeText(verdict)),
    ...(verdict.follows === undefined
      ? []
      : field('follows', `${verdict.follows}, which broke first`)),
    ...field('kind', kind),
    ...field('clauses', clauses.join(' ')),
    ...field(outcome === 'untested' ? 'to test' : 'tested by', premise),
    ...findings.flatMap((finding, index) => findingRows(finding, index, input)),
    ...(found > findings.length
      ? [
          listLine(emptyRow),
          ...wrapped(`… and ${found - findings.length} times more.`, width, 'muted'),
        ]
      : []),
    ...(premises === 0 && outcome === 'untested'
      ? [listLine(emptyRow), ...wrapped('It says nothing yet.', width, 'muted')]
      : []),
  ]
}

function outcomeText({ outcome, premises, broken, inconclusive }: Verdict): string {
  const times = premises === 1 ? 'once' : `${premises} times`
  switch (outcome) {
    case 'broken':
      return `broken ${broken === 1 ? 'once' : `${broken} times`}, put to the test ${times}`
    case 'inconclusive':
      return `inconclusive ${inconclusive === 1 ? 'once' : `${inconclusive} times`}, put to the test ${times}: Sparring itself was late`
    case 'held':
      return `held, put to the test ${times}`
    case 'open':
      return 'open: there is still time for what must come'
    case 'untested':
      return 'never put to the test'
    default:
      return outcome satisfies never
  }
}

function findingRows(finding: Finding, index: number, { width }: ListInput): readonly ListLine[] {
  const { because, at, orderId, slot, evidence, advice, lagMs } = finding
  const slotText = slot ?? shortId(orderId)
  const adviceText = advice ? 'advice: only under a fault that no correct partner makes' : ''
  return [
    listLine(emptyRow),
    headingLine(
      `${index + 1}. ${isoOf(Math.floor(at)).slice(11, 23)} ${slotText}`.trimEnd(),
      adviceText,
    ),
    ...wrapped(because, width, advice ? 'info' : lagMs === undefined ? 'err' : 'warn'),
    ...evidence.map(({ seq, line: text }) =>
      listLine(row(span(`  #${seq}`.padEnd(8), 'accent'), span(text)), {
        kind: 'exchange',
        seq,
        place: String(index),
      }),
    ),
  ]
}
