/**
 * Reports recording problems on stderr for sessions without a dashboard, whose header shows them.
 */
import type { SessionApi } from '../../core/session-api/session-api.ts'
import { type Io, printLine } from './io.ts'
import { withoutNumbers } from '../../core/protocol/count-text.ts'
import { checkOnChange } from './verdict-lines.ts'

/** Reports each kind of problem once while the session runs. */
export function reportRecordingProblems(
  face: Pick<SessionApi, 'look' | 'subscribe'>,
  { stderr }: Pick<Io, 'stderr'>,
): Disposable {
  const reported = new Set<string>()
  return checkOnChange(face, async () => {
    const problem = (await face.look({})).info.recording?.problem
    if (problem === undefined || reported.has(withoutNumbers(problem))) return
    reported.add(withoutNumbers(problem))
    await printLine(stderr, `sparring: ${problem}`)
  })
}
