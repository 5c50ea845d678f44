/** A fault as a person types it: the same text as `--fault` takes, judged while it is typed. */
import { faultPort } from '../../faults/port.ts'

/** What is wrong with it; undefined when it would do. */
export function faultProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const checked = faultPort.check(text.trim())
  return checked.ok ? undefined : checked.error.message
}
