/** A trace as its redacted recording shows it, so that what procedures have written down is found in the recorded bodies. */
import { bodyValue } from '../judge/assertion.ts'
import type { TraceData, TraceNote } from '../judge/trace.ts'
import { loadRedactionKey } from '../../core/runtime/recording/redaction-key.ts'
import { Problem } from '../../core/base/problem.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { createRedactor } from '../../core/traffic/redaction/redactor.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'

/** Notes hold e-mail addresses and numbers of telephones, which have the same replacements everywhere. */
export function redactedTrace(trace: TraceData, recorded: readonly Exchange[]): TraceData {
  const key = loadRedactionKey()
  if (!key.ok) throw new Problem(key.error, exitCode.usage)
  const redactor = createRedactor(key.value.hash)
  function redactedText({ text, member }: TraceNote): string {
    if (member === undefined) return redactor.message(text, 'notes').value
    const body = JSON.stringify({ [member]: text })
    const { value } = redactor.body('request', body, 'application/json', 'http://host/')
    return String(bodyValue(JSON.parse(value), `/${member}`))
  }
  return {
    ...trace,
    notes: trace.notes.map((each) => ({ ...each, text: redactedText(each) })),
    exchanges: recorded.filter(
      ({ from, to }) => from.party === 'subject' || to.party === 'subject',
    ),
  }
}
