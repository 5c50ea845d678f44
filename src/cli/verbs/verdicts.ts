/** `sparring verdicts`: the verdicts of the invariants about the subject of a running session. */
import { findClosestName } from '../../protocol/closest-name.ts'
import {
  groupedByCause,
  isAdviceVerdict,
  isFailedVerdict,
  verdictOutcomes,
  outcomeLabel,
  type Verdict,
} from '../../invariants/verdict.ts'
import { exitCode } from '../exit-code.ts'
import { jsonFlag, noColorFlag, controlFlags } from '../flags.ts'
import { type Io, printJson, printLine } from '../io.ts'
import { escapeControls } from '../../traffic/escape-controls.ts'
import { printTable } from '../table.ts'
import { connectToSession } from '../control-client.ts'
import { causeText, formatOutcomeCounts } from '../verdict-lines.ts'
import { defineVerb } from '../verb.ts'

const matches = ({ id, name }: Verdict, text: string): boolean =>
  id === text.toUpperCase() || name === text

const columns = [
  { title: 'ID', cell: ({ id }: Verdict) => id },
  { title: 'OUTCOME', cell: ({ outcome }: Verdict) => outcomeLabel(outcome) },
  { title: 'CHECKED', cell: ({ premises }: Verdict) => premises, right: true },
  { title: 'RULE', cell: ({ sentence }: Verdict) => sentence },
] as const

/** Prints the details of a failed or inconclusive rule: clauses, findings and the exchanges that are their evidence. */
async function printFindings(verdict: Verdict, io: Io): Promise<void> {
  const { id, sentence, clauses, findings, violations, inconclusive } = verdict
  const advice = isAdviceVerdict(verdict)
    ? ' (advice: found only under a fault that no correct partner causes)'
    : ''
  await printLine(io.stdout, `\n${id}  ${escapeControls(sentence)}${advice}${causeText(verdict)}`)
  await printLine(io.stdout, `    clauses: ${clauses.join(', ')}`)
  for (const { because, slot, orderId, evidence } of findings) {
    const where = slot ?? orderId
    await printLine(
      io.stdout,
      `    ${where === undefined ? '' : `${escapeControls(where)}: `}${escapeControls(because)}`,
    )
    for (const { seq, line } of evidence)
      await printLine(io.stdout, `      #${seq}  ${escapeControls(line)}`)
  }
  const more = violations + inconclusive - findings.length
  if (more > 0) await printLine(io.stdout, `    and ${more} more`)
}

async function printVerdicts(
  verdicts: readonly Verdict[],
  isSelection: boolean,
  io: Io,
): Promise<void> {
  const shown = verdicts.filter(({ outcome }) => isSelection || outcome !== 'not-exercised')
  const notExercised = verdicts.filter(({ outcome }) => outcome === 'not-exercised')
  if (shown.length > 0) await printTable(io, shown, columns, '')
  for (const verdict of groupedByCause(shown))
    if (verdict.findings.length > 0) await printFindings(verdict, io)
    else if (isSelection)
      await printLine(
        io.stdout,
        `\nclauses: ${verdict.clauses.join(', ')}\nchecked when ${escapeControls(verdict.premise)}`,
      )
  if (isSelection) return
  if (notExercised.length > 0)
    await printLine(
      io.stdout,
      `${shown.length > 0 ? '\n' : ''}not exercised: ${notExercised.map(({ id }) => id).join(' ')}`,
    )
  await printLine(io.stdout, formatOutcomeCounts(verdicts))
}

export const verdictsVerb = defineVerb({
  name: 'verdicts',
  summary:
    'check results of your service by rule, with clauses and evidence; exits 1 when a rule failed',
  arguments: [{ name: 'id', summary: 'only this rule, such as SE-1' }],
  flags: [
    {
      name: 'outcome',
      value: '<outcome>',
      summary: 'only rules with this outcome',
      choices: verdictOutcomes,
    },
    { name: 'probe', summary: 'ask your service for its own view of orders first (subject.probe)' },
    jsonFlag,
    noColorFlag,
    ...controlFlags,
  ],
  async run({ id, outcome, probe, json, ...connection }, io) {
    const face = await connectToSession(connection)
    const all = probe ? await face.judge() : (await face.look({ verdicts: true })).verdicts
    if (id !== undefined && all.length > 0 && !all.some((each) => matches(each, id))) {
      const { problem } = await import('../../problem.ts')
      const names = all.flatMap((each) => [each.id, each.name])
      const near = findClosestName(id, names)
      throw problem(
        'looking for a verdict',
        `no rule "${id}" applies to your service`,
        near === undefined ? 'See sparring list invariants.' : `Did you mean ${near}?`,
      )
    }
    const chosen = all.filter(
      (each) =>
        (id === undefined || matches(each, id)) &&
        (outcome === undefined || each.outcome === outcome),
    )
    if (json) await printJson(io, chosen)
    else if (all.length === 0)
      await printLine(
        io.stderr,
        'no verdicts: start the session with up --as <role>, so that Sparring knows which role your service plays',
      )
    else await printVerdicts(chosen, id !== undefined || outcome !== undefined, io)
    return chosen.some(isFailedVerdict) ? exitCode.failed : exitCode.done
  },
})
