/** Parses a duration from the command line to milliseconds; throws a problem on anything else. */
import { problem } from '../../core/base/problem.ts'
import { parseDuration } from '../../core/protocol/duration.ts'

export function parseDurationArgument(text: string, attempted: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw problem(attempted, `"${text}" is no duration`, 'Write 250ms, 5s, 2m or 1h.')
}
