/** `sparring verdicts`: the verdicts of the invariants about the subject of a running session. */
import { findClosestName } from '../../core/protocol/closest-name.ts'
import {
  isFailedVerdict,
  notExercisedText,
  verdictOutcomes,
  type Verdict,
} from '../../core/rules/invariants/verdict.ts'
import { notJudgedText } from '../../core/views/session-verdict.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { printJson, printLine } from '../../terminal/cli/io.ts'
import { defineSessionVerb } from './support/session-verb.ts'

const matches = ({ id, name }: Verdict, text: string): boolean =>
  id === text.toUpperCase() || name === text

export const verdictsVerb = defineSessionVerb({
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
    {
      name: 'require-exercised',
      summary: 'also exit with 1 when one of these rules was not exercised',
    },
    { name: 'probe', summary: 'ask your service for its own view of orders first (subject.probe)' },
  ],
  async run(
    { id, outcome, probe, 'require-exercised': isRequired },
    { connect, controlFlag, json, io },
  ) {
    const face = await connect()
    const { verdicts, info } = await face.look({ verdicts: true })
    const all = probe ? await face.judge() : verdicts
    if (id !== undefined && all.length > 0 && !all.some((each) => matches(each, id))) {
      const { problem } = await import('../../core/base/problem.ts')
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
    const { printVerdicts, withClauseTexts } = await import('./support/verdict-output.ts')
    if (json) await printJson(io, await withClauseTexts(chosen))
    else if (all.length === 0) await printLine(io.stderr, notJudgedText(info))
    else {
      const isChosen = id !== undefined || outcome !== undefined
      await printVerdicts(chosen, isChosen, io)
      if (!isChosen)
        await printLine(io.stdout, `\nWhat to try next: sparring suggest${controlFlag}`)
    }
    const unexercised = chosen.flatMap(({ id: rule }) => notExercisedText(rule, all) ?? [])
    const isIncomplete = isRequired === true && (all.length === 0 || unexercised.length > 0)
    return chosen.some(isFailedVerdict) || isIncomplete ? exitCode.failed : exitCode.done
  },
})
