/** `sparring suggest`: what a running session, or a recording, has not tried yet, and the commands that do. */
import { problem, Problem } from '../../core/base/problem.ts'
import { notJudgedText } from '../../core/views/session-verdict.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import type { Suggestions } from '../../core/rules/suggest.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { defineSessionVerb } from './support/session-verb.ts'
import type { SessionApi } from '../../core/session-api/session-api.ts'

async function ofSession(face: SessionApi): Promise<Suggestions> {
  const { verdicts, faults, info } = await face.look({ verdicts: true, faults: true })
  if (verdicts.length === 0)
    throw problem(
      'looking for what to try next',
      'no rule applies in this session',
      notJudgedText(info),
    )
  const { firedFaults, judgedRules, suggest } = await import('../../core/rules/suggest.ts')
  return suggest(judgedRules(verdicts), firedFaults(faults), info.subject?.role)
}

async function ofRecording(file: string): Promise<Suggestions & { readonly as: string }> {
  const { readRecording } = await import('../../core/runtime/recording/read-recording.ts')
  const { invariants } = await import('../../core/rules/invariants/catalogue.ts')
  const read = await readRecording(file)
  if (!read.ok) throw new Problem(read.error, exitCode.usage)
  const { end, header } = read.value
  const subject = header._rec.parties.find(({ party }) => party === 'subject')
  if (!end || !subject)
    throw problem(
      `looking into ${file}`,
      'it has no verdicts: only a session that ended by itself writes them',
      'Record one with sparring up --as <role> --record <file>, and end it with Ctrl-C.',
    )
  const exercised = new Set(end.verdicts.map(({ id }) => id))
  const rules = invariants
    .filter(({ binds }) => binds.includes(subject.role))
    .map(({ id }) => ({ id, isExercised: exercised.has(id) }))
  const { firedFaults, suggest } = await import('../../core/rules/suggest.ts')
  return { ...suggest(rules, firedFaults(end.faults), subject.role), as: subject.role }
}

async function printSuggestions(
  found: Suggestions,
  command: (fault: string) => string,
  io: Io,
): Promise<void> {
  const { exercised, notExercised, met, notMet, needs, next } = found
  const rules = exercised.length + notExercised.length
  await printLine(
    io.stdout,
    `${exercised.length} of ${pluralise(rules, 'rule')} were exercised; ${met.length} of ${pluralise(met.length + notMet.length, 'kind')} of failures that others were bitten by were met.`,
  )
  for (const [need, ids] of Object.entries(needs))
    await printLine(io.stdout, `With ${need} there would be more to see: ${ids.join(' ')}`)
  if (next.length === 0) return
  await printLine(io.stdout, '\nTo try next:')
  for (const { kind, rule, fault } of next)
    await printLine(io.stdout, `\n  ${kind} (${rule})\n  ${command(fault)}`)
}

export const suggestVerb = defineSessionVerb({
  name: 'suggest',
  summary: 'what a session has not tried yet: rules, kinds of failures, and the next five commands',
  arguments: [{ name: 'recording', summary: 'a recording in place of the running session' }],
  async run({ recording }, { connect, controlFlag, print, io }) {
    const path = await import('node:path')
    const found: Suggestions & { readonly as?: string } =
      recording === undefined
        ? await ofSession(await connect())
        : await ofRecording(path.resolve(io.cwd, recording))
    const command = (fault: string): string =>
      found.as === undefined
        ? `sparring faults add '${fault}'${controlFlag}`
        : `sparring up --as ${found.as} --fault '${fault}'`
    const rows = found.next.map((kind) => ({ ...kind, command: command(kind.fault) }))
    return print({ ...found, next: rows }, () => printSuggestions(found, command, io))
  },
})
