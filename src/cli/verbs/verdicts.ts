/** `sparring verdicts`: the verdicts of the invariants about the subject of a running session. */
import { findClosestName } from '../../protocol/closest-name.ts'
import {
  groupedByCause,
  isAdviceVerdict,
  isFailedVerdict,
  verdictOutcomes,
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
  { title: 'OUTCOME', cell: ({ outcome }: Verdict) => outcome },
  { title: 'TESTED', cell: ({ premises }: Verdict) => premises, right: true },
  { title: 'SENTENCE', cell: ({ sentence }: Verdict) => sentence },
] as const

/** Prints the details of a broken or inconclusive invariant: clauses, findings and the exchanges that are their evidence. */
async function printFindings(verdict: Verdict, io: Io): Promise<void> {
  const { id, sentence, clauses, findings, broken, inconclusive } = verdict
  const advice = isAdviceVerdict(verdict)
    ? ' (advice: found under a fault that no correct partner makes)'
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
  const more = broken + inconclusive - findings.length
  if (more > 0) await printLine(io.stdout, `    and ${more} times more`)
}

async function printVerdicts(
  verdicts: readonly Verdict[],
  isSelection: boolean,
  io: Io,
): Promise<void> {
  const shown = verdicts.filter(({ outcome }) => isSelection || outcome !== 'untested')
  const untested = verdicts.filter(({ outcome }) => outcome === 'untested')
  if (shown.length > 0) await printTable(io, shown, columns, '')
  for (const verdict of groupedByCause(shown))
    if (verdict.findings.length > 0) await printFindings(verdict, io)
    else if (isSelection)
      await printLine(
        io.stdout,
        `\nclauses: ${verdict.clauses.join(', ')}\nput to the test when ${escapeControls(verdict.premise)}`,
      )
  if (isSelection) return
  if (untested.length > 0)
    await printLine(
      io.stdout,
      `${shown.length > 0 ? '\n' : ''}not put to the test: ${untested.map(({ id }) => id).join(' ')}`,
    )
  await printLine(io.stdout, formatOutcomeCounts(verdicts))
}

export const verdictsVerb = defineVerb({
  name: 'verdicts',
  summary:
    'what your service did wrong, by invariant, with clauses and evidence; 1 when one is broken',
  arguments: [{ name: 'id', summary: 'of this invariant alone, such as SE-1' }],
  flags: [
    {
      name: 'outcome',
      value: '<outcome>',
      summary: 'of this outcome alone',
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
        `there is no invariant "${id}" for your service`,
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
      await printLine(io.stderr, 'nobody is judged: say which role your service plays with up --as')
    else await printVerdicts(chosen, id !== undefined || outcome !== undefined, io)
    return chosen.some(isFailedVerdict) ? exitCode.broken : exitCode.done
  },
})
