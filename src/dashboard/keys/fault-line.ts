/** Validates a typed fault, in the syntax of `--fault`. */
import { faultPort } from '../../faults/port.ts'

/** Why the text is invalid; undefined when it is valid or empty. */
export function faultLineProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const checked = faultPort.check(text.trim())
  return checked.ok ? undefined : checked.error.message
}
