/** Whether stdout is asked for, so that no screen may be drawn on it. */
import { isStdout } from '../../../core/runtime/files/output-place.ts'
import type { Io } from '../io.ts'

const fileOf = (reporter: string): string | undefined =>
  reporter.split('=').slice(1).join('=') || undefined

/** Whether a report is wanted on stdout, or nothing. */
export const isStdoutClaimed = (
  {
    reporter = [],
    json,
    quiet,
  }: {
    readonly reporter?: readonly string[] | undefined
    readonly json?: true | undefined
    readonly quiet?: true | undefined
  },
  { cwd }: Pick<Io, 'cwd'>,
): boolean =>
  json === true || quiet === true || reporter.some((each) => isStdout(fileOf(each) ?? '-', cwd))
